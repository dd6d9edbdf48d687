/**
 * Bid and ask around what an option is worth. Both are whole ticks with the worth between them, and both rise with it: where one option
 * is worth more than another of the same expiration, neither its bid nor its ask is lower.
 */
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
 * Quotes an option that is worth a number of dollars, of which exercising it pays `intrinsic`. Spreads grow with the worth, and further in
 * the money with the distance.
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
