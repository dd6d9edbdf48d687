/**
 * How fresh data are: real-time under 15 minutes, delayed from then on, historical once their session counts as fully closed
 * (contract 8.4). Every time is in epoch seconds, and the caller says what time it is.
 *
 * @example
 * ```ts
 * import * as Freshness from "@effect-marketdata/core/Freshness"
 * import * as NewYork from "@effect-marketdata/core/NewYork"
 *
 * const friday = NewYork.at({ year: 2026, month: 11, day: 20 }, 15, 59)
 * const monday = NewYork.at({ year: 2026, month: 11, day: 23 }, 9, 29)
 * Freshness.classify({ kind: "options", updated: friday, now: monday }) // => "delayed"
 * Freshness.classify({ kind: "options", updated: friday, now: monday + 60 }) // => "historical"
 * Freshness.classify({ kind: "stocks", updated: friday, now: monday }) // => "historical"
 * ```
 *
 * @since 0.1.0
 */
import * as Option from "effect/Option"
import type * as CalendarDate from "../time/CalendarDate.ts"
import type * as DataMode from "./DataMode.ts"
import * as NewYork from "../time/NewYork.ts"
import * as TradingCalendar from "../time/TradingCalendar.ts"

/**
 * What data are about: stocks and options become historical at different hours.
 *
 * @category models
 * @since 0.1.0
 */
export type Kind = "stocks" | "options"

/**
 * The three degrees of freshness, the freshest first.
 *
 * @category models
 * @since 0.1.0
 */
export type Freshness = "realTime" | "delayed" | "historical"

/**
 * Data, and the time at which to judge them: `updated` is their stamp, `now` the time. The calendar is `TradingCalendar.NYSE` if left
 * out.
 *
 * @category models
 * @since 0.1.0
 */
export interface Observation {
  readonly kind: Kind
  readonly updated: number
  readonly now: number
  readonly calendar?: TradingCalendar.TradingCalendar | undefined
}

/**
 * The staleness from which data are delayed, in seconds: 15 minutes.
 *
 * @category constants
 * @since 0.1.0
 */
export const delay = 900

/**
 * Returns how old data are, in seconds; 0 where their stamp lies ahead of the clock.
 *
 * @category getters
 * @since 0.1.0
 */
export const staleness = (updated: number, now: number): number => Math.max(0, now - updated)

/**
 * Returns the least staleness, in seconds, that data of a mode have when the service sends them: 15 minutes in delayed mode. Live and
 * cached data may be of any age, and nothing promises that they are fresh (clause 8.2-timeliness).
 *
 * @category getters
 * @since 0.1.0
 */
export const leastStaleness = (mode: DataMode.DataMode): number => mode._tag === "Delayed" ? delay : 0

/**
 * Returns the instant at which data become historical, that instant included.
 *
 * - Stocks: 16:15:00 in New York on the day of their session, on half days too. Data stamped at 16:15:00 or later, or on a day
 *   without a session, wait for that hour of the next trading day (clause 8.4-stocks).
 * - Options: 09:30:00 in New York on the trading day after that of their session, so that Friday's data wait for Monday
 *   (clause 8.4-options).
 *
 * `Infinity` where the calendar has no trading day within 30 days, NaN for a stamp that is not a finite number.
 *
 * @category getters
 * @since 0.1.0
 */
export const becomesHistoricalAt = (
  kind: Kind,
  updated: number,
  calendar: TradingCalendar.TradingCalendar = TradingCalendar.NYSE
): number => {
  if (!Number.isFinite(updated)) return NaN
  const date = NewYork.dateOf(updated)
  // The trading day after a day without a session is also the one after the session before it.
  if (kind === "options") return instant(TradingCalendar.nextTradingDay(calendar, date), 9, 30)
  const sameDay = instant(TradingCalendar.tradingDayOnOrAfter(calendar, date), 16, 15)
  return updated < sameDay ? sameDay : instant(TradingCalendar.nextTradingDay(calendar, date), 16, 15)
}

const instant = (date: Option.Option<CalendarDate.CalendarDate>, hour: number, minute: number): number =>
  Option.isSome(date) ? NewYork.at(date.value, hour, minute) : Infinity

/**
 * Says how fresh data are at a time: historical from the instant on that `becomesHistoricalAt` gives, whatever their staleness; before
 * it delayed from 15 minutes on, else real-time. A stamp that is not a finite number vouches for nothing: historical.
 *
 * @category decisions
 * @since 0.1.0
 */
export const classify = (observation: Observation): Freshness => {
  const { calendar, kind, now, updated } = observation
  if (!(now < becomesHistoricalAt(kind, updated, calendar))) return "historical"
  return staleness(updated, now) < delay ? "realTime" : "delayed"
}

/**
 * Returns the next instant at which the answer of `classify` changes; none where it never will.
 *
 * @category getters
 * @since 0.1.0
 */
export const nextBoundary = (observation: Observation): Option.Option<number> => {
  const { calendar, kind, now, updated } = observation
  const historical = becomesHistoricalAt(kind, updated, calendar)
  if (!(now < historical)) return Option.none()
  const next = now < updated + delay ? Math.min(updated + delay, historical) : historical
  return next === Infinity ? Option.none() : Option.some(next)
}
