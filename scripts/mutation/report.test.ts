import { assert, describe, it } from "@effect/vitest"
import * as Report from "./report.ts"

const source = "const a = 1 + 2\nconst b = a > 3\n"

const mutant = (line: number, start: number, end: number, replacement: string, status: string) => ({
  mutatorName: "Any",
  replacement,
  status,
  location: { start: { line, column: start }, end: { line, column: end } }
})

const report: Report.Report = {
  files: {
    "packages/core/src/sum.ts": {
      source,
      mutants: [
        mutant(1, 11, 16, "1 - 2", "Killed"),
        mutant(2, 11, 16, "true", "Timeout"),
        mutant(2, 11, 16, "a >= 3", "Survived"),
        mutant(2, 11, 16, "false", "NoCoverage"),
        mutant(1, 11, 16, "", "CompileError"),
        mutant(1, 11, 16, "", "Ignored")
      ]
    },
    "packages/core/src/Types.ts": { source: "", mutants: [] }
  }
}

const known: Report.Equivalent = {
  module: "core/sum",
  code: "a > 3",
  replacement: "a >= 3",
  reason: "a is never 3"
}

describe("report", () => {
  describe("rows", () => {
    it("counts what a test noticed, and what none noticed or reached", () => {
      const [row, ...others] = Report.rows(report, [])
      assert.isEmpty(others)
      assert.deepStrictEqual([row?.module, row?.mutants, row?.killed, row?.survivors.length], ["core/sum", 4, 2, 2])
    })

    it("tells a survivor by its line and its code", () => {
      const survivor = Report.rows(report, [])[0]?.survivors[0]
      assert.deepStrictEqual(survivor, {
        line: 2,
        mutator: "Any",
        code: "a > 3",
        replacement: "a >= 3",
        reason: undefined
      })
    })

    it("gives the reason of an equivalent mutant, and counts it as a survivor", () => {
      const [row] = Report.rows(report, [known])
      assert.strictEqual(row?.survivors[0]?.reason, "a is never 3")
      assert.strictEqual(row?.survivors.length, 2)
      assert.isUndefined(row?.survivors[1]?.reason)
    })
  })

  describe("score", () => {
    it("is the share of mutants that were noticed", () => {
      assert.strictEqual(Report.score(Report.total(Report.rows(report, [known]))), 50)
    })

    it("is whole where there is nothing to notice", () => {
      assert.strictEqual(Report.score(Report.total([])), 100)
    })
  })

  describe("table", () => {
    it("has a row for each module, and one for all", () => {
      assert.strictEqual(
        Report.table(Report.rows(report, [known])),
        [
          "| module   | mutants | killed | survived | equivalent | score |",
          "| -------- | ------: | -----: | -------: | ---------: | ----: |",
          "| core/sum |       4 |      2 |        2 |          1 |  50.0 |",
          "| total    |       4 |      2 |        2 |          1 |  50.0 |"
        ].join("\n")
      )
    })
  })

  describe("survivorLines", () => {
    it("says where, what, and why it does not matter", () => {
      assert.deepStrictEqual(Report.survivorLines(Report.rows(report, [known])), [
        "core/sum:2 a > 3 => a >= 3 (equivalent: a is never 3)",
        "core/sum:2 a > 3 => false"
      ])
    })
  })
})
