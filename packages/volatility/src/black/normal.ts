/**
 * The normal distribution where its tails are long: the ratio of M. Mills, and what prices are made of it. Probabilities are products of it
 * and the density, so that none of them loses its digits before it is 0.
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
