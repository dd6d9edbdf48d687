/**
 * The days and hours on which a New York exchange trades. A calendar is a value: use `NYSE`, extend it with `make`, or write your own.
 *
 * Hours are New York time. Searches look at most 30 days ahead or back, and return none if there is not a trading day.
 *
 * @example
 * ```ts
 * import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
 * import * as TradingCalendar from "@effect-marketdata/core/TradingCalendar"
 * import * as Option from "effect/Option"
 *
 * const friday = CalendarDate.parseUnsafe("2026-07-03")
 * TradingCalendar.holiday(TradingCalendar.NYSE, friday) // => Option.some("Independence Day")
 * TradingCalendar.nextTradingDay(TradingCalendar.NYSE, friday) // => Option.some({ year: 2026, month: 7, day: 6 })
 * ```
 *
 * @see {@link Freshness} which depends on sessions
 * @see {@link NewYork} for New York time
 * @see {@link MarketStatus} for what the service says of market days
 * @since 0.1.0
 */
import { dual } from "effect/Function"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Problem from "../text/Problem.ts"
import * as Untyped from "../text/untyped.ts"
import * as CalendarDate from "./CalendarDate.ts"
import * as NewYork from "./NewYork.ts"

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

/**
 * A calendar: a name for messages, and a function from a day to what the exchange does on it. `day` must return the same result for the
 * same day.
 *
 * @category models
 * @since 0.1.0
 */
export interface TradingCalendar {
  readonly name: string
  readonly day: (date: CalendarDate.CalendarDate) => Day
}

/**
 * The trading hours of one day; `open` and `close` are in epoch seconds.
 *
 * @category models
 * @since 0.1.0
 */
export interface Session {
  readonly date: CalendarDate.CalendarDate
  readonly open: number
  readonly close: number
}

/**
 * What is wrong in the description of a calendar: `NotAClosingTime` (not `HH:MM` later than 09:30) or `NamedTwice` (a day is listed
 * twice). Functions that take a calendar throw `NotACalendar` for any other value.
 *
 * @category errors
 * @since 0.1.0
 */
export class TradingCalendarError extends /* @__PURE__ */ Problem.errorOf("TradingCalendarError", "", {
  NotAClosingTime: { rule: "must be a closing time HH:MM in New York, after 09:30", example: "13:00" },
  NamedTwice: { rule: "is named twice; a day is a holiday, an early close or a whole session", example: "one of them" },
  NotACalendar: { rule: "must be a trading calendar", example: "TradingCalendar.NYSE" }
}) {}

const isCalendar = (input: unknown): boolean =>
  Untyped.hasForm<TradingCalendar>(input, ({ day }) => typeof day === "function")

const notACalendar = (input: unknown): TradingCalendarError =>
  new TradingCalendarError({ input: Untyped.shown(input), problem: "NotACalendar" })

/** A function of a calendar and a day, data-first and data-last. */
type OnDay<out A> = {
  (date: CalendarDate.CalendarDate): (self: TradingCalendar) => A
  (self: TradingCalendar, date: CalendarDate.CalendarDate): A
}

const onDay = <A>(of: (self: TradingCalendar, date: CalendarDate.CalendarDate) => A): OnDay<A> =>
  dual(2, (self: TradingCalendar, date: CalendarDate.CalendarDate): A => {
    if (!isCalendar(self)) throw notACalendar(self)
    return of(self, date)
  })

const wholeSession = { _tag: "Session", open: 9.5 * 3600, close: 16 * 3600 } as const

/**
 * The calendar without holidays: Monday to Friday, 09:30 to 16:00.
 *
 * @example
 * ```ts
 * import * as TradingCalendar from "@effect-marketdata/core/TradingCalendar"
 *
 * // A calendar without holidays.
 * TradingCalendar.isTradingDay(TradingCalendar.weekdays, { year: 2026, month: 12, day: 25 }) // => true
 * ```
 *
 * @category constants
 * @since 0.1.0
 */
