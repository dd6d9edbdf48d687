/**
 * How old cached data may be, counted from when the service cached them: the `maxage` parameter, which only cached modes have (contract 8.3).
 *
 * It is a duration, `Relative`, or a moment, `Absolute`. Rounding never lets older data through: a duration is rounded down to whole
 * minutes, a moment up to whole seconds.
 *
 * A moment is written in New York time without an offset, because the service ignores offsets. A day alone is its beginning, 00:00:00 in
 * New York: data of that day are young enough. In autumn one hour occurs twice; such a time means the later of the two instants. In
 * spring one hour is skipped; such a time is read with the offset before the change, which is again the later reading.
 *
 * @example
 * ```ts
 * import * as MaxAge from "@effect-marketdata/core/MaxAge"
 * import * as Result from "effect/Result"
 *
 * Result.map(MaxAge.parse("90 minutes"), MaxAge.format) // => Result.succeed("90min")
 * Result.map(MaxAge.parse("2 hours"), MaxAge.format) // => Result.succeed("2h")
 * Result.map(MaxAge.parse("2026-11-20T09:30"), MaxAge.format) // => Result.succeed("2026-11-20 09:30:00")
 * ```
 *
 * @see {@link DataMode} for the modes that take it
 * @since 0.1.0
 */
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Problem from "../text/Problem.ts"
import * as Untyped from "../text/untyped.ts"
import * as CalendarDate from "./CalendarDate.ts"
import * as NewYork from "./NewYork.ts"

/**
 * A maximum age in whole minutes, at least 1.
 *
 * @category models
 * @since 0.1.0
 */
export interface Relative {
  readonly _tag: "Relative"
  readonly minutes: number
}

/**
 * A moment that data must not be older than, in whole epoch seconds.
 *
 * @category models
 * @since 0.1.0
 */
export interface Absolute {
  readonly _tag: "Absolute"
  readonly epochSeconds: number
}

/**
 * A maximum age.
 *
 * @category models
 * @since 0.1.0
 */
export type MaxAge = Relative | Absolute

/**
 * What `maxAge` of a mode can be.
 *
 * - a duration of Effect such as `"5 minutes"`, or of the service such as `5min` and `1h`
 * - a moment in New York time: `2026-11-20T09:30`, with a blank instead of `T` and with seconds if needed, or as data
 * - a day, which means its beginning in New York: `2026-11-20`, or as data
 * - a `MaxAge`
 *
 * @category models
 * @since 0.1.0
 */
export type Input =
  | Duration.Input
  | `${number}min`
  | `${number}h`
  | `${number}-${number}-${number}${"T" | " "}${number}:${string}`
  | `${number}-${number}-${number}`
  | NewYork.WallClock
  | CalendarDate.CalendarDate
  | MaxAge

/**
 * The age that cannot be sent to the service, and why.
 *
 * @category errors
 * @since 0.1.0
 */
export class MaxAgeError extends /* @__PURE__ */ Problem.errorOf("MaxAgeError", "maxAge ", {
  NotADuration: { rule: "must be a duration, or a day or time in New York", example: "5 minutes" },
  UnderAMinute: { rule: "must be at least a minute", example: "5 minutes" },
  NotFinite: { rule: "must be left out for any age, or be finite", example: "5 minutes" },
  NotAMoment: { rule: "must be an existing day, with a time from 00:00:00 to 23:59:59", example: "2026-11-20 09:30" },
  HasOffset: { rule: "must be the time in New York, without an offset", example: "2026-11-20 09:30" }
}) {}

/** Where ages end, a little under two millennia: more digits would no longer be written without an exponent. */
const mostMinutes = 999_999_999

/**
 * Reads a maximum age (clause 8.3-maxage-forms). Fails with `MaxAgeError`.
 *
 * @example
 * ```ts
 * import * as MaxAge from "@effect-marketdata/core/MaxAge"
 * import * as Result from "effect/Result"
 *
 * MaxAge.parse("5 minutes") // => Result.succeed({ _tag: "Relative", minutes: 5 })
 * Result.isFailure(MaxAge.parse("soon")) // => true
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const parse = (input: Input | string): Result.Result<MaxAge, MaxAgeError> =>
  Result.mapError(
    typeof input === "string" ? parseText(input) : parseData(input),
    (problem) => new MaxAgeError({ input: Untyped.shown(input), problem })
  )

type Read = Result.Result<MaxAge, MaxAgeError["problem"]>

const parseText = (text: string): Read => {
  const short = /^(\d{1,9})(min|h)$/.exec(text)
  if (short !== null) return relative(Number(short[1]) * (short[2] === "h" ? 60 : 1))
  const moment = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2}(?:\.\d{1,9})?))?(Z|[+-]\d{2}:?\d{2})?)?$/i.exec(
    text
  )
  // The cast is not a promise: `fromInput` refuses other texts.
  if (moment === null) return parseDuration(text as Duration.Input)
  if (moment[5] !== undefined) return Result.fail("HasOffset")
  const date = CalendarDate.parse(moment[1]!)
  const [hour, minute, second] = [Number(moment[2] ?? 0), Number(moment[3] ?? 0), Number(moment[4] ?? 0)]
  return Result.isFailure(date) || minute > 59 || second >= 60
    ? Result.fail("NotAMoment")
    : atWallClock(date.success, hour * 3600 + minute * 60 + second)
}

/** Reads an age that is data. What no type has seen may hold anything in its fields. */
const parseData = (input: Exclude<Input, string>): Read => {
  const { _tag, date, epochSeconds, minutes, secondOfDay } =
    Untyped.fields(input, ["_tag", "date", "epochSeconds", "minutes", "secondOfDay"]) ?? {}
  if (_tag === "Relative") return relative(minutes)
  if (_tag === "Absolute") return absolute(epochSeconds)
  if (CalendarDate.isCalendarDate(input)) return atWallClock(input, 0)
  return date !== undefined && secondOfDay !== undefined
    ? atWallClock(date, secondOfDay)
    : parseDuration(input as Duration.Input)
}

