import type { CacheFallback } from "@effect-marketdata/client/CacheFallback"
import * as MarketData from "@effect-marketdata/client/MarketData"
import * as Gateway from "@effect-marketdata/cluster/Gateway"
import * as DataMode from "@effect-marketdata/core/DataMode"
import { Effect, type Layer } from "effect"
import type { Sharding } from "effect/cluster/Sharding"
import { expectTypeOf, test } from "vitest"

const layer = Gateway.layer({ account: "main" })

test("a gateway is a client: it takes the place of the layer that an application has", () => {
  expectTypeOf(layer).toEqualTypeOf<Layer.Layer<MarketData.MarketData, never, Sharding>>()
  expectTypeOf(Gateway.layerEntity()).toEqualTypeOf<Layer.Layer<never, never, MarketData.MarketData | Sharding>>()
})

test("consent to pay does not compile away", () => {
  const asked = MarketData.stockPrices(["SPY"], { mode: DataMode.cachedOrLive() }).pipe(Effect.provide(layer))
  expectTypeOf<Effect.Services<typeof asked>>().toEqualTypeOf<CacheFallback | Sharding>()
})

test("an account has a name", () => {
  // @ts-expect-error: nothing says whose gateway it is
  Gateway.layer({})
  // @ts-expect-error: an entity has no such option
  Gateway.layerEntity({ maxWaitingCalls: 3 })
})
