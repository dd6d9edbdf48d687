import * as DataMode from "@effect-marketdata/core/DataMode"
import type * as OptionChain from "@effect-marketdata/core/OptionChain"
import * as Query from "@effect-marketdata/core/Query"
import type * as Reason from "@effect-marketdata/core/Reason"
import * as Result from "effect/Result"
import { describe, expectTypeOf, it } from "vitest"

type DataOf<A> = A extends Result.Result<Query.Query<infer Data, infer _>, unknown> ? Data : never
type ModeOf<A> = A extends Result.Result<Query.Query<infer _, infer Mode>, unknown> ? Mode : never

describe("Query.optionChain", () => {
  const plain = Query.optionChain("SPX")
  const some = Query.optionChain("SPX", { columns: ["strike", "bid"] })
  const cached = Query.optionChain("SPX", { mode: DataMode.cached({ maxAge: "5 minutes" }) })

  it("types the answer by the columns asked for", () => {
    expectTypeOf<DataOf<typeof plain>>().toEqualTypeOf<OptionChain.OptionChain>()
    expectTypeOf<DataOf<typeof some>>().toEqualTypeOf<OptionChain.OptionChain<"strike" | "bid">>()
  })

  it("remembers the mode, and that there is none", () => {
    expectTypeOf<ModeOf<typeof plain>>().toEqualTypeOf<undefined>()
    expectTypeOf<ModeOf<typeof cached>>().toEqualTypeOf<DataMode.Cached>()
  })

  it("fails with a question that cannot be asked, and with nothing else", () => {
    expectTypeOf<Result.Result.Failure<typeof plain>>().toEqualTypeOf<Reason.InvalidQuery>()
  })

  it("[4.1-maxage-cached-only] gives a greatest age to cached modes only", () => {
    DataMode.cached({ maxAge: "5min" })
    DataMode.cachedOrLive({ maxAge: "1h" })
    // @ts-expect-error live data have no age to ask for
    Query.optionChain("SPX", { mode: { ...DataMode.live, maxAge: "5 minutes" } })
    // @ts-expect-error delayed data have no age to ask for
    Query.optionChain("SPX", { mode: { ...DataMode.delayed, maxAge: "5 minutes" } })
    // @ts-expect-error it belongs to the mode
    Query.optionChain("SPX", { maxAge: "5 minutes" })
    // @ts-expect-error such text is no duration
    DataMode.cached({ maxAge: "soon" })
  })

  it("knows columns, sides and modes by name", () => {
    // @ts-expect-error there is no such column
    Query.optionChain("SPX", { columns: ["price"] })
    // @ts-expect-error there is no such side
    Query.optionChain("SPX", { side: "straddle" })
    // @ts-expect-error a mode is a value of DataMode
    Query.optionChain("SPX", { mode: "live" })
    // @ts-expect-error columns of text are always there and hold no format
    Query.optionChain("SPX", { format: "csv" })
  })
})

describe("Query.withMode", () => {
  const query = Result.getOrThrow(Query.optionChain("SPX", { columns: ["bid"] }))

  it("keeps the data and takes the new mode", () => {
    const live = Query.withMode(query, DataMode.live)
    expectTypeOf(live).toEqualTypeOf<Query.Query<OptionChain.OptionChain<"bid">, DataMode.Live>>()
  })

  it("takes no mode that may fall back: a request has one mode", () => {
    // @ts-expect-error cachedOrLive stands for two requests
    Query.withMode(query, DataMode.cachedOrLive())
  })
})
