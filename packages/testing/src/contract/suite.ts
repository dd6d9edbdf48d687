import { checks as chainChecks } from "./chainChecks.ts"
import { checks as chargeChecks } from "./chargeChecks.ts"
import type { Check } from "./check.ts"
import * as Probes from "./probes.ts"
import { checks as replyChecks } from "./replyChecks.ts"

/** A place by section: 2.1 before 2.3 before 4. */
const order = (clause: string): number => {
  const [section = "", part = "0"] = clause.split("-")[0]?.split(".") ?? []
  return Number(section) * 100 + Number(part)
}

/** All checks, in the order of the contract. */
export const checks: ReadonlyArray<Check> = [...chainChecks, ...replyChecks, ...chargeChecks].toSorted((a, b) =>
  order(a.clause) - order(b.clause) || a.clause.localeCompare(b.clause)
)

/** Whether a check goes by what requests cost. */
export const isAboutCharges = (check: Check): boolean => chargeChecks.includes(check)

/** The probes whose replies a probe or a check looks at, those included that these need themselves. */
export const needed = (probes: ReadonlyArray<Probes.Name>): ReadonlySet<Probes.Name> =>
  new Set(probes.flatMap((name) => [...needed(Probes.byName[name].needs ?? []), name]))

/** The most that some probes cost together. */
export const creditsOf = (probes: Iterable<Probes.Name>): number =>
  Array.from(probes).reduce((sum, name) => sum + Probes.byName[name].credits, 0)

/** Whether a probe is sent only where the service makes it necessary, and is not part of what a run costs. */
export const isConditional = (name: Probes.Name): boolean =>
  Probes.byName[name].creditsOf !== undefined && Probes.byName[name].credits === 0
