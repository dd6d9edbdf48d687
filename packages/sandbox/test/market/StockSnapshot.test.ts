import { CalendarDate, NewYork } from "@effect-marketdata/core"
import { Candles, ExpirationCycle, QuoteTime, Spot, StockSnapshot } from "@effect-marketdata/sandbox"
import { assert, it } from "@effect/vitest"
import * as fc from "fast-check"
import { runs } from "../../../core/test/support/depth.ts"
import * as Arbitrary from "./support/arbitrary.ts"

const quoteOf = (seed: number, stock: Arbitrary.Stock) => {
  const candles = Candles.make(seed, stock)
  return { candles, quoteAt: StockSnapshot.make(seed, stock, candles) }
}

const friday = CalendarDate.parseUnsafe("2026-11-20")

const noon = QuoteTime.at(NewYork.at(friday, 12, 0))!

it("[4.4-stock-quote] is the price by which the options on it are valued, and the close of its candle", () => {
  Arbitrary.holds(
    fc.property(Arbitrary.seed, Arbitrary.anyStock, Arbitrary.moment, (seed, stock, moment) => {
      const time = QuoteTime.at(moment)!
      const { candles, quoteAt } = quoteOf(seed, stock)
      const quote = quoteAt(time)
      assert.strictEqual(quote.last, Spot.price(seed, stock, time.day, time.progress))
      const { c, h, l, o, volume: v } = quote
      assert.deepStrictEqual({ o, h, l, c, v }, candles.ofDay(time.day, time.moment))
      assert.deepInclude(quote, { c: quote.last, updated: time.moment })
    }),
    { numRuns: runs(25, 10) }
  )
})

it("[4.4-stock-quote] has the highest and the lowest price of 52 weeks, today included", () => {
  const { candles, quoteAt } = quoteOf(4, Arbitrary.stock("F"))
  let [highs, lows] = [0, 0]
  for (let today = noon.day - 700; today < noon.day; today += 2) {
    const time = QuoteTime.atClose(CalendarDate.fromEpochDay(ExpirationCycle.daily.onOrAfter(today)))!
    const quote = quoteAt(time)
    let [high, low] = [quote.h, quote.l]
    for (let day = time.day - 364; day < time.day; day++) {
      const candle = candles.ofDay(day)
      if (candle === undefined) continue
      high = Math.max(high, candle.h)
      low = Math.min(low, candle.l)
    }
    assert.deepStrictEqual([quote["52weekHigh"], quote["52weekLow"]], [high, low])
    if (high === quote.h) highs++
    if (low === quote.l) lows++
  }
  // On some of these days the price is the highest or the lowest of the year.
  assert.isAbove(highs, 0)
  assert.isAbove(lows, 0)
})
