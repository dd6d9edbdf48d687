import { MarketData, MarketDataError } from "@effect-marketdata/client"
import { ColumnTable, Credits, Query, Schemas, StockPrices } from "@effect-marketdata/core"
import { Effect, Layer, Result, Schema } from "effect"
import { FetchHttpClient, HttpRouter } from "effect/http"
import { Rpc, RpcClient, RpcGroup, RpcSerialization, RpcServer } from "effect/rpc"
import { assert, describe, it } from "../../core/test/support/it.ts"
import { clientOf } from "./support/clients.ts"
import { chainBody, pricesBody, replying, type Script, symbolsOf } from "./support/scripted.ts"

const prices = Schemas.Table(StockPrices.spec, ["symbol", "mid"])

/**
 * - `estimate`: what a query will cost
 * - `ask`: any query of one request; its answer is read by the schema of that query
 * - `prices`: one query of many symbols, of which some may be missing
 */
class Desk extends RpcGroup.make(
  Rpc.make("estimate", { payload: { query: Schemas.Query }, success: Schemas.Estimate }),
  Rpc.make("ask", { payload: { query: Schemas.Query }, success: Schema.Json, error: MarketDataError.FromJson }),
  Rpc.make("prices", {
    payload: { symbols: Schema.Array(Schema.String) },
    success: Schemas.Answer(prices),
    error: MarketDataError.FromJsonWith(prices)
  })
) {}

const desk = Desk.toLayer({
  estimate: ({ query }) => Effect.succeed(Credits.estimate(query)),
  ask: ({ query }) =>
    MarketData.partial(MarketData.run(query)).pipe(
      Effect.flatMap((answer) => Effect.orDie(Schema.encodeEffect(Schemas.AnswerTo(query))(answer)))
    ),
  prices: ({ symbols }) => MarketData.stockPrices(symbols, { columns: ["symbol", "mid"] })
})

/** A client of the desk, which asks a service of scripted replies. Requests and replies are bytes of HTTP, which go over no socket. */
const overWire = (serialization: Layer.Layer<RpcSerialization.RpcSerialization>, reply: (url: URL) => Script) => {
  const { handler } = HttpRouter.toWebHandler(
    RpcServer.layerHttp({ group: Desk, path: "/rpc", protocol: "http" }).pipe(
      Layer.provide(desk),
      Layer.provide(clientOf(replying(reply), { maxSymbols: 2, consent: 100 })),
      Layer.provide(serialization)
    ),
    { disableLogger: true }
  )
  const fetch: typeof globalThis.fetch = (input, init) => handler(new Request(input, init))
  return RpcClient.layerProtocolHttp({ url: "http://desk.test/rpc" }).pipe(
    Layer.provide(FetchHttpClient.layer),
    Layer.provide(Layer.succeed(FetchHttpClient.Fetch, fetch)),
    Layer.provide(serialization)
  )
}

const serializations = {
  "JSON in lines": RpcSerialization.layerNdjson,
  "JSON-RPC": RpcSerialization.layerJsonRpc(),
  binary: RpcSerialization.layerSchemaBinary()
}

const client = RpcClient.make(Desk)

/** Prices, and a chain; of some tickers the service says that there are none, of others that it is broken. */
const reply = (url: URL): Script => {
  if (url.pathname.includes("/chain/")) return { status: 200, body: chainBody(300) }
  if (symbolsOf(url).includes("NONE")) return { status: 404, body: `{"s":"no_data","errmsg":"Symbol not found."}` }
  return { status: 200, body: pricesBody(symbolsOf(url)) }
}

const chain = Result.getOrThrow(Query.optionChain("AAPL", { expiration: "all", strike: { atLeast: 100 } }))

for (const [name, serialization] of Object.entries(serializations)) {
  describe(`Schemas over effect/rpc, ${name}`, () => {
    it.effect("sends a query, and an estimate without an upper bound", function*() {
      const estimate = yield* (yield* client).estimate({ query: chain })
      assert.deepStrictEqual(estimate, Credits.estimate(chain))
      assert.strictEqual(Credits.bounds(estimate).max, Infinity)
    }, overWire(serialization, reply))

    it.effect("sends any query, and reads its answer by the schema of that query", function*() {
      const sent = yield* (yield* client).ask({ query: chain })
      const { credits, data, provenance, trace } = yield* Schema.decodeEffect(Schemas.AnswerTo(chain))(sent)
      assert.deepStrictEqual([data.length, data.at(7).strike], [300, 107])
      assert.isNull(data.at(0).last)
      assert.strictEqual(ColumnTable.filter(data, (row) => data.strike[row]! > 398).length, 1)
      assert.strictEqual(provenance.source, "provider")
      assert.deepStrictEqual([credits.charged, credits.uncertain, trace.length], [300, 0, 1])
      assert.strictEqual(Credits.bounds(credits.estimate).max, Infinity)
    }, overWire(serialization, reply))

    it.effect("sends part of an answer, which can be accepted on the other side", function*() {
      const asked = (yield* client).prices({ symbols: ["AAPL", "MSFT", "NONE"] })
      const answered = yield* Effect.catchReason(
        asked,
        "MarketDataError",
        "Incomplete",
        ({ answered, errors, missing }) => {
          assert.deepStrictEqual([missing, errors.map(({ reason }) => reason._tag)], [["NONE"], ["NotFound"]])
          return Effect.succeed(answered)
        }
      )
      assert.deepStrictEqual(Array.from(answered.data.mid), [100, 101])
    }, overWire(serialization, reply))

    it.effect("says on the server what is wrong with a query that nobody constructed", function*() {
      const broken = { ...chain, segments: { underlyingSymbol: "../../user" } }
      const exit = yield* Effect.exit((yield* client).estimate({ query: broken }))
      assert.strictEqual(exit._tag, "Failure")
    }, overWire(serialization, reply))
  })
}
