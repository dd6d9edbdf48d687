/**
 * Days of the Gregorian calendar, without a clock or a time zone. Expirations, sessions and the `date` parameter are such days.
 *
 * @example
 * ```ts
 * import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
 *
 * const friday = CalendarDate.parseUnsafe("2026-11-20")
 * CalendarDate.format(CalendarDate.addDays(friday, 3)) // => "2026-11-23"
 * ```
 *
 * @since 0.1.0
 */
import * as Data from "effect/Data"
import * as Eq from "effect/Equivalence"
import { dual } from "effect/Function"
import * as Ord from "effect/Order"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import type * as Schema from "effect/Schema"
import * as Json from "../text/json.ts"
import * as Problem from "../text/Problem.ts"
import * as Untyped from "../text/untyped.ts"

/**
 * A day: `month` counts from 1 to 12, `day` from 1 to 31. Plain data, compared by value.
 *
 * @category models
 * @since 0.1.0
 */
export interface CalendarDate {
  readonly year: number
  readonly month: number
  readonly day: number
}

/**
 * A day, or its text such as `2026-11-20`.
 *
 * @category models
 * @since 0.1.0
 */
export type Input = CalendarDate | string

/**
 * The text or the numbers that are not a day of the calendar.
 *
 * @category errors
 * @since 0.1.0
 */
export class CalendarDateError extends Data.TaggedError("CalendarDateError")<{ readonly input: string }> {
  /** What is wrong, without the input. */
  get rule(): string {
    return "must be a calendar day YYYY-MM-DD of the years 0001 to 9999"
  }
  /** A day. */
  get example(): string {
    return "2026-11-20"
  }
  override get message(): string {
    return Problem.format(Problem.shown(this.input), this)
  }
}

const monthLengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

const isLeapYear = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)

/**
 * Returns how many days a month has.
 *
 * @internal
 */
export const daysOf = (year: number, month: number): number =>
  month === 2 && isLeapYear(year) ? 29 : monthLengths[month - 1]!

/**
 * Returns whether three numbers name an existing day of the years 1 to 9999.
 *
 * @example
 * ```ts
 * import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
 *
 * CalendarDate.isValid(2026, 2, 28) // => true
 * CalendarDate.isValid(2026, 2, 29) // => false
 * ```
 *
 * @category predicates
 * @since 0.1.0
 */
export const isValid = (year: number, month: number, day: number): boolean =>
  Number.isInteger(year) && year >= 1 && year <= 9999 &&
  Number.isInteger(month) && month >= 1 && month <= 12 &&
  Number.isInteger(day) && day >= 1 &&
  day <= daysOf(year, month)

/**
 * Returns whether a value is an existing day.
 *
 * @example
 * ```ts
 * import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
 *
 * CalendarDate.isCalendarDate({ year: 2026, month: 11, day: 20 }) // => true
 * CalendarDate.isCalendarDate("2026-11-20") // => false
 * ```
 *
 * @category guards
 * @since 0.1.0
 */
export const isCalendarDate = (input: unknown): input is CalendarDate => {
  const { day, month, year } = Untyped.fields(input, ["year", "month", "day"]) ?? {}
  return Predicate.isNumber(year) && Predicate.isNumber(month) && Predicate.isNumber(day) && isValid(year, month, day)
}

const digits = (value: number, width: number): string => Untyped.shown(value).padStart(width, "0")

const print = ({ day, month, year }: CalendarDate): string => `${digits(year, 4)}-${digits(month, 2)}-${digits(day, 2)}`

/**
 * Returns a day as data. A caller without types may give its text, which is read; anything else throws `CalendarDateError`, and is not computed with.
 *
 * @internal
 */
export const known = (self: CalendarDate): CalendarDate =>
  typeof (self as Partial<CalendarDate> | null | undefined)?.year === "number"
    ? self
    : Result.getOrThrow(fromInput(self))

/**
 * Prints a day as `YYYY-MM-DD`.
 *
 * @example
 * ```ts
 * import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
 *
 * CalendarDate.format({ year: 2026, month: 11, day: 5 }) // => "2026-11-05"
 * ```
 *
 * @category formatting
 * @since 0.1.0
 */
export const format = (self: CalendarDate): string => print(known(self))

