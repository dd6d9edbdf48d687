/**
 * Which days a query is about, for endpoints that answer with a series.
 *
 * Days and times are New York's. A time has no offset: the service ignores offsets, so a time with one is refused. A day may also be
 * relative to today, see `Relative`.
 *
 * @example
 * ```ts
 * import * as Period from "@effect-marketdata/core/Period"
 * import * as Result from "effect/Result"
 *
 * Period.parameters({ from: "2026-11-02", to: "2026-11-20 16:00" })
 * // => Result.succeed([["from", "2026-11-02"], ["to", "2026-11-20 16:00:00"]])
 * Period.parameters({ from: "-5 days", to: "yesterday" }) // => Result.succeed([["from", "-5 days"], ["to", "yesterday"]])
 * Result.isFailure(Period.parameters({ from: "2026-11-20T14:30:00Z" })) // => true
 * ```
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import type { InvalidQuery } from "../reason/Reason.ts"
import * as Untyped from "../text/untyped.ts"
import * as CalendarDate from "../time/CalendarDate.ts"
import type * as NewYork from "../time/NewYork.ts"
import type { Without } from "./Endpoint.ts"
import * as Parameter from "./parameter.ts"
import * as Rules from "./rules.ts"

type Unit = "minute" | "hour" | "day" | "week" | "month" | "year"

/**
 * A time relative to the service's clock: `now`, `today`, `yesterday`, `last session`, or a time before now such as `2 weeks ago`. With a
 * minus sign, as in `-5 days`, it counts back from the end of the range, or from now if the range has no end.
 *
 * The price of a range of candles with such a time has no bound, because the days are known only when the request arrives.
 *
 * @category models
 * @since 0.1.0
 */
export type Relative =
  | "now"
  | "today"
  | "yesterday"
  | "last session"
  | `-${number} ${Unit | `${Unit}s`}`
  | `${number} ${Unit | `${Unit}s`} ago`

/**
 * A day, or a day with a New York time: `2026-11-20`, `2026-11-20 09:30`, or the same as data; or a relative time.
 *
 * @category models
 * @since 0.1.0
 */
export type Moment = CalendarDate.Input | NewYork.WallClock | Relative

/**
 * A range from one moment to another; either may be left out.
 *
 * @category models
 * @since 0.1.0
 */
export interface Between<in out At = Moment> extends Without<"countback" | "date"> {
  readonly from?: At | undefined
  readonly to?: At | undefined
}

/**
 * The last `countback` rows before a moment, or before now.
 *
 * @category models
 * @since 0.1.0
 */
export interface Back<in out At = Moment> extends Without<"from" | "date"> {
  readonly countback: number
  readonly to?: At | undefined
}

/**
 * One day.
 *
 * @category models
 * @since 0.1.0
 */
export interface Day<in out On = CalendarDate.Input | Relative> extends Without<"from" | "to" | "countback"> {
  readonly date: On
}

/**
 * A range, or the last rows of a count. With neither it is the most recent row only.
 *
 * @category models
 * @since 0.1.0
 */
export type Range<At = Moment> = Between<At> | Back<At>

/**
 * One day, a range of days, or the last rows before a day.
 *
 * @category models
 * @since 0.1.0
 */
export type DayOrRange = Day | Range<CalendarDate.Input | Relative>

/**
 * All options that name days.
 *
 * @category models
 * @since 0.1.0
 */
export interface Days {
  readonly date?: CalendarDate.Input | Relative | undefined
  readonly from?: Moment | undefined
  readonly to?: Moment | undefined
  readonly countback?: number | undefined
}

/**
 * Returns the query parameters of some days, as pairs of name and value. Fails with `InvalidQuery` for `date` together with a range, for
 * `from` together with `countback`, and for `from` after `to`.
 *
 * @category encoding
 * @since 0.1.0
 */
export const parameters = (
  days: Days
): Result.Result<ReadonlyArray<readonly [name: string, value: string]>, InvalidQuery> =>
  Result.gen(function*() {
    const values = yield* Parameter.readOptions("days", days, Parameter.anyDays)
    yield* Parameter.checkDays(values)
    return Object.entries(values).map(([name, value]) => [name, String(value)])
  })

/**
 * Cuts a range of days into shorter ranges of at most `days` days, the earliest first. Both ends of a range belong to it, and no day is
 * in two ranges. Fails with `InvalidQuery` for a range or a number that breaks its rule.
 *
 * @example
 * ```ts
 * import * as Period from "@effect-marketdata/core/Period"
 * import * as Result from "effect/Result"
 *
 * Result.map(Period.split({ from: "2026-11-01", to: "2026-11-20" }, 15), ([, second]) => second)
 * // => Result.succeed({ from: { year: 2026, month: 11, day: 16 }, to: { year: 2026, month: 11, day: 20 } })
 * ```
 *
 * @category combinators
 * @since 0.1.0
 */
export const split = (
  range: Readonly<Record<"from" | "to", CalendarDate.Input>>,
  days: number
): Result.Result<ReadonlyArray<Readonly<Record<"from" | "to", CalendarDate.CalendarDate>>>, InvalidQuery> =>
  Result.gen(function*() {
    yield* Parameter.whole({ min: 1 })("days", days)
    const readers = { from: Parameter.calendarDate, to: Parameter.calendarDate }
    const { from, to } = yield* Parameter.readOptions("range", range, readers)
    if (from === undefined) return yield* Parameter.refuse("from", from, Rules.dayMissing)
    if (to === undefined) return yield* Parameter.refuse("to", to, Rules.dayMissing)
    yield* Parameter.daysInOrder({ from: CalendarDate.format(from), to: CalendarDate.format(to) })
    const [first, last] = [CalendarDate.toEpochDay(from), CalendarDate.toEpochDay(to)]
    return Array.from({ length: Math.ceil((last - first + 1) / days) }, (_, index) => ({
      from: CalendarDate.fromEpochDay(first + index * days),
      to: CalendarDate.fromEpochDay(Math.min(last, first + (index + 1) * days - 1))
    }))
  })

/**
 * Returns whether any of the options that name days is set.
 *
 * @example
 * ```ts
 * import * as Period from "@effect-marketdata/core/Period"
 *
 * Period.isGiven({ date: "2026-11-20" }) // => true
 * Period.isGiven({}) // => false
 * ```
 *
 * @category predicates
 * @since 0.1.0
 */
export const isGiven = (days: { readonly [Name in keyof Days]?: unknown }): boolean =>
  Object.values(Untyped.fields(days, ["date", "from", "to", "countback"]) ?? {}).some((value) => value !== undefined)

/**
 * The days from `from` to `to`, as days since 1970-01-01; a time of day is left out.
 *
 * @internal
 */
export interface DayRange extends Readonly<Record<"first" | "last", number>> {}

/**
 * The range of days that a query names with both ends; undefined where an end is left out, or is relative to the time of the request.
 *
 * @internal
 */
export const rangeOf = ({ from, to }: Parameter.Values): DayRange | undefined => {
  const [first, last] = [dayOf(from), dayOf(to)]
  return first === undefined || last === undefined ? undefined : { first, last }
}

/**
 * The day of a moment as it is sent, as days since 1970-01-01; undefined where it is left out or relative.
 *
 * @internal
 */
export const dayOf = (moment: unknown): number | undefined => {
  const text = typeof moment === "string" ? moment : ""
  const day = CalendarDate.parse(/^\d{4}-\d{2}-\d{2}(?=$|[ T])/.exec(text)?.[0] ?? "")
  return Result.isSuccess(day) ? CalendarDate.toEpochDay(day.success) : undefined
}
