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
import { ForeignText, HttpRequest, Problem, Profile, Query } from "@effect-marketdata/core"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { checks as chainChecks } from "./chainChecks.ts"
import { checks as chargeChecks } from "./charges.ts"
import * as Probes from "./probes.ts"
import { checks as replyChecks } from "./replyChecks.ts"
import * as Sending from "./sending.ts"
import * as Judged from "./verdict.ts"

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
const allChecks: ReadonlyArray<Judged.Check> = [...chainChecks, ...replyChecks, ...chargeChecks].toSorted((a, b) =>
  order(a.clause) - order(b.clause) || a.clause.localeCompare(b.clause)
)

/** Whether a check is about what requests cost. */
const isAboutCharges = (check: Judged.Check): boolean => chargeChecks.includes(check)

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
 * How much is to be asked.
 *
 * - `budget`: the credits that may be spent, a whole number or `Infinity`. There is no default: the caller says what it may cost
 * - `clauses`: those to ask about; all of them by default
 *
 * @category models
 * @since 0.1.0
 */
export interface Extent {
  readonly budget: number
  readonly clauses?: ReadonlyArray<string> | undefined
}

/**
 * Where to ask, and what about. One attempt at a request takes as long as `Policies.AttemptTimeout` of the client allows.
 *
 * - `baseUrl`: where the service is, as a client would be told
 * - `token`: that of a paid account; it goes in the header, never over plain http except to this machine
 * - `profile`: by whose reading to judge; the contract's by default
 * - `underlying`: whose chain is asked for, MSFT by default: one that is much traded, with no more than a few thousand contracts
 * - `tickers`: two stocks, MSFT and F by default
 * - `demo`: the ticker that is open without a token. The contract leaves it open; AAPL, the public service's, is tried by default
 *
 * @category models
 * @since 0.1.0
 */
export interface Options extends Extent {
  readonly baseUrl: string
  readonly token: Redacted.Redacted
  readonly profile?: Profile.Profile | undefined
  readonly underlying?: string | undefined
  readonly tickers?: readonly [string, string] | undefined
  readonly demo?: string | undefined
}

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
  Result.map(readExtent(extent), (extent) => {
    const { checks, over, probes } = plan(extent)
    return {
      requests: Array.from(probes).filter((name) => !isConditional(name)).length,
      credits: creditsOf(probes),
      clauses: checks.map(({ clause }) => clause),
      over: over.map(({ check: { clause }, credits }) => ({ clause, credits }))
    }
  })

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

/** Refuses an option before anything is sent: says what is wrong, and what to write instead. */
const refuse = (name: string, value: unknown, rule: string, example: string): Result.Result<never, ContractError> => {
  const message = `${Problem.format(`${name} ${Problem.shown(value)}`, { rule, example })} Nothing was sent.`
  return Result.fail(new ContractError({ message }))
}

/** Reads how much is to be asked, of untyped callers too. */
const readExtent = (input: Extent): Result.Result<Extent, ContractError> => {
  if (!Predicate.isReadonlyObject(input)) return refuse("options", input, "must be an object", "{ budget: 60 }")
  const { budget, clauses: named }: { budget?: unknown; clauses?: unknown } = input
  if (typeof budget !== "number" || !(budget === Infinity || Number.isSafeInteger(budget) && budget >= 0)) {
    return refuse("budget", budget, "must be an integer of 0 or more credits, or Infinity for any number", "60")
  }
  if (named === undefined) return Result.succeed({ budget })
  if (!Array.isArray(named)) return refuse("clauses", named, "must be a list of ids", `["2.1-mid"]`)
  const other: unknown = named.find((clause) => !clauses.some((one) => one.clause === clause))
  return other === undefined
    ? Result.succeed({ budget, clauses: named })
    : refuse("clause", other, "must be the id of a clause of the contract", "2.1-mid")
}

/** Reads all options. */
const readOptions = (input: Options) =>
  Result.gen(function*() {
    const extent = yield* readExtent(input)
    const { demo, profile = Profile.defaultProfile, tickers = ["MSFT", "F"], underlying = "MSFT" } = input
    if (profile !== "contract" && profile !== "public") {
      return yield* refuse("profile", profile, `must be "contract" or "public"`, "contract")
    }
    if (!Array.isArray(tickers) || tickers.length !== 2 || tickers[0] === tickers[1]) {
      return yield* refuse("tickers", tickers, "must be two different stocks", `["MSFT", "F"]`)
    }
    const setting: Probes.Setting = {
      profile,
      underlying: yield* ticker("underlying", underlying),
      tickers: [yield* ticker("tickers", tickers[0]), yield* ticker("tickers", tickers[1])],
      demo: yield* ticker("demo", demo ?? "AAPL"),
      isDemoNamed: demo !== undefined
    }
    return { extent, token: yield* token(input.token), baseUrl: yield* baseUrl(input.baseUrl), setting }
  })

