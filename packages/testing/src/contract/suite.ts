import { checks as chainChecks } from "./chainChecks.ts"
import { checks as chargeChecks } from "./chargeChecks.ts"
import * as Probes from "./probes.ts"
import { checks as replyChecks } from "./replyChecks.ts"
import type { Check } from "./verdict.ts"

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

/** Clauses of the service that no stranger with one token can try, and why. */
const untestable: Readonly<Record<string, string>> = {
  "it takes accounts of other plans or users than the token's":
    "1-kinds 4.1-data-type-table 4.1-delayed-condition 4-mode-everywhere 5.8-premium-mode 7.1-402 8.2-access 8.2-default",
  "it takes requests from several addresses at once, and ends in a block": "5.6-single-ip 5.6-simultaneous 7.1-403",
  "only the service itself can see it": "2.1-last-null 7.1-200 8.3-age 8.4-stocks 8.4-options 8.5-not-shown",
  "it asks something of the client, not of the service":
    "1-base-url 4-get 4.1-maxage-cached-only 4.5-general-params 5.2-obtain 5.4-header-default 7.1-204-elsewhere " +
    "7.2-cached-200 8.1-request-line 8.1-batches 8.3-fallback",
  "the token would stand in a URL, which others may log": "5.3-query",
  "it costs as many credits as there are symbols": "8.1-no-cap",
  "what is right is not stated":
    "7.1-bodies-unknown 7.1-charge-not-stated 7.3-cause-malformed-query 8.2-cost-historical-quotes"
}

/** Each of them, and why. */
export const reasons: ReadonlyArray<{ readonly clause: string; readonly why: string }> = Object.entries(untestable)
  .flatMap(([why, all]) => all.split(" ").map((clause) => ({ clause, why })))
