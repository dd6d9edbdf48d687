import { type CacheFallback, CreditLedger, MarketData, MarketDataStream } from "@effect-marketdata/client"
import { QuoteResolver, ReplyCache, RetryPolicy } from "@effect-marketdata/client"
import { MarketDataError } from "@effect-marketdata/client/MarketDataError"
import * as Query from "@effect-marketdata/core/Query"
import { Effect, Result, Stream } from "effect"
import { assert, it } from "../../core/test/support/it.ts"
import { refuse } from "../../core/test/support/untyped.ts"
import { clientOf, Requests, sent } from "./support/clients.ts"
import { replying } from "./support/scripted.ts"

/** A service that nothing of this may reach. */
const service = () => replying(() => ({ status: 200, body: `{"s":"ok"}` }))

/** Values that are not a symbol, a list or options. */
const values: ReadonlyArray<readonly [name: string, value: unknown]> = [
  ["null", null],
  ["a number", 7],
  ["a symbol", Symbol("SPX")],
  ["a bigint", 10n],
  ["a date", new Date(0)],
  ["a list of others", [Symbol("member"), null]],
  ["an object that cannot be printed", { toString: refuse, toJSON: refuse }],
  ["a proxy that throws", new Proxy({}, { get: refuse, ownKeys: refuse, getPrototypeOf: refuse })]
]

type Asked = Effect.Effect<unknown, unknown, MarketData.MarketData | CacheFallback.CacheFallback>

type Ask = (...values: ReadonlyArray<never>) => Asked

/** Every accessor, with well-formed values before its options. */
const accessors: ReadonlyArray<readonly [name: string, ask: Ask, values: ReadonlyArray<unknown>]> = [
  ["optionChain", MarketData.optionChain, ["SPX"]],
  ["optionQuote", MarketData.optionQuote, ["AAPL261120C00150000"]],
  ["optionLookup", MarketData.optionLookup, ["AAPL 7/28/2023 200 Call"]],
  ["optionExpirations", MarketData.optionExpirations, ["AAPL"]],
  ["optionStrikes", MarketData.optionStrikes, ["AAPL"]],
  ["stockQuote", MarketData.stockQuote, ["AAPL"]],
  ["stockQuotes", MarketData.stockQuotes, [["AAPL"]]],
  ["stockPrices", MarketData.stockPrices, [["AAPL"]]],
  ["stockCandles", MarketData.stockCandles, ["D", "AAPL"]],
  ["stockBulkCandles", MarketData.stockBulkCandles, [["AAPL"]]],
  ["stockEarnings", MarketData.stockEarnings, ["AAPL"]],
  ["stockNews", MarketData.stockNews, ["AAPL"]],
  ["marketStatus", MarketData.marketStatus, []],
  ["fundCandles", MarketData.fundCandles, ["D", "VFINX"]],
  ["QuoteResolver.stockQuote", QuoteResolver.stockQuote, ["AAPL"]],
  ["QuoteResolver.stockPrice", QuoteResolver.stockPrice, ["AAPL"]]
]

/** The refusal of a query that must not be asked. */
const refusal = (ask: () => Asked) =>
  Effect.map(
    // None of these falls back: what consents is not needed.
    Effect.flip(Effect.suspend(ask) as Effect.Effect<unknown, unknown, MarketData.MarketData>),
    (error) => {
      assert(error instanceof MarketDataError)
      assert(error.reason._tag === "InvalidQuery", error.reason._tag)
      assert.isBelow(error.message.length, 1500)
      return error
    }
  )

for (const [name, ask, given] of accessors) {
  it.effect(`[7.3-cause-wrong-type] of ${name} get a MarketDataError, and nothing is sent`, function*() {
    for (const [, value] of values) {
      yield* refusal(() => ask(...[...given, value] as Array<never>))
      for (const at of given.keys()) yield* refusal(() => ask(...given.with(at, value) as Array<never>))
      yield* refusal(() => ask(...[...given, { mode: value }] as Array<never>))
      yield* refusal(() => ask(...[...given, { foo: value }] as Array<never>))
    }
    assert.strictEqual(yield* sent, 0)
  }, clientOf(service()))
}

