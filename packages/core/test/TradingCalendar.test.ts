import { CalendarDate, NewYork, TradingCalendar } from "@effect-marketdata/core"
import { assert, describe, it } from "@effect/vitest"
import { Option, Result } from "effect"
import { pipe } from "effect/Function"
import * as fc from "fast-check"
import { forAll, trials } from "./support/depth.ts"

const { NYSE } = TradingCalendar
const runs = trials(9_30_00)

const day = CalendarDate.parseUnsafe
const utc = (text: string): number => Date.parse(text) / 1000

const firstDay = CalendarDate.toEpochDay(day("1990-01-01"))
const lastDay = CalendarDate.toEpochDay(day("2099-12-31"))
const anyDate = fc.integer({ min: firstDay, max: lastDay }).map(CalendarDate.fromEpochDay)

const isWeekday = (date: CalendarDate.CalendarDate): boolean => ![0, 6].includes(CalendarDate.dayOfWeek(date))

const daysOf = (year: number): ReadonlyArray<CalendarDate.CalendarDate> => {
  const start = CalendarDate.toEpochDay({ year, month: 1, day: 1 })
  const end = CalendarDate.toEpochDay({ year, month: 12, day: 31 })
  return Array.from({ length: end - start + 1 }, (_, n) => CalendarDate.fromEpochDay(start + n))
}

/** The weekdays of a year without a session, as `MM-DD`. */
const closedDays = (year: number): string =>
  daysOf(year).filter((date) => isWeekday(date) && !TradingCalendar.isTradingDay(NYSE, date))
    .map((date) => CalendarDate.format(date).slice(5)).join(" ")

/** The shorter sessions of a year, as `MM-DD@HH:MM`. */
const shortDays = (year: number): string =>
  daysOf(year).flatMap((date) => {
    const session = TradingCalendar.session(NYSE, date)
    const close = Option.isSome(session) ? NewYork.format(session.value.close).slice(5, 16) : ""
    return close === "" || close.endsWith("16:00") ? [] : [close.replace(" ", "@")]
  }).join(" ")

/** Easter Sunday after Gauss, for 1900 to 2099. */
const gaussEaster = (year: number): CalendarDate.CalendarDate => {
  const a = year % 19
  const d = (19 * a + 24) % 30
  const e = (2 * (year % 4) + 4 * (year % 7) + 6 * d + 5) % 7
  const late = (d === 29 && e === 6) || (d === 28 && e === 6 && a > 10)
  return CalendarDate.addDays({ year, month: 3, day: 22 }, d + e - (late ? 7 : 0))
}

