import { assert, describe, it } from "@effect/vitest"
import { inspect } from "./tests.ts"

describe("tests", () => {
  it.each([
    ["a.test.ts:2 numRuns: at most 100 at every depth", `fc.assert(law,\n{ numRuns: 101 })`],
    ["a.test.ts:1 runs: 5051 by default", `const deep = runs(10_000, 4950)\ntrials(7), { numRuns: 1 }`],
    ["a.test.ts:1 runs: 5001 by default, of 5000 in a file", "for (;;) runs(9, 5001)"]
  ])("finds %s", (says, source) => {
    const [problem = "", ...others] = inspect(says.split(":")[0]!, source)
    assert.strictEqual(problem.slice(0, says.length), says)
    assert.deepStrictEqual(others, [])
  })

  it.each([
    ["a.test.ts", `{ numRuns: 100 }; runs(10_000); trials(1); runs(1_000_000, 4700)`],
    ["a.full.test.ts", `it("a", f, 300_000); runs(9, 9000)`],
    ["packages/core/test/columns/differential.test.ts", "runs(1_000_000, 50_000)"]
  ])("says nothing of %s", (file, source) => assert.deepStrictEqual(inspect(file, source), []))
})
