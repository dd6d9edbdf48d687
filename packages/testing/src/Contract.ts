/**
 * The contract as a suite: pointed at a base URL, it tells clause by clause what holds there; of the sandbox, of a proxy, or of the real
 * service within a budget of credits that it never passes. What it will cost is known before anything is sent.
 *
 * @example
 * ```ts
 * import * as Sandbox from "@effect-marketdata/sandbox/Sandbox"
 * import * as Contract from "@effect-marketdata/testing/Contract"
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 * import * as Redacted from "effect/Redacted"
 *
 * const clauses = ["2.1-lengths", "7.3-400-vs-404"]
 * Contract.price({ budget: 10, clauses }).credits // => 3
 *
 * const service = Layer.provide(Sandbox.layerHttpClient, Sandbox.layer({ seed: 1 }))
 * const report = await Effect.runPromise(Effect.provide(
 *   Contract.run({ baseUrl: "https://sandbox.test", token: Redacted.make("sandbox-paid"), budget: 10, clauses }),
 *   service
 * ))
 * report.lines.map(({ clause, verdict }) => `${clause} ${verdict._tag}`) // => ["2.1-lengths Holds", "7.3-400-vs-404 Holds"]
 * ```
 *
 * @since 0.1.0
 */
import * as HttpRequest from "@effect-marketdata/core/HttpRequest"
import * as Query from "@effect-marketdata/core/Query"
import * as Profile from "@effect-marketdata/core/Profile"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import type * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type { Check } from "./internal/contract/check.ts"
import type * as Exchange from "./internal/contract/exchange.ts"
import * as Sending from "./internal/contract/sending.ts"
import * as Suite from "./internal/contract/suite.ts"
import * as Untestable from "./internal/contract/untestable.ts"

/**
 * A clause as the suite asks it: a question that replies answer. `credits` is the most that its requests cost where it is asked alone;
 * clauses share requests, so that all of them together cost less than their sum. A clause that nobody can ask from outside has `why`
 * instead.
 *
 * @category models
 * @since 0.1.0
 */
export type Clause =
  | { readonly clause: string; readonly question: string; readonly credits: number }
  | { readonly clause: string; readonly why: string }

/**
 * Every clause of the service, in the order of the contract, those that cannot be asked from outside last.
 *
 * @category constants
 * @since 0.1.0
 */
export const clauses: ReadonlyArray<Clause> = [
  ...Suite.checks.map(({ clause, probes, question }) => ({
    clause,
    question,
    credits: Suite.creditsOf(Suite.needed(probes))
  })),
  ...Untestable.reasons
]

/**
 * How much is to be asked.
 *
 * - `budget`: the credits that may be spent. There is no default: whoever runs the suite says what it may cost
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
 * What a run will do: so many requests, for so many credits at most, to answer these clauses; `over` names those that the budget has no
 * room for, and what each would cost beyond the others.
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
 * Says what a run will cost at most, and what the budget has room for: clauses are taken in the order of the contract, and one that does not
 * fit leaves its place to those that do.
 *
 * @category planning
 * @since 0.1.0
 */
export const price = (extent: Extent): Price => {
  const { checks, over, probes } = plan(extent)
  return {
    requests: probes.size,
    credits: Suite.creditsOf(probes),
    clauses: checks.map(({ clause }) => clause),
    over: over.map(({ check: { clause }, credits }) => ({ clause, credits }))
  }
}

const isAsked = ({ clauses }: Extent) => ({ clause }: { readonly clause: string }): boolean =>
  clauses === undefined || clauses.includes(clause)

const plan = (extent: Extent) => {
  let probes: ReturnType<typeof Suite.needed> = new Set()
  const checks: Array<Check> = []
  const over: Array<{ readonly check: Check; readonly credits: number }> = []
  for (const check of Suite.checks.filter(isAsked(extent))) {
    const together = new Set([...probes, ...Suite.needed(check.probes)])
    if (Suite.creditsOf(together) <= extent.budget) {
      probes = together
      checks.push(check)
    } else over.push({ check, credits: Suite.creditsOf(together) - Suite.creditsOf(probes) })
  }
  return { probes, checks, over }
}

/**
 * Where to ask, and what about.
 *
 * - `baseUrl`: where the service is, as a client would be told
 * - `token`: that of a paid account; it goes in the header, never over plain http except to this machine
 * - `profile`: by whose reading to judge; the contract's by default
 * - `underlying`: whose chain is asked for, MSFT by default: one that is much traded, with no more than a few thousand contracts
 * - `tickers`: two stocks, MSFT and F by default
 * - `demo`: the ticker that is open without a token; AAPL by default
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
 * What came of a clause.
 *
 * - `Holds`: the replies were as the contract says
 * - `Broken`: they were not, as the evidence shows
 * - `NotShown`: the replies, or their absence, say nothing of it
 * - `OverBudget`: it was not asked; it would have cost so many credits more
 * - `Untestable`: nobody can ask from outside
 *
 * @category models
 * @since 0.1.0
 */
export type Verdict =
  | { readonly _tag: "Holds" }
  | { readonly _tag: "Broken"; readonly evidence: string }
  | { readonly _tag: "NotShown"; readonly why: string }
  | { readonly _tag: "OverBudget"; readonly credits: number }
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
 * What a run found: a line for each clause, the requests that were sent, and the credits that were spent by the service's own statement.
 * `stopped` says why it ended before its end.
 *
 * @category models
 * @since 0.1.0
 */
