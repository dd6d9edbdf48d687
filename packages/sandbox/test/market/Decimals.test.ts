import * as Decimals from "@effect-marketdata/sandbox/Decimals"
import { assert, describe, it } from "@effect/vitest"

describe("Decimals", () => {
  describe("round", () => {
    it("keeps so many decimals", () => {
      assert.deepStrictEqual([0.1 + 0.2, 2.5, -1.005, 1e6].map((value) => Decimals.round(value, 2)), [
        0.3,
        2.5,
        -1,
        1e6
      ])
      assert.strictEqual(Decimals.round(0.123456, 4), 0.1235)
      assert.strictEqual(Decimals.round(7.5, 0), 8)
    })

    it("has no negative zero, which JSON cannot print", () => {
      for (const value of [-0, -1e-9, 1e-9]) assert.isTrue(Object.is(Decimals.round(value, 4), 0))
    })
  })
})
