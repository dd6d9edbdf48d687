import { DataMode, ModeSelection, type OptionChain, type OptionLookup, type StockQuotes } from "@effect-marketdata/core"
import type * as OptionQuote from "@effect-marketdata/core/OptionQuote"
import * as Query from "@effect-marketdata/core/Query"
import type * as Reason from "@effect-marketdata/core/Reason"
import type * as StockCandles from "@effect-marketdata/core/StockCandles"
import type * as StockPrices from "@effect-marketdata/core/StockPrices"
import { pipe } from "effect/Function"
import * as Result from "effect/Result"
import { describe, expectTypeOf, it } from "vitest"

type DataOf<A> = A extends Result.Result<Query.Query<infer Data, infer _>, unknown> ? Data : never
type ModeOf<A> = A extends Result.Result<Query.Query<infer _, infer Mode>, unknown> ? Mode : never

describe("Query.optionChain", () => {
  const plain = Query.optionChain("SPX")
  const some = Query.optionChain("SPX", { columns: ["strike", "bid"] })
  const cached = Query.optionChain("SPX", { mode: DataMode.cached({ maxAge: "5 minutes" }) })

  it("types the answer by the columns asked for", () => {
    expectTypeOf<DataOf<typeof plain>>().toEqualTypeOf<OptionChain.OptionChain>()
    expectTypeOf<DataOf<typeof some>>().toEqualTypeOf<OptionChain.OptionChain<"strike" | "bid">>()
  })

  it("remembers the mode, and that there is none", () => {
    expectTypeOf<ModeOf<typeof plain>>().toEqualTypeOf<undefined>()
    expectTypeOf<ModeOf<typeof cached>>().toEqualTypeOf<DataMode.Cached>()
  })

  it("fails with a query that cannot be asked, and with nothing else", () => {
    expectTypeOf<Result.Result.Failure<typeof plain>>().toEqualTypeOf<Reason.InvalidQuery>()
  })

  it("[4.1-maxage-cached-only] gives a greatest age to cached modes only", () => {
    DataMode.cached({ maxAge: "5min" })
    DataMode.cachedOrLive({ maxAge: "1h" })
    // @ts-expect-error live data have no age to ask for
    Query.optionChain("SPX", { mode: { ...DataMode.live, maxAge: "5 minutes" } })
    // @ts-expect-error delayed data have no age to ask for
    Query.optionChain("SPX", { mode: { ...DataMode.delayed, maxAge: "5 minutes" } })
    // @ts-expect-error it belongs to the mode
    Query.optionChain("SPX", { maxAge: "5 minutes" })
    // @ts-expect-error such text is not a duration
    DataMode.cached({ maxAge: "soon" })
  })

  it("takes a mode by the service's name for it", () => {
    const live = Result.getOrThrow(Query.optionChain("SPX", { mode: "live" }))
    expectTypeOf(live).toEqualTypeOf<Query.Query<OptionChain.OptionChain, DataMode.Live>>()
    const cached = Result.getOrThrow(Query.stockPrices(["SPY"], { mode: "cached" }))
    expectTypeOf(cached.mode).toEqualTypeOf<DataMode.Cached>()
    // @ts-expect-error nothing is cached of days that are over
    Query.optionChain("SPX", { mode: "cached", date: "2026-01-05" })
    // @ts-expect-error the endpoint has no cached data
    Query.stockNews("SPY", { mode: "cached" })
  })

  it("knows columns, sides and modes by name", () => {
    // @ts-expect-error there is no such column
    Query.optionChain("SPX", { columns: ["price"] })
    // @ts-expect-error there is no such side
    Query.optionChain("SPX", { side: "straddle" })
    // @ts-expect-error there is no such mode
    Query.optionChain("SPX", { mode: "fresh" })
    // @ts-expect-error the public service's modes have no name in the contract: DataMode.historical asks for them
    Query.optionChain("SPX", { mode: "historical" })
    // @ts-expect-error columns of text are always there and hold no format
    Query.optionChain("SPX", { format: "csv" })
  })
})

