/**
 * When quotes are taken: on each minute of the New York session, and none outside it. At any other time the newest quotes are those
 * taken last: of the minute before, or of the close, until the next session opens. Options on indexes are quoted for another quarter of
 * an hour after the close.
 *
 * @example
 * ```ts
 * import * as NewYork from "@effect-marketdata/core/NewYork"
 * import * as QuoteTime from "@effect-marketdata/sandbox/QuoteTime"
 *
 * const saturday = NewYork.at({ year: 2026, month: 11, day: 21 }, 12, 0)
 * NewYork.format(QuoteTime.at(saturday)?.moment ?? NaN) // => "2026-11-20 16:00:00 EST"
 * NewYork.format(QuoteTime.at(saturday, QuoteTime.indexOvertime)?.moment ?? NaN) // => "2026-11-20 16:15:00 EST"
 * ```
 *
 * @since 0.1.0
 */
import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as TradingCalendar from "@effect-marketdata/core/TradingCalendar"
import * as Option from "effect/Option"

/**
 * A moment at which quotes are taken. Times are epoch seconds.
 *
 * - `day`: the day in New York as days since 1970-01-01
 * - `open`, `close`: the hours of the session, which ends at 13:00 on half days
 * - `end`: when the last quotes are taken: at the close, or after the overtime
 * - `moment`: the time of the quotes, a whole minute from the open to the end
 * - `progress`: how much of the session has passed, from 0 at the open to 1 at the close and after it
 *
 * @category models
 * @since 0.1.0
 */
export interface QuoteTime {
  readonly day: number
  readonly open: number
  readonly close: number
  readonly end: number
  readonly moment: number
  readonly progress: number
}

/**
 * The first and the last year in which there are quotes. Before and after them there would be expirations whose year has no two
 * digits in an option symbol.
 *
 * @category constants
 * @since 0.1.0
 */
export const years = { first: 2000, last: 2095 } as const

/**
 * How long after the close of a session options on indexes are still quoted, in seconds: until 16:15, and 13:15 on half days.
 *
 * @category constants
 * @since 0.1.0
 */
export const indexOvertime = 900

/**
 * Returns the quotes that are newest at a time in epoch seconds, of what is quoted for `overtime` seconds after the close; undefined where
 * `years` has none.
 *
 * @category constructors
 * @since 0.1.0
 */
export const at = (epochSeconds: number, overtime = 0): QuoteTime | undefined => {
  const session = Option.getOrUndefined(TradingCalendar.sessionOf(TradingCalendar.NYSE, epochSeconds))
  if (session === undefined || epochSeconds >= session.open) return session && make(session, epochSeconds, overtime)
  const before = Option.getOrUndefined(TradingCalendar.previousTradingDay(TradingCalendar.NYSE, session.date))
  const last = before && sessionOn(before)
  return last && make(last, epochSeconds, overtime)
}

/**
 * Returns the last quotes of a day, of what is quoted for `overtime` seconds after the close; undefined where it has no session, or none in `years`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const atClose = (date: CalendarDate.CalendarDate, overtime = 0): QuoteTime | undefined => {
  const session = sessionOn(date)
  return session && make(session, session.close + overtime, overtime)
}

const sessionOn = (date: CalendarDate.CalendarDate) =>
  Option.getOrUndefined(TradingCalendar.session(TradingCalendar.NYSE, date))

const make = ({ close, date, open }: TradingCalendar.Session, epochSeconds: number, overtime: number) => {
  if (date.year < years.first || date.year > years.last) return undefined
  const end = close + overtime
  const moment = Math.min(end, open + Math.floor((epochSeconds - open) / 60) * 60)
  const progress = Math.min(1, (moment - open) / (close - open))
  return { day: CalendarDate.toEpochDay(date), open, close, end, moment, progress }
}
