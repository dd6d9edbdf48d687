import { type Endpoint, FundCandles, MarketStatus, ServiceStatus, StockBulkCandles } from "@effect-marketdata/core"
import * as Query from "@effect-marketdata/core/Query"
import * as StockCandles from "@effect-marketdata/core/StockCandles"
import * as StockEarnings from "@effect-marketdata/core/StockEarnings"
import * as StockNews from "@effect-marketdata/core/StockNews"
import * as StockPrices from "@effect-marketdata/core/StockPrices"
import * as StockQuotes from "@effect-marketdata/core/StockQuotes"
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { type Asked, made, refusedFor } from "../support/everyQuery.ts"

const target = (asked: Asked): string => Query.target(made(asked))

it("name the columns of their tables, in order", () => {
  const tables: ReadonlyArray<readonly [Endpoint.Endpoint, Readonly<Record<string, unknown>>]> = [
    [StockQuotes.row, StockQuotes.spec],
    [StockPrices.row, StockPrices.spec],
    [StockCandles.row, StockCandles.spec],
    [StockBulkCandles.row, StockBulkCandles.spec],
    [StockEarnings.row, StockEarnings.spec],
    [StockNews.row, StockNews.spec],
    [MarketStatus.row, MarketStatus.spec],
    [FundCandles.row, FundCandles.spec],
    [ServiceStatus.row, ServiceStatus.spec]
  ]
  for (const [row, spec] of tables) assert.deepStrictEqual(row.columns, Object.keys(spec), row.name)
})

describe("stockQuote and stockQuotes", () => {
  it("[4.4-stock-quote] ask for one stock by its path", () => {
    assert.strictEqual(target(Query.stockQuote("AAPL")), "/v1/stocks/quotes/AAPL/")
    assert.strictEqual(target(Query.stockQuote("^VIX")), "/v1/stocks/quotes/%5EVIX/")
    const quote = target(Query.stockQuote("BRK.B", { extended: false }))
    assert.strictEqual(quote, "/v1/stocks/quotes/BRK.B/?extended=false")
  })

  it("add the columns that come only when they are asked for", () => {
    const plain = made(Query.stockQuote("A"))
    assert.deepStrictEqual<ReadonlyArray<string>>(plain.returns, StockQuotes.row.columns.slice(0, -6))
    const more = made(Query.stockQuote("A", { include: ["52week", "candle"] }))
    assert.strictEqual(Query.target(more), "/v1/stocks/quotes/A/?52week=true&candle=true")
    assert.deepStrictEqual(more.returns.slice(-6), ["52weekHigh", "52weekLow", "o", "h", "l", "c"])
    const some = made(Query.stockQuotes(["A"], { columns: ["symbol"], include: ["candle"] }))
    assert.strictEqual(Query.target(some), "/v1/stocks/quotes/?symbols=A&candle=true&columns=symbol,o,h,l,c")
  })
})

it("names the first of several tickers where one belongs", () => {
  for (const symbol of ["AAPL,MSFT", "AAPL MSFT", "AAPL, MSFT"]) {
    const { example, rule } = Result.getOrThrow(Result.flip(Query.stockQuote(symbol)))
    assert.deepStrictEqual([rule, example], ["must be one ticker, not several", "AAPL"])
  }
  for (const symbol of ["A/B", ",", "AAPL,", "A/B,C"]) {
    assert.include(Result.getOrThrow(Result.flip(Query.stockQuote(symbol))).message, "must be a ticker of 1 to 32")
  }
})

describe("stockPrices", () => {
  it("[4.5-prices] asks for a list", () => {
    assert.strictEqual(target(Query.stockPrices(["AAPL", "MSFT"])), "/v1/stocks/prices/?symbols=AAPL,MSFT")
    assert.strictEqual(target(Query.stockPrices(["^VIX"])), "/v1/stocks/prices/?symbols=%5EVIX")
  })

  it("[7.3-cause-malformed-query] refuses an empty list", () => {
    assert.strictEqual(refusedFor(Query.stockPrices([])), "symbols")
    assert.strictEqual(refusedFor(Query.stockQuotes([])), "symbols")
    assert.strictEqual(refusedFor(Query.stockBulkCandles([])), "symbols")
  })

  it("[7.3-cause-malformed-query] refuses a ticker that would be two", () =>
    assert.strictEqual(refusedFor(Query.stockPrices(["AAPL,MSFT"])), "symbols"))
})

