/** Stories of a gateway with several runners, by seed: crashes, hand-overs, partitions, outages. */
import { assert, it } from "@effect/vitest"
import { isFull, runs } from "../../core/test/support/depth.ts"
import { mistakes } from "./simulation/mistakes.ts"
import * as Programs from "./simulation/programs.ts"
import * as Report from "./simulation/report.ts"
import * as Run from "./simulation/run.ts"

// Other stories are for `npm run simulate -- --gateway`.
it("keeps its rules in the story of seed 2", () => {
  const { violation } = Run.run(2)
  assert.isUndefined(violation && Report.formatViolation(violation))
})

// A story that a mistake ends is short.
it("goes the same way each time, to the same step", () => {
  const { parts, seed } = mistakes[0]!
  const tell = () => isFull ? Run.run(2) : Run.run(seed, { ...Programs.parts, ...parts })
  assert.deepStrictEqual(tell(), tell())
})

for (const { mistake, parts, rules, seed: first } of mistakes.slice(0, runs(mistakes.length, 4))) {
  it(`a gateway that ${mistake} is found out`, () => {
    for (let seed = first; seed < first + 40; seed++) {
      const { violation } = Run.run(seed, { ...Programs.parts, ...parts })
      if (violation !== undefined) return assert.include(rules, violation.rule, violation.detail)
    }
    assert.fail("no seed of 40 has shown it")
  })
}
