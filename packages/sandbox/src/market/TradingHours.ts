/**
 * The hours in which stocks are traded on a day: its session, and before and after it the extended hours, from 04:00 and for four hours.
 * They say how much market time passes in them, by which prices move (see `Spot`).
 *
 * @example
 * ```ts
 * import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
 * import * as NewYork from "@effect-marketdata/core/NewYork"
 * import * as TradingHours from "@effect-marketdata/sandbox/TradingHours"
 *
 * const halfDay = CalendarDate.parseUnsafe("2026-11-27")
 * const hours = TradingHours.of(CalendarDate.toEpochDay(halfDay))
 * hours?.stretches.map(({ ends }) => NewYork.format(ends).slice(11, 16)) // => ["09:30", "13:00", "17:00"]
 * ```
 *
 * @since 0.1.0
 */
import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as NewYork from "@effect-marketdata/core/NewYork"
import * as TradingCalendar from "@effect-marketdata/core/TradingCalendar"
import * as Option from "effect/Option"
import * as QuoteTime from "./QuoteTime.ts"
import * as Spot from "./Spot.ts"

/**
 * Hours without a break: from when to when in epoch seconds, and how many shares are traded in them for each that is in the session.
 * `starts` and `lasts` are market time in days since the open of the session, and of how many days.
 *
 * @category models
 * @since 0.1.0
 */
export interface Stretch {
  readonly begins: number
  readonly ends: number
  readonly starts: number
  readonly lasts: number
  readonly busyness: number
}

/**
 * The hours of a day, which is counted since 1970-01-01: all three stretches in order, of which `session` is the second.
 *
 * @category models
 * @since 0.1.0
 */
export interface TradingHours {
  readonly day: number
  readonly session: Stretch
  readonly stretches: readonly [before: Stretch, session: Stretch, after: Stretch]
}

const fourHours = 4 * 3600

/**
 * Returns the hours of a day; undefined where it has no session, or none in `QuoteTime.years`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const of = (day: number): TradingHours | undefined => {
  const date = CalendarDate.fromEpochDay(day)
  if (date.year < QuoteTime.years.first || date.year > QuoteTime.years.last) return undefined
  const found = Option.getOrUndefined(TradingCalendar.session(TradingCalendar.NYSE, date))
  if (found === undefined) return undefined
  const { close, open } = found
  const session = { begins: open, ends: close, starts: 0, lasts: Spot.inSession, busyness: 1 }
  const before = { begins: NewYork.at(date, 4, 0), ends: open, starts: -0.1, lasts: 0.1, busyness: 0.03 }
  const after = { begins: close, ends: close + fourHours, starts: Spot.inSession, lasts: 0.1, busyness: 0.02 }
  return { day, session, stretches: [before, session, after] }
}

/**
 * Returns the market time of a moment in a stretch: days since 1970-01-01, as `Spot.walker` takes them.
 *
 * @category getters
 * @since 0.1.0
 */
export const marketTime = (day: number, { begins, ends, lasts, starts }: Stretch, moment: number): number =>
  day + (starts + lasts * ((moment - begins) / (ends - begins)))
