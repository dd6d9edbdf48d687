import { assert, describe, it } from "@effect/vitest"
import { median, spread } from "./statistics.ts"

describe("median", () => {
  it("is the one in the middle, whatever the order", () => {
    assert.strictEqual(median([3, 1, 2]), 2)
    assert.strictEqual(median([10, 9, 1, 2]), 9)
    assert.strictEqual(median([7]), 7)
    assert.throws(() => median([]), RangeError)
  })
})

describe("spread", () => {
  it("shows the ends beside the middle", () => {
    assert.deepStrictEqual(spread([0.3, 0.2, 0.9]), { median: 0.3, least: 0.2, most: 0.9 })
  })
})
