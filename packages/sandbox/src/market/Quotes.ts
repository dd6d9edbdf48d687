/**
 * Bid and ask around what an option is worth. Both are whole ticks with the worth between them, and both rise with it: where one option
 * is worth more than another of the same expiration, neither its bid nor its ask is lower.
 *
 * @example
 * ```ts
 * import * as Quotes from "@effect-marketdata/sandbox/Quotes"
 *
 * const market = { ticks: { below3: 5, from3: 10 }, width: 1 }
 * Quotes.make(market, 52.31, 0) // => { bid: 5200, ask: 5270 }
 * Quotes.make(market, 0.001, 0) // => { bid: 0, ask: 5 }
 * ```
 *
 * @since 0.1.0
 */
import type { Underlying } from "./Underlying.ts"

/**
 * The best prices, in whole cents. A bid of 0 means that nobody buys.
 *
 * @category models
 * @since 0.1.0
 */
export interface Quote {
  readonly bid: number
  readonly ask: number
}

type Ticks = Underlying["ticks"]

/**
 * Returns the highest price in cents that is a whole number of ticks and not above a price.
 *
 * @category getters
 * @since 0.1.0
 */
export const tickOrBelow = (ticks: Ticks, cents: number): number => {
  const tick = cents < 300 ? ticks.below3 : ticks.from3
  return Math.floor(cents / tick) * tick
}

const tickOrAbove = (ticks: Ticks, cents: number): number => {
  const tick = cents <= 300 ? ticks.below3 : ticks.from3
  return Math.ceil(cents / tick) * tick
}

/**
 * Quotes an option that is worth a number of dollars, of which exercising it pays `intrinsic`. Spreads grow with the worth, and further in
 * the money with the distance.
 *
 * @category constructors
 * @since 0.1.0
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
