import { assert, describe, it } from "@effect/vitest"
import * as Report from "./report.ts"
import { spread } from "./statistics.ts"

const setting = { date: "2026-11-21", commit: "abc", machine: "2 cores", versions: { zod: "4" }, runs: 5 }

const ratio: Report.Row = { case: "a", unit: "× JSON.parse", figure: spread([0.3, 0.2, 0.9]), limit: 0.35 }
const speed: Report.Row = { case: "c", unit: "× node:http", figure: spread([0.4]), floor: 0.3 }
const rate: Report.Row = { case: "b", unit: "M/s", figure: spread([4]), aim: 5, beside: "next" }

describe("isBroken", () => {
  it("goes by the median, and by a limit that is there", () => {
    assert.isFalse(Report.isBroken(ratio))
    assert.isFalse(Report.isBroken({ ...ratio, limit: 0.3 }))
    assert.isTrue(Report.isBroken({ ...ratio, limit: 0.29 }))
    assert.isFalse(Report.isBroken(rate))
  })

  it("goes by a floor that is there", () => {
    assert.isFalse(Report.isBroken(speed))
    assert.isTrue(Report.isBroken({ ...speed, floor: 0.5 }))
  })

  it("takes what is no number for broken", () => {
    assert.isTrue(Report.isBroken({ ...ratio, figure: spread([NaN]) }))
    assert.isTrue(Report.isBroken({ ...speed, figure: spread([NaN]) }))
  })
})

describe("line", () => {
  it("shows figure, spread, bound and verdict", () => {
    assert.match(Report.line(ratio), /^a +0\.30 × JSON\.parse +0\.20–0\.90 +at most 0\.35 +holds$/)
    assert.match(Report.line({ ...ratio, limit: 0.1 }), / BROKEN$/)
    assert.match(Report.line(speed), /^c +0\.40 × node:http +at least 0\.3 +holds$/)
    assert.match(Report.line(rate), /^b +4\.00 M\/s +aim 5 +not reached +next$/)
  })
})

describe("markdown", () => {
  it("gives each Node a column, and leaves open what it did not measure", () => {
    const text = Report.markdown(setting, [{ node: "24.1.0", rows: [ratio, rate] }, { node: "20.2.0", rows: [ratio] }])
    const [head, , titles, , first, second] = text.split("\n").map((line) => line.replaceAll(/ +/g, " "))
    assert.strictEqual(head, "2026-11-21, 2 cores, commit abc; Node 24.1.0, Node 20.2.0, zod 4; 5 processes a figure.")
    assert.strictEqual(titles, "| case | unit | bound | Node 24.1.0 | Node 20.2.0 |")
    assert.strictEqual(first, "| a | × JSON.parse | at most 0.35 | **0.30** (0.20–0.90) | **0.30** (0.20–0.90) |")
    assert.strictEqual(second, "| b | M/s | aim 5 | **4.00**; next | |")
  })
})

describe("json", () => {
  it("calls a ratio one, and anything else a value", () => {
    const { cases, versions } = JSON.parse(Report.json(setting, [{ node: "24.1.0", rows: [ratio, rate] }]))
    assert.deepStrictEqual(versions, { node: ["24.1.0"], zod: "4" })
    assert.deepStrictEqual(cases, [
      { case: "a", node: "24.1.0", unit: "× JSON.parse", ratio: 0.3, least: 0.2, most: 0.9, limit: 0.35, holds: true },
      { case: "b", node: "24.1.0", unit: "M/s", value: 4, least: 4, most: 4, aim: 5, beside: "next" }
    ])
  })
})
