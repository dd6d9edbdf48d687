/**
 * Prices of underlyings: a random walk that can be asked for any moment without being walked. It passes in market time: seven tenths of a
 * day pass during its session, the rest, and weekends and holidays, while the market is closed, so that a session opens with a gap.
 *
 * @example
 * ```ts
 * import * as Spot from "@effect-marketdata/sandbox/market/Spot"
 * import * as Underlying from "@effect-marketdata/sandbox/market/Underlying"
 *
 * const day = 20_777
 * const prices = Underlying.all.map((underlying) => Spot.price(1, underlying, day, 0.5))
 * prices.every((price) => price > 0) // => true
 * ```
 *
 * @since 0.1.0
 */
import * as SeededNoise from "./SeededNoise.ts"
import type { Underlying } from "./Underlying.ts"

const inSession = 0.7

const yearOfDays = 365

/**
 * Returns the price of an underlying in dollars, to the cent, when a part of a day's session has passed: 0 at the open, 1 at the close.
 * Days are counted from 1970-01-01.
 *
 * @category prices
 * @since 0.1.0
 */
export const price = (seed: number, underlying: Underlying, day: number, progress: number): number => {
  const path = SeededNoise.mix(seed, SeededNoise.ofText(underlying.path))
  const walked = SeededNoise.walk(path, day + inSession * progress)
  const logReturn = underlying.volatility / Math.sqrt(yearOfDays) * walked
  return Math.round(underlying.price * Math.exp(logReturn) * 100) / 100
}

/**
 * Returns the price of an underlying at the close of a day.
 *
 * @category prices
 * @since 0.1.0
 */
export const close = (seed: number, underlying: Underlying, day: number): number => price(seed, underlying, day, 1)