describe("Query.optionChain's filters", () => {
  it("choose expirations in one way only", () => {
    Query.optionChain("SPX", { expiration: "all" })
    Query.optionChain("SPX", { ...{} as { readonly dte?: number }, side: "put" })
    Query.optionChain("SPX", { from: "2026-11-01", to: "2026-12-31" })
    Query.optionChain("SPX", { month: 12, year: 2026 })
    // @ts-expect-error by expiration or by dte
    Query.optionChain("SPX", { expiration: "all", dte: 30 })
    // @ts-expect-error by dte or by range
    Query.optionChain("SPX", { dte: 30, from: "2026-11-01" })
    // @ts-expect-error by range or by month
    Query.optionChain("SPX", { to: "2026-11-01", month: 11 })
    // @ts-expect-error by expiration or by year
    Query.optionChain("SPX", { expiration: "2026-11-20", year: 2026 })
  })

  it("choose strikes by price or by delta, and past days by price only", () => {
    Query.optionChain("SPX", { strike: { from: 100, to: 110 } })
    Query.optionChain("SPX", { ...{} as { readonly delta?: ReadonlyArray<number> }, side: "call" })
    Query.optionChain("SPX", { date: "2026-11-19", strike: 100 })
    // @ts-expect-error by price or by delta
    Query.optionChain("SPX", { strike: 100, delta: 0.5 })
    // @ts-expect-error past days have no greeks
    Query.optionChain("SPX", { date: "2026-11-19", delta: 0.5 })
    // @ts-expect-error a past day takes no range of expirations
    Query.optionChain("SPX", { date: "2026-11-19", from: "2026-11-20" })
  })

  it("take cycles that are all wanted or all unwanted", () => {
    Query.optionChain("SPX", { weekly: true, monthly: true })
    Query.optionChain("SPX", { weekly: false, quarterly: false })
    // @ts-expect-error one is wanted, the other is not
    Query.optionChain("SPX", { weekly: true, monthly: false })
  })

  it("still type mode and columns beside them", () => {
    const query = Query.optionChain("SPX", { dte: 30, weekly: true, columns: ["bid"], mode: DataMode.cached() })
    expectTypeOf<DataOf<typeof query>>().toEqualTypeOf<OptionChain.OptionChain<"bid">>()
    expectTypeOf<ModeOf<typeof query>>().toEqualTypeOf<DataMode.Cached>()
  })
})

