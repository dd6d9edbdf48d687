/** The parameters of a request, read by their types; what is wrong with one is refused in the service's words. A time can be written in many forms. */
import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import type * as Endpoint from "@effect-marketdata/core/Endpoint"
import * as NewYork from "@effect-marketdata/core/NewYork"
import type * as OptionChain from "@effect-marketdata/core/OptionChain"
import * as Query from "@effect-marketdata/core/Query"
import * as QueryText from "@effect-marketdata/core/QueryText"
import * as TradingCalendar from "@effect-marketdata/core/TradingCalendar"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Refusals from "./refusals.ts"

/**
 * The parameters of one request: what each says, by its name in lower case. A reader returns undefined where a parameter is not there, and
 * refuses what has the wrong type (clause 7.3-cause-wrong-type). Whether a value is in its range is core's to judge.
 */
export interface Parameters {
  readonly values: ReadonlyMap<string, string>
  readonly now: number
}

export const none: Parameters = { values: new Map(), now: 0 }

type Read<A> = Result.Result<A | undefined, Refusals.Refusal>

const read = <A>({ values }: Parameters, name: string, form: string, reader: (text: string) => A | undefined) => {
  const text = values.get(name.toLowerCase())
  if (text === undefined) return Result.succeed(undefined)
  const value = reader(text)
  return value === undefined
    ? Result.fail(Refusals.badRequest(`Invalid ${name} ${JSON.stringify(text)}. ${form}`))
    : Result.succeed(value)
}

export const text = ({ values }: Parameters, name: string): string | undefined => values.get(name.toLowerCase())

const flags: ReadonlyMap<string, boolean> = new Map([["true", true], ["1", true], ["false", false], ["0", false]])

/** Yes or no. Languages that print their booleans as numbers send `1` and `0`. */
export const flag = (self: Parameters, name: string): Read<boolean> =>
  read(self, name, "Use true or false.", (text) => flags.get(text.toLowerCase()))

const decimalOf = (text: string): number | undefined =>
  /^-?(\d{1,12}(\.\d{0,9})?|\.\d{1,9})$/.test(text) ? Number(text) : undefined

export const number = (self: Parameters, name: string): Read<number> => read(self, name, "Use a number.", decimalOf)

/** A share: a fraction such as `0.005`, or a percentage with its sign, `0.5%`. */
export const share = (self: Parameters, name: string): Read<number> =>
  read(self, name, "Use a fraction such as 0.005, or a percentage such as 0.5%.", (text) => {
    const percent = /^(.+)%$/.exec(text)?.[1]
    const number = decimalOf(percent ?? text)
    // Rounded, because dividing by 100 is not exact.
    return number === undefined || percent === undefined ? number : Number((number / 100).toFixed(11))
  })

export const choice = <const Text extends string>(
  self: Parameters,
  name: string,
  choices: ReadonlyArray<Text>
): Read<Text> => read(self, name, `Use ${choices.join(" or ")}.`, (text) => choices.find((choice) => choice === text))

/** A day without a time, in one of the forms that every date of the service takes; with `relative` also told from today. */
export const day = (self: Parameters, name: string, forms: Forms = "plain"): Read<CalendarDate.CalendarDate> =>
  read(self, name, "Use a date such as 2026-11-20.", (text) => parseTime(text, forms, self.now)?.date)

/** The parameter `date`. A malformed one is refused in the contract's words for a wrong date (clause 7.3-date-errmsg). */
export const date = (self: Parameters, forms: Forms = "plain"): Read<CalendarDate.CalendarDate> =>
  Result.mapError(day(self, "date", forms), () => Refusals.invalidDate)

/** A moment, which may be told from now, or with a sign from another one. */
export const moment = (self: Parameters, name: string, origin = self.now): Read<Moment> =>
  read(self, name, "Use a date or a time such as 2026-11-20 09:30.", (text) => {
    const time = parseTime(text, "relative", self.now, origin)
    return time?.secondOfDay === undefined ? time?.date : { ...time, secondOfDay: time.secondOfDay }
  })

/** Numbers to choose by: `400`, `400,405`, `400-410`, `>400`, `>=400`, `<400` or `<=400`. */
export const numbers = (self: Parameters, name: string): Read<OptionChain.Numbers> =>
  read(
    self,
    name,
    "Use a number, a list such as 400,405, a range such as 400-410, or a bound such as >400.",
    (text) => Result.getOrUndefined(QueryText.numbers(name, text, "400"))
  )

/** Refuses a `date` that is not past in New York, with the contract's own body (clauses 4.1-date and 7.3-date-errmsg). */
export const checkPastDay = (query: Query.Query, now: number): Result.Result<void, Refusals.Refusal> =>
  Result.mapError(Query.checkDate(query, now), () => Refusals.invalidDate)

/**
 * Refuses any `date` where the endpoint takes none (contract 7.3, cause 6): the quotes and prices of stocks are current, and candles name their days by
 * `from`, `to` and `countback`.
 */