/**
 * Creates a day from its numbers. Fails with `CalendarDateError` if there is no such day.
 *
 * @example
 * ```ts
 * import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
 * import * as Result from "effect/Result"
 *
 * CalendarDate.make(2026, 11, 20) // => Result.succeed({ year: 2026, month: 11, day: 20 })
 * Result.isFailure(CalendarDate.make(2026, 2, 30)) // => true
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (year: number, month: number, day: number): Result.Result<CalendarDate, CalendarDateError> =>
  isValid(year, month, day)
    ? Result.succeed({ year, month, day })
    : Result.fail(new CalendarDateError({ input: print({ year, month, day }) }))

/**
 * Creates a day from its numbers. Throws `CalendarDateError` if there is no such day.
 *
 * @example
 * ```ts
 * import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
 *
 * CalendarDate.makeUnsafe(2026, 11, 20) // => { year: 2026, month: 11, day: 20 }
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeUnsafe = (year: number, month: number, day: number): CalendarDate =>
  Result.getOrThrow(make(year, month, day))

/**
 * Parses `YYYY-MM-DD`; fails with `CalendarDateError` on any other text.
 *
 * @example
 * ```ts
 * import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
 * import * as Result from "effect/Result"
 *
 * CalendarDate.parse("2026-11-20") // => Result.succeed({ year: 2026, month: 11, day: 20 })
 * Result.isFailure(CalendarDate.parse("11/20/2026")) // => true
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const parse = (input: string): Result.Result<CalendarDate, CalendarDateError> => {
  const match = typeof input === "string" ? /^(\d{4})-(\d{2})-(\d{2})$/.exec(input) : null
  if (match === null) return Result.fail(new CalendarDateError({ input: Untyped.shown(input) }))
  return make(Number(match[1]), Number(match[2]), Number(match[3]))
}

/**
 * Parses `YYYY-MM-DD`; throws `CalendarDateError` on any other text.
 *
 * @example
 * ```ts
 * import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
 *
 * CalendarDate.parseUnsafe("2026-11-20") // => { year: 2026, month: 11, day: 20 }
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const parseUnsafe = (input: string): CalendarDate => Result.getOrThrow(parse(input))

/**
 * Reads a day from a value or its text, and checks it. Fails with `CalendarDateError`.
 *
 * @example
 * ```ts
 * import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
 * import * as Result from "effect/Result"
 *
 * Result.map(CalendarDate.fromInput("2026-11-20"), CalendarDate.format) // => Result.succeed("2026-11-20")
 * Result.map(CalendarDate.fromInput({ year: 2026, month: 11, day: 20 }), CalendarDate.format) // => Result.succeed("2026-11-20")
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const fromInput = (input: Input): Result.Result<CalendarDate, CalendarDateError> => {
  if (typeof input === "string") return parse(input)
  const { day, month, year } = Untyped.fields(input, ["year", "month", "day"]) ?? {}
  return typeof year === "number" && typeof month === "number" && typeof day === "number"
    ? make(year, month, day)
    : Result.fail(new CalendarDateError({ input: Untyped.shown(input) }))
}

/**
 * Returns the number of days since 1970-01-01, which is 0.
 *
 * @example
 * ```ts
 * import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
 *
 * CalendarDate.toEpochDay({ year: 1970, month: 1, day: 2 }) // => 1
 * ```
 *
 * @category conversions
 * @since 0.1.0
 */
export const toEpochDay = (self: CalendarDate): number => {
  const { day, month, year: own } = known(self)
  // Years that begin in March put the leap day last, so that a month's offset needs no case for February.
  const year = month > 2 ? own : own - 1
  const era = Math.floor(year / 400)
  const yearOfEra = year - era * 400
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * 146_097 + dayOfEra - 719_468
}

/**
 * Returns the day that is `epochDay` days after 1970-01-01; the inverse of `toEpochDay`.
 *
 * @example
 * ```ts
 * import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
 *
 * CalendarDate.fromEpochDay(0) // => { year: 1970, month: 1, day: 1 }
 * ```
 *
 * @category conversions
 * @since 0.1.0
 */
