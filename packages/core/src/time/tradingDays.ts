import * as CalendarDate from "./CalendarDate.ts"
import * as NyseDays from "./nyseDays.ts"

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
  for (let day = first; day <= last; day++) if (NyseDays.day(CalendarDate.fromEpochDay(day))._tag === "Session") count++
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
  for (let day = from; day <= to;) {
    const { year } = CalendarDate.fromEpochDay(day)
    const [start, end] = [firstOf(year), firstOf(year + 1) - 1]
    count += day === start && end <= to ? sessionsIn(year) : countSessions(day, Math.min(end, to))
    day = end + 1
  }
  return count
}
