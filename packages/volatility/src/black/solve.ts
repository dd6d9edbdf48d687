/** Computes the volatility of a price, without checks: the largest chain takes 22,718 of these computations. */
import { logMoneyness } from "./Black.ts"
import { difference, mills, peak } from "./normal.ts"

/**
 * Returns volatility times the root of time, by the price at expiration; 0 for a price that is not above what exercising pays, NaN for one
 * that is not below the bound. `log` is the log-moneyness.
 */
export const deviation = (isCall: boolean, forward: number, strike: number, price: number, log?: number): number => {
  const value = price - Math.max(0, isCall ? forward - strike : strike - forward)
  if (!(value > 0)) return 0
  if (!(price < (isCall ? forward : strike))) return NaN
  const root = Math.sqrt(forward * strike)
  const bound = Math.min(forward, strike) / root
  // By rounding alone a price can reach the bound.
  return value / root < bound ? solve(value / root, Math.abs(log ?? logMoneyness(forward, strike)), bound) : NaN
}

/**
 * Volatility times the root of time, by the normalised price of an option out of the money, the size of its log-moneyness, and the bound that the
 * price is below, `exp(−size/2)`.
 *
 * After P. Jäckel, "Let's Be Rational" (2015): three objectives, and steps of fourth order (A. S. Householder). The first guess is that of
 * Bachelier's model, whose inverse is a function of one number (P. Jäckel, "Implied Normal Volatility", 2017), turned into Black's by the
 * expansion of C. Grunspan (2011): below a deviation of 0.5 it is right to five digits, and one step is enough.
 */
export const solve = (price: number, size: number, bound: number): number => {
  // How far strike and forward are apart, normalised as the price is.
  const width = size < 1 ? size * (1 + size * size * (1 / 24 + size * size / 1920)) : 1 / bound - bound
  // Above half of its bound a price is told by what it lacks to it.
  const isUpper = price > 0.5 * bound
  const log = isUpper || price > nearest * width ? 0 : Math.log(price / width)
  // Where time value is nearly all there can be, the tail of the normal distribution decides.
  let s = isUpper
    ? Math.sqrt(Math.max(2 * size, -8 * Math.log((bound - price) / bound)))
    : guess(price, width, size, log)
  for (let step = 0; step < 40; step++) {
    const h = -size / s
    const t = 0.5 * s
    const density = peak * Math.exp(-0.5 * (h * h + t * t))
    const ratio = isUpper ? mills(h + t) + mills(t - h) : difference(h, t)
    const value = density * ratio
    const steep = h / s
    let second = h * steep - 0.5 * t
    let third = second * second - 3 * steep * steep - 0.25
    let newton = (price - value) / density
    if (isUpper || price <= deep * width) {
      const gain = 1 / ratio
      const less = ((isUpper ? bound - price : price) - value) / value
      const missing = Math.abs(less) < 1e-3 ? less * (1 - less * (1 / 2 - less * (1 / 3 - less / 4))) : Math.log1p(less)
      // What is lacking falls as its logarithm does; a price that is small falls as the inverse of its own.
      const inverse = isUpper ? -1 : 1 / (log - missing)
      newton = ratio * missing * (isUpper ? -1 : (log - missing) / log)
      third += gain * (2 * gain * (1 + 3 * inverse * (1 + inverse)) - 3 * second * (1 + 2 * inverse))
      second -= gain * (1 + 2 * inverse)
    }
    const change = newton * (1 + 0.5 * second * newton) / (1 + newton * (second + third * newton / 6))
    // The next error is about the fourth power of this one, relative to s.
    if (Math.abs(change) <= 3e-5 * s) return s + change
    // Far below the solution there may be no density left, and no number.
    s = change < s ? Math.max(0.5 * s, s + change) : 2 * s
  }
  return s
}

/** The price, relative to the width, at which a strike is 1.2 deviations from the forward: two fits of the guess meet there. */
const nearest = 0.046752

/** And at which it is 2.4: a price that is less is so bent that its inverse logarithm is solved for instead. */
const deep = 0.001

/** Bachelier's deviation of a price, and from it Black's; `width` is the distance of strike and forward, normalised as the price is. */
const guess = (price: number, width: number, size: number, log: number): number => {
  let deviation
  if (log === 0) {
    const straddle = 2 * price + width
    const w = (width / straddle) ** 2
    const n = ((-0.2611073265147851 * w + 1.5104429831538273) * w - 2.492431163869347) * w + 1.253313321553137
    deviation = straddle * n / (((-0.06518510864740718 * w + 0.7582365865441489) * w - 1.6703982119344) * w + 1)
  } else {
    const z = Math.sqrt(-log)
    const n = ((0.09906880760471944 * z + 0.29642964864180354) * z - 0.4688774763114877) * z + 1
    const d = ((0.14018223170556415 * z + 0.410428870591272) * z - 1.4193207939235253) * z + 1.9298517869699343
    deviation = width * n / (d * z - 0.6033192686126387)
  }
  const ratio = size === 0 ? 1 : size / width
  const [first, square] = [deviation * ratio, size * size]
  const bend = square < 2 ? 1 / 24 - square * (1 / 2880 - square / 181_440) : -Math.log(ratio) / square
  const correction = Math.min(0.3, bend * first * first)
  return first * (1 + correction * (1 + 2.4 * correction))
}
