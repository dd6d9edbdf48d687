import * as OptionSymbol from "@effect-marketdata/core/OptionSymbol"
import * as OptionSymbols from "@effect-marketdata/testing/OptionSymbols"
import { assert, describe, it } from "@effect/vitest"
import { sample, smallest } from "../support/drawn.ts"

describe("OptionSymbols", () => {
  it("are symbols", () => {
    for (const symbol of sample(OptionSymbols.optionSymbol)) assert.isTrue(OptionSymbol.isOptionSymbol(symbol))
  })

  it("shrink to a symbol that can be read at a glance", () => {
    const symbol = smallest(OptionSymbols.optionSymbol, ({ side, strike }) => !(side === "put" && strike % 1 !== 0))
    assert(OptionSymbol.isOptionSymbol(symbol))
    assert.isAtMost(symbol.root.length, 4)
    assert.isBelow(symbol.strike, 1.1)
  })
})
