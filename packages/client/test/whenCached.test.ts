import * as MarketData from "@effect-marketdata/client/MarketData"
import * as DataMode from "@effect-marketdata/core/DataMode"
import { assert, it } from "../../core/test/support/it.ts"
import { Effect, Option } from "effect"
import { clientOf } from "./support/clients.ts"
import { pricesBody, service } from "./support/scripted.ts"

const cached = { mode: DataMode.cached() }

it.effect("[8.3-miss] is none for a cached miss", function*() {
  assert.deepStrictEqual(yield* MarketData.whenCached(MarketData.stockPrices(["A"], cached)), Option.none())
}, clientOf(service({ status: 204 })))

it.effect("is the answer where there is one", function*() {
  const answer = yield* MarketData.whenCached(MarketData.stockPrices(["A"], cached))
  assert.deepStrictEqual(
    Option.map(answer, ({ data, provenance }) => [data.length, provenance.source]),
    Option.some([1, "cache"])
  )
}, clientOf(service({ status: 203, body: pricesBody(["A"]) })))

it.effect("[7.1-204-elsewhere] leaves any other failure as it is, a 204 to what was not asked of the cache included", () =>
  Effect.gen(function*() {
    const refused = yield* Effect.flip(MarketData.whenCached(MarketData.stockPrices(["A"], cached)))
    assert.strictEqual(refused.reason._tag, "Unauthorized")
    for (const mode of [undefined, DataMode.live, DataMode.delayed]) {
      const unexpected = yield* Effect.flip(MarketData.whenCached(MarketData.stockPrices(["A"], { mode })))
      assert.strictEqual(unexpected.reason._tag, "UnexpectedNoContent")
    }
  }).pipe(Effect.provide(clientOf(service({ status: 401 }, { status: 204 })))))
