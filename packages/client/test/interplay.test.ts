/** What no part of the client promises by itself: they keep it together. */
import { CacheFallback, MarketData, Policies, RetryPolicy } from "@effect-marketdata/client"
import * as DataMode from "@effect-marketdata/core/DataMode"
import { Effect, Fiber, Layer } from "effect"
import * as TestClock from "effect/testing/TestClock"
import { assert, it } from "../../core/test/support/it.ts"
import { clientOf, over, timed } from "./support/clients.ts"
import { pricesBody, replying, service, symbolsOf } from "./support/scripted.ts"

const prices = pricesBody(["A"])
const ask = MarketData.stockPrices(["A"])
const hurried = Effect.provide(RetryPolicy.layer({ attempts: 3, base: 1, cap: 1, retryAfter: 30_000, deadline: 3000 }))

it.effect("the time of an attempt counts before the wait for the next one", function*() {
  const { took, value } = yield* timed(Effect.flip(hurried(ask)))
  assert.deepStrictEqual([value.reason._tag, took], ["ServerFault", 2000])
}, clientOf(service({ status: 503, headers: { "retry-after": "2" }, after: "2 seconds" })))

const missing = service({ status: 204, after: "2 seconds" }, { status: 200, body: prices, after: "2 seconds" })
it.effect("a query and its fallback have one deadline", function*() {
  const { took, value } = yield* timed(
    Effect.flip(hurried(MarketData.stockPrices(["A"], { mode: DataMode.cachedOrLive() })))
  )
  assert.deepStrictEqual([value.reason._tag, took], ["TimedOut", 3000])
}, clientOf(missing, { consent: 100 }))

it.effect("a request that was lost keeps no other address waiting", () => {
  let address = "192.0.2.1"
  const http = service({ fails: "ECONNRESET" }, { status: 200, body: prices })
  return over(http, { address: Effect.sync(() => address) }, function*() {
    const error = yield* Effect.flip(Effect.provide(ask, RetryPolicy.layerNone))
    assert.strictEqual(error.reason._tag, "TransportFailure")
    address = "192.0.2.2"
    yield* TestClock.adjust("6 minutes")
    yield* ask
    assert.strictEqual(http.requests.length, 2)
  })
})

it.effect("who may fall back and who may not share no call, though both consent", () =>
  over(replying((url) => ({ status: 203, body: pricesBody(symbolsOf(url)), after: "1 second" })), {
    given: Layer.mergeAll(CacheFallback.layerAlways, Layer.succeed(Policies.Coalesce, true))
  }, function*(http) {
    const asked = [DataMode.cached(), DataMode.cachedOrLive()].map((mode) => MarketData.stockPrices(["A"], { mode }))
    const fibers = yield* Effect.forEach(asked, (query) => Effect.forkChild(query, { startImmediately: true }))
    yield* TestClock.adjust("1 second")
    yield* Fiber.joinAll(fibers)
    assert.strictEqual(http.requests.length, 2)
  }))

it.effect("live data take the places of those that were missed", () =>
  over(
    replying((url) => {
      const isMiss = url.searchParams.get("mode") === "cached" && !symbolsOf(url).includes("B")
      return isMiss ? { status: 204 } : { status: 200, body: pricesBody(symbolsOf(url)) }
    }),
    { maxSymbols: 1, consent: 100 },
    function*() {
      const { data } = yield* MarketData.stockPrices(["A", "B", "C", "D"], { mode: DataMode.cachedOrLive() })
      assert.deepStrictEqual([...data].map(({ symbol }) => symbol), ["A", "B", "C", "D"])
    }
  ))

it.effect("a joined answer has the findings and the origin of all its parts", () =>
  over(
    replying((url) => {
      const [symbol = ""] = symbolsOf(url)
      const body = pricesBody([symbol])
      return symbol === "A"
        ? { status: 200, body }
        : { status: 203, body: body.replace(`"mid"`, `"extra":[1],"mid"`).replace("1795208000", "1795204400") }
    }),
    { maxSymbols: 1 },
    function*() {
      const { findings, provenance } = yield* MarketData.stockPrices(["A", "B"])
      assert.deepStrictEqual(findings.map(({ code, column }) => [code, column]), [["UnknownField", "extra"]])
      assert.deepInclude(provenance, { source: "cache", updated: { oldest: 1795204400, newest: 1795208000 } })
    }
  ))
