import type { DataMode, Reason } from "@effect-marketdata/core"
import { describe, expectTypeOf, it } from "vitest"

describe("Reason.InReplyTo", () => {
  it("[7.1-204-elsewhere] brings an unexpected 204 in every mode but the cached ones", () => {
    expectTypeOf<Reason.InReplyTo<undefined>["reason"]>().toEqualTypeOf<
      Reason.OfAnyReply | Reason.UnexpectedNoContent
    >()
    expectTypeOf<Reason.InReplyTo<DataMode.Live>["reason"]>().toEqualTypeOf<
      Reason.OfAnyReply | Reason.UnexpectedNoContent
    >()
    expectTypeOf<Reason.InReplyTo<DataMode.Delayed>["reason"]>().toEqualTypeOf<
      Reason.OfAnyReply | Reason.UnexpectedNoContent
    >()
  })

  it("[8.3-miss] brings a miss for cached data", () => {
    expectTypeOf<Reason.InReplyTo<DataMode.Cached>["reason"]>().toEqualTypeOf<Reason.OfAnyReply | Reason.NoCachedData>()
  })

  it("[8.3-fallback] brings no miss where live data follow, but what can become of them", () => {
    expectTypeOf<Reason.InReplyTo<DataMode.CachedOrLive>["reason"]>().toEqualTypeOf<
      Reason.OfAnyReply | Reason.NoLiveData | Reason.FallbackDeclined
    >()
  })

  it("brings every mode's reasons where the mode is not known", () => {
    expectTypeOf<Reason.InReplyTo<DataMode.Cached | DataMode.Live>["reason"]>().toEqualTypeOf<
      Reason.OfAnyReply | Reason.NoCachedData | Reason.UnexpectedNoContent
    >()
  })

  it("brings nothing but reasons", () => {
    expectTypeOf<Reason.InReplyTo<DataMode.DataMode | undefined>["reason"]>().toExtend<Reason.Reason>()
  })
})
