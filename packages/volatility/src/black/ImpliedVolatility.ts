/**
 * The volatility at which Black's model gives a price, exact but for the last bits of the number.
 *
 * @example
 * ```ts
 * import * as ImpliedVolatility from "@effect-marketdata/volatility/ImpliedVolatility"
 * import * as Result from "effect/Result"
 *
 * const terms = { forward: 100, strike: 120, years: 0.25, discount: 0.99 }
 * Result.map(ImpliedVolatility.solve("call", terms, 0.5), (volatility) => volatility.toFixed(6)) // => Result.succeed("0.258332")
 * ```
 *
 * @see {@link Black} for prices and greeks
 * @see {@link NoVolatility} for prices that have none
 * @since 0.1.0
 */
import type * as OptionSymbol from "@effect-marketdata/core/OptionSymbol"
import * as Result from "effect/Result"
import { type InvalidInput, outOfRange, ranges, unreadable } from "../reason/InvalidInput.ts"
import { NoVolatility } from "../reason/NoVolatility.ts"
import { notSide, type Terms, wrongTerms } from "./Black.ts"
import { deviation } from "./normalised.ts"

/**
 * Returns the annual volatility of a price in dollars a share. Fails with `NoVolatility` for a price that no volatility gives, and with
 * `InvalidInput` for a number out of its range.
 *
 * @category pricing
 * @since 0.1.0
 */
export const solve = (
  side: OptionSymbol.Side,
  terms: Terms,
  price: number
): Result.Result<number, NoVolatility | InvalidInput> => {
  try {
    const { discount, forward, strike, years } = terms
    const wrong = notSide(side) ?? outOfRange(ranges.price, price) ?? wrongTerms(forward, strike, years, discount)
    if (wrong !== undefined) return wrong
    const isCall = side === "call"
    const s = price > 0 ? deviation(isCall, forward, strike, price / discount) : 0
    if (s > 0) return Result.succeed(s / Math.sqrt(years))
    const reason = !(price > 0) ? "NoPrice" : s === 0 ? "BelowIntrinsic" : "AboveBound"
    const intrinsic = Math.max(0, isCall ? forward - strike : strike - forward)
    const bound = discount * { NoPrice: 0, BelowIntrinsic: intrinsic, AboveBound: isCall ? forward : strike }[reason]
    return Result.fail(new NoVolatility({ reason, price, bound }))
  } catch {
    return notSide(side) ?? outOfRange(ranges.price, price) ?? unreadable(terms)
  }
}
