import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import type { Clause } from "./clause.ts"
import * as Selection from "./selection.ts"

const clauses: ReadonlyArray<Clause> = ["8.3-hit", "8.3-miss"].map((id) => ({
  id,
  text: "Data.",
  section: "8.3",
  where: ["core", "client"]
}))

const selected = (...words: ReadonlyArray<string>): ReadonlyArray<string> => {
  const selection = Result.getOrThrow(Selection.parse(words, clauses))
  return clauses.flatMap(({ id, where }) =>
    where.filter((name) => Selection.includes(selection, id, name)).map((name) => `${name} ${id}`)
  )
}

describe("Selection", () => {
  it("is everything without words", () => assert.lengthOf(selected(), 4))

  it("narrows clauses by ids, packages by names, and both by both", () => {
    assert.deepStrictEqual(selected("8.3-miss"), ["core 8.3-miss", "client 8.3-miss"])
    assert.deepStrictEqual(selected("client"), ["client 8.3-hit", "client 8.3-miss"])
    assert.deepStrictEqual(selected("8.3-hit", "core"), ["core 8.3-hit"])
    assert.deepStrictEqual(selected("8.3-hit,core"), selected("8.3-hit", "core"))
  })

  it("refuses words that mean nothing", () => {
    assert.isTrue(Result.isFailure(Selection.parse(["8.3-hit", "cli"], clauses)))
  })
})
