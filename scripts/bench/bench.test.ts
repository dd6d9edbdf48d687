import { assert, describe, it } from "@effect/vitest"
import { beside } from "./beside.ts"
import * as Report from "./report.ts"
import { median, medians, paired } from "./statistics.ts"

const setting = { date: "2026-11-21", commit: "abc", machine: "2 cores", versions: { zod: "4" }, runs: 5 }
const ratio: Report.Row = { case: "a", unit: "× JSON.parse", figures: [0.3, 0.2, 0.9], limit: 0.35 }
const rate: Report.Row = { case: "b", unit: "M/s", figures: [4], aim: 5, beside: "next" }

describe("statistics", () => {
  it("take the figure in the middle, whatever the order", () => {
    assert.strictEqual(median([3, 1, 2]), 2)
    assert.strictEqual(median([10, 9, 1, 2]), 9)
    assert.throws(() => median([]), RangeError)
    assert.deepStrictEqual(medians([{ a: 1, b: 9 }, { a: 2, b: 8 }, { a: 3, b: 7 }]), { a: 2, b: 8 })
  })

  it("compare two ways by turns, in the milliseconds that each of them takes", async () => {
    const calls = { baseline: 0, subject: 0 }
    const { baseline, ratio, subject } = await paired(
      () => calls.baseline++,
      async () => calls.subject++,
      5
    )
    assert.isTrue([baseline, ratio, subject].every(Number.isFinite))
    assert.isAtLeast(Math.min(calls.baseline, calls.subject), 5)
  })
})

describe("a report", () => {
  it("calls a row broken by its median, and by a bound that is there", () => {
    const isBroken = (figures: ReadonlyArray<number>, bounds: Report.Bounds) =>
      Report.isBroken({ case: "a", unit: "ms", figures, ...bounds })
    assert.isFalse(isBroken([0.3, 0.2, 0.9], { limit: 0.3 }))
    assert.isTrue(isBroken([0.3, 0.2, 0.9], { limit: 0.29 }))
    assert.isFalse(isBroken([4], { aim: 5 }))
    assert.isFalse(isBroken([0.4], { floor: 0.3 }))
    assert.isTrue(isBroken([0.4], { floor: 0.5 }))
    assert.isTrue(isBroken([NaN], { limit: 1 }))
  })

  it("shows figure, spread, bound and verdict on a line", () => {
    assert.strictEqual(Report.line(ratio), "a  × JSON.parse  0.30 (0.20–0.90)  at most 0.35")
    assert.match(Report.line({ ...ratio, limit: 0.1 }), /  BROKEN$/)
    assert.strictEqual(Report.line(rate), "b  M/s  4.00; next  aim 5  not reached")
  })

  const results = [{ node: "24.1.0", rows: [ratio, rate] }, { node: "20.2.0", rows: [ratio] }]

  it("gives each Node a column, and leaves open what it did not measure", () => {
    const [head, , titles, , first, second] = Report.markdown(setting, results).split("\n")
    assert.strictEqual(head, "2026-11-21, 2 cores, commit abc; Node 24.1.0, Node 20.2.0, zod 4; 5 processes a figure.")
    assert.strictEqual(titles, "| case | unit | bound | Node 24.1.0 | Node 20.2.0 |")
    assert.strictEqual(first, "| a | × JSON.parse | at most 0.35 | **0.30** (0.20–0.90) | **0.30** (0.20–0.90) |")
    assert.strictEqual(second, "| b | M/s | aim 5 | **4.00**; next |  |")
  })

  it("calls a ratio one in JSON, and anything else a value", () => {
    const { cases, versions } = JSON.parse(Report.json(setting, results.slice(0, 1)))
    assert.deepStrictEqual(versions, { node: ["24.1.0"], zod: "4" })
    assert.deepStrictEqual(cases, [
      { case: "a", node: "24.1.0", unit: "× JSON.parse", ratio: 0.3, least: 0.2, most: 0.9, limit: 0.35, holds: true },
      { case: "b", node: "24.1.0", unit: "M/s", value: 4, least: 4, most: 4, aim: 5, beside: "next" }
    ])
  })

  it("keeps the other figures of a row for JSON", () => {
    const { cases } = JSON.parse(Report.json(setting, [{ node: "24.1.0", rows: [{ ...rate, also: { share: 0.5 } }] }]))
    assert.deepStrictEqual(cases[0].also, { share: 0.5 })
  })
})

describe("the bench beside others", () => {
  const also = { milliseconds: 12.4, processor: 23.2, collector: 2.11, megabytes: 235.4 }
  const row = (name: string, figures: ReadonlyArray<number>): Report.Row => ({
    case: name,
    unit: "× ours",
    figures,
    also
  })
  const rows = [row("22718 plain: ours", [1, 1]), row("22718 plain: zod rows", [1, 2.5, 3]), row("92 gzip: ours", [1])]

  it("shows one table and one chart, the chart of the whole chain only", () => {
    assert.deepStrictEqual(Report.markdown(setting, [{ node: "24.1.0", rows }], beside.show).split("\n").slice(2), [
      "| reply | way | × ours | time | processor | collector | memory, at most |",
      "| --- | --- | --- | --- | --- | --- | --- |",
      "| 22718 plain | ours | **1.00** | 12.4 ms | 23.2 ms | 2.11 ms | 235 MB |",
      "| 22718 plain | zod rows | **2.50** (1.00–3.00) | 12.4 ms | 23.2 ms | 2.11 ms | 235 MB |",
      "| 92 gzip | ours | **1.00** | 12.4 ms | 23.2 ms | 2.11 ms | 235 MB |",
      "",
      "The whole chain, ours as four characters:",
      "",
      "```text",
      "ours                     ████ 1.0",
      "zod rows                 ██████████ 2.5",
      "```"
    ])
  })
})