export interface Report {
  readonly baseUrl: string
  readonly budget: number
  readonly requests: number
  readonly spent: number
  readonly stopped: string | undefined
  readonly lines: ReadonlyArray<Line>
}

/**
 * Says why nothing was asked: the base URL is none, the token would go over an open line, or there is no such clause.
 *
 * @category errors
 * @since 0.1.0
 */
export class ContractError extends Data.TaggedError("ContractError")<{ readonly message: string }> {}

/**
 * Asks, and judges the replies. Requests go one after the other; none is sent whose highest price would pass what is left of the budget, and
 * none after the service has blocked the address or the account has run out of credits.
 *
 * @category running
 * @since 0.1.0
 */
export const run = Effect.fnUntraced(function*(
  options: Options
): Effect.fn.Return<Report, ContractError, HttpClient.HttpClient> {
  const baseUrl = yield* Effect.fromResult(readBaseUrl(options.baseUrl))
  const unknown = options.clauses?.find((clause) => !clauses.some((known) => known.clause === clause))
  if (unknown !== undefined) {
    return yield* new ContractError({
      message: `there is no clause ${unknown}: choose among those of Contract.clauses`
    })
  }
  const { checks, over, probes } = plan(options)
  const setting: Exchange.Setting = {
    profile: options.profile ?? Profile.defaultProfile,
    underlying: options.underlying ?? "MSFT",
    tickers: options.tickers ?? ["MSFT", "F"],
    demo: options.demo ?? "AAPL"
  }
  const sent = yield* Sending.send({ baseUrl, token: options.token, budget: options.budget, setting, probes })
  const seen = { setting, now: sent.now, reply: (name: (typeof sent.held)[number]) => sent.replies.get(name) }
  const judged = checks.map(({ check, clause, probes, question }): Line => {
    const held = sent.held.filter((name) => Suite.needed(probes).has(name))
    const verdict: Verdict = held.length > 0
      ? { _tag: "OverBudget", credits: Suite.creditsOf(held) }
      : check(seen)
    return { clause, question, verdict }
  })
  return {
    baseUrl,
    budget: options.budget,
    requests: sent.requests,
    spent: sent.spent,
    stopped: sent.stopped,
    lines: [
      ...judged,
      ...over.map(({ check: { clause, question }, credits }): Line => ({
        clause,
        question,
        verdict: { _tag: "OverBudget", credits }
      })),
      ...Untestable.reasons.filter(isAsked(options)).map(({ clause, why }): Line => ({
        clause,
        question: undefined,
        verdict: { _tag: "Untestable", why }
      }))
    ]
  }
})

/** Core knows what a base URL is, and over which lines a token may go. */
const readBaseUrl = (baseUrl: string): Result.Result<string, ContractError> =>
  HttpRequest.make(Query.serviceStatus, baseUrl).pipe(
    Result.mapError(({ message }) => new ContractError({ message })),
    Result.filterOrFail(
      HttpRequest.isPrivate,
      () =>
        new ContractError({ message: "the token would go over plain http: use https, or a service of this machine" })
    ),
    Result.map((request) => HttpRequest.url(request).slice(0, -Query.target(Query.serviceStatus).length))
  )

/**
 * The lines with a verdict of this kind.
 *
 * @category reading
 * @since 0.1.0
 */
export const withVerdict = (self: Report, tag: Verdict["_tag"]): ReadonlyArray<Line> =>
  self.lines.filter(({ verdict }) => verdict._tag === tag)

const headings = {
  Broken: "broken",
  NotShown: "not shown",
  OverBudget: "not asked, for want of credits",
  Untestable: "not to be asked from outside",
  Holds: "hold"
} as const satisfies Readonly<Record<Verdict["_tag"], string>>

const tags = ["Broken", "NotShown", "OverBudget", "Untestable", "Holds"] as const

const said = (verdict: Verdict): string => {
  switch (verdict._tag) {
    case "Holds":
      return ""
    case "Broken":
      return verdict.evidence
    case "OverBudget":
      return `It takes ${verdict.credits} more.`
    default:
      return verdict.why
  }
}

/**
 * Writes a report as text: first the sum, then the clauses that are broken with the evidence, then the others.
 *
 * @category formatting
 * @since 0.1.0
 */
export const format = (self: Report): string => {
  const groups = tags.flatMap((tag) => {
    const lines = withVerdict(self, tag)
    return lines.length === 0 ? [] : [
      "",
      `${lines.length} ${headings[tag]}`,
      ...lines.map(({ clause, question, verdict }) => {
        const text = [question, said(verdict)].filter((text) => text !== undefined && text !== "").join(" ")
        return `  ${clause.padEnd(28)} ${text}`
      })
    ]
  })
  return [
    `${self.baseUrl}: ${self.requests} ${
      self.requests === 1 ? "request" : "requests"
    } sent, ${self.spent} of ${self.budget} credits spent`,
    ...(self.stopped === undefined ? [] : [`It ended early: ${self.stopped}`]),
    ...groups
  ].join("\n")
}
