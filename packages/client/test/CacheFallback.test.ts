import * as CacheFallback from "@effect-marketdata/client/CacheFallback"
import * as MarketData from "@effect-marketdata/client/MarketData"
import * as Credits from "@effect-marketdata/core/Credits"
import * as DataMode from "@effect-marketdata/core/DataMode"
import * as Query from "@effect-marketdata/core/Query"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { chainBody, clientOf, pricesBody, replying, service, symbolsOf } from "./support/scripted.ts"

const mode = DataMode.cachedOrLive()
const decide = (query: Query.Query) =>
  Effect.flatMap(CacheFallback.CacheFallback, (service) => service.decide(query, Credits.estimate(query)))
const chain = (contracts?: number) =>
  Result.getOrThrow(Query.optionChain("SPX", { mode: DataMode.live, assume: { contracts } }))

describe("CacheFallback", () => {
  describe("layerUpTo", () => {
    it.effect("consents to the ceiling, and to nothing above it", () =>
      Effect.gen(function*() {
        yield* decide(chain(500))
        const dear = yield* Effect.flip(decide(chain(501)))
        assert.deepStrictEqual([dear.price, dear.ceiling], [501, 500])
        const open = yield* Effect.flip(decide(chain()))
        assert.deepStrictEqual([open.price, open.ceiling], [undefined, 500])
      }).pipe(Effect.provide(CacheFallback.layerUpTo(500))))

    it.effect("consents to nothing where the ceiling is no number", () =>
      Effect.gen(function*() {
        yield* Effect.flip(decide(chain(1)))
      }).pipe(Effect.provide(CacheFallback.layerUpTo(NaN))))
  })

  describe("layerAlways", () => {
    it.effect("consents to a price without end", () => {
      const http = service({ status: 204 }, { status: 200, body: chainBody(3) })
      return Effect.gen(function*() {
        const answer = yield* MarketData.optionChain("SPX", { mode })
        assert.strictEqual(answer.credits.charged, 3)
      }).pipe(Effect.provide(Layer.mergeAll(clientOf(http), CacheFallback.layerAlways)))
    })
  })

  describe("decide", () => {
    it.effect("[8.3-fallback] is asked once, after the miss, for what was asked and the live price of what is missing", () => {
      const asked: Array<readonly [string, string, number]> = []
      const http = replying((url) =>
        url.searchParams.get("mode") === "live" || symbolsOf(url).includes("A")
          ? { status: url.searchParams.get("mode") === "live" ? 200 : 203, body: pricesBody(symbolsOf(url)) }
          : { status: 204 }
      )
      const consent = Layer.succeed(CacheFallback.CacheFallback, {
        decide: (query, price) =>
          Effect.sync(() => {
            asked.push([Query.format(query), Credits.format(price), http.requests.length])
          })
      })
      return Effect.gen(function*() {
        yield* MarketData.stockPrices(["A", "B", "C", "D"], { mode })
        assert.deepStrictEqual(asked, [["stockPrices A,B and 2 more", "0 to 3 credits", 4]])
      }).pipe(Effect.provide(Layer.mergeAll(clientOf(http, { maxSymbols: 1 }), consent)))
    })

    it.effect("is not asked after a hit, nor after any other failure than a miss", () => {
      const http = service({ status: 203, body: chainBody(3) }, { status: 404 })
      const consent = Layer.succeed(CacheFallback.CacheFallback, { decide: () => Effect.die("asked") })
      return Effect.gen(function*() {
        yield* MarketData.optionChain("SPX", { mode })
        assert.strictEqual((yield* Effect.flip(MarketData.optionChain("SPX", { mode }))).reason._tag, "NotFound")
      }).pipe(Effect.provide(Layer.mergeAll(clientOf(http), consent)))
    })
  })
})
