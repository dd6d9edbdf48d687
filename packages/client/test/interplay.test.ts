/** What no part of the client promises by itself: they keep it together. */
import { CacheFallback, MarketData, Policies, RetryPolicy } from "@effect-marketdata/client"
import * as DataMode from "@effect-marketdata/core/DataMode"
import { assert, describe, it } from "../../core/test/support/it.ts"
import { Clock, Effect, Fiber, Layer, Ref } from "effect"
import * as TestClock from "effect/testing/TestClock"
import { clientOf, pricesBody, replying, service, symbolsOf } from "./support/scripted.ts"

const prices = pricesBody(["A"])
const ask = MarketData.stockPrices(["A"])
const policy = { attempts: 3, base: 1, cap: 1, retryAfter: 30_000 }

/** Runs a query while ten minutes pass, and says after how many milliseconds it ended. */
const timed = <A, E, R>(query: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const fiber = yield* Effect.forkChild(
      Effect.flatMap(query, (value) => Effect.map(Clock.currentTimeMillis, (took) => ({ value, took })))
    )
    yield* TestClock.adjust("10 minutes")
    return yield* Fiber.join(fiber)
  })

describe("interplay", () => {
  it.effect("the time of an attempt counts before the wait for the next one", function*() {
    const { took, value } = yield* timed(
      Effect.flip(Effect.provideService(ask, RetryPolicy.RetryPolicy, RetryPolicy.make({ ...policy, deadline: 3000 })))
    )
    assert.deepStrictEqual([value.reason._tag, took], ["ServerFault", 2000])
  }, clientOf(service({ status: 503, headers: { "retry-after": "2" }, after: "2 seconds" })))

  it.effect("a query and its fallback have one deadline", () =>
    Effect.gen(function*() {
      const { took, value } = yield* timed(
        MarketData.stockPrices(["A"], { mode: DataMode.cachedOrLive() }).pipe(
          Effect.provideService(RetryPolicy.RetryPolicy, RetryPolicy.make({ ...policy, deadline: 3000 })),
          Effect.flip
        )
      )
      assert.deepStrictEqual([value.reason._tag, took], ["TimedOut", 3000])
    }).pipe(Effect.provide(clientOf(
      service({ status: 204, after: "2 seconds" }, { status: 200, body: prices, after: "2 seconds" }),
      { consent: 100 }
    ))))

  it.effect("a request that was lost keeps no other address waiting", function*() {
    const address = yield* Ref.make("192.0.2.1")
    const http = service({ fails: "ECONNRESET" }, { status: 200, body: prices })
    yield* Effect.gen(function*() {
      const error = yield* Effect.flip(
        Effect.provideService(ask, RetryPolicy.RetryPolicy, RetryPolicy.make({ ...policy, attempts: 1 }))
      )
      assert.strictEqual(error.reason._tag, "TransportFailure")
      yield* Ref.set(address, "192.0.2.2")
      yield* TestClock.adjust("6 minutes")
      yield* ask
      assert.strictEqual(http.requests.length, 2)
    }).pipe(Effect.provide(clientOf(http, { address: Ref.get(address) })))
  })

  it.effect("who may fall back and who may not share no call, though both consent", () => {
    const http = replying((url) => ({ status: 203, body: pricesBody(symbolsOf(url)), after: "1 second" }))
    return Effect.gen(function*() {
      const asked = [DataMode.cached(), DataMode.cachedOrLive()].map((mode) => MarketData.stockPrices(["A"], { mode }))
      const fibers = yield* Effect.forEach(asked, (query) => Effect.forkChild(query, { startImmediately: true }))
      yield* TestClock.adjust("1 second")
      yield* Fiber.joinAll(fibers)
      assert.strictEqual(http.requests.length, 2)
    }).pipe(
      Effect.provideService(Policies.Coalesce, true),
      Effect.provide(Layer.merge(clientOf(http), CacheFallback.layerAlways))
    )
  })

  it.effect("live data take the places of those that were missed", () => {
    const http = replying((url) => {
      const isMiss = url.searchParams.get("mode") === "cached" && !symbolsOf(url).includes("B")
      return isMiss ? { status: 204 } : { status: 200, body: pricesBody(symbolsOf(url)) }
    })
    return Effect.gen(function*() {
      const { data } = yield* MarketData.stockPrices(["A", "B", "C", "D"], { mode: DataMode.cachedOrLive() })
      assert.deepStrictEqual([...data].map(({ symbol }) => symbol), ["A", "B", "C", "D"])
    }).pipe(Effect.provide(clientOf(http, { maxSymbols: 1, consent: 100 })))
  })

  it.effect("a joined answer has the findings and the origin of all its parts", () => {
    const http = replying((url) => {
      const [symbol = ""] = symbolsOf(url)
      const body = pricesBody([symbol])
      return symbol === "A"
        ? { status: 200, body }
        : { status: 203, body: body.replace(`"mid"`, `"extra":[1],"mid"`).replace("1795208000", "1795204400") }
    })
    return Effect.gen(function*() {
      const { findings, provenance } = yield* MarketData.stockPrices(["A", "B"])
      assert.deepStrictEqual(findings.map(({ code, column }) => [code, column]), [["UnknownField", "extra"]])
      assert.strictEqual(provenance.source, "cache")
      assert.deepStrictEqual(provenance.updated, { oldest: 1795204400, newest: 1795208000 })
    }).pipe(Effect.provide(clientOf(http, { maxSymbols: 1 })))
  })
})
