/**
 * Black's model (F. Black, "The pricing of commodity contracts", 1976): what a European option is worth by the forward of its underlying, and
 * how that changes. With `forward = spot·exp((rate − dividendYield)·years)` it is the model of Black, Scholes and Merton.
 *
 * Prices are in dollars a share, times in years of 365 days, volatilities annual fractions: 0.2 is 20 %. Greeks are in the units of the service's
 * columns, which the service does not state; they are those of its documented replies: `theta` a calendar day, `vega` a percentage point of
 * volatility.
 *
 * @example
 * ```ts
 * import * as Black from "@effect-marketdata/volatility/Black"
 * import * as Result from "effect/Result"
 *
 * const terms = { forward: 100 * Math.exp(0.05), strike: 100, years: 1, discount: Math.exp(-0.05), volatility: 0.2 }
 * Result.map(Black.price("call", terms), (price) => price.toFixed(6)) // => Result.succeed("10.450584")
 * Result.map(Black.greeks("call", { ...terms, spot: 100 }), ({ delta }) => delta.toFixed(6)) // => Result.succeed("0.636831")
 * ```
 *
 * @see {@link ImpliedVolatility} for the way back
 * @since 0.1.0
 */
import type * as OptionSymbol from "@effect-marketdata/core/OptionSymbol"
import * as Result from "effect/Result"
import { type InvalidInput, notOneOf, outOfRange, ranges, unreadable } from "../reason/InvalidInput.ts"
import { logMoneyness, mills, normalised, peak } from "./normalised.ts"

/**
 * An option apart from its volatility. `discount` is what a dollar at expiration is worth now: `exp(−rate·years)`.
 *
 * @category models
 * @since 0.1.0
 */
export interface Terms extends Readonly<Record<"forward" | "strike" | "years" | "discount", number>> {}

/**
 * An option with its volatility, which is above 0.
 *
 * @category models
 * @since 0.1.0
 */
export interface Model extends Readonly<Record<keyof Terms | "volatility", number>> {}

/**
 * The greeks of an option.
 *
 * - `delta`: dollars a dollar of the underlying
 * - `gamma`: delta a dollar of the underlying
 * - `theta`: dollars a calendar day that passes, with the price of the underlying and both rates as they are
 * - `vega`: dollars a percentage point of volatility
 * - `rho`: dollars a percentage point of the rate, with the price of the underlying and its dividend yield as they are
 *
 * @category models
 * @since 0.1.0
 */
export interface Greeks extends Readonly<Record<"delta" | "gamma" | "theta" | "vega" | "rho", number>> {}

/**
 * Refuses a side that is neither.
 *
 * @internal
 */
export const notSide = (side: string) => notOneOf("side", side, ["call", "put"])

/**
 * Refuses terms that break a rule.
 *
 * @internal
 */
export const wrongTerms = (forward: number, strike: number, years: number, discount: number) =>
  outOfRange(ranges.forward, forward) ?? outOfRange(ranges.strike, strike) ?? outOfRange(ranges.years, years) ??
    outOfRange(ranges.discount, discount)

const wrongModel = (side: string, { discount, forward, strike, volatility, years }: Model) =>
  notSide(side) ?? wrongTerms(forward, strike, years, discount) ?? outOfRange(ranges.volatility, volatility)

/**
 * Returns what an option is worth, in dollars. Fails with `InvalidInput` for a number out of its range.
 *
 * @category pricing
 * @since 0.1.0
 */
export const price = (side: OptionSymbol.Side, model: Model): Result.Result<number, InvalidInput> => {
  try {
    // Each is read once: what was checked is what is computed with.
    const { discount, forward, strike, volatility, years } = model
    const read = { forward, strike, years, discount, volatility }
    return wrongModel(side, read) ?? Result.succeed(unchecked(side === "call", read))
  } catch {
    return notSide(side) ?? unreadable(model, ", volatility")
  }
}

/**
 * Returns the greeks of an option; `spot` is the price of its underlying. Fails with `InvalidInput` for a number out of its range.
 *
 * @category pricing
 * @since 0.1.0
 */
export const greeks = (
  side: OptionSymbol.Side,
  model: Model & { readonly spot: number }
): Result.Result<Greeks, InvalidInput> => {
  try {
    const { discount, forward, spot, strike, volatility, years } = model
    const read = { forward, strike, years, discount, volatility }
    const wrong = wrongModel(side, read) ?? outOfRange(ranges.spot, spot)
    if (wrong !== undefined) return wrong
    const isCall = side === "call"
    const [into, s] = [new Float64Array(5), volatility * Math.sqrt(years)]
    const value = unchecked(isCall, read)
    setGreeks(into, isCall, shared(forward, discount, years, spot), logMoneyness(forward, strike), value, s)
    return Result.succeed({ delta: into[0]!, gamma: into[1]!, theta: into[2]!, vega: into[3]!, rho: into[4]! })
  } catch {
    return notSide(side) ?? unreadable(model, ", volatility, spot")
  }
}

/**
 * Returns the price of terms that were checked.
 *
 * @internal
 */
export const unchecked = (isCall: boolean, { discount, forward, strike, volatility, years }: Model): number => {
  const s = volatility * Math.sqrt(years)
  const intrinsic = Math.max(0, isCall ? forward - strike : strike - forward)
  return discount *
    (intrinsic + Math.sqrt(forward * strike) * normalised(-Math.abs(logMoneyness(forward, strike)) / s, 0.5 * s))
}

/**
 * What the options of one expiration share.
 *
 * @internal
 */
export type Shared = ReturnType<typeof shared>

/**
 * Tells the rates from forward, discount and spot.
 *
 * @internal
 */
export const shared = (forward: number, discount: number, years: number, spot: number) => {
  const rate = -Math.log(discount) / years
  const dividendYield = rate - Math.log(forward / spot) / years
  return { forward, discount, years, spot, root: Math.sqrt(years), rate, dividendYield }
}

/**
 * Fills in delta, gamma, theta, vega and rho of an option, by its log-moneyness, its price, and its volatility times the root of time.
 *
 * @internal
 */
export const setGreeks = (into: Float64Array, isCall: boolean, of: Shared, log: number, value: number, s: number) => {
  const { dividendYield, discount, forward, rate, root, spot, years } = of
  const d1 = log / s + 0.5 * s
  const density = peak * Math.exp(-0.5 * d1 * d1)
  const tail = density * mills(Math.abs(d1))
  const present = discount * forward
  const received = (isCall ? present : -present) * (isCall === d1 < 0 ? tail : 1 - tail)
  // What is received less what is paid is the price.
  const paid = received - value
  into[0] = received / spot
  into[1] = present * density / (spot * spot * s)
  into[2] = (dividendYield * received - rate * paid - present * density * s / (2 * years)) / 365
  into[3] = present * density * root / 100
  into[4] = years * paid / 100
}
