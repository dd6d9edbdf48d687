/**
 * New York time: conversions between epoch seconds and the clock in New York, which decides sessions, expirations and freshness.
 *
 * It is exact for 1970 to 2099, and the same on every machine: the US rules are built in, and the time zone and the time-zone data of the
 * machine are not used. Later years follow the rules of 2007 and earlier ones those of 1967, which may differ from what clocks showed or
 * will show.
 *
 * A fraction of a second belongs to the second that contains it. An instant that is not a finite number has no date and no time: the
 * results are NaN.
 *
 * @example
 * ```ts
 * import * as NewYork from "@effect-marketdata/core/NewYork"
 *
 * const close = NewYork.at({ year: 2026, month: 11, day: 20 }, 16, 0)
 * close // => 1795208400
 * NewYork.format(close) // => "2026-11-20 16:00:00 EST"
 * ```
 *
 * @since 0.1.0
 */
import * as Problem from "../text/Problem.ts"
import * as CalendarDate from "./CalendarDate.ts"

/**
 * A New York date and time: the day, and the whole seconds that the clock shows since 00:00.
 *
 * @category models
 * @since 0.1.0
 */
export interface WallClock {
  readonly date: CalendarDate.CalendarDate
  readonly secondOfDay: number
}

/**
 * The instants at which New York clocks show a time, in epoch seconds. It is almost always `Unique`. In a `Gap` no clock shows it, in the
 * hour that is skipped in spring: `earlier` reads it with the offset after the change, `later` with the offset before. In an `Overlap`
 * clocks show it twice, in the hour that is repeated in autumn.
 *
 * @category models
 * @since 0.1.0
 */
export type Resolution =
  | { readonly _tag: "Unique"; readonly epochSeconds: number }
  | { readonly _tag: "Gap"; readonly earlier: number; readonly later: number }
  | { readonly _tag: "Overlap"; readonly earlier: number; readonly later: number }

const secondsPerDay = 86_400
const standard = -18_000
const daylight = -14_400

const sundayOnOrAfter = (year: number, month: number, day: number): number => {
  const date = { year, month, day }
  return CalendarDate.toEpochDay(date) + (7 - CalendarDate.dayOfWeek(date)) % 7
}

const daylightStart = (year: number): number => {
  if (year >= 2007) return sundayOnOrAfter(year, 3, 8)
  if (year >= 1987) return sundayOnOrAfter(year, 4, 1)
  // In two winters of the energy crisis daylight time began early.
  if (year === 1975) return sundayOnOrAfter(year, 2, 23)
  if (year === 1974) return sundayOnOrAfter(year, 1, 6)
  return sundayOnOrAfter(year, 4, 24)
}

const daylightEnd = (year: number): number =>
  year >= 2007 ? sundayOnOrAfter(year, 11, 1) : sundayOnOrAfter(year, 10, 25)

/** Daylight time begins and ends on a Sunday when clocks show 02:00: 07:00 UTC in winter, 06:00 UTC in summer. */
const daylightTime = (year: number): readonly [start: number, end: number] => [
  daylightStart(year) * secondsPerDay + 7 * 3600,
  daylightEnd(year) * secondsPerDay + 6 * 3600
]

/** A mean year. Counted in these, a year begins at most a few days too early or too late, and it is winter in both years then. */
const secondsPerYear = 365.2425 * secondsPerDay

/** How many years since 1970 are remembered. */
const mostYears = 130

/** The beginning and the end of daylight time in each of these years, 0 until it is computed. The last two places are for any other year. */
const changes = /* @__PURE__ */ new Float64Array(2 * mostYears + 2)

/**
 * Returns whether a value is a time in epoch seconds, before the year 10000, after which New York has no dates. Milliseconds are not; and texts and
 * dates of untyped callers are not, which compare as numbers and add up as texts.
 *
 * @internal
 */
export const isTime = (value: unknown): value is number =>
  typeof value === "number" && Math.abs(value) <= 253_402_318_799

/**
 * Returns the offset of New York from UTC at an instant, in seconds: -18000 in winter (EST), -14400 in summer (EDT).
 *
 * @example
 * ```ts
 * import * as NewYork from "@effect-marketdata/core/NewYork"
 *
 * NewYork.offsetSeconds(1795208400) / 3600 // => -5
 * ```
 *
 * @category getters
 * @since 0.1.0
 */