export const weekdays: TradingCalendar = {
  name: "weekdays",
  day: (date) => {
    const weekday = CalendarDate.dayOfWeek(date)
    return weekday === sunday || weekday === saturday ? { _tag: "Weekend" } : wholeSession
  }
}

const readClose = (time: unknown): Result.Result<number, TradingCalendarError> => {
  const text = Untyped.shown(time)
  const match = typeof time === "string" ? /^([01]\d|2[0-3]):([0-5]\d)$/.exec(time) : null
  const seconds = match === null ? 0 : secondOfDay(Number(match[1]), Number(match[2]))
  return seconds > wholeSession.open
    ? Result.succeed(seconds)
    : Result.fail(new TradingCalendarError({ input: text, problem: "NotAClosingTime" }))
}

/**
 * The description of a calendar. What it says about a day replaces what `base` says. Days are written `YYYY-MM-DD`.
 *
 * - `base`: the calendar for every other day, `weekdays` by default
 * - `holidays`: days without a session, each with its name
 * - `earlyCloses`: days with a session that ends early, each with its closing time in New York, such as `"13:00"`
 * - `sessions`: days with a whole session, 09:30 to 16:00
 *
 * @category models
 * @since 0.1.0
 */
export interface Options {
  readonly name: string
  readonly base?: TradingCalendar | undefined
  readonly holidays?: Readonly<Record<string, string>> | undefined
  readonly earlyCloses?: Readonly<Record<string, string>> | undefined
  readonly sessions?: ReadonlyArray<string> | undefined
}

/**
 * Creates a calendar, new or based on another one. Fails with `CalendarDateError` for a text that is not a day, and with
 * `TradingCalendarError` for an invalid closing time or a day that is listed twice.
 *
 * @example
 * ```ts
 * import * as TradingCalendar from "@effect-marketdata/core/TradingCalendar"
 *
 * const calendar = TradingCalendar.makeUnsafe({
 *   name: "NYSE with a day of mourning",
 *   base: TradingCalendar.NYSE,
 *   holidays: { "2027-03-10": "Day of mourning" }
 * })
 * TradingCalendar.isTradingDay(calendar, { year: 2027, month: 3, day: 10 }) // => false
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (
  options: Options
): Result.Result<TradingCalendar, TradingCalendarError | CalendarDate.CalendarDateError> =>
  Result.gen(function*() {
    const { base = weekdays, earlyCloses = {}, holidays = {}, name, sessions = [] } = { ...options }
    if (!isCalendar(base)) return yield* Result.fail(notACalendar(base))
    const said: Array<readonly [date: string, day: Day]> = []
    for (const [date, holiday] of Object.entries(holidays)) said.push([date, { _tag: "Holiday", name: holiday }])
    for (const [date, time] of Object.entries(earlyCloses)) {
      said.push([date, { ...wholeSession, close: yield* readClose(time) }])
    }
    for (const date of sessions) said.push([date, wholeSession])
    const days = new Map<number, Day>()
    for (const [date, day] of said) {
      const epochDay = CalendarDate.toEpochDay(yield* CalendarDate.parse(date))
      if (days.has(epochDay)) {
        return yield* Result.fail(new TradingCalendarError({ input: date, problem: "NamedTwice" }))
      }
      days.set(epochDay, day)
    }
    return { name, day: (date) => days.get(CalendarDate.toEpochDay(date)) ?? base.day(date) }
  })

/**
 * Creates a calendar; throws where `make` fails.
 *
 * @example
 * ```ts
 * import * as TradingCalendar from "@effect-marketdata/core/TradingCalendar"
 * import * as Option from "effect/Option"
 *
 * const calendar = TradingCalendar.makeUnsafe({ name: "NYSE and a day off", base: TradingCalendar.NYSE, holidays: { "2027-03-10": "Day off" } })
 * TradingCalendar.holiday(calendar, { year: 2027, month: 3, day: 10 }) // => Option.some("Day off")
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeUnsafe = (options: Options): TradingCalendar => Result.getOrThrow(make(options))

/**
 * Returns whether there is a session on a day.
 *
 * @example
 * ```ts
 * import * as TradingCalendar from "@effect-marketdata/core/TradingCalendar"
 *
 * TradingCalendar.isTradingDay(TradingCalendar.NYSE, { year: 2026, month: 11, day: 26 }) // => false
 * ```
 *
 * @category predicates
 * @since 0.1.0
 */
