import * as Stock from "@effect-marketdata/sandbox/Stock"
import * as Underlying from "@effect-marketdata/sandbox/Underlying"
import { assert, describe, it } from "@effect/vitest"

describe("Stock", () => {
  describe("all", () => {
    it("has every stock and ETF that has options, at the price that those are on, and no index", () => {
      for (const { kind, path, price, symbol, volatility } of Underlying.all) {
        const stock = Stock.all.find((stock) => stock.symbol === symbol)
        if (kind === "index") assert.isUndefined(stock)
        else assert.deepInclude(stock, { path, price, volatility })
      }
    })

    it("has some without options, each symbol once and in order", () => {
      const symbols = Stock.all.map(({ symbol }) => symbol)
      assert.isAbove(symbols.filter((symbol) => !Underlying.all.some((of) => of.symbol === symbol)).length, 2)
      assert.deepStrictEqual(symbols, [...new Set(symbols)].toSorted())
    })

    it("has earnings of companies and none of ETFs", () => {
      for (const { company, symbol } of Stock.all) {
        const kind = Underlying.all.find((of) => of.symbol === symbol)?.kind
        assert.strictEqual(company === undefined, kind === "etf", symbol)
      }
    })
  })
})
