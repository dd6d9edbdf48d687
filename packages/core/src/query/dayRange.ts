import * as Result from "effect/Result"
import * as CalendarDate from "../time/CalendarDate.ts"
import type * as Query from "./query.ts"

/** The days from `from` to `to`, as days since 1970-01-01; a time of day is left out. */
export interface DayRange {
  readonly first: number
  readonly last: number
}

/** The range of days that a query names with both ends; undefined where an end is left out, or is relative to the time of the request. */
export const of = ({ from, to }: Query.Query["options"]): DayRange | undefined => {
  const [first, last] = [dayOf(from), dayOf(to)]
  return first === undefined || last === undefined ? undefined : { first, last }
}

/** The day of a moment as it is sent, as days since 1970-01-01; undefined where it is left out or relative. */
export const dayOf = (moment: unknown): number | undefined => {
  const text = typeof moment === "string" ? moment : ""
  const day = CalendarDate.parse(/^\d{4}-\d{2}-\d{2}(?=$|[ T])/.exec(text)?.[0] ?? "")
  return Result.isSuccess(day) ? CalendarDate.toEpochDay(day.success) : undefined
}

/** The months that a range touches. */
export const months = ({ first, last }: DayRange): number => {
  const monthOf = (day: number): number => {
    const { month, year } = CalendarDate.fromEpochDay(day)
    return year * 12 + month
  }
  return Math.max(0, monthOf(last) - monthOf(first) + 1)
}

/** The years that a range touches. */
export const years = ({ first, last }: DayRange): number =>
  Math.max(0, CalendarDate.fromEpochDay(last).year - CalendarDate.fromEpochDay(first).year + 1)