export const checkNoDate = (
  { date, kind }: Endpoint.Endpoint,
  parameters: Parameters
): Result.Result<void, Refusals.Refusal> =>
  date === "none" && (kind === "quotes" || kind === "candles") && text(parameters, "date") !== undefined
    ? Result.fail(Refusals.invalidDate)
    : Result.succeed(undefined)

/** Reads several parameters of one kind, and returns them by name. */
export const several = <A, const Name extends string>(
  self: Parameters,
  one: (self: Parameters, name: string) => Read<A>,
  names: ReadonlyArray<Name>
) =>
  Result.all(Object.fromEntries(names.map((name) => [name, one(self, name)]))) as Result.Result<
    { readonly [N in Name]: A | undefined },
    Refusals.Refusal
  >

/** The days or moments that a query names, as it names them. */
export type Period = Result.Result.Success<ReturnType<typeof period>>

type Moment = CalendarDate.CalendarDate | NewYork.WallClock

/** Reads what names days. A `from` with a sign, such as `-5 days`, counts from `to`. */
export const period = (parameters: Parameters) =>
  Result.gen(function*() {
    const onDay = yield* date(parameters, "relative")
    const to = yield* moment(parameters, "to")
    const from = yield* moment(parameters, "from", to === undefined ? parameters.now : endOf(to))
    const countback = yield* number(parameters, "countback")
    return onDay !== undefined && (from ?? to) !== undefined
      ? yield* Result.fail(Refusals.dateWithRange)
      : { date: onDay, from, to, countback }
  })

/** The same in whole days, for endpoints that know no others. */
export const inDays = ({ countback, date, from, to }: Period) => ({
  countback,
  date,
  from: from === undefined ? undefined : dayOf(from),
  to: to === undefined ? undefined : dayOf(to)
})

const dayOf = (moment: Moment): CalendarDate.CalendarDate => "date" in moment ? moment.date : moment

/** The first second of a day, or the second that was named. */
export const startOf = (moment: Moment): number =>
  "date" in moment ? NewYork.toEpochSeconds(moment.date, moment.secondOfDay) : NewYork.midnight(moment)

/** The last second of a day, or the second that was named. */
export const endOf = (moment: Moment): number =>
  "date" in moment ? startOf(moment) : NewYork.midnight(CalendarDate.addDays(moment, 1)) - 1

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
export const parseTime = (text: string, forms: Forms, now: number, origin = now): RequestTime | undefined =>
  iso(text) ?? american(text) ?? counted(text) ??
    (forms === "relative" ? told(text.trim().toLowerCase(), now, origin) : undefined)

const timeOf = (date: Result.Result<CalendarDate.CalendarDate, unknown>, secondOfDay: number | undefined) =>
  Result.isSuccess(date) && (secondOfDay === undefined || (secondOfDay >= 0 && secondOfDay < 86_400))
    ? { date: date.success, secondOfDay }
    : undefined

const isoForm = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}):([0-5]\d)(?::([0-5]\d)(?:\.\d{1,9})?)? ?(?:Z|[+-]\d{2}:?\d{2})?)?$/i

const iso = (text: string): RequestTime | undefined => {
  const match = isoForm.exec(text)
  if (match === null) return undefined
  const [, day, hour, minute, second = "0"] = match
  return timeOf(
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
  if (hour === undefined) return timeOf(date, undefined)
  if (half !== undefined && !(Number(hour) >= 1 && Number(hour) <= 12)) return undefined
  const hours = half === undefined ? Number(hour) : Number(hour) % 12 + (half.toUpperCase() === "PM" ? 12 : 0)
  return timeOf(date, hours * 3600 + Number(minute) * 60 + Number(second))
}

/** Day 0 of spreadsheets. They count 29 February 1900, which never was, so days after it are right and those before are off by one. */
const spreadsheetEpoch = CalendarDate.toEpochDay({ year: 1899, month: 12, day: 30 })

/** Five digits are days of a spreadsheet, 1927 to 2173; eight to eleven are seconds, from 1970 on. */
const counted = (text: string): RequestTime | undefined => {
  if (/^\d{5}(\.\d{1,10})?$/.test(text)) {
    const days = Number(text)
    const second = Math.round((days % 1) * 86_400)
    return timeOf(
      CalendarDate.fromInput(CalendarDate.fromEpochDay(spreadsheetEpoch + Math.floor(days))),
      text.includes(".") ? Math.min(second, 86_399) : undefined
    )
  }
  return /^\d{8,11}$/.test(text) ? NewYork.fromEpochSeconds(Number(text)) : undefined
}

const secondsOf = { minute: 60, hour: 3600, day: 0, week: 0, month: 0, year: 0 } as const

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
  const unit = name as keyof typeof secondsOf
  if (unit === "minute" || unit === "hour") return NewYork.fromEpochSeconds(start - count * secondsOf[unit])
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