describe("other queries", () => {
  it("[8.2-cached-unavailable] have no cached mode where there are no cached data", () => {
    const mode = DataMode.cached()
    // @ts-expect-error no cached data
    Query.optionLookup("AAPL 7/28/2023 200 Call", { mode })
    // @ts-expect-error no cached data
    Query.optionExpirations("AAPL", { mode })
    // @ts-expect-error no cached data
    Query.optionStrikes("AAPL", { mode })
    // @ts-expect-error no cached data
    Query.stockCandles("D", "AAPL", { mode })
    // @ts-expect-error no cached data
    Query.stockBulkCandles(["AAPL"], { mode })
    // @ts-expect-error no cached data
    Query.stockEarnings("AAPL", { mode })
    // @ts-expect-error no cached data
    Query.stockNews("AAPL", { mode })
    // @ts-expect-error no cached data
    Query.marketStatus({ mode })
    // @ts-expect-error no cached data
    Query.fundCandles("D", "VFINX", { mode })
    // @ts-expect-error nor is there a fallback from them
    Query.stockCandles("D", "AAPL", { mode: DataMode.cachedOrLive() })
    expectTypeOf<ModeOf<ReturnType<typeof cachedPrices>>>().toEqualTypeOf<DataMode.Cached>()
  })

  const cachedPrices = () => Query.stockPrices(["AAPL"], { mode: DataMode.cached() })

  it("[4.5-general-params] type their answers by the columns asked for", () => {
    const prices = Query.stockPrices(["AAPL"], { columns: ["symbol", "mid"] })
    expectTypeOf<DataOf<typeof prices>>().toEqualTypeOf<StockPrices.StockPrices<"symbol" | "mid">>()
    const quote = Query.optionQuote("AAPL261120C00150000", { columns: ["bid"], date: "2026-11-19" })
    expectTypeOf<DataOf<typeof quote>>().toEqualTypeOf<OptionQuote.OptionQuote<"bid">>()
    const candles = Query.stockCandles("D", "AAPL", { columns: ["t", "c"], countback: 5 })
    expectTypeOf<DataOf<typeof candles>>().toEqualTypeOf<StockCandles.StockCandles<"t" | "c">>()
    const lookup = Query.optionLookup("AAPL 7/28/2023 200 Call")
    expectTypeOf<DataOf<typeof lookup>>().toEqualTypeOf<OptionLookup.OptionLookup>()
    // @ts-expect-error there is no such column
    Query.stockPrices(["AAPL"], { columns: ["bid"] })
    // @ts-expect-error a list is a list
    Query.stockPrices("AAPL")
  })

  it("have the extra columns of a quote where they were asked for, and nowhere else", () => {
    type Base = StockQuotes.BaseColumn
    const plain = Query.stockQuote("AAPL")
    expectTypeOf<DataOf<typeof plain>>().toEqualTypeOf<StockQuotes.StockQuotes<Base>>()
    const year = Query.stockQuote("AAPL", { include: ["52week"] })
    expectTypeOf<DataOf<typeof year>>().toEqualTypeOf<StockQuotes.StockQuotes<Base | "52weekHigh" | "52weekLow">>()
    // @ts-expect-error not of many at once
    Query.stockQuotes(["AAPL"], { include: ["52week"] })
    // @ts-expect-error only with include
    Query.stockQuote("AAPL", { columns: ["52weekHigh"] })
  })

  it("[8.2-cached-unavailable] have no cached mode for days that are over", () => {
    Query.optionChain("SPX", { mode: DataMode.cached(), expiration: "all" })
    Query.optionChain("SPX", { mode: DataMode.cached(), from: "2026-11-01", to: "2026-12-31" })
    Query.optionChain("SPX", { mode: DataMode.live, date: "2026-11-19" })
    // @ts-expect-error no cached data of a past day
    Query.optionChain("SPX", { mode: DataMode.cached(), date: "2026-11-19" })
    // @ts-expect-error nor is there a fallback from them
    Query.optionChain("SPX", { mode: DataMode.cachedOrLive({ maxAge: "1h" }), date: "2026-11-19" })
    // @ts-expect-error no cached quote of a past day
    Query.optionQuote("AAPL261120C00150000", { mode: DataMode.cached(), date: "2026-11-19" })
    // @ts-expect-error nor of a range of them
    Query.optionQuote("AAPL261120C00150000", { mode: DataMode.cached(), from: "2026-11-01" })
    Query.optionQuote("AAPL261120C00150000", { mode: DataMode.cached() })
  })

  it("say their days in one way only", () => {
    // @ts-expect-error a day or a range
    Query.stockCandles("D", "AAPL", { date: "2026-11-19", from: "2026-11-01" })
    // @ts-expect-error a day or a number of them
    Query.stockEarnings("AAPL", { date: "2026-11-19", countback: 4 })
    // @ts-expect-error a day or a range
    Query.marketStatus({ date: "2026-11-19", to: "2026-11-20" })
    // @ts-expect-error a day or a range
    Query.optionQuote("AAPL261120C00150000", { date: "2026-11-19", from: "2026-11-01" })
    // @ts-expect-error from a day or counted back
    Query.stockCandles("D", "AAPL", { from: "2026-11-01", countback: 5 })
    // @ts-expect-error there is no such resolution
    Query.stockCandles("fortnightly", "AAPL")
    // @ts-expect-error funds have one price a day
    Query.fundCandles("5H", "VFINX")
  })

  it("[4.5-general-params] are answered with a text where they ask for CSV, in the mode that they ask in", () => {
    const chain = Result.getOrThrow(Query.optionChain("SPX", { mode: DataMode.cached(), columns: ["bid"] }))
    expectTypeOf(Query.asCsv(chain)).toEqualTypeOf<Query.Query<string, DataMode.Cached>>()
    const lookup = Result.getOrThrow(Query.optionLookup("AAPL 7/28/2023 200 Call"))
    expectTypeOf(Query.asCsv(lookup)).toEqualTypeOf<Query.Query<string, undefined>>()
  })

  it("cannot say what would change the shape of their own answer, or the token", () => {
    // @ts-expect-error the answer would be another one: Query.asCsv says so
    Query.stockPrices(["AAPL"], { format: "csv" })
    // @ts-expect-error no other names
    Query.optionQuote("AAPL261120C00150000", { human: true })
    // @ts-expect-error no other dates
    Query.stockCandles("D", "AAPL", { dateformat: "timestamp" })
    // @ts-expect-error the token belongs to the request
    Query.stockQuote("AAPL", { token: "secret" })
  })
})

describe("Query.withMode", () => {
  const query = Result.getOrThrow(Query.optionChain("SPX", { columns: ["bid"] }))

  it("keeps the data and takes the new mode", () => {
    const live = Query.withMode(query, DataMode.live)
    expectTypeOf(live).toEqualTypeOf<Query.Query<OptionChain.OptionChain<"bid">, DataMode.Live>>()
    expectTypeOf(pipe(query, Query.withMode(DataMode.live))).toEqualTypeOf<typeof live>()
  })

  it("takes each mode that was chosen, and the query says which it may be", () => {
    const { mode } = ModeSelection.cheapest(query, { staleness: 600 })!
    expectTypeOf(Query.withMode(query, mode)).toEqualTypeOf<
      Query.Query<OptionChain.OptionChain<"bid">, DataMode.DataMode>
    >()
  })
})