export const fromEpochDay = (epochDay: number): CalendarDate => {
  Problem.expect(typeof epochDay === "number", "epochDay", epochDay, "a number of days", "20777")
  const shifted = Math.floor(epochDay) + 719_468
  const era = Math.floor(shifted / 146_097)
  const dayOfEra = shifted - era * 146_097
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153)
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1
  }
}

/**
 * Returns the day of the week: 0 is Sunday, 6 is Saturday.
 *
 * @example
 * ```ts
 * import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
 *
 * // 0 is Sunday.
 * CalendarDate.dayOfWeek({ year: 2026, month: 11, day: 20 }) // => 5
 * ```
 *
 * @category getters
 * @since 0.1.0
 */
export const dayOfWeek = (self: CalendarDate): number => ((toEpochDay(self) + 4) % 7 + 7) % 7

/**
 * The names of the days of the week, as `dayOfWeek` counts them: Sunday is the first.
 *
 * @category constants
 * @since 0.1.0
 */
export const weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"] as const

/** Whether something is a number of days, or its text, and not null or a list, which count as 0. */
const isNumber = (days: unknown): boolean => /^-?\d+(\.\d+)?$/.test(Untyped.shown(days))

/**
 * Returns the day that is `days` days later, or earlier if the number is negative.
 *
 * @example
 * ```ts
 * import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
 *
 * CalendarDate.addDays({ year: 2026, month: 12, day: 30 }, 3) // => { year: 2027, month: 1, day: 2 }
 * ```
 *
 * @category combinators
 * @since 0.1.0
 */
export const addDays: {
  (days: number): (self: CalendarDate) => CalendarDate
  (self: CalendarDate, days: number): CalendarDate
  // No sum: the text of a number, of a caller without types, would be put behind the other.
} = /* @__PURE__ */ dual(
  2,
  (self: CalendarDate, days: number): CalendarDate =>
    fromEpochDay(toEpochDay(self) - -Problem.expect(isNumber(days), "days", days, "a number of days", "7"))
)

/**
 * Returns the number of calendar days from one day to another, negative if the second is earlier.
 *
 * @example
 * ```ts
 * import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
 *
 * CalendarDate.daysBetween({ year: 2026, month: 11, day: 20 }, { year: 2026, month: 12, day: 18 }) // => 28
 * ```
 *
 * @category getters
 * @since 0.1.0
 */
export const daysBetween = (from: CalendarDate, to: CalendarDate): number => toEpochDay(to) - toEpochDay(from)

/**
 * Orders days from the earlier to the later.
 *
 * @example
 * ```ts
 * import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
 *
 * const days = ["2026-12-18", "2026-11-20"].map(CalendarDate.parseUnsafe)
 * days.toSorted(CalendarDate.Order).map(CalendarDate.format) // => [ "2026-11-20", "2026-12-18" ]
 * ```
 *
 * @category instances
 * @since 0.1.0
 */
export const Order: Ord.Order<CalendarDate> = /* @__PURE__ */ Ord.mapInput(Ord.Number, toEpochDay)

/**
 * Compares days by year, month and day.
 *
 * @example
 * ```ts
 * import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
 *
 * CalendarDate.Equivalence(CalendarDate.parseUnsafe("2026-11-20"), { year: 2026, month: 11, day: 20 }) // => true
 * ```
 *
 * @category instances
 * @since 0.1.0
 */
export const Equivalence: Eq.Equivalence<CalendarDate> = /* @__PURE__ */ Eq.make((a, b) => {
  const [one, other] = [known(a), known(b)]
  return one.year === other.year && one.month === other.month && one.day === other.day
})

/**
 * Schema between `YYYY-MM-DD` and a day. Property tests draw days of the years 2000 to 2099.
 *
 * @example
 * ```ts
 * import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
 * import * as Schema from "effect/Schema"
 *
 * Schema.decodeSync(CalendarDate.FromString)("2026-11-20") // => { year: 2026, month: 11, day: 20 }
 * ```
 *
 * @category schemas
 * @since 0.1.0
 */
export const FromString: Schema.Codec<CalendarDate, string> = /* @__PURE__ */ Json.ofText({
  identifier: "CalendarDate",
  is: isCalendarDate,
  parse,
  format,
  // The days of the years that an option symbol can name: 28 of every month, and then the longer ones.
  legal:
    /^20(?:\d\d-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)|(?:[02468][048]|[13579][26])-02-29)$/
})
