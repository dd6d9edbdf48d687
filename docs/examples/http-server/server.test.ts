/** Asks the server as its callers do, over a port of this machine. `node --test` runs it. */
import { NodeHttpServer } from "@effect/platform-node"
import { Effect, Layer, Option } from "effect"
import { FetchHttpClient, HttpClient, HttpRouter } from "effect/http"
import { HttpApiClient } from "effect/http-api"
import assert from "node:assert/strict"
import { test } from "node:test"
import { Api } from "./api.ts"
import * as Server from "./server.ts"

/** Runs a program beside a server with this budget; its client for HTTP asks that server. */
const beside = <A, E>(
  allowance: number,
  program: Effect.Effect<A, E, HttpClient.HttpClient>,
  http: Layer.Layer<HttpClient.HttpClient> = FetchHttpClient.layer
) =>
  Effect.runPromise(Effect.provide(
    program,
    HttpRouter.serve(Server.routes, { disableListenLog: true, disableLogger: true }).pipe(
      Layer.provide(Server.client(allowance).pipe(Layer.provide(http))),
      Layer.provideMerge(NodeHttpServer.layerTest)
    )
  ))

await test("the second caller of a chain costs nothing", () =>
  beside(
    100,
    Effect.gen(function*() {
      const api = yield* HttpApiClient.make(Api)
      const ask = api.chain({ params: { underlying: "AAPL" }, query: { dte: 30, strikes: 5 } })
      const [first, second] = [yield* ask, yield* ask]
      assert.equal(first.credits, 1)
      assert.equal(second.credits, 0)
      assert.deepEqual(second.rows, first.rows)
      assert.equal(first.rows.length, 20)
    })
  ))

/** A service that takes half a second to answer. */
const slow = Layer.effect(
  HttpClient.HttpClient,
  Effect.map(HttpClient.HttpClient, HttpClient.transform(Effect.delay("500 millis")))
).pipe(Layer.provide(FetchHttpClient.layer))

await test("a caller who leaves has paid for the next one", () =>
  beside(
    100,
    Effect.gen(function*() {
      const api = yield* HttpApiClient.make(Api)
      const ask = api.chain({ params: { underlying: "MSFT" }, query: { dte: 30, strikes: 5 } })
      assert.ok(Option.isNone(yield* Effect.timeoutOption(ask, "250 millis")))
      yield* Effect.sleep("1 second")
      assert.equal((yield* ask).credits, 0)
    }),
    slow
  ))

await test("each failure has its status, and its type at the caller", () =>
  beside(
    100,
    Effect.gen(function*() {
      const statusOf = (path: string) => Effect.map(HttpClient.get(path), ({ status }) => status)
      assert.equal(yield* statusOf("/chains/AAPL?dte=30"), 200)
      assert.equal(yield* statusOf("/chains/AAPL?dte=soon"), 400)
      assert.equal(yield* statusOf("/chains/apple%20inc?dte=30"), 400)
      assert.equal(yield* statusOf("/chains/NOSUCH?dte=30"), 404)
      const api = yield* HttpApiClient.make(Api)
      const { _tag, message } = yield* Effect.flip(api.chain({ params: { underlying: "AAPL" }, query: { dte: -1 } }))
      assert.equal(_tag, "BadQuery")
      assert.match(message, /dte/)
    })
  ))

await test("without credits it says so, and sends nothing", () =>
  beside(
    0,
    Effect.gen(function*() {
      const api = yield* HttpApiClient.make(Api)
      const failure = yield* Effect.flip(api.chain({ params: { underlying: "AAPL" }, query: { dte: 30 } }))
      assert.equal(failure._tag, "Later")
    })
  ))
