/** Stories of a gateway with several runners, by seed: crashes, hand-overs, partitions, outages. */
import { assert, describe, it } from "@effect/vitest"
import { mistakes } from "./simulation/mistakes.ts"
import * as Programs from "./simulation/programs.ts"
import * as Report from "./simulation/report.ts"
import * as Run from "./simulation/run.ts"

describe("a simulated gateway", () => {
  // Other seeds are for `npm run simulate -- --gateway`.
  for (const seed of [2]) {
    it(`keeps its rules in the story of seed ${seed}, and goes the same way each time, to the same step`, () => {
      const outcome = Run.run(seed)
      assert.isUndefined(outcome.violation && Report.formatViolation(outcome.violation))
      assert.deepStrictEqual(Run.run(seed), outcome)
    })
  }

  for (const { mistake, parts, rules, seed: first = 1 } of mistakes) {
    it(`that ${mistake} is found out`, () => {
      for (let seed = first; seed < first + 40; seed++) {
        const { violation } = Run.run(seed, { ...Programs.parts, ...parts })
        if (violation !== undefined) return assert.include(rules, violation.rule, violation.detail)
      }
      assert.fail("no seed of 40 has shown it")
    })
  }
})
