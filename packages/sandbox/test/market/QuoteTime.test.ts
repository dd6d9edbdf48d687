import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as NewYork from "@effect-marketdata/core/NewYork"
import * as QuoteTime from "@effect-marketdata/sandbox/QuoteTime"
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import * as Arbitrary from "./support/arbitrary.ts"
import * as Law from "./support/law.ts"

const at = (date: string, hour: number, minute: number, second = 0): QuoteTime.QuoteTime | undefined =>
  QuoteTime.at(NewYork.at(CalendarDate.parseUnsafe(date), hour, minute, second))

const shown = (time: QuoteTime.QuoteTime | undefined): string =>
  time === undefined ? "none" : NewYork.format(time.moment)

describe("QuoteTime", () => {
  describe("at", () => {
    it("is the minute that has begun during the session", () => {
      assert.strictEqual(shown(at("2026-11-20", 9, 30)), "2026-11-20 09:30:00 EST")
      assert.strictEqual(shown(at("2026-11-20", 12, 34, 59)), "2026-11-20 12:34:00 EST")
      assert.strictEqual(shown(at("2026-11-20", 16, 0)), "2026-11-20 16:00:00 EST")
    })

    it("is the last close from there to the next open", () => {
      assert.strictEqual(shown(at("2026-11-20", 18, 0)), "2026-11-20 16:00:00 EST")
      assert.strictEqual(shown(at("2026-11-22", 12, 0)), "2026-11-20 16:00:00 EST")
      assert.strictEqual(shown(at("2026-11-23", 9, 29, 59)), "2026-11-20 16:00:00 EST")
      assert.strictEqual(shown(at("2026-11-23", 9, 30)), "2026-11-23 09:30:00 EST")
    })

    it("is 13:00 after a half day, through the weekend", () => {
      assert.strictEqual(shown(at("2026-11-27", 15, 0)), "2026-11-27 13:00:00 EST")
      assert.strictEqual(shown(at("2026-11-30", 9, 0)), "2026-11-27 13:00:00 EST")
    })

    it("follows the clocks into daylight time", () => {
      assert.strictEqual(shown(at("2027-03-14", 12, 0)), "2027-03-12 16:00:00 EST")
      assert.strictEqual(shown(at("2027-03-15", 9, 30)), "2027-03-15 09:30:00 EDT")
    })

    it("goes on for a quarter of an hour after the close for options on indexes, on half days too", () => {
      const index = (date: string, hour: number, minute: number) =>
        shown(QuoteTime.at(NewYork.at(CalendarDate.parseUnsafe(date), hour, minute), QuoteTime.indexOvertime))
      assert.strictEqual(index("2026-11-20", 15, 59), "2026-11-20 15:59:00 EST")
      assert.strictEqual(index("2026-11-20", 16, 7), "2026-11-20 16:07:00 EST")
      assert.strictEqual(index("2026-11-20", 16, 15), "2026-11-20 16:15:00 EST")
      assert.strictEqual(index("2026-11-20", 16, 16), "2026-11-20 16:15:00 EST")
      assert.strictEqual(index("2026-11-23", 9, 29), "2026-11-20 16:15:00 EST")
      assert.strictEqual(index("2026-11-27", 14, 0), "2026-11-27 13:15:00 EST")
    })

    it("says how much of the session has passed", () => {
      assert.strictEqual(at("2026-11-20", 9, 30)?.progress, 0)
      assert.strictEqual(at("2026-11-20", 12, 45)?.progress, 0.5)
      assert.strictEqual(at("2026-11-27", 11, 15)?.progress, 0.5)
      assert.strictEqual(at("2026-11-27", 20, 0)?.progress, 1)
    })

    it("is none outside the years of the market, and for no time at all", () => {
      assert.strictEqual(shown(at("1999-12-31", 20, 0)), "none")
      assert.strictEqual(shown(at("2000-01-03", 9, 29)), "none")
      assert.strictEqual(shown(at("2000-01-03", 9, 30)), "2000-01-03 09:30:00 EST")
      assert.strictEqual(shown(at("2096-01-01", 12, 0)), "2095-12-30 16:00:00 EST")
      assert.strictEqual(shown(at("2096-01-03", 12, 0)), "none")
      for (const never of [NaN, Infinity, -Infinity]) assert.isUndefined(QuoteTime.at(never))
    })

    it("lies in a session, never ahead, and is its own quote time", () => {
      Law.holds(fc.property(Arbitrary.moment, (moment) => {
        const time = QuoteTime.at(moment)!
        assert.isAtMost(time.moment, moment)
        assert.isAtLeast(time.moment, time.open)
        assert.isAtMost(time.moment, time.close)
        assert.strictEqual(NewYork.epochDayOf(time.moment), time.day)
        assert.deepStrictEqual(QuoteTime.at(time.moment), time)
        const late = QuoteTime.at(moment, QuoteTime.indexOvertime)!
        assert.isAtLeast(late.moment, time.moment)
        assert.isAtMost(late.moment, Math.min(moment, time.close + QuoteTime.indexOvertime))
        assert.deepStrictEqual([late.day, late.progress], [time.day, time.progress])
        assert.deepStrictEqual(QuoteTime.at(late.moment, QuoteTime.indexOvertime), late)
      }))
    })
  })

  describe("atClose", () => {
    const atClose = (date: string) => QuoteTime.atClose(CalendarDate.parseUnsafe(date))

    it("is the close of a session", () => {
      assert.deepStrictEqual(atClose("2026-11-20"), at("2026-11-20", 20, 0))
      assert.deepStrictEqual(atClose("2026-11-27"), at("2026-11-27", 13, 0))
      const day = CalendarDate.parseUnsafe("2026-11-20")
      assert.strictEqual(shown(QuoteTime.atClose(day, QuoteTime.indexOvertime)), "2026-11-20 16:15:00 EST")
    })

    it("is none on a day without one", () => {
      for (const date of ["2026-11-21", "2026-11-26", "1999-12-31", "2096-01-03"]) assert.isUndefined(atClose(date))
    })
  })
})
