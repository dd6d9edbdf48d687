import type * as DataMode from "@effect-marketdata/core/DataMode"
import type * as Reason from "@effect-marketdata/core/Reason"
import { describe, expectTypeOf, it } from "vitest"

describe("Reason.ForMode", () => {
  it("[7.1-204-elsewhere] brings an unexpected 204 in every mode but the cached ones", () => {
    expectTypeOf<Reason.ForMode<undefined>>().toEqualTypeOf<Reason.OfAnyReply | Reason.UnexpectedNoContent>()
    expectTypeOf<Reason.ForMode<DataMode.Live>>().toEqualTypeOf<Reason.OfAnyReply | Reason.UnexpectedNoContent>()
    expectTypeOf<Reason.ForMode<DataMode.Delayed>>().toEqualTypeOf<Reason.OfAnyReply | Reason.UnexpectedNoContent>()
  })

  it("[8.3-miss] brings a miss for cached data", () => {
    expectTypeOf<Reason.ForMode<DataMode.Cached>>().toEqualTypeOf<Reason.OfAnyReply | Reason.NoCachedData>()
  })

  it("[8.3-fallback] brings no miss where live data follow, but what can become of them", () => {
    expectTypeOf<Reason.ForMode<DataMode.CachedOrLive>>().toEqualTypeOf<
      Reason.OfAnyReply | Reason.NoLiveData | Reason.FallbackDeclined
    >()
  })

  it("brings every mode's reasons where the mode is not known", () => {
    expectTypeOf<Reason.ForMode<DataMode.Cached | DataMode.Live>>().toEqualTypeOf<
      Reason.OfAnyReply | Reason.NoCachedData | Reason.UnexpectedNoContent
    >()
  })

  it("brings nothing but reasons", () => {
    expectTypeOf<Reason.ForMode<DataMode.DataMode | undefined>>().toExtend<Reason.Reason>()
  })
})
