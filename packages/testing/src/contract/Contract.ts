/**
 * The contract as a test suite: given the base URL of the sandbox, a proxy or the real service, it reports clause by clause what holds there,
 * within a budget of credits that it never exceeds. The price is known before anything is sent.
 *
 * A clause holds only if a reply shows it: if no server answers, the token is not accepted, or the service does not say what a request cost, the
 * report says so and gives no verdict.
 *
 * @example
 * ```ts
 * import * as Sandbox from "@effect-marketdata/sandbox/Sandbox"
 * import * as Contract from "@effect-marketdata/testing/Contract"
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 * import * as Redacted from "effect/Redacted"
 * import * as Result from "effect/Result"
 *
 * const clauses = ["2.1-lengths", "7.3-400-vs-404"]
 * Result.map(Contract.price({ budget: 10, clauses }), ({ credits }) => credits) // => Result.succeed(3)
 *
 * const service = Layer.provide(Sandbox.layerHttpClient, Sandbox.layer({ seed: 1 }))
 * const report = await Effect.runPromise(Effect.provide(
 *   Contract.run({ baseUrl: "https://sandbox.test", token: Redacted.make("sandbox-paid"), budget: 10, clauses }),
 *   service
 * ))
 * report.outcome // => "Passed"
 * report.lines.map(({ clause, verdict }) => `${clause} ${verdict._tag}`) // => ["2.1-lengths Holds", "7.3-400-vs-404 Holds"]
 * ```
 *
 * @since 0.1.0
 */
import * as ForeignText from "@effect-marketdata/core/ForeignText"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as Result from "effect/Result"
import * as Probes from "./probes.ts"
import * as Input from "./input.ts"
import * as Sending from "./sending.ts"
import type * as Judged from "./verdict.ts"
import * as Words from "./words.ts"
import type { Extent, Options } from "./input.ts"
import { checks as chainChecks } from "./chainChecks.ts"
import { checks as chargeChecks } from "./chargeChecks.ts"
import { checks as replyChecks } from "./replyChecks.ts"
import type { Check } from "./verdict.ts"

/**
 * A clause of the suite. `credits` is the most that its requests cost if it is tested alone; clauses share requests, so all of them together cost
 * less than their sum. A clause that cannot be tested from outside has `why` instead.
 *
 * @category models
 * @since 0.1.0
 */
export type Clause =
  | { readonly clause: string; readonly question: string; readonly credits: number }
  | { readonly clause: string; readonly why: string }

/** The rank of a clause by its section: 2.1 before 2.3 before 4. */
const order = (clause: string): number => {
  const [section = "", part = "0"] = clause.split("-")[0]?.split(".") ?? []
  return Number(section) * 100 + Number(part)
}

/** All checks, in the order of the contract. */
const allChecks: ReadonlyArray<Check> = [...chainChecks, ...replyChecks, ...chargeChecks].toSorted((a, b) =>
  order(a.clause) - order(b.clause) || a.clause.localeCompare(b.clause)
)

/** Whether a check is about what requests cost. */
const isAboutCharges = (check: Check): boolean => chargeChecks.includes(check)

/** Some probes, and those that they depend on. */
const needed = (probes: ReadonlyArray<Probes.Name>): ReadonlySet<Probes.Name> =>
  new Set(probes.flatMap((name) => [...needed(Probes.byName[name].needs ?? []), name]))

/** The most that some probes cost together. */
const creditsOf = (probes: Iterable<Probes.Name>): number =>
  Array.from(probes).reduce((sum, name) => sum + Probes.byName[name].credits, 0)

/** Whether a probe is sent only where the service makes it necessary, and is not part of what a run costs. */
const isConditional = (name: Probes.Name): boolean =>
  Probes.byName[name].creditsOf !== undefined && Probes.byName[name].credits === 0

/** Clauses that cannot be tested with one token from outside, and why. */
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
const reasons: ReadonlyArray<{ readonly clause: string; readonly why: string }> = Object.entries(untestable)
  .flatMap(([why, all]) => all.split(" ").map((clause) => ({ clause, why })))

