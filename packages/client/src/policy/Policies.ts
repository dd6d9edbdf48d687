/**
 * Policies as plain data with defaults. Provide another value for one call, for a part of a program, or for all of it. Retries are a
 * service: `RetryPolicy`.
 *
 * @example
 * ```ts
 * import * as MarketData from "@effect-marketdata/client/MarketData"
 * import * as Policies from "@effect-marketdata/client/Policies"
 * import * as Effect from "effect/Effect"
 *
 * export const spotless = MarketData.optionChain("SPX").pipe(
 *   Effect.provideService(Policies.Findings, "strict")
 * )
 * ```
 *
 * @see {@link RetryPolicy} for retries
 * @see {@link IpGuard} for the service's rule of one address at a time
 * @see {@link Credits} of core for what figures mean
 * @since 0.1.0
 */
import type * as Credits from "@effect-marketdata/core/Credits"
import type * as MaxAge from "@effect-marketdata/core/MaxAge"
import * as Context from "effect/Context"

/**
 * Makes a reference of this package: its name, and its default value.
 *
 * @internal
 */
export const reference = <A>(name: string, usual: () => A): Context.Reference<A> =>
  Context.Reference(`@effect-marketdata/client/${name}`, { defaultValue: usual })

/**
 * What to do with deviations from the contract in a reply that can be read. `"keep"`, the default, lists them as findings of the answer.
 * `"strict"` fails with `MalformedReply` for a deviation in the data; `MissingRow`, and findings about the account or the price, stay
 * findings.
 *
 * @example
 * ```ts
 * import * as MarketData from "@effect-marketdata/client/MarketData"
 * import * as Policies from "@effect-marketdata/client/Policies"
 * import * as Effect from "effect/Effect"
 *
 * // A deviation from the contract is an error, not a finding.
 * export const strict = MarketData.stockPrices(["AAPL"]).pipe(Effect.provideService(Policies.Findings, "strict"))
 * ```
 *
 * @see `Finding` of core for the deviations
 * @category references
 * @since 0.1.0
 */
export const Findings = /* @__PURE__ */ reference<"keep" | "strict">("Policies/Findings", () => "keep")

/**
 * Which of the service's figures for a request are recorded. `"possible"`, the default, ignores a figure that cannot be a price, such as
 * 999,999,999 credits for two rows, and records the computed charge instead. `"any"` records every figure, `"explained"` only one that
 * follows from the price of the query. In each case a figure that follows from no price is the finding `UnexplainedCharge`.
 *
 * @category references
 * @since 0.1.0
 */
export const RecordedFigures = /* @__PURE__ */ reference<Credits.RecordedFigures>(
  "Policies/RecordedFigures",
  () => "possible"
)

/**
 * How long one attempt may take, from sending the request to the last byte of its reply, in milliseconds: 60,000 by default. An attempt
 * that is cut off may have been charged, and is retried like a lost one. `Infinity` waits forever.
 *
 * @example
 * ```ts
 * import * as MarketData from "@effect-marketdata/client/MarketData"
 * import * as Policies from "@effect-marketdata/client/Policies"
 * import * as Effect from "effect/Effect"
 *
 * export const within5Seconds = MarketData.stockPrices(["SPY"]).pipe(
 *   Effect.provideService(Policies.AttemptTimeout, 5000)
 * )
 * ```
 *
 * @category references
 * @since 0.1.0
 */
export const AttemptTimeout = /* @__PURE__ */ reference<number>("Policies/AttemptTimeout", () => 60_000)

/**
 * What to do while the service blocks the account because of its address (contract 5.6).
 *
 * - `whenHeld`: what a call does during a block: `"fail"` with `IpBlocked`, or `"wait"`, which may take five minutes or more
 * - `heldBy`: which reply means a block: `"addressBlock"`, a 403 that names addresses, or `"any403"`
 *
 * @category models
 * @since 0.1.0
 */
export interface IpPolicy {
  readonly whenHeld: "fail" | "wait"
  readonly heldBy: "addressBlock" | "any403"
}

/**
 * What to do while the service blocks the account because of its address. By default calls fail with `IpBlocked`, and only after a 403
 * that names addresses.
 *
 * @example
 * ```ts
 * import * as MarketData from "@effect-marketdata/client/MarketData"
 * import * as Policies from "@effect-marketdata/client/Policies"
 * import * as Effect from "effect/Effect"
 *
 * export const patient = MarketData.stockPrices(["SPY"]).pipe(
 *   Effect.provideService(Policies.IpRule, { whenHeld: "wait", heldBy: "addressBlock" })
 * )
 * ```
 *
 * @category references
 * @since 0.1.0
 */
export const IpRule = /* @__PURE__ */ reference<IpPolicy>(
  "Policies/IpRule",
  () => ({ whenHeld: "fail", heldBy: "addressBlock" })
)

/**
 * Whether equal queries that are asked at the same time share one call; `false` by default. If they do, all callers get the same answer and table,
 * and its charge is made once.
 *
 * @example
 * ```ts
 * import * as MarketData from "@effect-marketdata/client/MarketData"
 * import * as Policies from "@effect-marketdata/client/Policies"
 * import * as Effect from "effect/Effect"
 *
 * const chain = MarketData.optionChain("SPX", { dte: 30 })
 *
 * // One request and one charge for both.
 * export const both = Effect.all([chain, chain], { concurrency: 2 }).pipe(
 *   Effect.provideService(Policies.Coalesce, true)
 * )
 * ```
 *
 * @category references
 * @since 0.1.0
 */
export const Coalesce = /* @__PURE__ */ reference<boolean>("Policies/Coalesce", () => false)

/**
 * How old a kept reply may be to answer a query: a duration since it arrived, or a moment in New York at or after which it
 * arrived. Without it, the default, live data are never kept, and other data answer as long as their freshness
 * allows. With it, live data answer within this age too, and no data but those of past days answer beyond it. It has no effect without a
 * `ReplyCache`.
 *
 * @example
 * ```ts
 * import * as MarketData from "@effect-marketdata/client/MarketData"
 * import * as Policies from "@effect-marketdata/client/Policies"
 * import * as Effect from "effect/Effect"
 *
 * export const atMostAMinuteOld = MarketData.stockQuote("SPY", { mode: "live" }).pipe(
 *   Effect.provideService(Policies.AcceptAge, "1 minute")
 * )
 * ```
 *
 * @see {@link ReplyCache} for the replies that are kept
 * @category references
 * @since 0.1.0
 */
export const AcceptAge = /* @__PURE__ */ reference<MaxAge.Input | undefined>("Policies/AcceptAge", () => undefined)
