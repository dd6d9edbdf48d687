import { assert, describe, it } from "@effect/vitest"
import * as Report from "./report.ts"
import { median, medians, paired } from "./statistics.ts"

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
})
