import * as Quotes from "@effect-marketdata/sandbox/Quotes"
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import * as Arbitrary from "./support/arbitrary.ts"
import * as Law from "./support/law.ts"

const number = (min: number, max: number) => fc.double({ min, max, noNaN: true })
const worth = fc.oneof(number(0, 5), number(0, 5000))
const intrinsic = fc.oneof(fc.constant(0), number(0, 5000))

describe("Quotes", () => {
  describe("make", () => {
    it("has the worth between bid and ask, on ticks", () => {
      Law.holds(fc.property(Arbitrary.underlying, worth, intrinsic, (underlying, dollars, pays) => {
        const { ask, bid } = Quotes.make(underlying, dollars, pays)
        assert.isAtLeast(bid, 0)
        assert.isAtMost(bid, dollars * 100)
        assert.isAtLeast(ask, dollars * 100)
        assert.isBelow(bid, ask)
        for (const price of [bid, ask]) {
          assert.strictEqual(price % (price < 300 ? underlying.ticks.below3 : underlying.ticks.from3), 0)
        }
      }))
    })

    it("rises with the worth", () => {
      Law.holds(fc.property(Arbitrary.underlying, worth, worth, intrinsic, (underlying, one, other, pays) => {
        const lower = Quotes.make(underlying, Math.min(one, other), pays)
        const higher = Quotes.make(underlying, Math.max(one, other), pays)
        assert.isAtMost(lower.bid, higher.bid)
        assert.isAtMost(lower.ask, higher.ask)
      }))
    })
  })
})
