/**
 * The Black–Scholes–Merton model: what a European option is worth on an underlying that pays a continuous dividend yield, how that
 * changes, and which volatility a price implies. It shares no code with the package `volatility`, which is checked by it.
 *
 * @example
 * ```ts
 * import * as BlackScholes from "@effect-marketdata/sandbox/BlackScholes"
 * import * as Option from "effect/Option"
 *
 * const terms = { spot: 100, strike: 100, years: 1, rate: 0.05, dividendYield: 0 }
 * const { value } = BlackScholes.evaluate("call", { ...terms, volatility: 0.2 })
 * value.toFixed(4) // => "10.4506"
 * Option.map(BlackScholes.impliedVolatility("call", terms, value), (volatility) => volatility.toFixed(4))
 * // => Option.some("0.2000")
 * ```
 *
 * @since 0.1.0
 */
import type * as OptionSymbol from "@effect-marketdata/core/OptionSymbol"
import * as Option from "effect/Option"

/**
 * An option apart from its volatility: prices in dollars, the time left in years, and rates that are annual and continuous. All but the
 * rates are above 0.
 *
 * @category models
 * @since 0.1.0
 */
export interface Terms {
  readonly spot: number
  readonly strike: number
  readonly years: number
  readonly rate: number
  readonly dividendYield: number
}

/**
 * An option with the annual volatility to value it by: 0.2 for 20 %, above 0.
 *
 * @category models
 * @since 0.1.0
 */
export interface Model extends Terms {
  readonly volatility: number
}

/**
 * The greeks of an option.
 *
 * - `delta`: dollars a dollar of the underlying
 * - `gamma`: delta a dollar of the underlying
 * - `theta`: dollars a calendar day that passes, mostly negative
 * - `vega`: dollars a percentage point of volatility
 *
 * @category constants
 * @since 0.1.0
 */
export const greeks = ["delta", "gamma", "theta", "vega"] as const

/**
 * What an option is worth in dollars, and its greeks.
 *
 * @category models
 * @since 0.1.0
 */
export interface Valuation extends Readonly<Record<typeof greeks[number], number>> {
  readonly value: number
}

/**
 * Returns the density of the standard normal distribution.
 *
 * @category pricing
 * @since 0.1.0
 */
export const normalDensity = (x: number): number => Math.exp(-x * x / 2) / Math.sqrt(2 * Math.PI)

/**
 * Returns the probability that a standard normal variable is at most `x`, to about 14 digits. After J. F. Hart (1968), as given by
 * G. West (2005).
 *
 * @example
 * ```ts
 * import * as BlackScholes from "@effect-marketdata/sandbox/BlackScholes"
 *
 * BlackScholes.normalProbability(0).toFixed(4) // => "0.5000"
 * BlackScholes.normalProbability(1.96).toFixed(4) // => "0.9750"
 * ```
 *
 * @category pricing
 * @since 0.1.0
 */
export const normalProbability = (x: number): number => {
  const upper = upperTail(Math.abs(x))
  return x > 0 ? 1 - upper : upper
}

const upperTail = (x: number): number => {
  if (x > 38) return 0
  const exponential = Math.exp(-x * x / 2)
  if (x >= 7.071_067_811_865_47) {
    return exponential / (x + 1 / (x + 2 / (x + 3 / (x + 4 / (x + 0.65))))) / Math.sqrt(2 * Math.PI)
  }
  const numerator = polynomial(numeratorTerms, x)
  return exponential * numerator / polynomial(denominatorTerms, x)
}

const numeratorTerms = [
  3.526_249_659_989_11e-2,
  0.700_383_064_443_688,
  6.373_962_203_531_65,
  33.912_866_078_383,
  112.079_291_497_871,
  221.213_596_169_931,
  220.206_867_912_376
]

const denominatorTerms = [
  8.838_834_764_831_84e-2,
  1.755_667_163_182_64,
  16.064_177_579_207,
  86.780_732_202_946_1,
  296.564_248_779_674,
  637.333_633_378_831,
  793.826_512_519_948,
  440.413_735_824_752
]

const polynomial = (terms: ReadonlyArray<number>, x: number): number => {
  let value = 0
  for (const term of terms) value = value * x + term
  return value
}

const daysPerYear = 365

/**
 * Values an option.
 *
 * @example
 * ```ts
 * import * as BlackScholes from "@effect-marketdata/sandbox/BlackScholes"
 *
 * const model = { spot: 100, strike: 100, years: 1, rate: 0.05, dividendYield: 0, volatility: 0.2 }
 * BlackScholes.evaluate("put", model).value.toFixed(4) // => "5.5735"
 * ```
 *
 * @category pricing
 * @since 0.1.0
 */
export const evaluate = (side: OptionSymbol.Side, model: Model): Valuation => {
  const { dividendYield, rate, spot, strike, volatility, years } = model
  const sign = side === "call" ? 1 : -1
  const root = volatility * Math.sqrt(years)
  const d1 = (Math.log(spot / strike) + (rate - dividendYield) * years) / root + root / 2
  const present = spot * Math.exp(-dividendYield * years)
  const payment = strike * Math.exp(-rate * years)
  const exercised = sign * normalProbability(sign * d1)
  const paid = sign * normalProbability(sign * (d1 - root))
  const density = normalDensity(d1)
  const decay = -present * density * volatility / (2 * Math.sqrt(years))
  return {
    // Deep in the money the difference of two large numbers can fall a rounding error below 0.
    value: Math.max(0, present * exercised - payment * paid),
    delta: present / spot * exercised,
    gamma: present * density / (spot * spot * root),
    theta: (decay - rate * payment * paid + dividendYield * present * exercised) / daysPerYear,
    vega: present * density * Math.sqrt(years) / 100
  }
}

/**
 * Values an option at what exercising it pays: it follows its underlying, and nothing else moves it.
 *
 * @category pricing
 * @since 0.1.0
 */
export const exercised = (side: OptionSymbol.Side, payment: number): Valuation => ({
  value: payment,
  delta: side === "call" ? 1 : -1,
  gamma: 0,
  theta: 0,
  vega: 0
})

/**
 * Returns the volatility at which an option is worth a price; none where there is no such volatility from 0.01 % to 10,000 %.
 *
 * @example
 * ```ts
 * import * as BlackScholes from "@effect-marketdata/sandbox/BlackScholes"
 * import * as Option from "effect/Option"
 *
 * const terms = { spot: 100, strike: 100, years: 1, rate: 0.05, dividendYield: 0 }
 * // Below what the option is worth if it is exercised, no volatility explains a price.
 * BlackScholes.impliedVolatility("call", terms, 1) // => Option.none()
 * ```
 *
 * @category pricing
 * @since 0.1.0
 */
export const impliedVolatility = (
  side: OptionSymbol.Side,
  terms: Terms,
  price: number
): Option.Option<number> => {
  const valueAt = (volatility: number): number => evaluate(side, { ...terms, volatility }).value
  let low = 1e-4
  let high = 100
  if (!(valueAt(low) < price && price < valueAt(high))) return Option.none()
  // The value only rises with volatility, and halving needs no good first guess.
  while (high - low > 1e-12 * high) {
    const middle = (low + high) / 2
    if (valueAt(middle) < price) low = middle
    else high = middle
  }
  return Option.some((low + high) / 2)
}
