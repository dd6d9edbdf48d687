import { assert, describe, it } from "@effect/vitest"
import { dirname } from "node:path"
import * as Clause from "./clause.ts"

const page = (...rows: ReadonlyArray<string>) =>
  ["# Clauses", "", "| id | clause | where |", "| --- | --- | --- |", ...rows].join("\n")

const row = "| 8.3-hit | Data come. | core, sandbox |"

describe("Clause", () => {
  it("reads id and packages", () => {
    assert.deepStrictEqual(Clause.parse(page(row)), [{ id: "8.3-hit", where: ["core", "sandbox"] }])
  })

  it.each([
    ["no id", ["| 8.3 hit | Data come. | core |"], `line 5: "8.3 hit" is no clause id`],
    ["two cells", ["| 8.3-hit | core |"], "here are 2"],
    ["no text", ["| 8.3-hit |  | core |"], "8.3-hit has no text"],
    ["a package that proves nothing", ["| 8.3-hit | Data come. | cli |"], "does not list packages"],
    ["a package twice", ["| 8.3-hit | Data come. | core, core |"], "does not list packages"],
    ["no package", ["| 8.3-hit | Data come. |  |"], "does not list packages"],
    ["an id twice", [row, row], "line 6: 8.3-hit stands here a second time"]
  ])("refuses %s, with the line", (_, rows, says) => {
    assert.throws(() => Clause.parse(page(...rows)), says)
  })

  it("accepts the page of this repository", () => {
    assert.isAtLeast(Clause.read(dirname(dirname(import.meta.dirname))).length, 100)
  })

  it("finds each id in a name once, and leaves other brackets alone", () => {
    const name = "Cache [8.3-hit] > [8.3-miss][7.1-204] [8.3-hit] answers [0, 1] [2026-11-20] [core] 8.3-age [8.3-Hit]"
    assert.deepStrictEqual(Clause.idsIn(name), ["8.3-hit", "8.3-miss", "7.1-204"])
  })
})
