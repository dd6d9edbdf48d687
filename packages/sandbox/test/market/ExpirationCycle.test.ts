import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as TradingCalendar from "@effect-marketdata/core/TradingCalendar"
import * as ExpirationCycle from "@effect-marketdata/sandbox/ExpirationCycle"
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import * as Law from "./support/law.ts"

const epochDay = (text: string): number => CalendarDate.toEpochDay(CalendarDate.parseUnsafe(text))

const next = (cycle: ExpirationCycle.ExpirationCycle, from: string, count: number): ReadonlyArray<string> => {
  const found: Array<string> = []
  for (let day = epochDay(from); found.length < count; day++) {
    day = cycle.onOrAfter(day)
    found.push(CalendarDate.format(CalendarDate.fromEpochDay(day)))
  }
  return found
}

const cycles = {
  daily: ExpirationCycle.daily,
  fridays: ExpirationCycle.fridays,
  thirdFridays: ExpirationCycle.thirdFridays(),
  leaps: ExpirationCycle.thirdFridays([1]),
  monthEnds: ExpirationCycle.monthEnds(),
  quarterEnds: ExpirationCycle.monthEnds([3, 6, 9, 12]),
  either: ExpirationCycle.either(ExpirationCycle.thirdFridays(), ExpirationCycle.monthEnds())
}

const anyDay = fc.integer({ min: epochDay("1994-01-01"), max: epochDay("2099-11-30") })

describe("ExpirationCycle", () => {
  for (const [name, cycle] of Object.entries(cycles)) {
    describe(name, () => {
      it("has trading days only, and goes back the way it went", () => {
        Law.holds(fc.property(anyDay, (day) => {
          const found = cycle.onOrAfter(day)
          assert.isAtLeast(found, day)
          assert.isTrue(TradingCalendar.isTradingDay(TradingCalendar.NYSE, CalendarDate.fromEpochDay(found)))
          assert.strictEqual(cycle.onOrAfter(found), found)
          assert.strictEqual(cycle.before(found + 1), found)
          assert.isBelow(cycle.before(day), day)
          assert.strictEqual(cycle.onOrAfter(cycle.before(day) + 1), found)
        }))
      })
    })
  }

  describe("daily", () => {
    it("passes over weekends and holidays", () => {
      assert.deepStrictEqual(next(cycles.daily, "2026-11-25", 3), ["2026-11-25", "2026-11-27", "2026-11-30"])
    })
  })

  describe("fridays", () => {
    it("is the Thursday where the Friday is a holiday", () => {
      assert.deepStrictEqual(next(cycles.fridays, "2026-03-28", 2), ["2026-04-02", "2026-04-10"])
      assert.deepStrictEqual(next(cycles.fridays, "2026-07-03", 1), ["2026-07-10"])
    })
  })

  describe("thirdFridays", () => {
    it("is the third Friday, or the day before where it is a holiday", () => {
      assert.deepStrictEqual(next(cycles.thirdFridays, "2026-05-01", 3), ["2026-05-15", "2026-06-18", "2026-07-17"])
      assert.deepStrictEqual(next(cycles.thirdFridays, "2025-04-01", 1), ["2025-04-17"])
      assert.deepStrictEqual(next(cycles.leaps, "2026-01-17", 2), ["2027-01-15", "2028-01-21"])
    })
  })

  describe("monthEnds", () => {
    it("is the last trading day", () => {
      assert.deepStrictEqual(next(cycles.monthEnds, "2026-05-01", 3), ["2026-05-29", "2026-06-30", "2026-07-31"])
      assert.deepStrictEqual(next(cycles.quarterEnds, "2026-11-20", 2), ["2026-12-31", "2027-03-31"])
    })
  })

  describe("either", () => {
    it("has the days of both in order", () => {
      assert.deepStrictEqual(next(cycles.either, "2026-11-01", 3), ["2026-11-20", "2026-11-30", "2026-12-18"])
    })
  })
})
