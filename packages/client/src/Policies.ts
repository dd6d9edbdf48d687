/**
 * Policies as plain data with defaults, to be changed for one call, one part of a program, or all of it.
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
import * as RetryRule from "@effect-marketdata/core/Retry"
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
 * How often and how patiently to ask again after failures that pass.
 *
 * @category references
 * @since 0.1.0
 */
export const Retry: Context.Reference<RetryRule.Policy> = /* @__PURE__ */ Context.Reference<RetryRule.Policy>(
  "@effect-marketdata/client/Policies/Retry",
  { defaultValue: () => RetryRule.defaultPolicy }
)