/** A date has none of the fields of a duration, and Effect would take it for one of length zero. */
const parseDuration = (input: Duration.Input): Read => {
  const minutes = Result.try(() =>
    Predicate.isDate(input) ? Option.none() : Option.map(Duration.fromInput(input), Duration.toMinutes)
  )
  return relative(Result.isSuccess(minutes) ? Option.getOrUndefined(minutes.success) : undefined)
}

const relative = (minutes: unknown): Read => {
  if (typeof minutes !== "number" || Number.isNaN(minutes)) return Result.fail("NotADuration")
  if (minutes < 1) return Result.fail("UnderAMinute")
  return minutes < mostMinutes + 1
    ? Result.succeed({ _tag: "Relative", minutes: Math.floor(minutes) })
    : Result.fail("NotFinite")
}

const absolute = (epochSeconds: unknown): Read => {
  const whole = typeof epochSeconds === "number" ? Math.ceil(epochSeconds) : NaN
  return CalendarDate.isCalendarDate(NewYork.dateOf(whole))
    ? Result.succeed({ _tag: "Absolute", epochSeconds: whole })
    : Result.fail("NotAMoment")
}

/** Of two readings the later one is right, whichever the service takes: data that are young enough for it are so for both. */
const atWallClock = (date: unknown, secondOfDay: unknown): Read => {
  const isTime = typeof secondOfDay === "number" && secondOfDay >= 0 && secondOfDay < 86_400
  if (!CalendarDate.isCalendarDate(date) || !isTime) return Result.fail("NotAMoment")
  const resolution = NewYork.resolve(date, secondOfDay)
  return absolute(resolution._tag === "Unique" ? resolution.epochSeconds : resolution.later)
}

/**
 * Creates the maximum age of data that are not older than a moment, given in epoch seconds. Fails with `MaxAgeError` for a moment outside
 * the years 1 to 9999.
 *
 * @example
 * ```ts
 * import * as MaxAge from "@effect-marketdata/core/MaxAge"
 * import * as NewYork from "@effect-marketdata/core/NewYork"
 * import * as Result from "effect/Result"
 *
 * const open = NewYork.at({ year: 2026, month: 11, day: 20 }, 9, 30)
 * Result.map(MaxAge.notBefore(open), MaxAge.format) // => Result.succeed("2026-11-20 09:30:00")
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const notBefore = (epochSeconds: number): Result.Result<MaxAge, MaxAgeError> =>
  parse({ _tag: "Absolute", epochSeconds })

const known = /* @__PURE__ */ Problem.guard("maximum age", "Result.getOrThrow(MaxAge.parse(\"5min\"))", { _tag: "" })

/**
 * Prints a maximum age as the service takes it: whole hours as `2h`, other durations as `90min`, moments as `2026-11-20 09:30:00` in New
 * York time.
 *
 * In autumn one hour occurs twice. A moment in the second of these hours is printed as the end of that hour, 02:00:00, because the
 * service could read it as the first, and accept data that are too old.
 *
 * @example
 * ```ts
 * import * as MaxAge from "@effect-marketdata/core/MaxAge"
 * import * as Result from "effect/Result"
 *
 * MaxAge.format(Result.getOrThrow(MaxAge.parse("90 minutes"))) // => "90min"
 * ```
 *
 * @category formatting
 * @since 0.1.0
 */
export const format = (self: MaxAge): string => {
  known(self)
  if (self._tag === "Relative") return self.minutes % 60 === 0 ? `${self.minutes / 60}h` : `${self.minutes}min`
  const { date, secondOfDay } = NewYork.fromEpochSeconds(self.epochSeconds)
  const resolution = NewYork.resolve(date, secondOfDay)
  const isRepeated = resolution._tag === "Overlap" && resolution.later === self.epochSeconds
  return `${CalendarDate.format(date)} ${NewYork.formatTime(isRepeated ? 2 * 3600 : secondOfDay)}`
}

/**
 * Returns whether data that entered the cache at `entryTime` are young enough at `now`, both in epoch seconds. Data of exactly the
 * maximum age are young enough (clause 8.3-age); without a maximum age all data are. It is the age of the cache entry, not of the quotes
 * in it, which the contract does not limit.
 *
 * @example
 * ```ts
 * import * as MaxAge from "@effect-marketdata/core/MaxAge"
 * import * as Result from "effect/Result"
 *
 * const fiveMinutes = Result.getOrThrow(MaxAge.parse("5 minutes"))
 * MaxAge.accepts(fiveMinutes, 1000, 1300) // => true
 * MaxAge.accepts(fiveMinutes, 1000, 1301) // => false
 * ```
 *
 * @category predicates
 * @since 0.1.0
 */
export const accepts = (self: MaxAge | undefined, entryTime: number, now: number): boolean => {
  if (self === undefined) return true
  if (!(known(self) && NewYork.isTime(entryTime) && NewYork.isTime(now))) return false
  return self._tag === "Relative" ? now - entryTime <= self.minutes * 60 : entryTime >= self.epochSeconds
}
