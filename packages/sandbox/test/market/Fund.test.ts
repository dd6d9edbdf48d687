import * as Fund from "@effect-marketdata/sandbox/Fund"
import * as Spot from "@effect-marketdata/sandbox/Spot"
import * as Underlying from "@effect-marketdata/sandbox/Underlying"
import { assert, describe, it } from "@effect/vitest"

describe("Fund", () => {
  describe("all", () => {
    it("has the public demo fund, and each symbol once", () => {
      const symbols = Fund.all.map(({ symbol }) => symbol)
      assert.include(symbols, "VFINX")
      assert.strictEqual(new Set(symbols).size, symbols.length)
    })

    it("follows an index", () => {
      const [before, after] = [20_777, 20_778]
      for (const fund of Fund.all) {
        const index = Underlying.all.find(({ path }) => path === fund.path)!
        assert.strictEqual(index.kind, "index")
        const [of, its] = [fund, index].map((asset) => Spot.close(1, asset, after) - Spot.close(1, asset, before))
        assert.strictEqual(Math.sign(of!), Math.sign(its!))
      }
    })
  })
})