export const isTradingDay: OnDay<boolean> = /* @__PURE__ */ onDay((self, date) => self.day(date)._tag === "Session")

/**
 * Returns the name of the holiday for which the exchange is closed; none on trading days and weekends.
 *
 * @example
 * ```ts
 * import * as TradingCalendar from "@effect-marketdata/core/TradingCalendar"
 * import * as Option from "effect/Option"
 *
 * TradingCalendar.holiday(TradingCalendar.NYSE, { year: 2026, month: 11, day: 26 }) // => Option.some("Thanksgiving Day")
 * TradingCalendar.holiday(TradingCalendar.NYSE, { year: 2026, month: 11, day: 20 }) // => Option.none()
 * ```
 *
 * @category getters
 * @since 0.1.0
 */
export const holiday: OnDay<Option.Option<string>> = /* @__PURE__ */ onDay((self, date) => {
  const day = self.day(date)
  return day._tag === "Holiday" ? Option.some(day.name) : Option.none()
})

/**
 * Returns the session of a day, with its hours in epoch seconds; none if there is no session.
 *
 * @example
 * ```ts
 * import * as NewYork from "@effect-marketdata/core/NewYork"
 * import * as TradingCalendar from "@effect-marketdata/core/TradingCalendar"
 * import * as Option from "effect/Option"
 *
 * const dayAfterThanksgiving = { year: 2026, month: 11, day: 27 }
 * Option.map(TradingCalendar.session(TradingCalendar.NYSE, dayAfterThanksgiving), ({ close }) => NewYork.format(close))
 * // => Option.some("2026-11-27 13:00:00 EST")
 * ```
 *
 * @category getters
 * @since 0.1.0
 */
export const session: OnDay<Option.Option<Session>> = /* @__PURE__ */ onDay((self, date) => {
  const day = self.day(date)
  return day._tag === "Session"
    ? Option.some({
      date,
      open: NewYork.toEpochSeconds(date, day.open),
      close: NewYork.toEpochSeconds(date, day.close)
    })
    : Option.none()
})

const maxSteps = 30

/** Searches from a number of days after the given one, forwards or backwards. */
const search = (from: -1 | 0 | 1, step: -1 | 1): OnDay<Option.Option<CalendarDate.CalendarDate>> =>
  onDay((self, given) => {
    const first = CalendarDate.toEpochDay(given) + from
    for (let steps = 0; steps < maxSteps; steps++) {
      const date = CalendarDate.fromEpochDay(first + steps * step)
      if (isTradingDay(self, date)) return Option.some(date)
    }
    return Option.none()
  })

/**
 * Returns the first trading day after a day; the day itself does not count.
 *
 * @example
 * ```ts
 * import * as TradingCalendar from "@effect-marketdata/core/TradingCalendar"
 * import * as Option from "effect/Option"
 *
 * TradingCalendar.nextTradingDay(TradingCalendar.NYSE, { year: 2026, month: 11, day: 25 }) // => Option.some({ year: 2026, month: 11, day: 27 })
 * ```
 *
 * @category getters
 * @since 0.1.0
 */
export const nextTradingDay: OnDay<Option.Option<CalendarDate.CalendarDate>> = /* @__PURE__ */ search(1, 1)

/**
 * Returns the last trading day before a day; the day itself does not count.
 *
 * @example
 * ```ts
 * import * as TradingCalendar from "@effect-marketdata/core/TradingCalendar"
 * import * as Option from "effect/Option"
 *
 * const monday = { year: 2026, month: 11, day: 23 }
 * TradingCalendar.previousTradingDay(TradingCalendar.NYSE, monday) // => Option.some({ year: 2026, month: 11, day: 20 })
 * TradingCalendar.tradingDayOnOrBefore(TradingCalendar.NYSE, monday) // => Option.some(monday)
 * ```
 *
 * @category getters
 * @since 0.1.0
 */
