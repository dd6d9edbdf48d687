/** The token in the query, for those who choose it expressly, and what else a request never holds by itself. */
import * as MarketData from "@effect-marketdata/client/MarketData"
import type { MarketDataError } from "@effect-marketdata/client/MarketDataError"
import { DataMode, HttpRequest } from "@effect-marketdata/core"
import { Effect, Redacted, Ref } from "effect"
import { assert, it } from "../../core/test/support/it.ts"
import { clientOf, over, passing, Requests, sent, targets } from "./support/clients.ts"
import { pricesBody, replying, service, symbolsOf } from "./support/scripted.ts"

const ok = () => service({ status: 200, body: pricesBody(["A"]) })
const prices = MarketData.stockPrices(["A"])
const inQuery = { tokenIn: "query", token: Redacted.make("a+b/c=d&e?f%g#h") } as const
const encoded = "token=a%2Bb%2Fc%3Dd%26e%3Ff%25g%23h"

/** One query to each kind of endpoint, with the parameters that it should send. */
const asks: ReadonlyArray<readonly [Effect.Effect<unknown, MarketDataError, MarketData.MarketData>, string]> = [
  [MarketData.optionChain("SPX", { columns: ["strike", "bid"] }), "columns=strike,bid"],
  [MarketData.optionQuote("AAPL261218C00150000", { columns: ["bid"] }), "columns=bid"],
  [MarketData.stockQuote("SPY", { columns: ["last"], mode: DataMode.cached() }), "columns=last&mode=cached"],
  [MarketData.stockQuotes(["A", "B"], { columns: ["symbol", "last"] }), "symbols=A,B&columns=symbol,last"],
  [MarketData.stockPrices(["A"], { columns: ["mid"] }), "symbols=A&columns=mid"],
  [MarketData.stockBulkCandles(["A"], { columns: ["symbol", "c"] }), "symbols=A&columns=symbol,c"],
  [MarketData.optionLookup("AAPL 7/28/2023 200 Call"), ""],
  [MarketData.account, ""]
]

it.effect("[5.3-query] goes there alone, and not in the header", function*() {
  const { trace } = yield* prices
  assert.strictEqual((yield* Requests)[0]?.url, `https://service.test/v1/stocks/prices/?symbols=A&${encoded}`)
  assert.isUndefined((yield* Requests)[0]?.headers["authorization"])
  assert.strictEqual((yield* Requests)[0]?.headers["accept"], "application/json")
  assert.strictEqual(trace[0]?.target, "/v1/stocks/prices/?symbols=A")
}, clientOf(ok(), inQuery))

it.effect("[5.3-query] is the first parameter where there is no other", function*() {
  yield* Effect.exit(MarketData.account)
  assert.strictEqual((yield* Requests)[0]?.url, `https://service.test/user/?${encoded}`)
}, clientOf(ok(), inQuery))

it.effect("[5.3-query] is that of the moment: a retry and live data after a miss have the next one", function*() {
  const http = service({ status: 503 }, { status: 204 }, { status: 200, body: pricesBody(["A"]) })
  const count = yield* Ref.make(0)
  const token = Effect.map(Ref.updateAndGet(count, (n) => n + 1), (n) => Redacted.make(`number-${n}`))
  const ask = MarketData.stockPrices(["A"], { mode: DataMode.cachedOrLive() })
  yield* Effect.provide(passing(ask, "1 minute"), clientOf(http, { token, tokenIn: "query", consent: 1 }))
  // The first one is for measuring the request line.
  assert.deepStrictEqual(http.requests.map(({ url }) => url.split("?")[1]), [
    "symbols=A&mode=cached&token=number-2",
    "symbols=A&mode=cached&token=number-3",
    "symbols=A&mode=live&token=number-4"
  ])
})

it.effect("[8.1-request-line] [8.1-batches] takes its place in each line", () =>
  over(replying((url) => ({ status: 200, body: pricesBody(symbolsOf(url)) })), {
    tokenIn: "query",
    token: Redacted.make("x".repeat(500)),
    maxSymbols: 900
  }, function*(http) {
    const symbols = Array.from({ length: 900 }, (_, index) => `T${index}`)
    const { data } = yield* MarketData.stockPrices(symbols)
    assert.strictEqual(data.length, 900)
    const lines = http.requests.map(({ url }) => HttpRequest.lineBytes(url.slice("https://service.test".length)))
    assert.isAbove(lines.length, 1)
    assert.isAbove(lines[0]!, HttpRequest.maxLineBytes - 10)
    for (const bytes of lines) assert.isAtMost(bytes, HttpRequest.maxLineBytes)
  }))

let length = 0
const growing = Effect.sync(() => Redacted.make("x".repeat(length += 2040)))
it.effect("[8.1-request-line] is measured again before it is sent: it may have become longer", function*() {
  assert.strictEqual((yield* Effect.flip(prices)).reason._tag, "RequestLineTooLong")
  assert.strictEqual(yield* sent, 0)
}, clientOf(ok(), { tokenIn: "query", token: growing }))

it.effect("[4.5-general-params] fits every endpoint, beside its columns, with all values encoded", function*() {
  for (const [ask] of asks) yield* Effect.exit(ask)
  const expected = asks.map(([, parameters]) => parameters === "" ? encoded : `${parameters}&${encoded}`)
  assert.deepStrictEqual(yield* targets, expected)
}, clientOf(ok(), inQuery))

it.effect("[4.5-general-params] is never there without being asked for, nor is any other parameter", function*() {
  for (const [ask] of asks) yield* Effect.exit(ask)
  assert.deepStrictEqual((yield* targets).map((sent = "") => sent), asks.map(([, parameters]) => parameters))
}, clientOf(ok(), { token: inQuery.token }))
