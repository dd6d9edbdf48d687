import type * as Account from "./Account.ts"
import * as Problem from "../text/Problem.ts"
import * as CalendarDate from "../time/CalendarDate.ts"
import * as NewYork from "../time/NewYork.ts"

/** A window of an allowance in epoch seconds, the start included and the end not. */
export interface AllowanceWindow {
  readonly start: number
  readonly end: number
}

/** The window that never ends. */
const always: AllowanceWindow = { start: -Infinity, end: Infinity }

/**
 * The window that a time lies in: the day from 9:30 to 9:30 on New York clocks, the minute, or all time. Throws `ValueError` for what is not a window, as
 * untyped code may pass "week".
 */
export const of = (window: Account.Window | undefined, time: number): AllowanceWindow => {
  if (window === "minute") {
    const start = Math.floor(time / 60) * 60
    return { start, end: start + 60 }
  }
  if (window === "none" || window === undefined) return always
  // A misspelt window would never end, and its allowance would never be full again.
  Problem.expect(window === "day", "window", window, `"day", "minute" or "none"`, `"day"`)
  const opening = (days: number) => NewYork.at(CalendarDate.addDays(NewYork.dateOf(time), days), 9, 30)
  const today = opening(0)
  return time < today ? { start: opening(-1), end: today } : { start: today, end: opening(1) }
}
