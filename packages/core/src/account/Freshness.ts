/**
 * How fresh data are (contract 8.4): real-time when younger than 15 minutes, delayed from then on, and historical once their session
 * counts as fully closed. Every time is in epoch seconds, and the caller passes the current time.
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
 * @see {@link TradingCalendar} for the sessions
 * @see {@link ModeSelection} which chooses by freshness and price
 * @since 0.1.0
 */
import * as Option from "effect/Option"
import * as Problem from "../text/Problem.ts"
import type * as CalendarDate from "../time/CalendarDate.ts"
import * as NewYork from "../time/NewYork.ts"
import * as TradingCalendar from "../time/TradingCalendar.ts"
import * as DataMode from "./DataMode.ts"

/**
 * What data are about. Stock data and option data become historical at different times.
 *
 * @category models
 * @since 0.1.0
 */
export type Kind = "stocks" | "options"

/**
 * How fresh data are, the freshest first.
 *
 * @category models
 * @since 0.1.0
 */
export type Freshness = "realTime" | "delayed" | "historical"

/**
 * What freshness depends on: the kind of data, their time `updated`, and the current time `now`, both in epoch seconds. The calendar is
 * `TradingCalendar.NYSE` if left out.
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
 * The age at which data count as delayed, in seconds: 15 minutes.
 *
 * @category constants
 * @since 0.1.0
 */
export const delay = 900

/**
 * Returns the age of data, in seconds; 0 if `updated` lies in the future, and `Infinity` if one of them is not a time. Both are epoch seconds.
 *
 * @example
 * ```ts
 * import * as Freshness from "@effect-marketdata/core/Freshness"
 * import * as NewYork from "@effect-marketdata/core/NewYork"
 *
 * const updated = NewYork.at({ year: 2026, month: 11, day: 20 }, 11, 0)
 * Freshness.staleness(updated, updated + 90) // => 90
 * ```
 *
 * @category getters
 * @since 0.1.0
 */
export const staleness = (updated: number, now: number): number =>
  NewYork.isTime(updated) && NewYork.isTime(now) ? Math.max(0, now - updated) : Infinity

/**
 * Returns the smallest age, in seconds, that data of a mode can have when the service sends them: 900 in delayed mode, 0 in the others.
 * It is not a promise: live and cached data may be of any age (clause 8.2-timeliness).
 *
 * @example
 * ```ts
 * import * as DataMode from "@effect-marketdata/core/DataMode"
 * import * as Freshness from "@effect-marketdata/core/Freshness"
 *
 * Freshness.leastStaleness(DataMode.delayed) // => 900
 * Freshness.leastStaleness(DataMode.live) // => 0
 * ```
 *
 * @category getters
 * @since 0.1.0
 */
export const leastStaleness = (mode: DataMode.DataMode): number => DataMode.parameter(mode) === "delayed" ? delay : 0

/**
 * Returns the time at which data become historical, in epoch seconds. At exactly that time they are historical.
 *
 * - Stocks: 16:15:00 in New York on the day of their session, also on half days. Data from 16:15:00 on, or of a day without a session,
 *   become historical at that hour of the next trading day (clause 8.4-stocks).
 * - Options: 09:30:00 in New York on the next trading day after their session, so Friday's data on Monday (clause 8.4-options).
 *
 * It is `Infinity` if the calendar has no trading day within 30 days, and NaN if `updated` is not a time in epoch seconds.
 *
 * @example
 * ```ts
 * import * as Freshness from "@effect-marketdata/core/Freshness"
 * import * as NewYork from "@effect-marketdata/core/NewYork"
 *
 * const friday = NewYork.at({ year: 2026, month: 11, day: 20 }, 15, 59)
 * NewYork.format(Freshness.becomesHistoricalAt("stocks", friday)) // => "2026-11-20 16:15:00 EST"
 * NewYork.format(Freshness.becomesHistoricalAt("options", friday)) // => "2026-11-23 09:30:00 EST"
 * ```
 *
 * @category getters
 * @since 0.1.0
 */
export const becomesHistoricalAt = (
  kind: Kind,
  updated: number,
  calendar: TradingCalendar.TradingCalendar = TradingCalendar.NYSE
): number => {
  if (!NewYork.isTime(updated)) return NaN
  Problem.expect(kind === "options" || kind === "stocks", "kind", kind, "a kind of data", "options")
  const date = NewYork.dateOf(updated)
  // The trading day after a day without a session is also the one after the session before it.
  if (kind === "options") return instant(TradingCalendar.nextTradingDay(calendar, date), 9, 30)
  const sameDay = instant(TradingCalendar.tradingDayOnOrAfter(calendar, date), 16, 15)
  return updated < sameDay ? sameDay : instant(TradingCalendar.nextTradingDay(calendar, date), 16, 15)
}

const instant = (date: Option.Option<CalendarDate.CalendarDate>, hour: number, minute: number): number =>
  Option.isSome(date) ? NewYork.at(date.value, hour, minute) : Infinity

/**
 * Returns how fresh data are at `now`: historical from the time that `becomesHistoricalAt` gives, whatever their age; before that delayed
 * from an age of 15 minutes, and real-time when younger. With NaN, a text or milliseconds for a time, they are historical.
 *
 * @example
 * ```ts
 * import * as Freshness from "@effect-marketdata/core/Freshness"
 * import * as NewYork from "@effect-marketdata/core/NewYork"
 *
 * const updated = NewYork.at({ year: 2026, month: 11, day: 20 }, 11, 0)
 * Freshness.classify({ kind: "stocks", updated, now: updated + 60 }) // => "realTime"
 * Freshness.classify({ kind: "stocks", updated, now: updated + 900 }) // => "delayed"
 * ```
 *
 * @category decisions
 * @since 0.1.0
 */
export const classify = (observation: Observation): Freshness => {
  const { calendar, kind, now, updated } = { ...observation }
  if (!(NewYork.isTime(now) && now < becomesHistoricalAt(kind, updated, calendar))) return "historical"
  return staleness(updated, now) < delay ? "realTime" : "delayed"
}

/**
 * Returns the next time at which the result of `classify` changes, in epoch seconds; none if it never changes again.
 *
 * @example
 * ```ts
 * import * as Freshness from "@effect-marketdata/core/Freshness"
 * import * as NewYork from "@effect-marketdata/core/NewYork"
 * import * as Option from "effect/Option"
 *
 * const updated = NewYork.at({ year: 2026, month: 11, day: 20 }, 11, 0)
 * const next = Freshness.nextBoundary({ kind: "options", updated, now: updated + 60 })
 * Option.map(next, NewYork.format) // => Option.some("2026-11-20 11:15:00 EST")
 * ```
 *
 * @category getters
 * @since 0.1.0
 */
export const nextBoundary = (observation: Observation): Option.Option<number> => {
  const { calendar, kind, now, updated } = { ...observation }
  const historical = becomesHistoricalAt(kind, updated, calendar)
  if (!(NewYork.isTime(now) && now < historical)) return Option.none()
  const next = now < updated + delay ? Math.min(updated + delay, historical) : historical
  return next === Infinity ? Option.none() : Option.some(next)
}
