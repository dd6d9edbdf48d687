import * as Finding from "@effect-marketdata/core/Finding"
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { obeyed, terminalText } from "./support/arbitraries.ts"
import { trials } from "./support/depth.ts"

describe("Finding", () => {
  describe("format", () => {
    const example = { index: 7, expected: "155", received: "0" }

    it("names the column, the rows and both values of the first", () => {
      const finding = { code: "StrikeMismatch", column: "strike", count: 83, examples: [example] } as const
      assert.strictEqual(
        Finding.format(finding),
        "StrikeMismatch in strike: 83 rows, first row 7: expected 155, received 0"
      )
      assert.strictEqual(
        Finding.format({ ...finding, count: 1 }),
        "StrikeMismatch in strike: row 7: expected 155, received 0"
      )
    })

    it("is one line without orders to a terminal, whatever the reply holds", () => {
      fc.assert(
        fc.property(terminalText, terminalText, (column, received) => {
          const examples = [{ index: 0, expected: "155", received }]
          assert.notMatch(Finding.format({ code: "UnknownField", column, count: 1, examples }), obeyed)
        }),
        trials(25_06)
      )
    })

    it("names what there is of them", () => {
      assert.strictEqual(
        Finding.format({ code: "UnknownField", column: "rho", count: 1, examples: [] }),
        "UnknownField in rho"
      )
      assert.strictEqual(
        Finding.format({ code: "CachedAnsweredFresh", column: undefined, count: 1, examples: [] }),
        "CachedAnsweredFresh"
      )
    })

    it("names no row where the whole reply is meant", () => {
      const example = { index: undefined, expected: "0 credits", received: "20 credits spent elsewhere" }
      assert.strictEqual(
        Finding.format({ code: "SpentElsewhere", column: undefined, count: 2, examples: [example] }),
        "SpentElsewhere: 2 times, first: expected 0 credits, received 20 credits spent elsewhere"
      )
    })
  })
})
