import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as NewYork from "@effect-marketdata/core/NewYork"
import * as TradingCalendar from "@effect-marketdata/core/TradingCalendar"
import * as Option from "effect/Option"
import * as Result from "effect/Result"

/** A day in New York, and the second of it on the clock where a time was said. */
export interface RequestTime {
  readonly date: CalendarDate.CalendarDate
  readonly secondOfDay: number | undefined
}

/** Which texts name a day: those that say it by themselves, or also those that tell it from now, such as `yesterday`. */
export type Forms = "plain" | "relative"

/**
 * Reads a date as the service takes it: ISO, American, unix, or a spreadsheet's; with `relative` also what is told from now. An offset is
 * discarded, and the clock reading taken for New York's. Undefined for anything else. What is told with a sign, `-5 days`, counts from
 * `origin`.
 */
export const parse = (text: string, forms: Forms, now: number, origin = now): RequestTime | undefined =>
  iso(text) ?? american(text) ?? counted(text) ??
    (forms === "relative" ? told(text.trim().toLowerCase(), now, origin) : undefined)

const of = (date: Result.Result<CalendarDate.CalendarDate, unknown>, secondOfDay: number | undefined) =>
  Result.isSuccess(date) && (secondOfDay === undefined || (secondOfDay >= 0 && secondOfDay < 86_400))
    ? { date: date.success, secondOfDay }
    : undefined

const isoForm = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}):([0-5]\d)(?::([0-5]\d)(?:\.\d{1,9})?)? ?(?:Z|[+-]\d{2}:?\d{2})?)?$/i

const iso = (text: string): RequestTime | undefined => {
  const match = isoForm.exec(text)
  if (match === null) return undefined
  const [, day, hour, minute, second = "0"] = match
  return of(
    CalendarDate.parse(day!),
    hour === undefined ? undefined : Number(hour) * 3600 + Number(minute) * 60 + Number(second)
  )
}

const americanForm = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?: (\d{1,2}):([0-5]\d)(?::([0-5]\d))? ?(AM|PM)?)?$/i

const american = (text: string): RequestTime | undefined => {
  const match = americanForm.exec(text)
  if (match === null) return undefined
  const [, month, day, year, hour, minute, second = "0", half] = match
  const date = CalendarDate.fromInput({ year: Number(year), month: Number(month), day: Number(day) })
  if (hour === undefined) return of(date, undefined)
  if (half !== undefined && !(Number(hour) >= 1 && Number(hour) <= 12)) return undefined
  const hours = half === undefined ? Number(hour) : Number(hour) % 12 + (half.toUpperCase() === "PM" ? 12 : 0)
  return of(date, hours * 3600 + Number(minute) * 60 + Number(second))
}

/** Day 0 of spreadsheets. They count 29 February 1900, which never was, so days after it are right and those before are off by one. */
const spreadsheetEpoch = CalendarDate.toEpochDay({ year: 1899, month: 12, day: 30 })

/** Five digits are days of a spreadsheet, 1927 to 2173; eight to eleven are seconds, from 1970 on. */
const counted = (text: string): RequestTime | undefined => {
  if (/^\d{5}(\.\d{1,10})?$/.test(text)) {
    const days = Number(text)
    const second = Math.round((days % 1) * 86_400)
    return of(
      CalendarDate.fromInput(CalendarDate.fromEpochDay(spreadsheetEpoch + Math.floor(days))),
      text.includes(".") ? Math.min(second, 86_399) : undefined
    )
  }
  return /^\d{8,11}$/.test(text) ? NewYork.fromEpochSeconds(Number(text)) : undefined
}

const units = { minute: 60, hour: 3600, day: 0, week: 0, month: 0, year: 0 } as const

const told = (text: string, now: number, origin: number): RequestTime | undefined => {
  const today = NewYork.dateOf(now)
  if (text === "now") return NewYork.fromEpochSeconds(now)
  if (text === "today") return { date: today, secondOfDay: undefined }
  if (text === "yesterday") return { date: CalendarDate.addDays(today, -1), secondOfDay: undefined }
  if (text === "last session") return { date: lastSession(now), secondOfDay: undefined }
  const [, sign, digits, name, ago] = /^(-?)(\d{1,6}) (minute|hour|day|week|month|year)s?( ago)?$/.exec(text) ?? []
  if ((sign === "-") === (ago !== undefined)) return undefined
  const start = sign === "-" ? origin : now
  const count = Number(digits)
  const unit = name as keyof typeof units
  if (unit === "minute" || unit === "hour") return NewYork.fromEpochSeconds(start - count * units[unit])
  const day = NewYork.dateOf(start)
  const date = unit === "day" || unit === "week"
    ? CalendarDate.addDays(day, -count * (unit === "week" ? 7 : 1))
    : monthsBefore(day, unit === "year" ? count * 12 : count)
  return CalendarDate.isCalendarDate(date) ? { date, secondOfDay: undefined } : undefined
}

/** The same day some months before, or the last one of that month where it has no such day. */
const monthsBefore = ({ day, month, year }: CalendarDate.CalendarDate, count: number): CalendarDate.CalendarDate => {
  const months = year * 12 + month - 1 - count
  const first = (of: number) => ({ year: Math.floor(of / 12), month: of - Math.floor(of / 12) * 12 + 1, day: 1 })
  const length = CalendarDate.daysBetween(first(months), first(months + 1))
  return { ...first(months), day: Math.min(day, length) }
}

/** The day of the last session that has closed. */
export const lastSession = (now: number): CalendarDate.CalendarDate => {
  const session = Option.getOrUndefined(TradingCalendar.sessionOf(TradingCalendar.NYSE, now))
  if (session === undefined) return NewYork.dateOf(now)
  return now >= session.close
    ? session.date
    : Option.getOrElse(TradingCalendar.previousTradingDay(TradingCalendar.NYSE, session.date), () => session.date)
}
