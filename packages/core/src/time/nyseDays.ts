import * as CalendarDate from "./CalendarDate.ts"

/**
 * What an exchange does on a day. `open` and `close` of a session are seconds that the New York clock shows since 00:00: 34200 is 09:30.
 *
 * @category models
 * @since 0.1.0
 */
export type Day =
  | { readonly _tag: "Weekend" }
  | { readonly _tag: "Holiday"; readonly name: string }
  | { readonly _tag: "Session"; readonly open: number; readonly close: number }

/** A day with what the rules ask about it. */
interface Facts extends CalendarDate.CalendarDate {
  /** 0 is Sunday. */
  readonly weekday: number
  /** The digits of year, month and day as one number. */
  readonly key: number
}

const sunday = 0
const monday = 1
const wednesday = 3
const thursday = 4
const friday = 5
const saturday = 6

const isNth = (on: Facts, count: number, weekday: number): boolean =>
  on.weekday === weekday && Math.ceil(on.day / 7) === count

/** A holiday on a Saturday is kept on the Friday before, one on a Sunday on the Monday after. */
const isKept = (on: Facts, day: number): boolean =>
  on.day === day || (on.weekday === friday && on.day === day - 1) || (on.weekday === monday && on.day === day + 1)

/** Easter Sunday of the Gregorian calendar, by the anonymous computus of 1876. */
const easter = (year: number): CalendarDate.CalendarDate => {
  const golden = year % 19
  const century = Math.floor(year / 100)
  const yearOfCentury = year % 100
  const moonCorrection = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3)
  const epact = (19 * golden + century - Math.floor(century / 4) - moonCorrection + 15) % 30
  const toSunday = (32 + 2 * (century % 4) + 2 * Math.floor(yearOfCentury / 4) - epact - yearOfCentury % 4) % 7
  const lateness = Math.floor((golden + 11 * epact + 22 * toSunday) / 451)
  const sinceMarch = epact + toSunday - 7 * lateness + 114
  return { year, month: Math.floor(sinceMarch / 31), day: sinceMarch % 31 + 1 }
}

const isGoodFriday = (on: Facts): boolean =>
  on.weekday === friday && (on.month === 3 || on.month === 4) && CalendarDate.daysBetween(on, easter(on.year)) === 2

const holidays: ReadonlyArray<readonly [name: string, falls: (on: Facts) => boolean]> = [
  // No Friday is closed for a New Year's Day on a Saturday: it would be the last day of the accounting year.
  ["New Year's Day", (on) => on.month === 1 && (on.day === 1 || (on.day === 2 && on.weekday === monday))],
  ["Martin Luther King Jr. Day", (on) => on.year >= 1998 && on.month === 1 && isNth(on, 3, monday)],
  ["Washington's Birthday", (on) => on.month === 2 && isNth(on, 3, monday)],
  ["Good Friday", isGoodFriday],
  ["Memorial Day", (on) => on.month === 5 && on.weekday === monday && on.day > 24],
  ["Juneteenth", (on) => on.year >= 2022 && on.month === 6 && isKept(on, 19)],
  ["Independence Day", (on) => on.month === 7 && isKept(on, 4)],
  ["Labor Day", (on) => on.month === 9 && isNth(on, 1, monday)],
  ["Thanksgiving Day", (on) => on.month === 11 && isNth(on, 4, thursday)],
  ["Christmas Day", (on) => on.month === 12 && isKept(on, 25)]
]

const closures: ReadonlyMap<number, string> = /* @__PURE__ */ new Map([
  [1994_04_27, "Funeral of Richard Nixon"],
  [2001_09_11, "Attacks of September 11"],
  [2001_09_12, "Attacks of September 11"],
  [2001_09_13, "Attacks of September 11"],
  [2001_09_14, "Attacks of September 11"],
  [2004_06_11, "Funeral of Ronald Reagan"],
  [2007_01_02, "Day of mourning for Gerald Ford"],
  [2012_10_29, "Hurricane Sandy"],
  [2012_10_30, "Hurricane Sandy"],
  [2018_12_05, "Day of mourning for George H. W. Bush"],
  [2025_01_09, "Day of mourning for Jimmy Carter"]
])

const hours = (hour: number, minute: number): number => hour * 3600 + minute * 60

const regularClose = hours(16, 0)

