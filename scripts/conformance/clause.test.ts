import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { dirname } from "node:path"
import * as Clause from "./clause.ts"

const page = (...rows: ReadonlyArray<string>) =>
  ["# Clauses", "", "## 8.3 Cache age", "", "| id | clause | where |", "| --- | --- | --- |", ...rows].join("\n")

const failureOf = (markdown: string): string =>
  Result.match(Clause.parse(markdown), { onFailure: ({ message }) => message, onSuccess: () => "parsed" })

describe("Clause", () => {
  describe("parse", () => {
    it("reads id, text, section and packages", () => {
      assert.deepStrictEqual(
        Clause.parse(page("| 8.3-hit | Data come. | core, sandbox |")),
        Result.succeed([
          { id: "8.3-hit", text: "Data come.", section: "8.3 Cache age", where: ["core", "sandbox"] }
        ])
      )
    })

    it("refuses what is no clause, with the line", () => {
      assert.include(failureOf(page("| 8.3 hit | Data come. | core |")), `line 7: "8.3 hit" is no clause id`)
      assert.include(failureOf(page("| 8.3-hit | core |")), "here are 2")
      assert.include(failureOf(page("| 8.3-hit |  | core |")), "8.3-hit has no text")
    })

    it("refuses packages that prove nothing, and none at all", () => {
      for (const where of ["cli", "core, core", "", "core,"]) {
        assert.include(failureOf(page(`| 8.3-hit | Data come. | ${where} |`)), "does not list packages")
      }
    })

    it("refuses an id given twice", () => {
      const row = "| 8.3-hit | Data come. | core |"
      assert.include(failureOf(page(row, row)), "line 8: 8.3-hit stands here a second time")
    })
  })

  describe("read", () => {
    it("accepts the page of this repository", () => {
      const clauses = Result.getOrThrow(Clause.read(dirname(dirname(import.meta.dirname))))
      assert.isAtLeast(clauses.length, 100)
      assert.isTrue(clauses.every(({ id, section }) => section !== "" && id.startsWith(section.charAt(0))))
    })
  })

  describe("idsIn", () => {
    it("finds each id once, in suites and tests alike", () => {
      const name = "Cache [8.3-hit] > [8.3-miss][7.1-204] [8.3-hit] answers"
      assert.deepStrictEqual(Clause.idsIn(name), ["8.3-hit", "8.3-miss", "7.1-204"])
    })

    it("leaves other brackets alone", () => {
      assert.deepStrictEqual(Clause.idsIn("[0, 1] [2026-11-20] [core] [] 8.3-hit [8.3-Hit]"), [])
    })
  })
})