export const offsetSeconds = (epochSeconds: number): number => {
  const year = Math.floor(number(epochSeconds) / secondsPerYear)
  if (!Number.isFinite(year)) return NaN
  const isKnown = year >= 0 && year < mostYears
  const at = 2 * (isKnown ? year : mostYears)
  if (!isKnown || changes[at] === 0) changes.set(daylightTime(1970 + year), at)
  return epochSeconds >= changes[at]! && epochSeconds < changes[at + 1]! ? daylight : standard
}

/** Null of an untyped caller counts as 0, which is a time in 1969, and a text would be put behind another number. */
const number = (value: number) => Problem.expect(typeof value === "number", "time", value, "a number", "1795194000")

/** The seconds that New York clocks have counted since they showed 1970-01-01 00:00. */
const localSeconds = (epochSeconds: number): number => Math.floor(epochSeconds + offsetSeconds(epochSeconds))

/**
 * Returns the day in New York at an instant, as days since 1970-01-01, without allocating.
 *
 * @example
 * ```ts
 * import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
 * import * as NewYork from "@effect-marketdata/core/NewYork"
 *
 * CalendarDate.format(CalendarDate.fromEpochDay(NewYork.epochDayOf(1795208400))) // => "2026-11-20"
 * ```
 *
 * @category getters
 * @since 0.1.0
 */
export const epochDayOf = (epochSeconds: number): number => Math.floor(localSeconds(epochSeconds) / secondsPerDay)

/**
 * Returns the day in New York at an instant in epoch seconds.
 *
 * @example
 * ```ts
 * import * as NewYork from "@effect-marketdata/core/NewYork"
 *
 * NewYork.dateOf(1795208400) // => { year: 2026, month: 11, day: 20 }
 * ```
 *
 * @category getters
 * @since 0.1.0
 */
export const dateOf = (epochSeconds: number): CalendarDate.CalendarDate =>
  CalendarDate.fromEpochDay(epochDayOf(epochSeconds))

/**
 * Returns the whole seconds that the New York clock shows since 00:00: 34200 at 09:30. It counts what the clock shows, not the time that
 * passed, so 16:00 is 57600 on every day.
 *
 * @example
 * ```ts
 * import * as NewYork from "@effect-marketdata/core/NewYork"
 *
 * NewYork.secondOfDay(1795208400) / 3600 // => 16
 * ```
 *
 * @category getters
 * @since 0.1.0
 */
export const secondOfDay = (epochSeconds: number): number => {
  const local = localSeconds(epochSeconds)
  return local - Math.floor(local / secondsPerDay) * secondsPerDay
}

/**
 * Returns the New York date and time of an instant in epoch seconds.
 *
 * @example
 * ```ts
 * import * as NewYork from "@effect-marketdata/core/NewYork"
 *
 * NewYork.fromEpochSeconds(1795208400) // => { date: { year: 2026, month: 11, day: 20 }, secondOfDay: 57600 }
 * ```
 *
 * @category conversions
 * @since 0.1.0
 */
export const fromEpochSeconds = (epochSeconds: number): WallClock => ({
  date: dateOf(epochSeconds),
  secondOfDay: secondOfDay(epochSeconds)
})

/**
 * Returns the instant, in epoch seconds, at which New York clocks show a time of a day. A time that is skipped in spring moves forward by
 * an hour: 02:30 becomes 03:30. For a time that is repeated in autumn it is the earlier instant. `resolve` tells these cases apart.
 *
 * @example
 * ```ts
 * import * as NewYork from "@effect-marketdata/core/NewYork"
 *
 * NewYork.toEpochSeconds({ year: 2026, month: 11, day: 20 }, 16 * 3600) // => 1795208400
 * ```
 *
 * @category conversions
 * @since 0.1.0
 */
export const toEpochSeconds = (date: CalendarDate.CalendarDate, secondOfDay: number): number => {
  const local = CalendarDate.toEpochDay(date) * secondsPerDay + number(secondOfDay)
  const summer = local - daylight
  return offsetSeconds(summer) === daylight ? summer : local - standard
}

