import { assert, describe, it } from "@effect/vitest"
import { repeat } from "./reporter.ts"

describe("the command that repeats a test", () => {
  it("names file, test and depth, so that a shell and a pattern read them as they are", () => {
    assert.strictEqual(
      repeat({ file: "packages/core/test/A.test.ts", name: "A > [8.3-hit] it's (1 + 1)" }, {
        TEST_DEPTH: "full",
        TEST_SEED: undefined,
        PATH: "/bin"
      }),
      String.raw`TEST_DEPTH=full npm test -- packages/core/test/A.test.ts -t '^A \[8\.3-hit\] it'\''s \(1 \+ 1\)$'`
    )
  })
})