describe("NYSE", () => {
  it("is closed on the days it was or has announced to be", () => {
    const closed: Record<number, string> = {
      1990: "01-01 02-19 04-13 05-28 07-04 09-03 11-22 12-25",
      1994: "02-21 04-01 04-27 05-30 07-04 09-05 11-24 12-26",
      1997: "01-01 02-17 03-28 05-26 07-04 09-01 11-27 12-25",
      1999: "01-01 01-18 02-15 04-02 05-31 07-05 09-06 11-25 12-24",
      2001: "01-01 01-15 02-19 04-13 05-28 07-04 09-03 09-11 09-12 09-13 09-14 11-22 12-25",
      2004: "01-01 01-19 02-16 04-09 05-31 06-11 07-05 09-06 11-25 12-24",
      2007: "01-01 01-02 01-15 02-19 04-06 05-28 07-04 09-03 11-22 12-25",
      2011: "01-17 02-21 04-22 05-30 07-04 09-05 11-24 12-26",
      2012: "01-02 01-16 02-20 04-06 05-28 07-04 09-03 10-29 10-30 11-22 12-25",
      2018: "01-01 01-15 02-19 03-30 05-28 07-04 09-03 11-22 12-05 12-25",
      2020: "01-01 01-20 02-17 04-10 05-25 07-03 09-07 11-26 12-25",
      2021: "01-01 01-18 02-15 04-02 05-31 07-05 09-06 11-25 12-24",
      2022: "01-17 02-21 04-15 05-30 06-20 07-04 09-05 11-24 12-26",
      2025: "01-01 01-09 01-20 02-17 04-18 05-26 06-19 07-04 09-01 11-27 12-25",
      2026: "01-01 01-19 02-16 04-03 05-25 06-19 07-03 09-07 11-26 12-25",
      2027: "01-01 01-18 02-15 03-26 05-31 06-18 07-05 09-06 11-25 12-24",
      2028: "01-17 02-21 04-14 05-29 06-19 07-04 09-04 11-23 12-25"
    }
    for (const [year, days] of Object.entries(closed)) assert.strictEqual(closedDays(Number(year)), days, year)
  })

  it("closes early on the days it did or has announced to do so", () => {
    const short: Record<number, string> = {
      1990: "12-24@14:00",
      1992: "11-27@14:00 12-24@14:00",
      1993: "11-26@13:00",
      1994: "02-11@14:30 11-25@13:00",
      1995: "07-03@13:00 11-24@13:00",
      1996: "01-08@14:00 07-05@13:00 11-29@13:00 12-24@13:00",
      1997: "07-03@13:00 10-27@15:30 11-28@13:00 12-24@13:00 12-26@13:00",
      1999: "11-26@13:00 12-31@13:00",
      2002: "07-05@13:00 11-29@13:00 12-24@13:00",
      2003: "07-03@13:00 11-28@13:00 12-24@13:00 12-26@13:00",
      2005: "06-01@15:56 11-25@13:00",
      2013: "07-03@13:00 11-29@13:00 12-24@13:00",
      2014: "07-03@13:00 11-28@13:00 12-24@13:00",
      2020: "11-27@13:00 12-24@13:00",
      2021: "11-26@13:00",
      2024: "07-03@13:00 11-29@13:00 12-24@13:00",
      2026: "11-27@13:00 12-24@13:00",
      2027: "11-26@13:00",
      2028: "07-03@13:00 11-24@13:00"
    }
    for (const [year, days] of Object.entries(short)) assert.strictEqual(shortDays(Number(year)), days, year)
  })

  it("has as many sessions as were held each year from 1990 to 2025", () => {
    const held = [253, 253, 254, 253, 252, 252, 254, 253, 252, 252, 252, 248, 252, 252, 252, 252, 251, 251]
      .concat([253, 252, 252, 252, 250, 252, 252, 252, 252, 251, 251, 252, 253, 252, 251, 250, 252, 250])
    const sessions = held.map((_, n) =>
      daysOf(1990 + n).filter((date) => TradingCalendar.isTradingDay(NYSE, date)).length
    )
    assert.deepStrictEqual(sessions, held)
  })

  it("has 249 to 252 sessions in every year to come until 2099", () => {
    for (let year = 2026; year <= 2099; year++) {
      const sessions = daysOf(year).filter((date) => TradingCalendar.isTradingDay(NYSE, date)).length
      assert.isTrue(sessions >= 249 && sessions <= 252, `${year}: ${sessions}`)
    }
  })

  it("keeps Good Friday two days before the Easter of another computation", () => {
    for (let year = 1990; year <= 2099; year++) {
      const friday = CalendarDate.addDays(gaussEaster(year), -2)
      assert.deepStrictEqual(TradingCalendar.holiday(NYSE, friday), Option.some("Good Friday"))
      const fridays = daysOf(year).filter((date) => Option.contains(TradingCalendar.holiday(NYSE, date), "Good Friday"))
      assert.lengthOf(fridays, 1)
    }
  })

  it("gives a New Year's Day on a Saturday no other day, unlike other holidays", () => {
    for (const text of ["1993-12-31", "2010-12-31", "2021-12-31", "2022-01-03", "2027-12-31"]) {
      assert.isTrue(TradingCalendar.isTradingDay(NYSE, day(text)), text)
    }
    const kept: Record<string, string> = {
      "2023-01-02": "New Year's Day",
      "2022-06-20": "Juneteenth",
      "2027-06-18": "Juneteenth",
      "2026-07-03": "Independence Day",
      "2027-07-05": "Independence Day",
      "2021-12-24": "Christmas Day",
      "2022-12-26": "Christmas Day"
    }
    for (const [text, name] of Object.entries(kept)) {
      assert.deepStrictEqual(TradingCalendar.holiday(NYSE, day(text)), Option.some(name))
    }
  })

  it("trades on weekdays only, and every closed weekday is a holiday with a name", () => {
    forAll(runs, anyDate, (date) =>
      isWeekday(date)
        ? TradingCalendar.isTradingDay(NYSE, date) === Option.isNone(TradingCalendar.holiday(NYSE, date))
        : NYSE.day(date)._tag === "Weekend")
  })
})