it.effect("[7.3-cause-wrong-type] of run get a MarketDataError for what is not a query", function*() {
  for (const [, value] of [...values, ["a result", Query.optionChain("SPX")]]) {
    const { message } = yield* refusal(() => MarketData.run(value as never))
    assert.include(message, `must be a query, e.g. Result.getOrThrow(Query.optionChain("SPX")).`)
  }
  assert.strictEqual(yield* sent, 0)
}, clientOf(service()))

it.effect("[8.2-modes] of run cannot send a query in a mode that there is not", function*() {
  const query = Result.getOrThrow(Query.optionChain("SPX"))
  for (const mode of ["cached", "nonsense", 7, null]) {
    const { reason } = yield* refusal(() => MarketData.run({ ...query, mode: mode as never }))
    assert.strictEqual(reason._tag === "InvalidQuery" && reason.parameter, "mode")
  }
  assert.strictEqual(yield* sent, 0)
}, clientOf(service()))

it.effect("[8.2-modes] say a mode as the contract spells it, and are answered in it", function*() {
  const failed = yield* Effect.flip(MarketData.optionChain("SPX", { mode: "cached" as never }))
  assert.strictEqual((failed.reason as { readonly _tag: string })._tag, "NoCachedData")
  assert.match((yield* Requests)[0]!.url, /\?mode=cached$/)
}, clientOf(replying(() => ({ status: 204 }))))

it.effect("[7.3-cause-wrong-type] of a stream get a MarketDataError", function*() {
  for (const [, value] of values.filter(([name]) => !name.startsWith("a proxy"))) {
    yield* refusal(() => Stream.runDrain(MarketDataStream.stockCandles("D", "AAPL", value as never)))
    yield* refusal(() => Stream.runDrain(MarketDataStream.stockPrices(value as never)))
    yield* refusal(() => Effect.scoped(MarketData.pooled(MarketData.stockPrices(["A"]), value as never)))
    if (typeof value === "object") continue
    yield* refusal(() => Stream.runDrain(MarketDataStream.stockPrices(["A"], value as never)))
  }
  assert.strictEqual(yield* sent, 0)
}, clientOf(service()))

it("are told what is not a schedule where a policy is made, before a failure asks for it", () => {
  for (const none of [null, { attempts: 3 }, "2 seconds"] as Array<never>) {
    assert.throws(() => RetryPolicy.makeSchedule(none), /schedule .* must be a Schedule, e\.g\. Schedule\.spaced/)
  }
})

it("are told what is not an option, no ledger, no store and no address, where something is made of it", () => {
  const ledger = Effect.runSync(CreditLedger.makeUnlimited())
  for (const none of [5, "100", NaN, () => 5] as Array<never>) {
    // Without the guard these would be a ledger without a limit, and ten attempts.
    for (const make of [CreditLedger.makeFollowing, CreditLedger.layerMemory, RetryPolicy.layer]) {
      assert.throws(() => make(none), /options .* must be an object, e\.g\. \{ a/)
    }
    assert.throws(() => CreditLedger.make(none), /ledger store .* must be a ledger store/)
    assert.throws(() => CreditLedger.both(ledger, none), /ledger .* must be a ledger, e\.g\. what CreditLedger/)
    assert.throws(() => CreditLedger.both(CreditLedger.makeUnlimited() as never, ledger), /must be a ledger/)
    assert.throws(() => ReplyCache.makeDiskStore({ directory: 5, maxBytes: none } as never), /directory 5 must be/)
    assert.throws(() => MarketDataStream.byTickers("quotes", ["A"], {}, none), /make .* must be a function that/)
  }
  assert.throws(() => ReplyCache.makeDiskStore(null as never), /directory undefined must be the path/)
})
