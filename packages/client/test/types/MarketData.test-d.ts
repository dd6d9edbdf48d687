import type { CacheFallback } from "@effect-marketdata/client/CacheFallback"
import * as MarketData from "@effect-marketdata/client/MarketData"
import * as DataMode from "@effect-marketdata/core/DataMode"
import type * as OptionChain from "@effect-marketdata/core/OptionChain"
import type * as Reason from "@effect-marketdata/core/Reason"
import type * as Effect from "effect/Effect"
import { describe, expectTypeOf, it } from "vitest"

type ReasonOf<E> = E extends { readonly reason: infer R } ? R : never
type DataOf<A> = A extends { readonly data: infer D } ? D : never

/** What every question can fail with, whatever its mode. */
type Common =
  | Reason.InvalidQuery
  | Reason.CreditBudgetExceeded
  | Reason.EgressHeld
  | Reason.TransportFailure
  | Reason.TimedOut
  | Reason.OfAnyReply

describe("MarketData.optionChain", () => {
  const plain = MarketData.optionChain("SPX")
  const live = MarketData.optionChain("SPX", { mode: DataMode.live })
  const cached = MarketData.optionChain("SPX", { mode: DataMode.cached({ maxAge: "5 minutes" }) })
  const cachedOrLive = MarketData.optionChain("SPX", { mode: DataMode.cachedOrLive() })

  it("requires consent to pay in the mode that may fall back, and in no other", () => {
    expectTypeOf<Effect.Services<typeof plain>>().toEqualTypeOf<MarketData.MarketData>()
    expectTypeOf<Effect.Services<typeof live>>().toEqualTypeOf<MarketData.MarketData>()
    expectTypeOf<Effect.Services<typeof cached>>().toEqualTypeOf<MarketData.MarketData>()
    expectTypeOf<Effect.Services<typeof cachedOrLive>>().toEqualTypeOf<MarketData.MarketData | CacheFallback>()
  })

  it("lists exactly the reasons that its mode can bring", () => {
    expectTypeOf<ReasonOf<Effect.Error<typeof plain>>>().toEqualTypeOf<Common | Reason.UnexpectedNoContent>()
    expectTypeOf<ReasonOf<Effect.Error<typeof live>>>().toEqualTypeOf<Common | Reason.UnexpectedNoContent>()
    expectTypeOf<ReasonOf<Effect.Error<typeof cached>>>().toEqualTypeOf<Common | Reason.NoCachedData>()
    expectTypeOf<ReasonOf<Effect.Error<typeof cachedOrLive>>>().toEqualTypeOf<
      Common | Reason.NoLiveData | Reason.FallbackDeclined
    >()
  })

  it("types the chain by the columns asked for", () => {
    const some = MarketData.optionChain("SPX", { columns: ["strike", "bid"] })
    expectTypeOf<DataOf<Effect.Success<typeof some>>>().toEqualTypeOf<OptionChain.OptionChain<"strike" | "bid">>()
    expectTypeOf<DataOf<Effect.Success<typeof plain>>>().toEqualTypeOf<OptionChain.OptionChain>()
    // @ts-expect-error there is no such column
    void MarketData.optionChain("SPX", { columns: ["price"] })
  })

  it("gives a greatest age to cached modes only [4.1-maxage-cached-only]", () => {
    // @ts-expect-error live data have no age to ask for
    void MarketData.optionChain("SPX", { mode: { ...DataMode.live, maxAge: "5 minutes" } })
    // @ts-expect-error it belongs to the mode
    void MarketData.optionChain("SPX", { maxAge: "5 minutes" })
  })
})