describe("session", () => {
  it("opens at 09:30 and closes at 16:00 in New York, summer and winter", () => {
    assert.deepStrictEqual(
      TradingCalendar.session(NYSE, day("2026-11-20")),
      Option.some({ date: day("2026-11-20"), open: utc("2026-11-20T14:30:00Z"), close: utc("2026-11-20T21:00:00Z") })
    )
    assert.deepStrictEqual(
      pipe(NYSE, TradingCalendar.session(day("2026-07-02"))),
      Option.some({ date: day("2026-07-02"), open: utc("2026-07-02T13:30:00Z"), close: utc("2026-07-02T20:00:00Z") })
    )
  })

  it("is there exactly on trading days, and never empty", () => {
    forAll(runs, anyDate, (date) => {
      const session = TradingCalendar.session(NYSE, date)
      return Option.isSome(session)
        ? session.value.open < session.value.close && TradingCalendar.isTradingDay(NYSE, date)
        : !TradingCalendar.isTradingDay(NYSE, date)
    })
  })
})

it("nextTradingDay, previousTradingDay step over weekends, holidays and closures", () => {
  const steps: Record<string, string> = {
    "2026-11-20": "2026-11-23",
    "2026-11-25": "2026-11-27",
    "2026-07-02": "2026-07-06",
    "2026-04-02": "2026-04-06",
    "2001-09-10": "2001-09-17",
    "2012-10-26": "2012-10-31",
    "2006-12-29": "2007-01-03"
  }
  for (const [from, to] of Object.entries(steps)) {
    assert.deepStrictEqual(TradingCalendar.nextTradingDay(NYSE, day(from)), Option.some(day(to)))
    assert.deepStrictEqual(TradingCalendar.previousTradingDay(NYSE, day(to)), Option.some(day(from)))
  }
})

describe("sessionOf", () => {
  const dateOf = (stamp: string) =>
    Option.map(TradingCalendar.sessionOf(NYSE, utc(stamp)), ({ date }) => CalendarDate.format(date))

  it("is the session before on a day without one", () => {
    assert.deepStrictEqual(dateOf("2026-11-22T18:00:00Z"), Option.some("2026-11-20"))
    assert.deepStrictEqual(dateOf("2026-11-26T18:00:00Z"), Option.some("2026-11-25"))
    assert.deepStrictEqual(dateOf("2001-09-14T18:00:00Z"), Option.some("2001-09-10"))
  })

  it("is none for a stamp that is not a finite number", () => {
    assert.deepStrictEqual(TradingCalendar.sessionOf(NYSE, NaN), Option.none())
    assert.deepStrictEqual(TradingCalendar.sessionOf(NYSE, Infinity), Option.none())
  })
})

