import { ColumnKind, ColumnTable, OptionChain } from "@effect-marketdata/core"
import type { DecodeError } from "@effect-marketdata/core/DecodeError"
import * as Result from "effect/Result"
import { describe, expectTypeOf, it } from "vitest"

describe("OptionChain.decode", () => {
  const whole = Result.getOrThrow(OptionChain.decode(""))
  const some = Result.getOrThrow(OptionChain.decode("", { columns: ["strike", "last", "side"] }))

  it("has every column where none is named", () => {
    expectTypeOf(whole).toEqualTypeOf<OptionChain.OptionChain>()
    expectTypeOf(whole.bid).toEqualTypeOf<Float64Array<ArrayBuffer>>()
    expectTypeOf(whole.side).toEqualTypeOf<Uint8Array<ArrayBuffer>>()
    expectTypeOf(whole.inTheMoney).toEqualTypeOf<Uint8Array<ArrayBuffer>>()
    expectTypeOf(whole.underlying).toEqualTypeOf<ColumnKind.Dictionary>()
    expectTypeOf(whole.optionSymbol).toEqualTypeOf<OptionChain.SymbolColumn>()
  })

  it("has the columns that are named, and no others", () => {
    expectTypeOf(some).toEqualTypeOf<OptionChain.OptionChain<"strike" | "last" | "side">>()
    expectTypeOf(some.strike).toEqualTypeOf<Float64Array<ArrayBuffer>>()
    expectTypeOf<typeof some>().not.toHaveProperty("bid")
    expectTypeOf(some.isNull).parameter(0).toEqualTypeOf<"strike" | "last" | "side">()
  })

  it("shows null in rows where the reply may hold it, and in no column that identifies the row", () => {
    expectTypeOf(some.at(0)).toEqualTypeOf<
      { readonly strike: number; readonly last: number | null; readonly side: "call" | "put" }
    >()
    expectTypeOf(whole.at(0).optionSymbol).toEqualTypeOf<string>()
    expectTypeOf(whole.at(0).underlying).toEqualTypeOf<string>()
    expectTypeOf(whole.at(0).expiration).toEqualTypeOf<number>()
    expectTypeOf(whole.at(0).delta).toEqualTypeOf<number | null>()
    expectTypeOf(whole.at(0).inTheMoney).toEqualTypeOf<boolean | null>()
    expectTypeOf(whole.valueAt("last", 0)).toEqualTypeOf<number | null>()
    expectTypeOf([...some][0]!).toEqualTypeOf<OptionChain.Row<"strike" | "last" | "side">>()
  })

  it("fails with the one error of decoding", () => {
    expectTypeOf<Result.Result.Failure<ReturnType<typeof OptionChain.decode>>>().toEqualTypeOf<DecodeError>()
  })

  it("knows its columns by name", () => {
    // @ts-expect-error there is no such column
    OptionChain.decode("", { columns: ["price"] })
  })

  it("cannot be written to", () => {
    // @ts-expect-error columns are read-only
    whole.bid = new Float64Array(1)
  })
})

it("ColumnTable.decode types a table by its spec", () => {
  const spec = {
    symbol: { kind: ColumnKind.dictionary, null: "identity" },
    reportTime: { kind: ColumnKind.choices(["before", "after"]), null: "finding" }
  } as const
  const table = Result.getOrThrow(ColumnTable.decode(spec, ""))
  expectTypeOf(table.at(0)).toEqualTypeOf<
    { readonly symbol: string; readonly reportTime: "before" | "after" | null }
  >()
})