export const previousTradingDay: OnDay<Option.Option<CalendarDate.CalendarDate>> = /* @__PURE__ */ search(-1, -1)

/**
 * Returns a day if it is a trading day, else the first trading day after it.
 *
 * @example
 * ```ts
 * import * as TradingCalendar from "@effect-marketdata/core/TradingCalendar"
 * import * as Option from "effect/Option"
 *
 * TradingCalendar.tradingDayOnOrAfter(TradingCalendar.NYSE, { year: 2026, month: 11, day: 21 }) // => Option.some({ year: 2026, month: 11, day: 23 })
 * ```
 *
 * @category getters
 * @since 0.1.0
 */
export const tradingDayOnOrAfter: OnDay<Option.Option<CalendarDate.CalendarDate>> = /* @__PURE__ */ search(0, 1)

/**
 * Returns a day if it is a trading day, else the last trading day before it.
 *
 * @example
 * ```ts
 * import * as TradingCalendar from "@effect-marketdata/core/TradingCalendar"
 * import * as Option from "effect/Option"
 *
 * TradingCalendar.tradingDayOnOrBefore(TradingCalendar.NYSE, { year: 2026, month: 11, day: 21 }) // => Option.some({ year: 2026, month: 11, day: 20 })
 * ```
 *
 * @category getters
 * @since 0.1.0
 */
export const tradingDayOnOrBefore: OnDay<Option.Option<CalendarDate.CalendarDate>> = /* @__PURE__ */ search(0, -1)

/**
 * Returns the session that data belong to, by their time in epoch seconds: the session of their New York day, at any hour, or the one
 * before if that day has no session.
 *
 * @example
 * ```ts
 * import * as NewYork from "@effect-marketdata/core/NewYork"
 * import * as TradingCalendar from "@effect-marketdata/core/TradingCalendar"
 * import * as Option from "effect/Option"
 *
 * const sunday = NewYork.at({ year: 2026, month: 11, day: 22 }, 12, 0)
 * Option.map(TradingCalendar.sessionOf(TradingCalendar.NYSE, sunday), ({ date }) => date)
 * // => Option.some({ year: 2026, month: 11, day: 20 })
 * ```
 *
 * @category getters
 * @since 0.1.0
 */
export const sessionOf: {
  (epochSeconds: number): (self: TradingCalendar) => Option.Option<Session>
  (self: TradingCalendar, epochSeconds: number): Option.Option<Session>
} = /* @__PURE__ */ dual(
  2,
  (self: TradingCalendar, epochSeconds: number): Option.Option<Session> =>
    Number.isFinite(epochSeconds)
      ? Option.flatMap(tradingDayOnOrBefore(self, NewYork.dateOf(epochSeconds)), (date) => session(self, date))
      : Option.none()
)

/**
 * The next opening of a session: 09:30 in New York on a trading day. Where the calendar knows none, nothing lasts.
 *
 * @internal
 */
export const opensAfter = (self: TradingCalendar, now: number): number => {
  const today = NewYork.dateOf(now)
  const first = now < NewYork.at(today, 9, 30) ? today : CalendarDate.addDays(today, 1)
  return Option.match(tradingDayOnOrAfter(self, first), { onNone: () => now, onSome: (day) => NewYork.at(day, 9, 30) })
}

// The New York Stock Exchange.

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

/** A time of day, in seconds since 00:00. */
const secondOfDay = (hour: number, minute: number): number => hour * 3600 + minute * 60

