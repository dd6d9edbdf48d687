import type { Seen, Verdict } from "./exchange.ts"
import type { Name } from "./probes.ts"

/** A clause as a question that replies answer: which of them, and what they say. */
export interface Check {
  readonly clause: string
  readonly question: string
  readonly probes: ReadonlyArray<Name>
  readonly check: (seen: Seen<Name>) => Verdict
}
