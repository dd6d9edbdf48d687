/**
 * Options that may be exercised on any day, as those on stocks and ETFs are: the approximation of P. Bjerksund and G. Stensland, "Closed-form
 * approximation of American options" (1993), which exercises at one flat boundary. Dividends are a yield that is paid without a break.
 *
 * What it says is too low: near the money by 0.3 % of the strike at most, up to two years and a volatility of 80 %; deep in the money by 1 %, and over years
 * at a volatility of 100 % by 4 %. Where rate and yield are both negative, by up to 2.4 %.
 */
import * as Black from "../black/Black.ts"
import { deviation, mills, peak } from "../black/normalised.ts"

/** The name of the method, as results show it. */
export const method = "Bjerksund–Stensland 1993"

/** An option apart from its volatility, by the price of its underlying. */
export interface Terms extends Readonly<Record<"spot" | "strike" | "years" | "rate" | "dividendYield", number>> {}

/** The European value of the same terms. */
export const european = (isCall: boolean, terms: Terms, volatility: number): number => {
  const discount = Math.exp(-terms.rate * terms.years)
  return Black.unchecked(isCall, { ...terms, forward: forwardOf(terms), discount, volatility })
}

const forwardOf = ({ dividendYield, rate, spot, years }: Terms) => spot * Math.exp((rate - dividendYield) * years)

/**
 * Returns whether exercising before expiration can ever pay: what a call pays out sooner is its dividends, what a put brings in sooner is interest on
 * its strike. Either can also save a loss where rates are negative.
 */
export const mayExerciseEarly = (isCall: boolean, { dividendYield, rate }: Pick<Terms, "rate" | "dividendYield">) =>
  isCall ? dividendYield > 0 || rate < dividendYield : rate > 0 || dividendYield < rate

/** The value: at least the European one, and what exercising pays. */
export const value = (isCall: boolean, terms: Terms, volatility: number): number => {
  const floor = european(isCall, terms, volatility)
  if (!mayExerciseEarly(isCall, terms)) return floor
  const { dividendYield, rate, spot, strike, years } = terms
  // A put is a call on the strike that is paid for with the underlying.
  const [own, paid, cost, gain] = isCall ? [spot, strike, rate, dividendYield] : [strike, spot, dividendYield, rate]
  const closed = call(own, paid, years, cost, cost - gain, volatility)
  // If dividends or interest are paid for waiting, the method has no boundary: what is left is to exercise at once.
  const isFound = gain >= 0 && Number.isFinite(closed)
  return Math.max(floor, own - paid, isFound ? closed : 0)
}

/** The value of a call, by the cost of carrying its underlying, which is below the rate. */
const call = (spot: number, strike: number, years: number, rate: number, carry: number, volatility: number): number => {
  const [variance, s] = [volatility * volatility, volatility * Math.sqrt(years)]
  const ratio = carry / variance
  const beta = 0.5 - ratio + Math.sqrt((ratio - 0.5) ** 2 + 2 * rate / variance)
  const atLast = Math.max(strike, rate / (rate - carry) * strike)
  // Where only a negative rate makes exercising pay, the boundary of an option without end is infinite: a large number takes its place.
  const further = Math.min(beta / (beta - 1), 1e9) * strike - atLast
  // Where carrying costs more than the underlying moves, the published formula puts the boundary below the strike.
  const climb = Math.max(carry * years + 2 * s, s)
  const boundary = atLast - further * Math.expm1(-climb * atLast / further)
  if (spot >= boundary) return spot - strike
  const log = Math.log(boundary / spot)
  /** The value of the underlying to a power, paid at expiration if it is below a level then and was never at the boundary. */
  const below = (power: number, level: number): number => {
    const growth = -rate + power * carry + 0.5 * power * (power - 1) * variance
    const d = -(Math.log(spot / level) + (carry + (power - 0.5) * variance) * years) / s
    const scale = growth * years - power * log
    return weighted(scale, d) - weighted(scale + (2 * ratio + 2 * power - 1) * log, d - 2 * log / s)
  }
  return (boundary - strike) * (Math.exp(-beta * log) - below(beta, boundary)) +
    boundary * (below(1, boundary) - below(1, strike)) - strike * (below(0, boundary) - below(0, strike))
}

/** `exp(scale)` times the probability below z: one may be beyond all numbers where the other is nothing. */
const weighted = (scale: number, z: number): number => {
  const tail = Math.exp(scale - 0.5 * z * z) * peak * mills(Math.abs(z))
  return z < 0 ? tail : Math.exp(scale) - tail
}

/**
 * Returns the volatility of a price; 0 for one that is not above what exercising pays, NaN for one that is not below the bound. The value only rises with
 * volatility, and is at least the European one: that of the price bounds it, where there is one.
 */
export const impliedVolatility = (isCall: boolean, terms: Terms, price: number): number => {
  const { rate, spot, strike, years } = terms
  if (!(price < (isCall ? spot : strike))) return NaN
  let high = deviation(isCall, forwardOf(terms), strike, price * Math.exp(rate * years)) / Math.sqrt(years)
  if (!mayExerciseEarly(isCall, terms)) return high
  let low = 1e-4
  // Above the European bound a price may still be one of an option that can be exercised at once: its volatility is sought upwards.
  if (!(high > 0)) { for (high = 10; value(isCall, terms, high) < price; high *= 2) if (high > 1e6) return NaN }
  let [below, above] = [value(isCall, terms, low) - price, value(isCall, terms, high) - price]
  if (below >= 0) return 0
  // Secants between bounds (the Illinois rule): an end that stays is given half of its weight.
  let last = 0
  for (let step = 0; step < 100 && high - low > 1e-12 * high && above > 0; step++) {
    const guess = high - above * (high - low) / (above - below)
    const middle = guess > low && guess < high ? guess : 0.5 * (low + high)
    const found = value(isCall, terms, middle) - price
    if (Math.abs(found) <= 1e-14 * price) return middle
    if (found > 0) [high, above, below] = [middle, found, last > 0 ? 0.5 * below : below]
    else [low, below, above] = [middle, found, last < 0 ? 0.5 * above : above]
    last = found
  }
  return above > 0 ? 0.5 * (low + high) : high
}

/** Fills in delta, gamma, theta, vega and rho, as differences of values: a boundary has no greeks of its own. */
export const setGreeks = (into: Float64Array, isCall: boolean, terms: Terms, volatility: number): void => {
  const at = (moved: Partial<Terms>, of = volatility) => value(isCall, { ...terms, ...moved }, of)
  const { rate, spot, years } = terms
  // Where time is short a value bends within a small part of the spot: the width is a hundredth of a deviation then.
  const [step, width] = [1e-4, Math.min(1e-3, 0.01 * volatility * Math.sqrt(years)) * spot]
  const [up, down] = [at({ spot: spot + width }), at({ spot: spot - width })]
  into[0] = (up - down) / (2 * width)
  into[1] = (up - 2 * at({}) + down) / (width * width)
  into[2] = (at({ years: years * (1 - step) }) - at({ years: years * (1 + step) })) / (2 * step * years) / 365
  into[3] = (at({}, volatility * (1 + step)) - at({}, volatility * (1 - step))) / (2 * step * volatility) / 100
  into[4] = (at({ rate: rate + step }) - at({ rate: rate - step })) / (2 * step) / 100
}