/**
 * Every clause of the service, in the order of the contract; those that cannot be tested from outside come last.
 *
 * @category constants
 * @since 0.1.0
 */
export const clauses: ReadonlyArray<Clause> = [
  ...allChecks.map(({ clause, probes, question }) => ({ clause, question, credits: creditsOf(needed(probes)) })),
  ...reasons
]

/**
 * Which clauses are tested, and with which options.
 *
 * @since 0.1.0
 */
export type { Extent, Options } from "./input.ts"

/**
 * What a run will do: send `requests`, for at most `credits`, to test these clauses; `over` names those that the budget does not cover,
 * with what each would cost in addition.
 *
 * In two cases the run asks for more, within the same budget. A service that does not filter chains by strike and expiration is asked for a whole
 * chain, live and delayed, if the budget covers a credit for each of its contracts. A service whose replies do not say what they cost is asked for
 * the balance of the account after each request, if that is free.
 *
 * @category models
 * @since 0.1.0
 */
export interface Price {
  readonly requests: number
  readonly credits: number
  readonly clauses: ReadonlyArray<string>
  readonly over: ReadonlyArray<{ readonly clause: string; readonly credits: number }>
}

/**
 * Returns what a run will cost at most, and which clauses the budget covers: they are taken in the order of the contract, and a clause that does
 * not fit is skipped. Fails with `ContractError` for a budget that is not a number of credits, and for unknown clauses.
 *
 * @example
 * ```ts
 * import * as Contract from "@effect-marketdata/testing/Contract"
 * import * as Result from "effect/Result"
 *
 * Result.map(Contract.price({ budget: 60 }), ({ credits }) => credits) // => Result.succeed(52)
 * ```
 *
 * @category running
 * @since 0.1.0
 */
export const price = (extent: Extent): Result.Result<Price, ContractError> =>
  Result.map(read(Input.extent(extent, clauses)), (extent) => {
    const { checks, over, probes } = plan(extent)
    return {
      requests: Array.from(probes).filter((name) => !isConditional(name)).length,
      credits: creditsOf(probes),
      clauses: checks.map(({ clause }) => clause),
      over: over.map(({ check: { clause }, credits }) => ({ clause, credits }))
    }
  })

const read = <A>(input: Result.Result<A, string>): Result.Result<A, ContractError> =>
  Result.mapError(input, (message) => new ContractError({ message }))

const isAsked = ({ clauses }: Extent) => ({ clause }: { readonly clause: string }): boolean =>
  clauses === undefined || clauses.includes(clause)

const plan = (extent: Extent) => {
  let probes: ReturnType<typeof needed> = new Set()
  const checks: Array<Judged.Check> = []
  const over: Array<{ readonly check: Judged.Check; readonly credits: number }> = []
  for (const check of allChecks.filter(isAsked(extent))) {
    const together = new Set([...probes, ...needed(check.probes)])
    if (creditsOf(together) <= extent.budget) {
      probes = together
      checks.push(check)
    } else over.push({ check, credits: creditsOf(together) - creditsOf(probes) })
  }
  return { probes, checks, over }
}

/**
 * The verdict on a clause.
 *
 * - `Holds`: replies show what the contract says
 * - `Broken`: they show something else, as the evidence says
 * - `NotShown`: the replies, or their absence, show neither
 * - `NotAsked`: it was not tested, because the run ended early
 * - `OverBudget`: it was not tested, because it may have cost `credits` more than the budget covered; if the service makes it that expensive,
 *   `why` says how
 * - `Untestable`: it cannot be tested from outside
 *
 * @category models
 * @since 0.1.0
 */
export type Verdict =
  | Judged.Verdict
  | { readonly _tag: "NotAsked" }
  | { readonly _tag: "OverBudget"; readonly credits: number; readonly why: string | undefined }
  | { readonly _tag: "Untestable"; readonly why: string }

/**
 * A clause and its verdict; `question` is what was asked, where it can be.
 *
 * @category models
 * @since 0.1.0
 */