const ticker = (name: string, input: unknown): Result.Result<string, ContractError> =>
  typeof input === "string" && /^[A-Z][A-Z0-9.]{0,9}$/.test(input)
    ? Result.succeed(input)
    : refuse(name, input, "must be a ticker in capital letters", "MSFT")

const token = (input: unknown): Result.Result<Redacted.Redacted, ContractError> =>
  Redacted.isRedacted(input) && isToken(Redacted.value(input))
    ? Result.succeed(input as Redacted.Redacted)
    : refuse("token", Redacted.make(""), tokenRule, "Redacted.make(text)")

const tokenRule = "must be at most 4096 characters of printable ASCII without spaces, braces or quotes around it"

const isToken = (value: unknown): boolean =>
  typeof value === "string" && /^[\x21-\x7e]{1,4096}$/.test(value) && !/^[{<"']|[}>"']$/.test(value)

/** Core knows what a base URL is, and over which lines a token may go. */
const baseUrl = (input: unknown): Result.Result<string, ContractError> => {
  if (typeof input !== "string") return refuse("baseUrl", input, "must be a URL", "https://api.example.com/proxy")
  const made = HttpRequest.make(Query.serviceStatus, input)
  if (Result.isFailure(made)) return Result.fail(new ContractError({ message: made.failure.message }))
  return HttpRequest.isPrivate(made.success)
    ? Result.succeed(HttpRequest.url(made.success).slice(0, -Query.target(Query.serviceStatus).length))
    : refuse("baseUrl", input, "must be https, unless it is this machine: the token is sent", "https://api.example.com")
}

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
  const { baseUrl, extent, setting, token } = yield* Effect.fromResult(readOptions(options))
  const { checks, over, probes } = plan(extent)
  const { budget } = extent
  const asksForCharges = checks.some(isAboutCharges)
  const sent = yield* Sending.send({ baseUrl, token, budget, setting, probes, asksForCharges })
  const lines = [
    ...checks.map((check) => lineOf(check.clause, check.question, judged(check, sent))),
    ...over.map(({ check: { clause, question }, credits }) =>
      lineOf(clause, question, { _tag: "OverBudget", credits, why: undefined })
    ),
    ...reasons.filter(isAsked(extent)).map(({ clause, why }) => lineOf(clause, undefined, { _tag: "Untestable", why }))
  ]
  const { requests, spent, stopped, uncertain } = sent
  return { outcome: outcomeOf(lines, stopped), baseUrl, budget, requests, spent, uncertain, stopped, lines }
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

/** The groups of a report, in their order. */
const headings: Readonly<Record<Verdict["_tag"], string>> = {
  Broken: "broken",
  NotShown: "not shown",
  OverBudget: "not asked, for want of credits",
  NotAsked: "not asked, because the run ended before",
  Untestable: "not to be asked from outside",
  Holds: "hold"
}

const said = (verdict: Verdict): string => {
  if (verdict._tag === "Broken") return verdict.evidence
  if (verdict._tag !== "OverBudget") return "why" in verdict ? verdict.why : ""
  return [`It may cost ${Judged.counted(verdict.credits, "credit")} more.`, verdict.why ?? ""].join(" ").trim()
}

/** What was spent, and what may have been. */
const sum = ({ baseUrl, budget, requests, spent, uncertain }: Report): string => {
  const certain = `${spent.toLocaleString("en-US")} of ${Judged.counted(budget, "credit")} spent`
  const more = uncertain === 0 ? "" : ` for certain, and up to ${uncertain.toLocaleString("en-US")} more uncertain`
  return `${baseUrl}: ${Judged.counted(requests, "request")} sent, ${certain}${more}`
}

const conclusions = {
  Passed: () => "Passed: nothing is broken",
  Failed: (self) => `Failed: ${Judged.counted(withVerdict(self, "Broken").length, "clause")} broken`,
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
  const groups = Object.entries(headings).flatMap(([tag, heading]) => {
    const lines = self.lines.filter(({ verdict }) => verdict._tag === tag)
    if (lines.length === 0) return []
    const isCounted = self.stopped !== undefined && (tag === "NotAsked" || tag === "Untestable")
    return ["", `${lines.length} ${heading}`, ...(isCounted ? [] : lines.map(formatLine))]
  })
  const isCutShort = self.outcome === "Failed" && self.stopped !== undefined
  return [
    sum(self),
    ForeignText.line(conclusions[self.outcome](self)),
    ...(isCutShort ? [`It ended before its end: ${ForeignText.line(self.stopped)}`] : []),
    ...groups
  ].join("\n")
}
