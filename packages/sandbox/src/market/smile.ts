/**
 * Implied volatilities: one smooth surface over strike and time for each underlying and moment.
 *
 * It is the surface SVI of J. Gatheral and A. Jacquier (2014): at log-moneyness `k` and at-the-money variance `θ` the total variance is
 * `θ/2 · (1 + ρφk + √((φk + ρ)² + 1 − ρ²))` with `φ = η/√(θ(1 + θ))`. With `η(1 + |ρ|) ≤ 2`, and `θ` growing with time, no combination of
 * options bought and sold at its values makes a sure gain.
 */
import type { QuoteTime } from "./QuoteTime.ts"
import * as SeededNoise from "./seededNoise.ts"
import type { Underlying } from "./Underlying.ts"

/**
 * What a surface is made of: the at-the-money volatility of the shortest options (`level`), the one that long options tend to (`normal`),
 * the tilt `ρ` (`skew`, negative where puts are dearer) and the bend `η` (`curvature`).
 */
interface Shape {
  readonly level: number
  readonly normal: number
  readonly skew: number
  readonly curvature: number
}

/**
 * A surface: the annual implied volatility at a log-moneyness, the logarithm of strike over forward, and a time left in years.
 */
export type Smile = (logMoneyness: number, years: number) => number

/** How fast the variance returns to normal: half of the way in four months. */
const reversion = 2

/** Creates a surface. */
const make = ({ curvature, level, normal, skew }: Shape): Smile => (logMoneyness, years) => {
  const excess = (level * level - normal * normal) * -Math.expm1(-reversion * years) / reversion
  const atTheMoney = normal * normal * years + excess
  const scaled = curvature / Math.sqrt(atTheMoney * (1 + atTheMoney)) * logMoneyness
  const variance = atTheMoney / 2 * (1 + skew * scaled + Math.sqrt((scaled + skew) ** 2 + 1 - skew * skew))
  return Math.sqrt(variance / years)
}

const daysPerWave = 20

/**
 * Creates the surface of an underlying at a moment: its shortest options are quoted around its own volatility, at times a third higher, at
 * times a quarter lower.
 */
export const at = (seed: number, underlying: Underlying, time: QuoteTime): Smile => {
  const { curvature, path, skew, volatility } = underlying
  const nervousness = SeededNoise.mix(SeededNoise.mix(seed, SeededNoise.ofText(path)), SeededNoise.ofText("volatility"))
  const level = volatility * Math.exp(0.3 * SeededNoise.wave(nervousness, (time.day + time.progress) / daysPerWave))
  return make({ curvature, level, normal: volatility, skew })
}