describe("make", () => {
  const calendar = TradingCalendar.makeUnsafe({
    name: "changed",
    base: NYSE,
    holidays: { "2026-12-01": "Day of mourning" },
    earlyCloses: { "2026-12-02": "12:30", "2026-12-25": "13:00" },
    sessions: ["2026-11-27", "2026-11-26"]
  })
  const close = (text: string) =>
    Option.map(TradingCalendar.session(calendar, day(text)), ({ close }) => NewYork.format(close).slice(11, 16))

  it("replaces what the base says of a day, and leaves every other day", () => {
    assert.deepStrictEqual(TradingCalendar.holiday(calendar, day("2026-12-01")), Option.some("Day of mourning"))
    assert.deepStrictEqual(close("2026-12-01"), Option.none())
    assert.deepStrictEqual(close("2026-12-02"), Option.some("12:30"))
    assert.deepStrictEqual(close("2026-12-25"), Option.some("13:00"))
    assert.deepStrictEqual(close("2026-11-26"), Option.some("16:00"))
    assert.deepStrictEqual(close("2026-11-27"), Option.some("16:00"))
    assert.deepStrictEqual(close("2026-12-24"), Option.some("13:00"))
    assert.deepStrictEqual(close("2027-01-01"), Option.none())
  })

  it("starts from all weekdays without a base", () => {
    const bare = TradingCalendar.makeUnsafe({ name: "bare", holidays: { "2026-12-25": "Christmas Day" } })
    forAll(runs, anyDate, (date) =>
      TradingCalendar.isTradingDay(bare, date) ===
        (isWeekday(date) && !CalendarDate.Equivalence(date, day("2026-12-25"))))
  })

  const refusal = (options: Omit<TradingCalendar.Options, "name">) => {
    const result = TradingCalendar.make({ name: "refused", ...options })
    return Result.isFailure(result) ? result.failure.message : "accepted"
  }

  it("refuses a text that is not a day", () => {
    const result = TradingCalendar.make({ name: "refused", sessions: ["2026-02-30"] })
    assert.isTrue(Result.isFailure(result) && result.failure._tag === "CalendarDateError")
  })

  it("closes at the minute that is said, from 09:31 on", () => {
    const closeAt = (time: string) => {
      const calendar = TradingCalendar.makeUnsafe({ name: "mine", earlyCloses: { "2026-11-27": time } })
      return calendar.day({ year: 2026, month: 11, day: 27 })
    }
    assert.deepStrictEqual(closeAt("09:31"), { _tag: "Session", open: 34_200, close: 34_260 })
    assert.deepStrictEqual(closeAt("13:05"), { _tag: "Session", open: 34_200, close: 47_100 })
  })

  it("tells a holiday from a weekend", () => {
    const calendar = TradingCalendar.makeUnsafe({ name: "mine", holidays: { "2026-11-26": "Thanksgiving Day" } })
    const thanksgiving = calendar.day({ year: 2026, month: 11, day: 26 })
    assert.deepStrictEqual(thanksgiving, { _tag: "Holiday", name: "Thanksgiving Day" })
    assert.deepStrictEqual(calendar.day({ year: 2026, month: 11, day: 28 }), { _tag: "Weekend" })
  })

  it("refuses an hour that is not a closing time", () => {
    for (const time of ["1pm", "24:00", "13:60", "9:45", "09:30", "08:00", "113:00", "13:000", ""]) {
      const refused = refusal({ earlyCloses: { "2026-12-02": time } })
      assert.strictEqual(refused, `"${time}" must be a closing time HH:MM in New York, after 09:30, e.g. 13:00.`)
    }
  })

  it("refuses a day that is said to be two things", () => {
    assert.strictEqual(
      refusal({ holidays: { "2026-12-02": "x" }, sessions: ["2026-12-02"] }),
      `"2026-12-02" is named twice; a day is a holiday, an early close or a whole session. Expected e.g. one of them.`
    )
  })
})

it("a calendar of one's own is searched for 30 days and no further", () => {
  const trades = day("2026-12-31")
  const calendar: TradingCalendar.TradingCalendar = {
    name: "one day",
    day: (date) =>
      CalendarDate.Equivalence(date, trades)
        ? { _tag: "Session", open: 34_200, close: 57_600 }
        : { _tag: "Holiday", name: "Always" }
  }
  assert.deepStrictEqual(TradingCalendar.nextTradingDay(calendar, day("2026-12-01")), Option.some(trades))
  assert.deepStrictEqual(TradingCalendar.nextTradingDay(calendar, day("2026-11-30")), Option.none())
  assert.deepStrictEqual(TradingCalendar.previousTradingDay(calendar, day("2027-01-30")), Option.some(trades))
  assert.deepStrictEqual(TradingCalendar.previousTradingDay(calendar, day("2027-01-31")), Option.none())
})
