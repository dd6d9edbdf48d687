import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import type { ColumnSpec } from "@effect-marketdata/core/ColumnSpec"
import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
import * as NewYork from "@effect-marketdata/core/NewYork"
import * as FundCandles from "@effect-marketdata/core/FundCandles"
import * as StockBulkCandles from "@effect-marketdata/core/StockBulkCandles"
import * as StockCandles from "@effect-marketdata/core/StockCandles"
import * as StockEarnings from "@effect-marketdata/core/StockEarnings"
import * as StockNews from "@effect-marketdata/core/StockNews"
import * as StockPrices from "@effect-marketdata/core/StockPrices"
import * as StockQuotes from "@effect-marketdata/core/StockQuotes"
import * as Spot from "@effect-marketdata/sandbox/Spot"
import * as StockMarket from "@effect-marketdata/sandbox/StockMarket"
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"

const friday = CalendarDate.parseUnsafe("2026-11-20")
const noon = NewYork.at(friday, 12, 0)
const close = NewYork.at(friday, 16, 0)
const month = { from: noon - 30 * 86_400, to: close, at: close }
const market = StockMarket.make(1)

/** Holds that a table has rows, and that what it prints decodes to the same. */
const comesBack = <Spec extends ColumnSpec>(
  decode: (body: string, options: { readonly strict: true }) => Result.Result<ColumnTable.ColumnTable<Spec>, unknown>,
  table: ColumnTable.ColumnTable<Spec>
): void => {
  assert.isAbove(table.length, 0)
  const decoded = Result.getOrThrow(decode(ColumnTable.encode(table), { strict: true }))
  assert.deepStrictEqual(ColumnTable.toRows(decoded), ColumnTable.toRows(table))
}

const symbolsOf = (
  table: { readonly symbol: { readonly codes: ArrayLike<number>; readonly values: ReadonlyArray<string> } }
) => Array.from(table.symbol.codes, (code) => table.symbol.values[code])

describe("StockMarket", () => {
  describe("make", () => {
    it("prints tables that decode to themselves, without a finding", () => {
      const market = StockMarket.make(1)
      comesBack(StockQuotes.decode, market.stockQuotes(["AAPL", "F"], noon))
      comesBack(StockPrices.decode, market.stockPrices(["AAPL", "F"], noon))
      comesBack(StockCandles.decode, market.stockCandles("AAPL", { ...month, resolution: "D" })!)
      comesBack(StockBulkCandles.decode, market.bulkCandles("all", friday))
      comesBack(StockEarnings.decode, market.earnings("AAPL", { ...month, from: noon - 500 * 86_400 })!)
      comesBack(StockNews.decode, market.news("AAPL", month)!)
      comesBack(FundCandles.decode, market.fundCandles("VFINX", { ...month, resolution: "D" })!)
    })
  })

  describe("stockPrices", () => {
    it("[4.5-prices] is the midpoint of the quotes, a row for each stock", () => {
      const symbols = [...market.stocks.map(({ symbol }) => symbol), "AAPL", "F"]
      const [quotes, prices] = [market.stockQuotes(symbols, noon), market.stockPrices(symbols, noon)]
      assert.deepStrictEqual(symbolsOf(prices), symbols)
      for (const name of ["mid", "change", "changepct", "updated"] as const) {
        assert.deepStrictEqual(prices[name], quotes[name])
      }
    })
  })

  describe("bulkCandles", () => {
    it("[4.5-bulk-candles] has the daily candle of each stock, or of all", () => {
      const all = market.bulkCandles("all", friday)
      assert.deepStrictEqual(symbolsOf(all), market.stocks.map(({ symbol }) => symbol))
      const some = market.bulkCandles(["F", "NOPE", "AAPL"], friday)
      assert.deepStrictEqual(symbolsOf(some), ["F", "AAPL"])
      const range = { resolution: "D", from: NewYork.midnight(friday), to: NewYork.midnight(friday), at: close }
      for (const { symbol, ...candle } of ColumnTable.toRows(some)) {
        assert.deepStrictEqual([candle], ColumnTable.toRows(market.stockCandles(symbol, range)!))
      }
    })
  })

  it("has nothing of what is not known, and empty tables where nothing was traded or reported", () => {
    const day = { resolution: "D", from: noon, to: close }
    assert.strictEqual(market.stockQuotes(["NOPE", "SPX", "aapl", "VFINX", "constructor"], noon).length, 0)
    for (const at of [NaN, 0]) assert.strictEqual(market.stockQuotes(["AAPL"], at).length, 0)
    assert.isUndefined(market.stockCandles("SPX", day))
    assert.isUndefined(market.stockCandles("AAPL", { ...day, resolution: "soon" }))
    assert.deepStrictEqual(market.stockCandles("AAPL", day)!.columnNames, ["t", "o", "h", "l", "c", "v"])
    assert.isUndefined(market.earnings("SPX", month))
    assert.strictEqual(market.earnings("SPY", { ...month, from: noon - 500 * 86_400 })?.length, 0)
    assert.isUndefined(market.news("NOPE", month))
    assert.isAbove(market.news("SPY", month)!.length, 0)
  })

  describe("fundCandles", () => {
    it("has one price a day, that of the close, and none before it", () => {
      const candles = market.fundCandles("VFINX", { resolution: "D", from: noon - 7 * 86_400, to: close })!
      const fund = market.funds.find(({ symbol }) => symbol === "VFINX")!
      for (const { c, h, l, o, t } of candles) {
        assert.deepStrictEqual([o, h, l], [c, c, c])
        assert.strictEqual(c, Spot.close(1, fund, NewYork.epochDayOf(t)))
      }
      assert.strictEqual(NewYork.format(candles.t.at(-1)!), "2026-11-20 00:00:00 EST")
      const before = market.fundCandles("VFINX", { resolution: "D", from: noon - 7 * 86_400, to: close - 1 })!
      assert.strictEqual(before.length, candles.length - 1)
    })

    it("has weeks of days, and nothing shorter than a day", () => {
      const range = { from: NewYork.midnight({ ...friday, day: 16 }), to: close }
      const days = market.fundCandles("VFINX", { ...range, resolution: "D" })!
      const [week] = ColumnTable.toRows(market.fundCandles("VFINX", { ...range, resolution: "W" })!)
      assert.deepStrictEqual(week, {
        t: days.t[0]!,
        o: days.o[0]!,
        h: Math.max(...days.h),
        l: Math.min(...days.l),
        c: days.c.at(-1)!
      })
      assert.isUndefined(market.fundCandles("VFINX", { ...range, resolution: "H" }))
      assert.isUndefined(market.fundCandles("AAPL", { ...range, resolution: "D" }))
    })
  })
})
