import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as NewYork from "@effect-marketdata/core/NewYork"
import * as QuoteTime from "@effect-marketdata/sandbox/QuoteTime"
import * as Trading from "@effect-marketdata/sandbox/Trading"
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import * as Arbitrary from "./support/arbitrary.ts"
import * as Law from "./support/law.ts"

const friday = CalendarDate.parseUnsafe("2026-11-20")
const noon = QuoteTime.at(NewYork.at(friday, 12, 0))!
const later = QuoteTime.at(NewYork.at(friday, 15, 30))!

const quote = fc.tuple(fc.integer({ min: 0, max: 250 }), fc.integer({ min: 1, max: 40 })).map(([bid, width]) => ({
  bid,
  ask: bid + width
}))

const state = fc.record({
  contract: Arbitrary.seed,
  remoteness: fc.double({ min: 0, max: 1, noNaN: true }),
  distance: fc.double({ min: -5, max: 5, noNaN: true }),
  days: fc.integer({ min: 0, max: 1000 }),
  time: fc.constant(noon)
})

const market = { ticks: { below3: 1, from3: 5 }, interest: 5000 }

describe("Trading", () => {
  describe("make", () => {
    it("has whole, plausible numbers", () => {
      Law.holds(fc.property(state, quote, (at, { ask, bid }) => {
        const { age, askSize, bidSize, last, openInterest, volume } = Trading.make(market, at, { ask, bid })
        for (const count of [age, askSize, bidSize, openInterest, volume]) {
          assert.isTrue(Number.isInteger(count) && count >= 0)
        }
        assert.strictEqual(bidSize === 0, bid === 0)
        assert.isAbove(askSize, 0)
        assert.isBelow(age, 120)
        if (Number.isNaN(last)) assert.deepStrictEqual([volume, openInterest], [0, 0])
        else assert.isTrue(last >= Math.max(bid, 1) && last <= ask)
      }))
    })

    it("adds to the volume through a session, and leaves the open interest alone", () => {
      Law.holds(fc.property(state, quote, (at, prices) => {
        const before = Trading.make(market, at, prices)
        const after = Trading.make(market, { ...at, time: later }, prices)
        assert.isAtLeast(after.volume, before.volume)
        assert.strictEqual(after.openInterest, before.openInterest)
        assert.strictEqual(Number.isNaN(after.last), Number.isNaN(before.last))
      }))
    })

    it("never loses the last price again", () => {
      Law.holds(fc.property(state, quote, fc.nat(1000), (at, prices, days) => {
        const before = Trading.make(market, at, prices)
        const after = Trading.make(market, { ...at, days: Math.max(0, at.days - days) }, prices)
        assert.isTrue(Number.isNaN(before.last) || !Number.isNaN(after.last))
      }))
    })
  })
})
