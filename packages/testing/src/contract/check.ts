import type { Seen } from "./exchange.ts"
import type { Name } from "./probes.ts"
import type { Verdict } from "./verdict.ts"

/** A clause as a query that replies answer: which of them, and what they say. */
export interface Check {
  readonly clause: string
  readonly question: string
  readonly probes: ReadonlyArray<Name>
  readonly check: (seen: Seen<Name>) => Verdict
}
