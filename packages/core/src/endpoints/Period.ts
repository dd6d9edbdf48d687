/**
 * Which days a question is about, for the endpoints that answer with a series.
 *
 * Days and times are New York's. A time carries no offset, because the service does not take one into account; one that is written is
 * refused.
 *
 * @example
 * ```ts
 * import * as Period from "@effect-marketdata/core/endpoints/Period"
 * import * as Result from "effect/Result"
 *
 * Period.parameters({ from: "2026-11-02", to: "2026-11-20 16:00" })
 * // => Result.succeed([["from", "2026-11-02"], ["to", "2026-11-20 16:00:00"]])
 * Result.isFailure(Period.parameters({ from: "2026-11-20T14:30:00Z" })) // => true
 * ```
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import * as CalendarDate from "../CalendarDate.ts"
import type * as Eastern from "../Eastern.ts"
import * as Parameter from "../internal/parameter.ts"
import type { InvalidQuery } from "../Reason.ts"

/**
 * A day, or a day with a time that New York clocks show: `2026-11-20`, `2026-11-20 09:30`, or the same as data.
 *
 * @category models
 * @since 0.1.0
 */
export type Moment = CalendarDate.Input | Eastern.WallClock

/**
 * From one moment to another.
 *
 * @category models
 * @since 0.1.0
 */
export interface Between<in out At = Moment> {
  readonly from?: At | undefined
  readonly to?: At | undefined
  readonly countback?: undefined
  readonly date?: undefined
}

/**
 * The last `countback` rows before a moment, or before now.
 *
 * @category models
 * @since 0.1.0
 */
export interface Back<in out At = Moment> {
  readonly countback: number
  readonly to?: At | undefined
  readonly from?: undefined
  readonly date?: undefined
}

/**
 * One day.
 *
 * @category models
 * @since 0.1.0
 */
export interface Day {
  readonly date: CalendarDate.Input
  readonly from?: undefined
  readonly to?: undefined
  readonly countback?: undefined
}

/**
 * Whatever names days.
 *
 * @category models
 * @since 0.1.0
 */
export interface Days {
  readonly date?: CalendarDate.Input | undefined
  readonly from?: Moment | undefined
  readonly to?: Moment | undefined
  readonly countback?: number | undefined
}

/**
 * Returns the query parameters; fails with `InvalidQuery` for a day with a range, a start with a count, and a start after the end.
 *
 * @category encoding
 * @since 0.1.0
 */
export const parameters = (
  { countback, date, from, to }: Days
): Result.Result<ReadonlyArray<readonly [name: string, value: string]>, InvalidQuery> =>
  Result.gen(function*() {
    yield* Parameter.exclusive([{ date }, { from, to, countback }], "name one day, or a range of days, not both")
    yield* Parameter.exclusive([{ from }, { countback }], "a range begins with from, or is counted back, not both")
    const [start, end] = [yield* Parameter.moment("from", from), yield* Parameter.moment("to", to)]
    const [first, last] = [start[0]?.[1], end[0]?.[1]]
    if (first !== undefined && last !== undefined && first.slice(0, last.length) > last) {
      return yield* Parameter.refuse("from", first, `a range begins before it ends, and this one ends ${last}`)
    }
    return [
      ...(yield* Parameter.day("date", date)),
      ...start,
      ...end,
      ...(yield* Parameter.whole("countback", countback, { min: 1 }))
    ]
  })

/**
 * Cuts a range of days into shorter ones of at most so many days, the earliest first: together they are the whole range, and no day is in
 * two of them. Both ends of a range belong to it. Fails with `InvalidQuery`.
 *
 * @category combinators
 * @since 0.1.0
 */
export const split = (
  range: { readonly from: CalendarDate.Input; readonly to: CalendarDate.Input },
  days: number
): Result.Result<
  ReadonlyArray<{ readonly from: CalendarDate.CalendarDate; readonly to: CalendarDate.CalendarDate }>,
  InvalidQuery
> =>
  Result.gen(function*() {
    yield* Parameter.whole("days", days, { min: 1 })
    yield* parameters(range)
    const first = CalendarDate.toEpochDay(yield* dayOf("from", range.from))
    const last = CalendarDate.toEpochDay(yield* dayOf("to", range.to))
    return Array.from({ length: Math.ceil((last - first + 1) / days) }, (_, index) => ({
      from: CalendarDate.fromEpochDay(first + index * days),
      to: CalendarDate.fromEpochDay(Math.min(last, first + (index + 1) * days - 1))
    }))
  })

const dayOf = (name: string, input: CalendarDate.Input): Result.Result<CalendarDate.CalendarDate, InvalidQuery> => {
  const day = CalendarDate.fromInput(input)
  return Result.isSuccess(day)
    ? Result.succeed(day.success)
    : Parameter.refuse(name, day.failure.input, "name a day: 2026-11-20")
}

/**
 * Tells whether anything in it names days.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isGiven = ({ countback, date, from, to }: Days): boolean =>
  date !== undefined || from !== undefined || to !== undefined || countback !== undefined
