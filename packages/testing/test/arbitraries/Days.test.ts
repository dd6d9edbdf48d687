import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as NewYork from "@effect-marketdata/core/NewYork"
import * as TradingCalendar from "@effect-marketdata/core/TradingCalendar"
import * as Days from "@effect-marketdata/testing/Days"
import { assert, describe, it } from "@effect/vitest"
import { sample } from "../support/drawn.ts"

const { NYSE } = TradingCalendar

describe("Days", () => {
  it("are of the years that symbols know", () => {
    for (const day of sample(Days.anyDay)) {
      assert.isTrue(CalendarDate.isCalendarDate(day) && day.year >= 2000 && day.year <= 2099)
    }
  })

  it("holidays and half days are what they are called", () => {
    for (const day of sample(Days.holiday)) assert.strictEqual(NYSE.day(day)._tag, "Holiday")
    for (const date of sample(Days.halfDay)) {
      const day = NYSE.day(date)
      assert(day._tag === "Session")
      assert.isBelow(day.close, 16 * 3600)
    }
    for (const day of sample(Days.tradingDay)) assert.isTrue(TradingCalendar.isTradingDay(NYSE, day))
  })

  it("clocks change on the days on which they are said to", () => {
    for (const day of sample(Days.clockChange)) {
      const next = CalendarDate.addDays(day, 1)
      assert.notStrictEqual(NewYork.midnight(next) - NewYork.midnight(day), 86_400)
    }
  })

  it("instants meet both hours of autumn, and the edges of sessions", () => {
    const instants = sample(Days.instant, 3000)
    const resolutions = instants.map((instant) => {
      const { date, secondOfDay } = NewYork.fromEpochSeconds(instant)
      return NewYork.resolve(date, secondOfDay)
    })
    assert.isTrue(resolutions.some((at, index) => at._tag === "Overlap" && at.earlier === instants[index]))
    assert.isTrue(resolutions.some((at, index) => at._tag === "Overlap" && at.later === instants[index]))
    for (const second of [9.5 * 3600, 13 * 3600, 16 * 3600, 16.25 * 3600, 0]) {
      assert.isTrue(instants.some((instant) => NewYork.secondOfDay(instant) === second), `nothing at ${second}`)
    }
  })
})
