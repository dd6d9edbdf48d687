import type { CacheFallback } from "@effect-marketdata/client/CacheFallback"
import type { CreditLedger } from "@effect-marketdata/client/CreditLedger"
import * as MarketData from "@effect-marketdata/client/MarketData"
import * as DataMode from "@effect-marketdata/core/DataMode"
import type { Faults } from "@effect-marketdata/sandbox/Faults"
import type { Sandbox } from "@effect-marketdata/sandbox/Sandbox"
import * as MarketDataTest from "@effect-marketdata/testing/MarketDataTest"
import { Effect, type Layer } from "effect"
import type { HttpClient } from "effect/http/HttpClient"
import { describe, expectTypeOf, it } from "vitest"

describe("MarketDataTest.layer", () => {
  it("requires nothing, cannot fail, and provides client, budget, service, faults and HTTP client", () => {
    expectTypeOf(MarketDataTest.layer()).toEqualTypeOf<
      Layer.Layer<MarketData.MarketData | CreditLedger | Sandbox | Faults | HttpClient>
    >()
  })

  it("leaves the consent to pay required", () => {
    const asked = MarketData.optionChain("SPX", { mode: DataMode.cachedOrLive() }).pipe(
      Effect.provide(MarketDataTest.layer())
    )
    expectTypeOf<Effect.Services<typeof asked>>().toEqualTypeOf<CacheFallback>()
  })

  it("takes no seed twice", () => {
    // @ts-expect-error the seed is the layer's, not the sandbox's alone
    MarketDataTest.layer({ sandbox: { seed: 2 } })
  })
})
