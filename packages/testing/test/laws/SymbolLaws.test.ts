import * as Strike from "@effect-marketdata/core/Strike"
import * as OptionSymbol from "@effect-marketdata/core/OptionSymbol"
import * as SymbolLaws from "@effect-marketdata/testing/SymbolLaws"
import { describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { assertAllBroken } from "../support/planted.ts"

describe("SymbolLaws", () => {
  it("of finds every mistake of a codec", () => {
    const symbol = OptionSymbol.parseUnsafe("A000101C00000000")
    assertAllBroken({
      "strikes are not padded": SymbolLaws.of({
        ...OptionSymbol,
        format: (symbol) => OptionSymbol.format(symbol).replace(/([CP])0+/, "$1")
      }),
      "anything is a symbol": SymbolLaws.of({
        ...OptionSymbol,
        parse: (text) => Result.succeed(Result.getOrElse(OptionSymbol.parse(text), () => symbol))
      })
    })
  })

  it("reasons find a reason that is always the same", () => {
    assertAllBroken({
      "the root": SymbolLaws.reasons(() => "RootInvalid"),
      "the side": SymbolLaws.reasons(() => "SideMissing")
    })
  })

  it("strikes find a strike that is cut off, and one that is none", () => {
    assertAllBroken({
      "binary fractions": SymbolLaws.strikes({
        ...Strike,
        toDigits: (strike) => String(Math.floor(strike * 1000)).padStart(8, "0")
      }),
      "any number": SymbolLaws.strikes({ ...Strike, parse: (input) => Result.succeed(Number(input)) })
    })
  })

  it("padded finds a root that is not padded, and a day that is lost", () => {
    assertAllBroken({
      "not padded": SymbolLaws.padded({ parse: OptionSymbol.parseOsi, format: OptionSymbol.format }),
      "always a call": SymbolLaws.padded({
        parse: (text) => OptionSymbol.parseOsi(text.replace(/P(?=\d{8}$)/, "C")),
        format: OptionSymbol.formatOsi
      })
    })
  })
})
