import { sandboxed } from "./support/clients.ts"
/** Answers in CSV: the client before the sandbox, which writes them. */
import { MarketData, Policies } from "@effect-marketdata/client"
import { DataMode, NewYork, Query, type Reason } from "@effect-marketdata/core"
import * as Sandbox from "@effect-marketdata/sandbox/Sandbox"
import { Effect, Result } from "effect"
import * as TestClock from "effect/testing/TestClock"
import { assert, it } from "../../core/test/support/it.ts"

const noon = TestClock.setTime(NewYork.at({ year: 2026, month: 11, day: 20 }, 12, 0) * 1000)

const made = <A>(result: Result.Result<A, Reason.InvalidQuery>): A => Result.getOrThrow(result)

/** One query to each endpoint under /v1/. */
const queries: ReadonlyArray<Query.Query<unknown, undefined>> = [
  made(Query.optionChain("AAPL", { strikeLimit: 2, dte: 30, columns: ["optionSymbol", "bid", "last"] })),
  made(Query.optionQuote("AAPL261218C00270000")),
  made(Query.optionLookup("AAPL 12/18/2026 270 Call")),
  made(Query.optionExpirations("AAPL")),
  made(Query.optionStrikes("AAPL", { expiration: "2026-12-18" })),
  made(Query.stockQuote("AAPL", { columns: ["symbol", "last"] })),
  made(Query.stockQuotes(["AAPL", "MSFT"])),
  made(Query.stockPrices(["AAPL", "ZZZZ", "MSFT"])),
  made(Query.stockCandles("D", "AAPL", { from: "2026-11-02", to: "2026-11-13" })),
  made(Query.stockBulkCandles(["AAPL", "MSFT"])),
  made(Query.stockEarnings("AAPL", { from: "2026-01-01", to: "2026-12-31" })),
  made(Query.stockNews("AAPL")),
  made(Query.marketStatus({ from: "2026-11-16", to: "2026-11-20" })),
  made(Query.fundCandles("D", "VFINX", { from: "2026-11-02", to: "2026-11-13" }))
]

it.effect("[4.5-general-params] is given at every endpoint under /v1/, for what the same answer costs otherwise", () =>
  Effect.gen(function*() {
    yield* noon
    for (const query of queries) {
      const csv = yield* MarketData.run(Query.asCsv(query))
      const json = yield* MarketData.run(query)
      assert.isString(csv.data)
      const [names = "", ...rows] = csv.data.trimEnd().split("\r\n")
      assert.isAbove(rows.length, 0, query.endpoint.name)
      if (query.columns !== undefined) assert.deepStrictEqual(names.split(","), [...query.columns])
      assert.strictEqual(csv.credits.charged, json.credits.charged, query.endpoint.name)
      for (const { charge } of [...csv.trace, ...json.trace]) assert.strictEqual(charge?.computed, charge?.reported)
      assert.deepStrictEqual(csv.findings, [])
    }
  }).pipe(Effect.provideService(Policies.Findings, "strict"), Effect.provide(sandboxed())))

it.effect("[4.5-general-params] has its columns, mode and token beside it, and is not there unless it is asked for", () =>
  Effect.gen(function*() {
    yield* noon
    const query = made(Query.stockPrices(["AAPL", "MSFT"], { columns: ["symbol", "mid"], mode: DataMode.cached() }))
    const csv = yield* MarketData.run(Query.asCsv(query))
    assert.match(csv.data, /^symbol,mid\r\nAAPL,[\d.]+\r\nMSFT,[\d.]+\r\n$/)
    assert.deepStrictEqual([csv.provenance.status, csv.credits.charged], [203, 1])
    const { data } = yield* MarketData.run(query)
    assert.strictEqual(data.length, 2)
    const requests = yield* (yield* Sandbox.Sandbox).requests
    assert.deepStrictEqual(requests.map(({ target }) => target.split("?")[1]), [
      "symbols=AAPL,MSFT&columns=symbol,mid&format=csv&mode=cached&token=<redacted>",
      "symbols=AAPL,MSFT&columns=symbol,mid&mode=cached&token=<redacted>"
    ])
  }).pipe(Effect.provide(sandboxed({ tokenIn: "query" }))))
