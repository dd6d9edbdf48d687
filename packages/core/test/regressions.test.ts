/** Faults that were found once: each of these tests failed before its fault was mended. */
import { Credits, DataMode, OptionChain, OptionSymbol, Strike } from "@effect-marketdata/core"
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { optionSymbol } from "./support/arbitraries.ts"
import * as Queries from "./support/queries.ts"
import { forAll, trials } from "./support/depth.ts"

describe("Strike", () => {
  it("reads a long text in time that grows with its length", () => {
    for (const text of ["0".repeat(100_000) + "x", "1." + "0".repeat(100_000) + "1"]) {
      assert.isTrue(Result.isFailure(Strike.parse(text)))
    }
  }, 5000)
  it("takes no exponent from text, a zero one included", () => {
    for (const text of ["1e0", "1E-0", "150e+0"]) assert.isTrue(Result.isFailure(Strike.parse(text)), text)
  })
})

describe("OptionSymbolError", () => {
  it("names a place in the padded form too", () => {
    const padded = fc.tuple(optionSymbol.map(OptionSymbol.formatOsi), fc.nat({ max: 20 }), fc.constantFrom(..."C09. x"))
      .map(([symbol, at, character]) => symbol.slice(0, at) + character + symbol.slice(at + 1))
    forAll(trials(2_3), padded, (text) => {
      const parsed = OptionSymbol.parseOsi(text)
      if (Result.isSuccess(parsed)) return
      const { reason } = parsed.failure
      assert.strictEqual(text.slice(reason.offset, reason.offset + reason.text.length), reason.text)
    })
  })
  it("shows no digits for a point without digits", () => {
    for (const text of [".", ",", "+.", "-,"]) {
      const { reason } = Result.getOrThrow(Result.flip(OptionSymbol.parse(`AAPL261120C${text}`)))
      assert(reason._tag === "StrikeDecimal")
      assert.isUndefined(reason.expected, text)
    }
  })
  it("does not advise the function that was called", () => {
    const error = Result.getOrThrow(Result.flip(OptionSymbol.parseOsi(" AAPL 261120C00150000")))
    assert.notInclude(error.message, "parseOsi")
  })
})

describe("OptionChain", () => {
  it("[2.1-closed] finds unknown fields that have the names of inherited properties", () => {
    const names = ["toString", "constructor", "__proto__", "valueOf"]
    const body = `{"s":"ok","strike":[1],${names.map((name) => `"${name}":[1]`).join(",")}}`
    const chain = Result.getOrThrow(OptionChain.decode(body, { columns: ["strike"] }))
    assert.deepStrictEqual(chain.findings.map(({ column }) => column), names)
  })
})

describe("Credits", () => {
  it("is not exact where nothing may come back: a miss, and then no contract", () => {
    const price = Credits.estimate(Queries.chain({ mode: DataMode.cachedOrLive() }), { contracts: 0 })
    assert.strictEqual(price._tag, "Range")
  })
})
