import type { Answer, Credits, Reason, StockPrices } from "@effect-marketdata/core"
import { OptionChain, Query, Schemas } from "@effect-marketdata/core"
import { Result, type Schema } from "effect"
import { describe, expectTypeOf, it } from "vitest"

describe("Schemas", () => {
  const chain = Result.getOrThrow(Query.optionChain("SPX", { columns: ["strike", "bid"] }))

  it("are codecs between a value and JSON", () => {
    expectTypeOf(Schemas.Query).toEqualTypeOf<Schema.Codec<Query.Query, Schema.Json>>()
    expectTypeOf(Schemas.Estimate).toEqualTypeOf<Schema.Codec<Credits.Estimate, Schema.Json>>()
  })

  it("read a table of the columns that are named, of all where none is", () => {
    expectTypeOf(Schemas.Table(OptionChain.spec).Type).toEqualTypeOf<OptionChain.OptionChain>()
    expectTypeOf(Schemas.Table(OptionChain.spec, ["strike", "bid"]).Type).toEqualTypeOf<
      OptionChain.OptionChain<"strike" | "bid">
    >()
    // @ts-expect-error: a chain has no such column
    void Schemas.Table(OptionChain.spec, ["price"])
  })

  it("read what a query is answered with", () => {
    expectTypeOf(Schemas.DataOf(chain).Type).toEqualTypeOf<OptionChain.OptionChain<"strike" | "bid">>()
    expectTypeOf(Schemas.AnswerTo(chain).Type).toEqualTypeOf<
      Answer.Answer<OptionChain.OptionChain<"strike" | "bid">>
    >()
    expectTypeOf(Schemas.DataOf(Query.asCsv(chain)).Type).toEqualTypeOf<string>()
  })

  it("make rows of their columns, null where these may hold it", () => {
    expectTypeOf<Schemas.OptionChainRow>().branded.toEqualTypeOf<OptionChain.Row>()
    expectTypeOf<Schemas.StockPricesRow>().branded.toEqualTypeOf<StockPrices.Row>()
    expectTypeOf<Schemas.OptionChainRow["side"]>().toEqualTypeOf<"call" | "put">()
    expectTypeOf<Schemas.OptionChainRow["last"]>().toEqualTypeOf<number | null>()
    // @ts-expect-error: a contract has a strike
    void new Schemas.OptionChainRow({ ...({} as OptionChain.Row), strike: null })
  })

  it("leave the reasons of failures what they were", () => {
    expectTypeOf<Reason.ServerFault["retryAfter"]>().toEqualTypeOf<number | undefined>()
    expectTypeOf<Reason.NotFound["cause"]>().toEqualTypeOf<
      "UnknownSymbol" | "UnknownOption" | "MarketClosed" | "NoData" | undefined
    >()
  })
})
