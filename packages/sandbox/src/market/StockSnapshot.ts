/**
 * What stocks are quoted at on one moment of a session: the price that their options are valued by, with a bid and an ask around it, and
 * the day and the year that it lies in.
 *
 * @example
 * ```ts
 * import * as NewYork from "@effect-marketdata/core/NewYork"
 * import * as QuoteTime from "@effect-marketdata/sandbox/QuoteTime"
 * import * as Candles from "@effect-marketdata/sandbox/Candles"
 * import * as Stock from "@effect-marketdata/sandbox/Stock"
 * import * as StockSnapshot from "@effect-marketdata/sandbox/StockSnapshot"
 *
 * const ford = Stock.all.find(({ symbol }) => symbol === "F")!
 * const time = QuoteTime.at(NewYork.at({ year: 2026, month: 11, day: 20 }, 12, 0))!
 * const { ask, bid, last } = StockSnapshot.make(1, ford, Candles.make(1, ford))(time)
 * bid <= last && last <= ask // => true
 * ```
 *
 * @since 0.1.0
 */
import type * as StockQuotes from "@effect-marketdata/core/StockQuotes"
import type { Candle, Candles } from "./Candles.ts"
import * as ExpirationCycle from "./ExpirationCycle.ts"
import * as Memo from "./memo.ts"
import * as Quotes from "./quotes.ts"
import type { QuoteTime } from "./QuoteTime.ts"
import * as SeededNoise from "./seededNoise.ts"
import * as Spot from "./Spot.ts"
import type { Stock } from "./Stock.ts"

/**
 * The quote of a stock: a row of the service's stock quotes, in its units.
 *
 * @category models
 * @since 0.1.0
 */
export type StockSnapshot = { readonly [Name in StockQuotes.Column]: NonNullable<StockQuotes.Row[Name]> }

/** Each thing that is left to chance has a number of its own. */
const chance = { spread: 1, place: 2, askSize: 3, bidSize: 4 } as const

/**
 * Creates the quotes of a stock: a function of their moment, which remembers the last few.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (seed: number, stock: Stock, { ofDay }: Candles): (time: QuoteTime) => StockSnapshot => {
  const contract = SeededNoise.named(SeededNoise.named(seed, stock.symbol), "quote")

  /** The highest and the lowest price of the sessions that began in the 52 weeks before a day. */
  const yearBefore = Memo.recent(4, (day: number) => day, (day) => {
    let [h, l] = [-Infinity, Infinity]
    for (
      let past = ExpirationCycle.daily.onOrAfter(day - 364);
      past < day;
      past = ExpirationCycle.daily.onOrAfter(past + 1)
    ) {
      // The year before the first one has prices too, although its candles are never returned.
      const candle = ofDay(past)
      if (candle === undefined) continue
      h = Math.max(h, candle.h)
      l = Math.min(l, candle.l)
    }
    return { h, l }
  })

  return Memo.recent(4, (time) => time.moment, (time) => {
    const { day, moment } = time
    const last = Spot.price(seed, stock, day, time.progress)
    const before = Spot.close(seed, stock, ExpirationCycle.daily.before(day))
    const today: Candle = ofDay(day, moment)!
    const year = yearBefore(day)
    const now = SeededNoise.mix(contract, moment)
    const draw = (what: number): number => SeededNoise.draw(now, what)
    const cents = Math.round(last * 100)
    const spread = 1 + Math.floor(draw(chance.spread) * stock.spread)
    const bid = Math.max(1, cents - Math.floor(draw(chance.place) * (spread + 1)))
    const ask = Math.max(cents, bid + spread)
    return {
      symbol: stock.symbol,
      ask: ask / 100,
      askSize: lots(draw(chance.askSize)),
      bid: bid / 100,
      bidSize: lots(draw(chance.bidSize)),
      mid: (bid + ask) / 200,
      last,
      change: Quotes.round(last - before, 2),
      changepct: Quotes.round((last - before) / before, 4),
      volume: today.v,
      updated: moment,
      "52weekHigh": Math.max(year.h, today.h),
      "52weekLow": Math.min(year.l, today.l),
      o: today.o,
      h: today.h,
      l: today.l,
      c: today.c
    }
  })
}

/** Many small orders and few large ones, in whole hundreds of shares, of an even chance. */
const lots = (chance: number): number => 100 * Math.ceil(Math.exp(3 * chance))