const singleEarlyCloses: ReadonlyMap<number, number> = /* @__PURE__ */ new Map([
  // Snow.
  [1994_02_11, hours(14, 30)],
  [1996_01_08, hours(14, 0)],
  // Prices had fallen so far that trading was ended.
  [1997_10_27, hours(15, 30)],
  // The Friday after Christmas, twice only.
  [1997_12_26, hours(13, 0)],
  [2003_12_26, hours(13, 0)],
  // Before the computers had to count to 2000.
  [1999_12_31, hours(13, 0)],
  // A computer fault.
  [2005_06_01, hours(15, 56)]
])

/** The sessions shortened every year: around Independence Day, after Thanksgiving Day and on Christmas Eve. */
const isHalfDay = (on: Facts): boolean => {
  if (on.month === 7 && on.day === 3) return on.year >= (on.weekday === wednesday ? 2013 : 1995)
  // Until 2012 the day after stood in for a Wednesday before.
  if (on.month === 7 && on.day === 5) return on.weekday === friday && on.year >= 1995 && on.year <= 2012
  if (on.month === 11) return on.year >= 1992 && on.weekday === friday && on.day > 22 && on.day < 30
  return on.month === 12 && on.day === 24
}

const closeOf = (on: Facts): number => {
  if (isHalfDay(on)) return on.year >= 1993 ? hours(13, 0) : hours(14, 0)
  return singleEarlyCloses.get(on.key) ?? regularClose
}

/** Says what the New York Stock Exchange does on a day: exact for 1990 to 2026, after that by the rules of 2026. */
export const day = (given: CalendarDate.CalendarDate): Day => {
  const date = CalendarDate.known(given)
  const weekday = CalendarDate.dayOfWeek(date)
  if (weekday === saturday || weekday === sunday) return { _tag: "Weekend" }
  const on = { ...date, weekday, key: (date.year * 100 + date.month) * 100 + date.day }
  const name = holidays.find(([, falls]) => falls(on))?.[0] ?? closures.get(on.key)
  return name === undefined
    ? { _tag: "Session", open: hours(9, 30), close: closeOf(on) }
    : { _tag: "Holiday", name }
}

/** The years whose holidays the calendar knows. */
const known = { first: 1990, last: 2099 }

const sessionsOfYear = /* @__PURE__ */ new Map<number, number>()

const firstOf = (year: number): number => CalendarDate.toEpochDay({ year, month: 1, day: 1 })

/** Counts weekdays up to a day, that day left out, from a Monday on: 1970-01-01 was a Thursday. */
const weekdaysBefore = (day: number): number => {
  const sinceMonday = day + 3
  const weeks = Math.floor(sinceMonday / 7)
  return weeks * 5 + Math.min(5, sinceMonday - weeks * 7)
}

/** Counts the days from Monday to Friday in a range, both ends included. Days are counted since 1970-01-01. */
export const weekdays = (first: number, last: number): number =>
  last < first ? 0 : weekdaysBefore(last + 1) - weekdaysBefore(first)

const countSessions = (first: number, last: number): number => {
  let count = 0
  for (let at = first; at <= last; at++) if (day(CalendarDate.fromEpochDay(at))._tag === "Session") count++
  return count
}

/** Counting a year's sessions takes a while, and prices are asked for again and again. */
const sessionsIn = (year: number): number => {
  const count = sessionsOfYear.get(year) ?? countSessions(firstOf(year), firstOf(year + 1) - 1)
  sessionsOfYear.set(year, count)
  return count
}

/**
 * Counts the trading days of the NYSE in a range, both ends included. Days are counted since 1970-01-01. The count is never too low: where
 * the calendar knows no holidays, every weekday counts.
 */
export const sessions = (first: number, last: number): number => {
  const from = Math.max(first, firstOf(known.first))
  const to = Math.min(last, firstOf(known.last + 1) - 1)
  if (to < from) return weekdays(first, last)
  let count = weekdays(first, from - 1) + weekdays(to + 1, last)
  for (let at = from; at <= to;) {
    const { year } = CalendarDate.fromEpochDay(at)
    const [start, end] = [firstOf(year), firstOf(year + 1) - 1]
    count += at === start && end <= to ? sessionsIn(year) : countSessions(at, Math.min(end, to))
    at = end + 1
  }
  return count
}
