/**
 * Prices of what is traded: a random walk that can be asked for any moment without being walked. Options, stocks and candles all read the
 * one walk of their ticker.
 *
 * The walk goes by market time: each calendar day has one day of it. Seven tenths of a day pass during the session. The rest passes while the market is
 * closed, and so do weekends and holidays, so that a session opens with a gap.
 *
 * @example
 * ```ts
 * import * as Spot from "@effect-marketdata/sandbox/Spot"
 * import * as Underlying from "@effect-marketdata/sandbox/Underlying"
 *
 * const day = 20_777
 * const prices = Underlying.all.map((underlying) => Spot.price(1, underlying, day, 0.5))
 * prices.every((price) => price > 0) // => true
 * ```
 *
 * @since 0.1.0
 */
import * as SeededNoise from "./seededNoise.ts"

/**
 * What moves: the dollars around which it does, the walk by which it does, and by how much.
 *
 * @category models
 * @since 0.1.0
 */
export interface Asset {
  readonly path: string
  readonly price: number
  readonly volatility: number
}

/**
 * How much market time passes in a session, in days.
 *
 * @category constants
 * @since 0.1.0
 */
export const inSession = 0.7

const yearOfDays = 365

const pathOf = (seed: number, { path }: Asset): number => SeededNoise.named(seed, path)

/**
 * Returns the walk of an asset: its height at a market time in days since 1970-01-01, where a session begins with a whole one. It is fast
 * where each time is near the one before.
 *
 * @category getters
 * @since 0.1.0
 */
export const walker = (seed: number, asset: Asset): (marketTime: number) => number =>
  SeededNoise.walker(pathOf(seed, asset))

/**
 * Returns the price of an asset in dollars, to the cent, when its walk is at a height. The higher the walk, the higher the price, or the
 * same.
 *
 * @category getters
 * @since 0.1.0
 */
export const priceAt = ({ price, volatility }: Asset, height: number): number =>
  Math.round(price * Math.exp(volatility / Math.sqrt(yearOfDays) * height) * 100) / 100

/**
 * Returns the price of an asset when a part of a day's session has passed: 0 at the open, 1 at the close. Days are counted from 1970-01-01.
 *
 * @category getters
 * @since 0.1.0
 */
export const price = (seed: number, asset: Asset, day: number, progress: number): number =>
  priceAt(asset, SeededNoise.walk(pathOf(seed, asset), day + inSession * progress))

/**
 * Returns the price of an asset at the close of a day.
 *
 * @category getters
 * @since 0.1.0
 */
export const close = (seed: number, asset: Asset, day: number): number => price(seed, asset, day, 1)