export interface Line {
  readonly clause: string
  readonly question: string | undefined
  readonly verdict: Verdict
}

/**
 * The outcome of a run.
 *
 * - `Passed`: the run was complete, a clause holds, and none is broken
 * - `Failed`: a clause is broken
 * - `Inconclusive`: no clause is broken, but none holds either, or the run ended early
 *
 * @category models
 * @since 0.1.0
 */
export type Outcome = "Passed" | "Failed" | "Inconclusive"

/**
 * The report of a run: its outcome, a line for each clause, and the requests that were sent. `spent` is the charge by the figures of the service, in
 * credits; `uncertain` is the most that may have been charged in addition, by replies that were lost or do not say what they cost. Together they
 * never exceed the budget if the service keeps to its prices. `stopped` says why the run ended early.
 *
 * @category models
 * @since 0.1.0
 */
export interface Report {
  readonly outcome: Outcome
  readonly baseUrl: string
  readonly budget: number
  readonly requests: number
  readonly spent: number
  readonly uncertain: number
  readonly stopped: string | undefined
  readonly lines: ReadonlyArray<Line>
}

/**
 * Why nothing was sent: an option is invalid, the token would go over plain http, or a clause is unknown.
 *
 * @category errors
 * @since 0.1.0
 */
export class ContractError extends Data.TaggedError("ContractError")<{ readonly message: string }> {}

/**
 * Runs the suite. Requests are sent one after the other. A request whose highest price exceeds what is left of the budget is not sent. The run ends
 * if no server answers, the token or its plan is refused, the service has blocked the address, or the account has no credits left.
 *
 * The `HttpClient` must send each request once: the suite cannot count the charges of a client that retries by itself.
 *
 * @category running
 * @since 0.1.0
 */
export const run = Effect.fnUntraced(function*(
  options: Options
): Effect.fn.Return<Report, ContractError, HttpClient.HttpClient> {
  const { baseUrl, extent, setting, token } = yield* Effect.fromResult(read(Input.options(options, clauses)))
  const { checks, over, probes } = plan(extent)
  const sent = yield* Sending.send({
    baseUrl,
    token,
    budget: extent.budget,
    setting,
    probes,
    asksForCharges: checks.some(isAboutCharges)
  })
  const lines = [
    ...checks.map((check) => lineOf(check.clause, check.question, judged(check, sent))),
    ...over.map(({ check: { clause, question }, credits }) =>
      lineOf(clause, question, { _tag: "OverBudget", credits, why: undefined })
    ),
    ...reasons.filter(isAsked(extent)).map(({ clause, why }) => lineOf(clause, undefined, { _tag: "Untestable", why }))
  ]
  const { requests, spent, stopped, uncertain } = sent
  const outcome = outcomeOf(lines, stopped)
  return { outcome, baseUrl, budget: extent.budget, requests, spent, uncertain, stopped, lines }
})

const lineOf = (clause: string, question: string | undefined, verdict: Verdict): Line => ({ clause, question, verdict })

/** The verdict of a check; if it could not be shown because requests were held back or not reached, the verdict says so. */
const judged = ({ check, probes }: Judged.Check, { held, seen, unreached }: Sending.Sent): Verdict => {
  const verdict = check(seen)
  if (verdict._tag !== "NotShown") return verdict
  const asked = Array.from(needed(probes))
  const heldBack = asked.filter((name) => held.has(name))
  if (heldBack.length > 0) return overBudget(heldBack, held)
  return asked.some((name) => unreached.has(name)) ? { _tag: "NotAsked" } : verdict
}

/** The verdict for requests that were held back, with what they could have cost; of whole chains, which are alternatives, only one counts. */
const overBudget = (names: ReadonlyArray<Probes.Name>, held: Sending.Sent["held"]): Verdict => {
  const creditsOf = (isWhole: boolean) =>
    names.filter((name) => isConditional(name) === isWhole).map((name) => held.get(name) ?? 0)
  const [whole, others] = [creditsOf(true), creditsOf(false)]
  return {
    _tag: "OverBudget",
    credits: Math.max(0, ...whole) + others.reduce((sum, credits) => sum + credits, 0),
    why: whole.length === 0
      ? undefined
      : "The service does not filter chains by strike and expiration, and bills each contract of a whole one: name an underlying with fewer."
  }
}

