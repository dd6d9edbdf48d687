import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import type { Clause } from "./clause.ts"
import * as Selection from "./selection.ts"

const clauses = ["8.3-hit", "8.3-miss"].map((id): Clause => ({
  id,
  text: "",
  section: "8.3",
  where: ["core", "client"]
}))

const selected = (...words: ReadonlyArray<string>) =>
  Result.map(
    Selection.parse(words, clauses),
    (selection) =>
      clauses.flatMap(({ id, where }) =>
        where.filter((name) => Selection.includes(selection, id, name)).map((name) => `${name} ${id}`)
      )
  )

describe("Selection", () => {
  it.each([
    [[], ["core 8.3-hit", "client 8.3-hit", "core 8.3-miss", "client 8.3-miss"]],
    [["8.3-miss"], ["core 8.3-miss", "client 8.3-miss"]],
    [["client"], ["client 8.3-hit", "client 8.3-miss"]],
    [["8.3-hit,core"], ["core 8.3-hit"]]
  ])("by words %s", (words, pairs) => assert.deepStrictEqual(selected(...words), Result.succeed(pairs)))

  it("refuses words that mean nothing", () => assert.isTrue(Result.isFailure(selected("8.3-hit", "cli"))))

  it("by a seed is a tenth, rounded up, in order, the same in whatever order they come", () => {
    const items = Array.from({ length: 95 }, (_, index) => `fault ${index}`)
    const tenth = (seed: string, of = items) => Selection.tenth(of, seed, (item) => item)
    assert.lengthOf(tenth("a"), 10)
    assert.deepStrictEqual(tenth("a"), items.filter((item) => tenth("a", items.toReversed()).includes(item)))
    assert.notDeepEqual(tenth("a"), tenth("b"))
    assert.lengthOf(tenth("a", ["only"]), 1)
  })
})
