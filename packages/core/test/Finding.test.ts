import * as Finding from "@effect-marketdata/core/Finding"
import { assert, it } from "@effect/vitest"
import { obeyed, terminalText } from "./support/arbitraries.ts"
import { forAll, trials } from "./support/depth.ts"

it("format is one line without orders to a terminal, whatever the reply holds", () => {
  forAll(trials(25_06), terminalText, terminalText, (column, received) => {
    const examples = [{ index: 0, expected: "155", received }]
    assert.notMatch(Finding.format({ code: "UnknownField", column, count: 1, examples }), obeyed)
  })
})
