/** Lines on a terminal that is narrower than they are. */
import { assert, it } from "@effect/vitest"
import * as fc from "fast-check"
import { trials } from "../../core/test/support/depth.ts"
import * as Span from "../src/text/span.ts"

it("is broken between words, and goes on below its text", () => {
  const line: Span.Line = [{ text: "charge:     ", means: "aside" }, "1 credit, as the service reported"]
  const wrapped = Span.format(Span.wrap(line, 30), false)
  assert.strictEqual(wrapped, "charge:     1 credit, as the\n            service reported")
  assert.deepStrictEqual(Span.wrap(line, 45), [line])
})

it("goes on below a column, and keeps a price behind a command whole", () => {
  const found: Span.Line = [{ text: "ok  ", means: "good" }, "address   the embedded sandbox"]
  assert.strictEqual(Span.format(Span.wrap(found, 30), false), "ok  address   the embedded\n              sandbox")
  const line: Span.Line = ["       ", "marketdata chain SPX --mode cached    0 to 1 credit"]
  const wrapped = Span.format(Span.wrap(line, 52), false)
  assert.strictEqual(wrapped, "       marketdata chain SPX --mode cached\n           0 to 1 credit")
})

it("holds every word that it held, none of them broken, and is no wider than the terminal unless a word is", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "é", "日"), minLength: 1, maxLength: 7 })
  fc.assert(
    fc.property(
      fc.array(word, { minLength: 1 }),
      fc.nat({ max: 14 }),
      fc.integer({ min: 30, max: 60 }),
      (words, label, width) => {
        const lines = Span.wrap([" ".repeat(label), words.join(" ")], width)
        const texts = lines.map((line) => Span.format([line], false))
        assert.deepStrictEqual(texts.join(" ").split(/ +/).filter((text) => text !== ""), words)
        for (const text of texts) assert.isAtMost(Span.widthOf(text.trimEnd()), width)
      }
    ),
    trials(31_40)
  )
})
