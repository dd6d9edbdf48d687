import { CalendarDate, NewYork } from "@effect-marketdata/core"
import { assert, it } from "@effect/vitest"
import * as StockMarket from "../../src/market/stockMarket.ts"

const friday = CalendarDate.parseUnsafe("2026-11-20")
const noon = NewYork.at(friday, 12, 0)
const close = NewYork.at(friday, 16, 0)
const month = { from: noon - 30 * 86_400, to: close, at: close }
const market = StockMarket.make(1)

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
