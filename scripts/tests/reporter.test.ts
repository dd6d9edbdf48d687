import { assert, describe, it } from "@effect/vitest"
import { complaints, repeat } from "./reporter.ts"

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

it.each<[file: string, ids: ReadonlyArray<string>, timeout: number, says: string]>([
  ["a.test.ts", ["1-known"], 60_000, ""],
  ["a.test.ts", ["1-gone"], 1, "names the clause [1-gone]"],
  ["a.full.test.ts", ["1-known"], 1, "proves 1-known, as npm test must"],
  ["a.test.ts", [], 300_001, "may take 300001 ms"],
  ["a.full.test.ts", [], 300_001, ""]
])("a run complains of what a test of its file may not do: %s", (file, ids, timeout, says) => {
  const said = complaints({ file, ids, timeout }, new Set(["1-known"])).join("; ")
  assert.strictEqual(said.slice(0, says.length || undefined), says)
})