/**
 * Returns every instant at which New York clocks show a time of a day, in epoch seconds.
 *
 * @example
 * ```ts
 * import * as NewYork from "@effect-marketdata/core/NewYork"
 *
 * // In the night to this Sunday clocks are set back: half past one comes twice.
 * NewYork.resolve({ year: 2026, month: 11, day: 1 }, 1.5 * 3600)._tag // => "Overlap"
 * ```
 *
 * @category conversions
 * @since 0.1.0
 */
export const resolve = (date: CalendarDate.CalendarDate, secondOfDay: number): Resolution => {
  const local = CalendarDate.toEpochDay(date) * secondsPerDay + number(secondOfDay)
  if (!Number.isFinite(local)) return { _tag: "Unique", epochSeconds: NaN }
  const earlier = local - daylight
  const later = local - standard
  const inSummer = offsetSeconds(earlier) === daylight
  const inWinter = offsetSeconds(later) === standard
  if (inSummer && inWinter) return { _tag: "Overlap", earlier, later }
  if (inSummer) return { _tag: "Unique", epochSeconds: earlier }
  return inWinter ? { _tag: "Unique", epochSeconds: later } : { _tag: "Gap", earlier, later }
}

/**
 * Returns the instant, in epoch seconds, at which New York clocks show this hour, minute and second of a day; see `toEpochSeconds`.
 *
 * @example
 * ```ts
 * import * as NewYork from "@effect-marketdata/core/NewYork"
 *
 * NewYork.at({ year: 2026, month: 11, day: 20 }, 16, 0) // => 1795208400
 * ```
 *
 * @category conversions
 * @since 0.1.0
 */
export const at = (date: CalendarDate.CalendarDate, hour: number, minute: number, second = 0): number =>
  toEpochSeconds(date, number(hour) * 3600 + number(minute) * 60 + second)

/**
 * Returns the instant at which a day begins in New York, in epoch seconds.
 *
 * @example
 * ```ts
 * import * as NewYork from "@effect-marketdata/core/NewYork"
 *
 * NewYork.format(NewYork.midnight({ year: 2026, month: 11, day: 20 })) // => "2026-11-20 00:00:00 EST"
 * ```
 *
 * @category conversions
 * @since 0.1.0
 */
export const midnight = (date: CalendarDate.CalendarDate): number => toEpochSeconds(date, 0)

/**
 * Prints a second of the day as clocks show it: `16:00:00`.
 *
 * @example
 * ```ts
 * import * as NewYork from "@effect-marketdata/core/NewYork"
 *
 * NewYork.formatTime(57_600) // => "16:00:00"
 * ```
 *
 * @category formatting
 * @since 0.1.0
 */
export const formatTime = (secondOfDay: number): string =>
  [number(secondOfDay) / 3600, secondOfDay / 60 % 60, secondOfDay % 60]
    .map((part) => String(Math.floor(part)).padStart(2, "0")).join(":")

/**
 * Prints an instant in epoch seconds as `2026-11-20 16:00:00 EST`. A number that is not finite is printed as that number.
 *
 * @example
 * ```ts
 * import * as NewYork from "@effect-marketdata/core/NewYork"
 *
 * NewYork.format(1795208400) // => "2026-11-20 16:00:00 EST"
 * ```
 *
 * @category formatting
 * @since 0.1.0
 */
export const format = (epochSeconds: number): string => {
  if (!Number.isFinite(number(epochSeconds))) return String(epochSeconds)
  const zone = offsetSeconds(epochSeconds) === daylight ? "EDT" : "EST"
  return `${CalendarDate.format(dateOf(epochSeconds))} ${formatTime(secondOfDay(epochSeconds))} ${zone}`
}

/**
 * Prints an instant in epoch seconds as ISO 8601 has it, with the offset of New York. A number that is not a whole second of the years 1 to 9999 is printed
 * as that number.
 *
 * @example
 * ```ts
 * import * as NewYork from "@effect-marketdata/core/NewYork"
 *
 * NewYork.formatIso(1795208400) // => "2026-11-20T16:00:00-05:00"
 * ```
 *
 * @category formatting
 * @since 0.1.0
 */
export const formatIso = (epochSeconds: number): string => {
  const { date, secondOfDay } = fromEpochSeconds(epochSeconds)
  if (!Number.isInteger(epochSeconds) || !(date.year >= 1 && date.year <= 9999)) return String(epochSeconds)
  return `${CalendarDate.format(date)}T${formatTime(secondOfDay)}-0${offsetSeconds(epochSeconds) / -3600}:00`
}