const outcomeOf = (lines: ReadonlyArray<Line>, stopped: string | undefined): Outcome => {
  const has = (tag: Verdict["_tag"]) => lines.some(({ verdict }) => verdict._tag === tag)
  return has("Broken") ? "Failed" : stopped === undefined && has("Holds") ? "Passed" : "Inconclusive"
}

/**
 * Returns why a run is inconclusive; undefined if it is not.
 *
 * @category decoding
 * @since 0.1.0
 */
export const whyInconclusive = (self: Report): string | undefined =>
  self.outcome === "Inconclusive" ? self.stopped ?? "no clause was shown to hold" : undefined

/**
 * Returns the lines with this verdict.
 *
 * @category decoding
 * @since 0.1.0
 */
export const withVerdict = (self: Report, tag: Verdict["_tag"]): ReadonlyArray<Line> =>
  self.lines.filter(({ verdict }) => verdict._tag === tag)

const headings = {
  Broken: "broken",
  NotShown: "not shown",
  NotAsked: "not asked, because the run ended before",
  OverBudget: "not asked, for want of credits",
  Untestable: "not to be asked from outside",
  Holds: "hold"
} as const satisfies Readonly<Record<Verdict["_tag"], string>>

const tags = ["Broken", "NotShown", "OverBudget", "NotAsked", "Untestable", "Holds"] as const

const said = (verdict: Verdict): string => {
  switch (verdict._tag) {
    case "Holds":
    case "NotAsked":
      return ""
    case "Broken":
      return verdict.evidence
    case "OverBudget":
      return [`It may cost ${Words.count(verdict.credits, "credit")} more.`, verdict.why ?? ""].join(" ").trim()
    default:
      return verdict.why
  }
}

/** What was spent, and what may have been. */
const sum = ({ baseUrl, budget, requests, spent, uncertain }: Report): string => {
  const certain = `${spent.toLocaleString("en-US")} of ${Words.count(budget, "credit")} spent`
  const more = uncertain === 0 ? "" : ` for certain, and up to ${uncertain.toLocaleString("en-US")} more uncertain`
  return `${baseUrl}: ${Words.count(requests, "request")} sent, ${certain}${more}`
}

const conclusions = {
  Passed: () => "Passed: nothing is broken",
  Failed: (self) => `Failed: ${Words.count(withVerdict(self, "Broken").length, "clause")} broken`,
  Inconclusive: (self) => `No verdict: ${whyInconclusive(self)}`
} as const satisfies Readonly<Record<Outcome, (self: Report) => string>>

const formatLine = ({ clause, question, verdict }: Line): string => {
  const text = [question, said(verdict)].filter((text) => text !== undefined && text !== "").join(" ")
  // The evidence quotes the service.
  return `  ${clause.padEnd(28)} ${ForeignText.line(text)}`
}

/**
 * Prints a report: first its sum and outcome, then the broken clauses with the evidence, then the others. If the run ended early, the clauses that
 * were not tested are only counted.
 *
 * @category formatting
 * @since 0.1.0
 */
export const format = (self: Report): string => {
  const groups = tags.flatMap((tag) => {
    const lines = withVerdict(self, tag)
    if (lines.length === 0) return []
    const isCounted = self.stopped !== undefined && (tag === "NotAsked" || tag === "Untestable")
    return ["", `${lines.length} ${headings[tag]}`, ...(isCounted ? [] : lines.map(formatLine))]
  })
  const isCutShort = self.outcome === "Failed" && self.stopped !== undefined
  return [
    sum(self),
    ForeignText.line(conclusions[self.outcome](self)),
    ...(isCutShort ? [`It ended before its end: ${ForeignText.line(self.stopped)}`] : []),
    ...groups
  ].join("\n")
}
