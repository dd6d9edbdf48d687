/**
 * Policies as plain data with defaults, to be changed for one call, one part of a program, or all of it. How often to ask again is a service:
 * `RetryPolicy`.
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
 * @since 0.1.0
 */
import type * as Credits from "@effect-marketdata/core/Credits"
import * as Context from "effect/Context"

/**
 * What to do with deviations in a reply that can be read all the same: `"keep"` lists them in the answer, `"strict"` fails on any.
 *
 * @category references
 * @since 0.1.0
 */
export const Findings: Context.Reference<"keep" | "strict"> = /* @__PURE__ */ Context.Reference<"keep" | "strict">(
  "@effect-marketdata/client/Policies/Findings",
  { defaultValue: () => "keep" }
)

/**
 * Which of the service's figures for a request are recorded. `"possible"` disbelieves a figure that cannot be a price, such as 999,999,999 credits for
 * two rows: the computed charge is recorded then. `"any"` records whatever the service says, `"explained"` only what the price of the query leads
 * to. A figure without an explanation is a finding in each case: `UnexplainedCharge`.
 *
 * @category references
 * @since 0.1.0
 */
export const Figures: Context.Reference<Credits.Figures> = /* @__PURE__ */ Context.Reference<Credits.Figures>(
  "@effect-marketdata/client/Policies/Figures",
  { defaultValue: () => "possible" }
)

/**
 * How long one attempt may take, from the sending of a request to the last byte of its reply, in milliseconds: a minute. One that was cut
 * off may have been charged, and is asked again like a lost one. `Infinity` waits without end.
 *
 * @category references
 * @since 0.1.0
 */
export const AttemptTimeout: Context.Reference<number> = /* @__PURE__ */ Context.Reference<number>(
  "@effect-marketdata/client/Policies/AttemptTimeout",
  { defaultValue: () => 60_000 }
)

/**
 * What to do while the service blocks the account for its address (contract 5.6).
 *
 * - `whenHeld`: whether calls fail with `IpBlocked`, or wait, for five minutes or more
 * - `holdOn`: whether only a 403 that speaks of addresses holds calls back, or any 403
 *
 * @category models
 * @since 0.1.0
 */
export interface IpPolicy {
  readonly whenHeld: "fail" | "wait"
  readonly holdOn: "addressBlock" | "any403"
}

/**
 * What to do while the service blocks the account for its address: fail, and only then.
 *
 * @category references
 * @since 0.1.0
 */
export const IpRule: Context.Reference<IpPolicy> = /* @__PURE__ */ Context.Reference<IpPolicy>(
  "@effect-marketdata/client/Policies/IpRule",
  { defaultValue: () => ({ whenHeld: "fail", holdOn: "addressBlock" }) }
)

/**
 * Whether queries that ask the same at the same time share one call. Off by default: answers are then each their own, as are their
 * charges. Where it is on, everyone who shares a call is given the one answer, whose charge was made once.
 *
 * @category references
 * @since 0.1.0
 */
export const Coalesce: Context.Reference<boolean> = /* @__PURE__ */ Context.Reference<boolean>(
  "@effect-marketdata/client/Policies/Coalesce",
  { defaultValue: () => false }
)
