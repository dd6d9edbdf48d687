/**
 * What an option is worth and how it is quoted: its implied volatility, its value by the way it may be exercised, and bid and ask around it. Both are whole ticks with the worth between them, and both rise with it: where one option
 * is worth more than another of the same expiration, neither its bid nor its ask is lower.
 */
import type * as OptionSymbol from "@effect-marketdata/core/OptionSymbol"
import * as BlackScholes from "./BlackScholes.ts"
import type { QuoteTime } from "./QuoteTime.ts"
import * as SeededNoise from "./seededNoise.ts"
import type { Underlying } from "./Underlying.ts"

/** The best prices, in whole cents. A bid of 0 means that there is no buyer. */
export interface Quote {
  readonly bid: number
  readonly ask: number
}

type Ticks = Underlying["ticks"]

/** Returns the highest price in cents that is a whole number of ticks and not above a price. */
export const tickOrBelow = (ticks: Ticks, cents: number): number => {
  const tick = cents < 300 ? ticks.below3 : ticks.from3
  return Math.floor(cents / tick) * tick
}

const tickOrAbove = (ticks: Ticks, cents: number): number => {
  const tick = cents <= 300 ? ticks.below3 : ticks.from3
  return Math.ceil(cents / tick) * tick
}

/**
 * Quotes an option by its worth and its intrinsic value, both in dollars. Spreads grow with the worth and, for options far in the money, with the
 * distance.
 */
export const make = (
  { ticks, width }: Pick<Underlying, "ticks" | "width">,
  worth: number,
  intrinsic: number
): Quote => {
  const risk = width * (3 * Math.sqrt(worth) + 0.1 * worth + 0.1 * intrinsic)
  const half = ticks.below3 / 2 + risk
  return {
    bid: tickOrBelow(ticks, Math.max(0, worth * 100 - half)),
    ask: tickOrAbove(ticks, worth * 100 + half)
  }
}

/** Returns what exercising an option pays, in dollars; 0 where it pays nothing. */
export const payment = (side: OptionSymbol.Side, spot: number, strike: number): number =>
  // Prices are whole cents and strikes whole thousandths, so that their difference is too.
  Math.max(0, Math.round((side === "call" ? spot - strike : strike - spot) * 1000) / 1000)

/**
 * Values an option. Index options are European. Options on stocks and ETFs are American, and worth at least what exercising them pays: that
 * floor is all this model adds to the European value. Where it holds, it moves with the underlying and with nothing else.
 */
export const value = (
  kind: Underlying["kind"],
  side: OptionSymbol.Side,
  model: BlackScholes.Model
): BlackScholes.Valuation => {
  const european = BlackScholes.evaluate(side, model)
  const floor = payment(side, model.spot, model.strike)
  return kind === "index" || european.value >= floor ? european : BlackScholes.exercised(side, floor)
}

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
type Smile = (logMoneyness: number, years: number) => number

/** How fast the variance returns to normal: half of the way in four months. */
const reversion = 2

/**
 * Creates one smooth surface over strike and time.
 *
 * It is the surface SVI of J. Gatheral and A. Jacquier (2014): at log-moneyness `k` and at-the-money variance `θ` the total variance is
 * `θ/2 · (1 + ρφk + √((φk + ρ)² + 1 − ρ²))` with `φ = η/√(θ(1 + θ))`. With `η(1 + |ρ|) ≤ 2`, and `θ` growing with time, no combination of
 * options bought and sold at its values makes a sure gain.
 */
const smileOf = ({ curvature, level, normal, skew }: Shape): Smile => (logMoneyness, years) => {
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
export const smileAt = (seed: number, underlying: Underlying, time: QuoteTime): Smile => {
  const { curvature, path, skew, volatility } = underlying
  const nervousness = SeededNoise.named(SeededNoise.named(seed, path), "volatility")
  const level = volatility * Math.exp(0.3 * SeededNoise.wave(nervousness, (time.day + time.progress) / daysPerWave))
  return smileOf({ curvature, level, normal: volatility, skew })
}

/** Rounds to a number of decimals, as quotes print them. What rounds to a negative zero is 0, because JSON knows no other. */
export const round = (value: number, decimals: number): number => {
  const scale = 10 ** decimals
  return Math.round(value * scale) / scale + 0
}
