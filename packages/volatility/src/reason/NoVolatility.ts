/**
 * Why a price has no volatility. No row is left without a number and without a reason.
 *
 * @example
 * ```ts
 * import * as ImpliedVolatility from "@effect-marketdata/volatility/ImpliedVolatility"
 * import * as Result from "effect/Result"
 *
 * const terms = { forward: 100, strike: 90, years: 1, discount: 1 }
 * const found = ImpliedVolatility.solve("call", terms, 9.5)
 * Result.isFailure(found) && found.failure.message
 * // => "The price 9.5 has no volatility: it is not above what exercising pays, 10."
 * ```
 *
 * @since 0.1.0
 */
import * as Data from "effect/Data"

/** The reasons that a price alone can give. */
const ofPrices = ["NoPrice", "BelowIntrinsic", "AboveBound"] as const

/**
 * The reasons.
 *
 * - `NoPrice`: no price above 0 was given
 * - `Crossed`: the bid is above the ask
 * - `BelowIntrinsic`: the price is not above what exercising pays at expiration, discounted; of American options, what it pays now
 * - `AboveBound`: the price is not below what an option can be worth: the discounted forward of a call, the discounted strike of a put
 * - `Expired`: no time is left
 * - `NoForward`: too few strikes have prices on both sides, and the caller gave no rates
 * - `Adjusted`: the option delivers something else than 100 shares, so that its strike says nothing of the underlying's price
 *
 * @category constants
 * @since 0.1.0
 */
export const reasons = [...ofPrices, "Crossed", "Expired", "NoForward", "Adjusted"] as const

/**
 * A reason.
 *
 * @category models
 * @since 0.1.0
 */
export type Reason = typeof reasons[number]

/**
 * A price without a volatility: why, and the bound that it does not keep.
 *
 * @category errors
 * @since 0.1.0
 */
export class NoVolatility extends Data.TaggedError("NoVolatility")<
  Readonly<Record<"price" | "bound", number>> & { readonly reason: typeof ofPrices[number] }
> {
  override get message(): string {
    const why = {
      NoPrice: "it must be above ",
      BelowIntrinsic: "it is not above what exercising pays, ",
      AboveBound: "it is not below the most that the option can be worth, "
    }[this.reason]
    return `The price ${this.price} has no volatility: ${why}${this.bound}.`
  }
}