const singleEarlyCloses: ReadonlyMap<number, number> = /* @__PURE__ */ new Map([
  // Snow.
  [1994_02_11, secondOfDay(14, 30)],
  [1996_01_08, secondOfDay(14, 0)],
  // Prices had fallen so far that trading was ended.
  [1997_10_27, secondOfDay(15, 30)],
  // The Friday after Christmas, twice only.
  [1997_12_26, secondOfDay(13, 0)],
  [2003_12_26, secondOfDay(13, 0)],
  // Before the computers had to count to 2000.
  [1999_12_31, secondOfDay(13, 0)],
  // A computer fault.
  [2005_06_01, secondOfDay(15, 56)]
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
  if (isHalfDay(on)) return on.year >= 1993 ? secondOfDay(13, 0) : secondOfDay(14, 0)
  return singleEarlyCloses.get(on.key) ?? wholeSession.close
}

/** Says what the New York Stock Exchange does on a day: exact for 1990 to 2026, after that by the rules of 2026. */
const dayOfNyse = (given: CalendarDate.CalendarDate): Day => {
  const date = CalendarDate.known(given)
  const weekday = CalendarDate.dayOfWeek(date)
  if (weekday === saturday || weekday === sunday) return { _tag: "Weekend" }
  const on = { ...date, weekday, key: (date.year * 100 + date.month) * 100 + date.day }
  const name = holidays.find(([, falls]) => falls(on))?.[0] ?? closures.get(on.key)
  return name === undefined ? { ...wholeSession, close: closeOf(on) } : { _tag: "Holiday", name }
}

/** The years whose holidays the calendar knows. */
const firstYear = 1990
const lastYear = 2099

/** By the first day of the year. */
const sessionsOfYear = /* @__PURE__ */ new Map<number, number>()

const firstOf = (year: number): number => CalendarDate.toEpochDay({ year, month: 1, day: 1 })

/** Counts weekdays up to a day, that day left out, from a Monday on: 1970-01-01 was a Thursday. */
const weekdaysBefore = (day: number): number => {
  const sinceMonday = day + 3
  const weeks = Math.floor(sinceMonday / 7)
  return weeks * 5 + Math.min(5, sinceMonday - weeks * 7)
}

/**
 * Counts the days from Monday to Friday in a range, both ends included. Days are counted since 1970-01-01.
 *
 * @internal
 */
export const countWeekdays = (first: number, last: number): number =>
  last < first ? 0 : weekdaysBefore(last + 1) - weekdaysBefore(first)

const countEach = (first: number, last: number): number => {
  let count = 0
  for (let at = first; at <= last; at++) if (dayOfNyse(CalendarDate.fromEpochDay(at))._tag === "Session") count++
  return count
}

/** Counting a year's sessions takes a while, and prices are asked for again and again. */
const sessionsIn = (first: number, last: number): number => {
  const count = sessionsOfYear.get(first) ?? countEach(first, last)
  sessionsOfYear.set(first, count)
  return count
}

/**
 * Counts the trading days of the NYSE in a range, both ends included. Days are counted since 1970-01-01. The count is never too low: where
 * the calendar knows no holidays, every weekday counts.
 *
 * @internal
 */
export const countSessions = (first: number, last: number): number => {
  const from = Math.max(first, firstOf(firstYear))
  const to = Math.min(last, firstOf(lastYear + 1) - 1)
  if (to < from) return countWeekdays(first, last)
  let count = countWeekdays(first, from - 1) + countWeekdays(to + 1, last)
  for (let at = from; at <= to;) {
    const { year } = CalendarDate.fromEpochDay(at)
    const [start, end] = [firstOf(year), firstOf(year + 1) - 1]
    count += at === start && end <= to ? sessionsIn(start, end) : countEach(at, Math.min(end, to))
    at = end + 1
  }
  return count
}

/**
 * The calendar of the New York Stock Exchange, which the other New York stock and option exchanges share.
 *
 * It has every holiday, every other closed day and every early close from 1990 to 2026; for 2027 to 2099 it follows the rules of 2026.
 * Late openings and halts do not change a session. Add unforeseen closings with `make`.
 *
 * @example
 * ```ts
 * import * as TradingCalendar from "@effect-marketdata/core/TradingCalendar"
 *
 * TradingCalendar.isTradingDay(TradingCalendar.NYSE, { year: 2026, month: 12, day: 25 }) // => false
 * ```
 *
 * @category constants
 * @since 0.1.0
 */
export const NYSE: TradingCalendar = { name: "NYSE", day: dayOfNyse }
