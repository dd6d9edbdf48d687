/** An option symbol taken apart: its parts are its text, and say what they mean. */
import { NewYork, OptionSymbol, SymbolParts } from "@effect-marketdata/core"
import * as OptionSymbols from "@effect-marketdata/testing/OptionSymbols"
import { assert, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { forAll, runs } from "./support/depth.ts"

const now = NewYork.at({ year: 2026, month: 11, day: 20 }, 12, 0)

const meaning = (text: string, part: SymbolParts.Part["part"]) =>
  Result.getOrThrow(SymbolParts.of(text, now)).find((one) => one.part === part)?.meaning

it("are its text in both forms, one behind the other, with what each stands for", () => {
  forAll({ numRuns: runs(200) }, OptionSymbols.optionSymbol, (symbol) => {
    for (const text of [OptionSymbol.format(symbol), OptionSymbol.formatOsi(symbol)]) {
      const parts = Result.getOrThrow(SymbolParts.of(text, now))
      assert.strictEqual(parts.map((part) => part.text).join(""), text)
      for (const { position, text: part } of parts) {
        assert.strictEqual(text.slice(position - 1, position - 1 + part.length), part)
      }
      const [values, meanings] = [parts.map(({ value }) => value), parts.map(({ meaning }) => meaning)]
      assert.includeMembers(values, [symbol.root, symbol.side, symbol.strike])
      assert.isTrue(meanings.every((meaning) => meaning !== ""))
    }
  })
})

it("say when it expires, or that it has, and what a day without trading was meant to be", () => {
  assert.strictEqual(meaning("AAPL261218C00150000", "expiration"), "Friday; it expires at 2026-12-18 16:00:00 EST")
  assert.match(meaning("AAPL261120C00150000", "expiration")!, /^Friday; it expires at /)
  assert.match(meaning("AAPL261119C00150000", "expiration")!, /^Thursday; it expired at /)
  assert.match(meaning("SPX261218C06500000", "expiration")!, /on this day; an index option like it may be settled/)
  assert.match(meaning("SPXW261218C06500000", "expiration")!, /^Friday; it expires at /)
  const holiday = meaning("AAPL261126C00150000", "expiration")!
  assert.match(holiday, /no trading day \(Thanksgiving.*\); probably meant AAPL261125C/)
  assert.strictEqual(meaning("AAPL120121C00150000", "expiration"), "Saturday; no trading day")
})

it("say what a root is on", () => {
  assert.strictEqual(meaning("AAPL261218C00150000", "root"), "the underlying is AAPL")
  assert.strictEqual(meaning("SPXW261218C06500000", "root"), "the underlying is most likely SPX")
  assert.match(meaning("AAPL1261218C00150000", "root")!, /^adjusted: the underlying is most likely AAPL, /)
})

it("are refused as the symbol is, whatever is given", () => {
  forAll({ numRuns: runs(200) }, fc.oneof(fc.string(), fc.anything()), (given) => {
    const [parts, symbol] = [SymbolParts.of(given as string, now), SymbolParts.parse(given as string)]
    assert.strictEqual(Result.isSuccess(parts), Result.isSuccess(symbol))
    if (Result.isFailure(parts)) assert.strictEqual(parts.failure._tag, "OptionSymbolError")
  })
  assert.isTrue(SymbolParts.isPadded("SPXW  261120P06500500"))
  assert.isFalse(SymbolParts.isPadded("SPXW261120P06500500"))
})
