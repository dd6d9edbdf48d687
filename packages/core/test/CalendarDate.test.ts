import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { calendarDate, hostileText } from "./support/arbitraries.ts"
import { forAll, trials } from "./support/depth.ts"

const runs = trials(1970)

const day = calendarDate(1, 9999)

/** The platform's view of a day. */
const platform = (date: CalendarDate.CalendarDate): Date => {
  const instant = new Date(0)
  instant.setUTCFullYear(date.year, date.month - 1, date.day)
  return instant
}

/** Tells by the platform's calendar whether there is such a day: any other one rolls over. */
const exists = (year: number, month: number, day: number): boolean => {
  const instant = platform({ year, month, day })
  return year >= 1 && year <= 9999 && instant.getUTCFullYear() === year && instant.getUTCMonth() === month - 1 &&
    instant.getUTCDate() === day
}

describe("isValid", () => {
  it("knows the same days as the platform's calendar", () => {
    forAll(
      runs,
      fc.integer({ min: -5, max: 10_005 }),
      fc.integer({ min: -1, max: 14 }),
      fc.integer({ min: -1, max: 33 }),
      (year, month, day) => assert.strictEqual(CalendarDate.isValid(year, month, day), exists(year, month, day))
    )
  })

  it("knows leap years, centuries included", () => {
    const leap = (year: number) => CalendarDate.isValid(year, 2, 29)
    assert.deepStrictEqual([1900, 2000, 2023, 2024, 2100, 2400].filter(leap), [2000, 2024, 2400])
  })
})

describe("parse and format", () => {
  it("print as the platform does", () => {
    forAll(runs, day, (date) => {
      assert.strictEqual(CalendarDate.format(date), platform(date).toISOString().slice(0, 10))
    })
  })

  it("are inverse to each other on every text that is taken", () => {
    const text = fc.tuple(fc.nat({ max: 9999 }), fc.nat({ max: 14 }), fc.nat({ max: 33 })).map(([year, month, day]) =>
      CalendarDate.format({ year, month, day })
    )
    forAll(runs, fc.oneof(text, hostileText), (text) => {
      Result.match(CalendarDate.parse(text), {
        onFailure: (error) => {
          assert.strictEqual(error.input, text)
          assert.isBelow(error.message.length, 700)
        },
        onSuccess: (date) => assert.strictEqual(CalendarDate.format(date), text)
      })
    })
  })

  it("refuse what is not a day in ISO form, and quote it", () => {
    const others = ["", "2026-02-29", "2026-13-01", "2026-00-10", "2026-01-00", "0000-01-01", "26-01-01", "2026-1-1"]
    for (const text of [...others, "20260101", "2026/01/01", " 2026-01-01", "2026-01-01T00:00", "2026-01-01\n"]) {
      const { message } = Result.getOrThrow(Result.flip(CalendarDate.parse(text)))
      assert.include(message, JSON.stringify(text))
      assert.include(message, "YYYY-MM-DD")
      assert.throws(() => CalendarDate.parseUnsafe(text), CalendarDate.CalendarDateError)
    }
  })

  it("refuse a very long text with a short message", () => {
    const { message } = Result.getOrThrow(Result.flip(CalendarDate.parse("2026-".repeat(200_000))))
    assert.isBelow(message.length, 200)
  })
})

it("toEpochDay and fromEpochDay miss no day from 2000 to 2099", () => {
  let epochDay = CalendarDate.toEpochDay({ year: 2000, month: 1, day: 1 })
  for (let year = 2000; year <= 2099; year++) {
    for (let month = 1; month <= 12; month++) {
      for (let day = 1; CalendarDate.isValid(year, month, day); day++) {
        assert.strictEqual(CalendarDate.toEpochDay({ year, month, day }), epochDay)
        assert.deepStrictEqual(CalendarDate.fromEpochDay(epochDay), { year, month, day })
        epochDay++
      }
    }
  }
  assert.strictEqual(epochDay, CalendarDate.toEpochDay({ year: 2100, month: 1, day: 1 }))
})

it("dayOfWeek names the days as the platform does", () =>
  forAll(runs, day, (date) => assert.strictEqual(CalendarDate.dayOfWeek(date), platform(date).getUTCDay())))

it("addDays and daysBetween undo each other", () => {
  forAll(runs, calendarDate(1900, 2100), fc.integer({ min: -40_000, max: 40_000 }), (date, days) => {
    const other = CalendarDate.addDays(date, days)
    assert.strictEqual(CalendarDate.daysBetween(date, other), days)
    assert.deepStrictEqual(CalendarDate.addDays(other, -days), date)
    assert.deepStrictEqual(CalendarDate.addDays(days)(date), other)
  })
})

describe("Order and Equivalence", () => {
  it("tell days apart that differ in the year, the month or the day alone", () => {
    const day = { year: 2026, month: 11, day: 20 }
    for (const other of [{ ...day, year: 2025 }, { ...day, month: 10 }, { ...day, day: 19 }]) {
      assert.isFalse(CalendarDate.Equivalence(day, other))
      assert.strictEqual(CalendarDate.Order(other, day), -1)
    }
  })

  it("agree with the order of the ISO texts", () => {
    forAll(runs, day, day, (a, b) => {
      const [first, second] = [CalendarDate.format(a), CalendarDate.format(b)]
      assert.strictEqual(CalendarDate.Order(a, b), first < second ? -1 : first > second ? 1 : 0)
      assert.strictEqual(CalendarDate.Equivalence(a, b), first === second)
      assert.isTrue(CalendarDate.Equivalence(a, { ...a }))
    })
  })
})
