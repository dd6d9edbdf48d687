import { assert, describe, it } from "@effect/vitest"
import * as Report from "./report.ts"
import { median, medians, paired } from "./statistics.ts"

const setting = { date: "2026-11-21", commit: "abc", machine: "2 cores", versions: { zod: "4" }, runs: 5 }
const ratio: Report.Row = { case: "a", unit: "× JSON.parse", figures: [0.3, 0.2, 0.9], limit: 0.35 }
const rate: Report.Row = { case: "b", unit: "M/s", figures: [4], aim: 5, beside: "next" }

describe("statistics", () => {
  it("take the figure in the middle, whatever the order", () => {
    assert.deepStrictEqual([[3, 1, 2], [10, 9, 1, 2]].map(median), [2, 9])
    assert.throws(() => median([]), RangeError)
    assert.deepStrictEqual(medians([{ a: 1, b: 9 }, { a: 2, b: 8 }, { a: 3, b: 7 }]), { a: 2, b: 8 })
  })

  it("compare two ways by turns", async () => {
    const calls = { baseline: 0, subject: 0 }
    const { baseline, ratio, subject } = await paired(() => calls.baseline++, async () => calls.subject++, 5)
    assert.isTrue([baseline, ratio, subject].every(Number.isFinite))
    assert.isAtLeast(Math.min(calls.baseline, calls.subject), 5)
  })
})

describe("a report", () => {
  it.each<[isBroken: boolean, ReadonlyArray<number>, Report.Bounds]>([
    [false, [0.3, 0.2, 0.9], { limit: 0.3 }],
    [true, [0.3, 0.2, 0.9], { limit: 0.29 }],
    [false, [4], { aim: 5 }],
    [false, [0.4], { floor: 0.3 }],
    [true, [0.4], { floor: 0.5 }],
    [true, [NaN], { limit: 1 }]
  ])("is broken by its median and by a bound that is there: %s for %s within %j", (isBroken, figures, bounds) => {
    assert.strictEqual(Report.isBroken({ case: "a", unit: "ms", figures, ...bounds }), isBroken)
  })

  it("shows figure, spread, bound and verdict on a line", () => {
    assert.strictEqual(Report.line(ratio), "a  × JSON.parse  0.30 (0.20–0.90)  at most 0.35")
    assert.match(Report.line({ ...ratio, limit: 0.1 }), /  BROKEN$/)
    assert.strictEqual(Report.line(rate), "b  M/s  4.00; next  aim 5  not reached")
  })

  it("gives each Node a column, and leaves open what it did not measure", () => {
    const results = [{ node: "24.1.0", rows: [ratio, rate] }, { node: "20.2.0", rows: [ratio] }]
    assert.deepStrictEqual(Report.markdown(setting, results).split("\n"), [
      "2026-11-21, 2 cores, commit abc; Node 24.1.0, Node 20.2.0, zod 4; 5 processes a figure.",
      "",
      "| case | unit | bound | Node 24.1.0 | Node 20.2.0 |",
      "| --- | --- | --- | --- | --- |",
      "| a | × JSON.parse | at most 0.35 | **0.30** (0.20–0.90) | **0.30** (0.20–0.90) |",
      "| b | M/s | aim 5 | **4.00**; next |  |"
    ])
  })

  it("calls a ratio one in JSON, anything else a value, and keeps the other figures of a row", () => {
    const rows = [ratio, { ...rate, also: { share: 0.5 } }]
    const { cases, versions } = JSON.parse(Report.json(setting, [{ node: "24.1.0", rows }]))
    assert.deepStrictEqual(versions, { node: ["24.1.0"], zod: "4" })
    assert.deepStrictEqual(cases, [
      { case: "a", node: "24.1.0", unit: "× JSON.parse", ratio: 0.3, least: 0.2, most: 0.9, limit: 0.35, holds: true },
      {
        case: "b",
        node: "24.1.0",
        unit: "M/s",
        value: 4,
        least: 4,
        most: 4,
        aim: 5,
        beside: "next",
        also: { share: 0.5 }
      }
    ])
  })
})
