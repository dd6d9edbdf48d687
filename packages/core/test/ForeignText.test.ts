import * as ForeignText from "@effect-marketdata/core/ForeignText"
import { assert, it } from "@effect/vitest"
import * as fc from "fast-check"
import { hostileText, obeyed, terminalText } from "./support/arbitraries.ts"
import { forAll, trials } from "./support/depth.ts"

const anyText = fc.oneof(terminalText, hostileText)

it("shows a text as it is, where nothing in it is obeyed", () => {
  for (const text of ["", "AAPL", "no_data", "Müller & Söhne", "日本 😀 →", "C:\\replies\\a.json"]) {
    assert.strictEqual(ForeignText.line(text), text)
    assert.strictEqual(ForeignText.lines(text), text)
  }
})

it("shows what a terminal obeys, as JSON would escape it", () => {
  assert.strictEqual(ForeignText.line("\u001b]0;x\u0007"), "\\u001b]0;x\\u0007")
  assert.strictEqual(ForeignText.line("a\n\r\tb"), "a\\n\\r\\tb")
  const line = ForeignText.line("\u009b31m \u202e \u2028 \ud800 \u200b")
  assert.strictEqual(line, "\\u009b31m \\u202e \\u2028 \\ud800 \\u200b")
  assert.strictEqual(ForeignText.line("\u{e0041}"), "\\udb40\\udc41")
  assert.strictEqual(ForeignText.quote("a \"b\" \u001b"), "\"a \\\"b\\\" \\u001b\"")
  assert.strictEqual(ForeignText.ascii("AА日"), "A\\u0410\\u65e5")
})

it("leaves nothing in a line, a quotation or a cell that a terminal obeys", () => {
  forAll(trials(25_01), anyText, (text) => {
    assert.notMatch(ForeignText.line(text), obeyed)
    assert.notMatch(ForeignText.quote(text), obeyed)
    assert.notMatch(ForeignText.lines(text).replaceAll("\n", ""), obeyed)
    assert.match(ForeignText.ascii(text), /^[ -~]*$/)
  })
})

it("does it once: a line that was done is done", () => {
  forAll(trials(25_02), anyText, (text) => {
    const done = ForeignText.line(text)
    assert.strictEqual(ForeignText.line(done), done)
    assert.strictEqual(ForeignText.lines(done), done)
  })
  // What stands for a token looks like a tag, and what follows it is not a token.
  assert.strictEqual(ForeignText.line("Bearer c3VwZXI was refused"), "Bearer <redacted> was refused")
  assert.strictEqual(ForeignText.line("Bearer <redacted> was refused"), "Bearer <redacted> was refused")
})

it("shows no more of a text than it is told to, and never cuts a token in two", () => {
  forAll(trials(25_03), anyText, fc.integer({ min: 1, max: 20 }), (text, most) => {
    assert.isAtMost(ForeignText.line(text, most).length, 6 * most)
  })
  assert.strictEqual(ForeignText.line("0123456789", 5), "0123…")
  assert.strictEqual(ForeignText.line("token=c3VwZXI", 9), "token=<r…")
  assert.isAtMost(ForeignText.quote("x".repeat(1_000_000)).length, 82)
})

it("leaves JSON what it was", () => {
  forAll(trials(25_04), fc.dictionary(anyText, anyText), fc.constantFrom(undefined, 2), (value, indent) => {
    const text = JSON.stringify(value, undefined, indent)
    assert.deepStrictEqual(JSON.parse(ForeignText.lines(text)), JSON.parse(text))
  })
})
