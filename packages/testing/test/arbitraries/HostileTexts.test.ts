import * as HostileTexts from "@effect-marketdata/testing/HostileTexts"
import { assert, describe, it } from "@effect/vitest"
import { sample } from "../support/drawn.ts"

describe("HostileTexts", () => {
  it("hold an order to a terminal, or a line of their own, each of them", () => {
    for (const text of sample(HostileTexts.terminal)) {
      assert.match(text, /[\p{C}\p{Zl}\p{Zp}]/u)
    }
  })

  it("are known by the orders that a terminal obeys, and by nothing that it shows", () => {
    assert.isAbove(sample(HostileTexts.terminal).filter((text) => HostileTexts.obeyed.test(text)).length, 50)
    for (const text of ["\u001b", "\u009b", "\u202e", "\u2066", "\u2028", "\ud800", "\u007f", "\t"]) {
      assert.match(text, HostileTexts.obeyed)
    }
    for (const text of ["AAPL", "a\nb", "é", "日本", "😀", "→"]) assert.notMatch(text, HostileTexts.obeyed)
  })
})