it("[4.5-bulk-candles] stockBulkCandles asks for daily candles of a list, or of the whole market", () => {
  assert.strictEqual(target(Query.stockBulkCandles(["AAPL", "MSFT"])), "/v1/stocks/bulkcandles/D/?symbols=AAPL,MSFT")
  const all = target(Query.stockBulkCandles("all", { date: "2026-11-19", adjustsplits: false }))
  assert.strictEqual(all, "/v1/stocks/bulkcandles/D/?snapshot=true&date=2026-11-19&adjustsplits=false")
})

describe("stockCandles and fundCandles", () => {
  it("ask by resolution and symbol", () => {
    assert.strictEqual(
      target(Query.stockCandles("5", "SPY", { from: "2026-11-20 09:30", to: "2026-11-20 16:00", extended: false })),
      "/v1/stocks/candles/5/SPY/?from=2026-11-20%2009%3A30%3A00&to=2026-11-20%2016%3A00%3A00&extended=false"
    )
    const adjusted = target(Query.stockCandles("D", "SPY", { adjustsplits: true, adjustdividends: true }))
    assert.strictEqual(adjusted, "/v1/stocks/candles/D/SPY/?adjustsplits=true&adjustdividends=true")
    assert.strictEqual(target(Query.fundCandles("monthly", "VFINX")), "/v1/funds/candles/monthly/VFINX/")
  })

  it("[7.3-cause-unsupported-value] refuse a resolution that there is not", () => {
    const named = ["minutely", "hourly", "daily", "weekly", "monthly", "yearly"] as const
    const stock = [...named, "1", "45", "H", "2H", "D", "3M", "1Y"] as const
    for (const resolution of stock) assert.strictEqual(refusedFor(Query.stockCandles(resolution, "A")), undefined)
    for (const resolution of ["", "0", "0D", "1.5", "5 ", "D/", "5m", "fortnightly", "S", "-1"]) {
      assert.strictEqual(refusedFor(Query.stockCandles(resolution as "D", "A")), "resolution")
      assert.strictEqual(refusedFor(Query.fundCandles(resolution as "D", "A")), "resolution")
    }
    for (const resolution of ["5", "H", "hourly"]) {
      assert.strictEqual(refusedFor(Query.fundCandles(resolution as "D", "A")), "resolution")
    }
  })
})

it("stockEarnings, stockNews and marketStatus ask about a day, a range, or the last rows", () => {
  assert.strictEqual(target(Query.stockEarnings("A", { countback: 4 })), "/v1/stocks/earnings/A/?countback=4")
  assert.strictEqual(target(Query.stockNews("A", { date: "2026-11-19" })), "/v1/stocks/news/A/?date=2026-11-19")
  const status = target(Query.marketStatus({ country: "US", from: "2026-11-23", to: "2026-11-27" }))
  assert.strictEqual(status, "/v1/markets/status/?country=US&from=2026-11-23&to=2026-11-27")
  assert.strictEqual(refusedFor(Query.marketStatus({ country: "DE" as "US" })), "country")
})

describe("a query in words", () => {
  const words = (result: Asked) => Query.format(made(result))

  it("names the first tickers of a list, and the number of the others", () => {
    assert.strictEqual(words(Query.stockQuotes(["A", "B", "C"])), "stockQuotes A,B,C")
    assert.strictEqual(words(Query.stockPrices(["A", "B", "C", "D"])), "stockPrices A,B and 2 more")
    assert.strictEqual(words(Query.stockBulkCandles(["A"])), "stockBulkCandles A")
    assert.strictEqual(words(Query.stockBulkCandles("all")), "stockBulkCandles all")
  })

  it("names symbol and resolution of candles, and the country of a market", () => {
    assert.strictEqual(words(Query.stockCandles("5", "AAPL")), "stockCandles AAPL 5")
    assert.strictEqual(words(Query.fundCandles("D", "VFINX")), "fundCandles VFINX D")
    assert.strictEqual(words(Query.marketStatus({ country: "US" })), "marketStatus US")
    assert.strictEqual(words(Query.marketStatus()), "marketStatus")
  })
})

it("are about the symbols that they name, and a market about none", () => {
  assert.deepStrictEqual(made(Query.fundCandles("D", "VFINX")).tickers, ["VFINX"])
  assert.deepStrictEqual(made(Query.stockBulkCandles("all")).tickers, [])
  assert.deepStrictEqual(made(Query.stockBulkCandles(["A"])).tickers, ["A"])
  assert.deepStrictEqual(made(Query.marketStatus()).tickers, [])
})
