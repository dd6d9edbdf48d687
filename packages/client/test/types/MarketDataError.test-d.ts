import type { Incomplete } from "@effect-marketdata/client/Incomplete"
import * as MarketDataError from "@effect-marketdata/client/MarketDataError"
import { type Reason, Schemas, StockPrices } from "@effect-marketdata/core"
import { expectTypeOf, it } from "vitest"

it("FromJson reads the reasons that hold no data", () => {
  expectTypeOf(MarketDataError.FromJson.Type).toEqualTypeOf<MarketDataError.MarketDataError<Reason.Reason>>()
})

it("FromJsonWith reads part of an answer with the schema of its data", () => {
  const prices = Schemas.Table(StockPrices.spec, ["symbol", "mid"])
  expectTypeOf(MarketDataError.FromJsonWith(prices).Type).toEqualTypeOf<
    MarketDataError.MarketDataError<Reason.Reason | Incomplete<StockPrices.StockPrices<"symbol" | "mid">>>
  >()
})
