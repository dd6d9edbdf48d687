/**
 * Who trades what: volume, open interest, sizes, the last price, and how old a quote is. Options near the money and near their expiration
 * are traded most. Some that were remote when they were listed wait long for their first trade, or for ever.
 *
 * @example
 * ```ts
 * import * as QuoteTime from "@effect-marketdata/sandbox/QuoteTime"
 * import * as Trading from "@effect-marketdata/sandbox/Trading"
 *
 * const market = { ticks: { below3: 1, from3: 5 }, interest: 1000 }
 * const time = QuoteTime.at(1_795_208_400)!
 * const state = { contract: 1, remoteness: 0, distance: 0, days: 1, time }
 * const { last } = Trading.make(market, state, { bid: 120, ask: 125 })
 * last >= 120 && last <= 125 // => true
 * ```
 *
 * @since 0.1.0
 */
import type { Quote } from "./quotes.ts"
import * as Quotes from "./quotes.ts"
import type { QuoteTime } from "./QuoteTime.ts"
import * as SeededNoise from "./seededNoise.ts"
import type { Underlying } from "./Underlying.ts"

/**
 * What trading depends on.
 *
 * - `contract`: the seed of the contract
 * - `remoteness`: how remote its strike was when it was listed, from 0 to 1
 * - `distance`: how many standard deviations the strike was from the price at the close before
 * - `days`: the calendar days until expiration
 * - `time`: the moment
 *
 * @category models
 * @since 0.1.0
 */
export interface State {
  readonly contract: number
  readonly remoteness: number
  readonly distance: number
  readonly days: number
  readonly time: QuoteTime
}

/**
 * The trading in one contract. `last` is in cents, NaN for a contract that has never been traded; `age` is that of its quote in seconds.
 *
 * @category models
 * @since 0.1.0
 */
export interface Trading {
  readonly volume: number
  readonly openInterest: number
  readonly bidSize: number
  readonly askSize: number
  readonly last: number
  readonly age: number
}

/** Each thing that is left to chance has a number of its own. */
const chance = { traded: 1, volume: 2, openInterest: 3, bidSize: 4, askSize: 5, last: 6, age: 7 } as const

/** Of the strikes that were the most remote at their listing, the share that is not traded long before they expire. */
const untradedOfRemotest = 0.35

const openInterestOfVolume = 8

/** In seconds. */
const maxAge = 120

/**
 * Returns the trading in a contract with these quotes. Volume only grows through a session, open interest stays as it is; what has been
 * traded once has a last price from then on.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (
  { interest, ticks }: Pick<Underlying, "interest" | "ticks">,
  { contract, days, distance, remoteness, time }: State,
  { ask, bid }: Quote
): Trading => {
  const today = SeededNoise.mix(contract, time.day)
  const now = SeededNoise.mix(contract, time.moment)
  const untraded = untradedOfRemotest * remoteness * remoteness * (days + 5) / (days + 30)
  const traded = SeededNoise.draw(contract, chance.traded) >= untraded
  const demand = traded ? interest * Math.exp(-0.9 * Math.abs(distance)) / (1 + days / 15) : 0
  const volume = demand * uneven(SeededNoise.draw(today, chance.volume))
  const depth = 1 + Math.sqrt(demand)
  const price = bid + (ask - bid) * SeededNoise.draw(now, chance.last)
  const passed = (time.moment - time.open) / (time.end - time.open)
  return {
    volume: Math.floor(volume * passed),
    openInterest: Math.floor(demand * openInterestOfVolume * uneven(SeededNoise.draw(contract, chance.openInterest))),
    bidSize: bid === 0 ? 0 : Math.ceil(depth * uneven(SeededNoise.draw(now, chance.bidSize))),
    askSize: Math.ceil(depth * uneven(SeededNoise.draw(now, chance.askSize))),
    last: traded ? Math.max(ticks.below3, Quotes.tickOrBelow(ticks, price)) : NaN,
    // The same all day long: a contract's quotes never become older again than they were a minute before.
    age: Math.floor(maxAge * SeededNoise.draw(today, chance.age) / (1 + volume))
  }
}

/** Many small values and few large ones, from a twelfth to 12, of an even chance. */
const uneven = (chance: number): number => Math.exp(5 * (chance - 0.5))
