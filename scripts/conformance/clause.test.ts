import { assert, describe, it } from "@effect/vitest"
import * as Clause from "./clause.ts"

const page = (...rows: ReadonlyArray<string>) =>
  ["# Clauses", "", "| id | clause | where |", "| --- | --- | --- |", ...rows].join("\n")

const row = "| 8.3-hit | Data come. | core, sandbox |"

describe("Clause", () => {
  it("reads id and packages", () => {
    assert.deepStrictEqual(Clause.parse(page(row)), [{ id: "8.3-hit", where: ["core", "sandbox"] }])
  })

  it.each([
    ["| 8.3 hit | Data come. | core |", "is no clause"],
    ["| 8.3-hit | core |", "is no clause"],
    ["| 8.3-hit |  | core |", "is no clause"],
    ["| 8.3-hit | Data come. | cli |", "is no clause"],
    ["| 8.3-hit | Data come. | core, core |", "is no clause"],
    [`${row}\n${row}`, "8.3-hit stands here a second time"]
  ])("refuses %s", (rows, says) => {
    assert.throws(() => Clause.parse(page(rows)), says)
  })

  it("finds each id in a name once, and leaves other brackets alone", () => {
    const name = "Cache [8.3-hit] > [8.3-miss][7.1-204] [8.3-hit] answers [0, 1] [2026-11-20] [core] 8.3-age [8.3-Hit]"
    assert.deepStrictEqual(Clause.idsIn(name), ["8.3-hit", "8.3-miss", "7.1-204"])
  })
})
