/**
 * Black's formula, normalised, and its inverse: the price of an option by its deviation, and the deviation by its price. Probabilities are products of the
 * normal density and the ratio of M. Mills, so that none of them loses its digits before it is 0. Without checks: the largest chain takes 22,718 of these
 * solves.
 */

/** The density of the standard normal distribution at 0. */
export const peak = 0.398_942_280_401_432_7

/**
 * The probability above z, divided by the density at z. Up to 5.7 it is fitted in 50 digits, to a relative error of 4·10⁻¹⁹: `test/oracle/fit.py`.
 */
export const mills = (z: number): number => {
  if (z < 0) return Math.exp(0.5 * z * z) / peak - mills(-z)
  if (z > 5.7) return (1 - slope(z)) / z
  let n = ((7.5637526023817265e-6 * z + 0.00020675076393887127) * z + 0.002674636129787755) * z + 0.02125831274324653
  n = (((n * z + 0.11331522084679295) * z + 0.4155484373137567) * z + 1.031002799787259) * z + 1.6055473093683483
  n = n * z + 1.2533141373155003
  let d = ((7.563751840711052e-6 * z + 0.00020675081797077725) * z + 0.0026821980199138577) * z + 0.02146510510145694
  d = (((d * z + 0.11597405308344476) * z + 0.4364017710438035) * z + 1.1389580828461259) * z + 1.9813641510778202
  d = (d * z + 2.078925970586452) * z + 1
  return n / d
}

/**
 * How fast the ratio falls at z ≥ 0: `1 − z·mills(z)`. A fit of its own (to 4·10⁻¹⁷), because the difference would lose digits that prices near the money
 * need. Beyond 5.7 it is small, and both are told by it: P. S. Laplace's continued fraction has all digits after twenty terms.
 */
const slope = (z: number): number => {
  if (z > 5.7) {
    let rest = 0
    for (let n = 20; n > 0; n--) rest = n / (z + rest)
    return rest / (z + rest)
  }
  let n = ((1.358782854096953e-5 * z + 0.0003352962944968691) * z + 0.003952124943799111) * z + 0.02865664491416257
  n = (((n * z + 0.13817825141932025) * z + 0.4477336276022997) * z + 0.9195569930049425) * z + 1
  let d = ((1.3587859682064977e-5 * z + 0.0003352942445322554) * z + 0.003992953594234534) * z + 0.029661201483284105
  d = (((d * z + 0.14997275786638342) * z + 0.5314695504621036) * z + 1.3129389277768075) * z + 2.1710237337973077
  d = (d * z + 2.172871130320452) * z + 1
  return n / d
}

/** One by what the terms of the series below are divided by: a division takes as long as the rest of a term. */
const inverses = /* @__PURE__ */ Float64Array.from({ length: 60 }, (_, n) => 1 / ((n + 1) * (n + 2)))

/**
 * `mills(−h − t) − mills(t − h)` for h ≤ 0 < t. Where t is small the two are nearly equal, and the difference is summed as a series in t: the
 * odd derivatives follow from one another as `Yₙ₊₂ = (h² + 2n + 1)·Yₙ − n(n − 1)·Yₙ₋₂`, and lose nothing while h·t is small.
 */
export const difference = (h: number, t: number): number => {
  if (t >= 1 || h * t <= -1) return mills(-h - t) - mills(t - h)
  const step = t * t
  const first = slope(-h)
  let before = first
  let odd = (h * h + 3) * first - 1
  let factor = t * step / 6
  let rest = factor * odd
  for (let n = 3; n < 60; n += 2) {
    const next = (h * h + 2 * n + 1) * odd - n * (n - 1) * before
    before = odd
    odd = next
    factor *= step * inverses[n]!
    const term = factor * odd
    rest += term
    if (term <= 1e-17 * t * first) break
  }
  // The largest term last: it is rounded once.
  return 2 * (t * first + rest)
}

/**
 * The price of an option out of the money on a forward of 1, scaled by the root of forward times strike: Black's formula at
 * `h = −|ln(forward/strike)|/s` and `t = s/2`, where s is volatility times the root of time.
 */
export const normalised = (h: number, t: number): number => {
  const density = peak * Math.exp(-0.5 * (h * h + t * t))
  // Beyond its middle a price is told by what it lacks to its bound.
  return h + t > 0 && t > 1
    ? Math.exp(h * t) - density * (mills(h + t) + mills(t - h))
    : density * difference(h, t)
}

/** The log-moneyness `ln(forward/strike)`: near the money by the difference of both, which is exact there. */
export const logMoneyness = (forward: number, strike: number): number =>
  forward > 0.5 * strike ? Math.log1p((forward - strike) / strike) : Math.log(forward / strike)

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

/** The same at which it is 2.4: a price that is less is so bent that its inverse logarithm is solved for instead. */
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
