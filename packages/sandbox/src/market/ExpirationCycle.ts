/**
 * The days on which options expire: every trading day, every Friday, the third Friday of a month, the last trading day of a month. A day
 * that is a market holiday moves to the trading day before.
 *
 * Days are counted from 1970-01-01, as `CalendarDate.toEpochDay` does.
 *
 * @example
 * ```ts
 * import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
 * import * as ExpirationCycle from "@effect-marketdata/sandbox/ExpirationCycle"
 *
 * const june = CalendarDate.toEpochDay(CalendarDate.parseUnsafe("2026-06-01"))
 * const expiration = ExpirationCycle.thirdFridays().onOrAfter(june)
 * CalendarDate.format(CalendarDate.fromEpochDay(expiration)) // => "2026-06-18"
 * ```
 *
 * @since 0.1.0
 */
import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as TradingCalendar from "@effect-marketdata/core/TradingCalendar"

/**
 * A sequence of trading days without beginning and end.
 *
 * @category models
 * @since 0.1.0
 */
export interface ExpirationCycle {
  /** Returns the first day of the cycle that is not before a day. */
  readonly onOrAfter: (day: number) => number
  /** Returns the last day of the cycle that is before a day. */
  readonly before: (day: number) => number
}

const session = 1
const noSession = 2

/** A cache for the days of 1970 to 2099, in which 0 is unknown: listings ask for the same days again and again. */
const known = new Uint8Array(130 * 366)

const isTradingDay = (day: number): boolean => {
  const state = known[day] || stateOf(day)
  known[day] = state
  return state === session
}

const stateOf = (day: number): number =>
  TradingCalendar.isTradingDay(TradingCalendar.NYSE, CalendarDate.fromEpochDay(day)) ? session : noSession

const tradingDayOnOrBefore = (day: number): number => {
  let trading = day
  while (!isTradingDay(trading)) trading--
  return trading
}

/** A cycle with one day in each period, or none; the days lie in their periods, and the periods in order. */
const periodic = (
  periodOf: (day: number) => number,
  dayOf: (period: number) => number | undefined
): ExpirationCycle => ({
  onOrAfter: (day) => {
    for (let period = periodOf(day);; period++) {
      const found = dayOf(period)
      if (found !== undefined && found >= day) return found
    }
  },
  before: (day) => {
    for (let period = periodOf(day);; period--) {
      const found = dayOf(period)
      if (found !== undefined && found < day) return found
    }
  }
})

/**
 * Every trading day.
 *
 * @category constructors
 * @since 0.1.0
 */
export const daily: ExpirationCycle = periodic((day) => day, (day) => isTradingDay(day) ? day : undefined)

/** 1970-01-01 was a Thursday, so that weeks from Sunday to Saturday begin four days before a multiple of seven. */
const weekOf = (day: number): number => Math.floor((day + 4) / 7)

/**
 * The Friday of every week.
 *
 * @category constructors
 * @since 0.1.0
 */
export const fridays: ExpirationCycle = periodic(weekOf, (week) => tradingDayOnOrBefore(week * 7 + 1))

const everyMonth = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]

/**
 * The first day of a month; months are counted through the years.
 *
 * @internal
 */
export const firstOf = (month: number): number =>
  CalendarDate.toEpochDay({ year: Math.floor(month / 12), month: month % 12 + 1, day: 1 })

/** One day in each of some months. */
const monthly = (months: ReadonlyArray<number>, dayIn: (month: number) => number): ExpirationCycle =>
  periodic((day) => {
    const { month, year } = CalendarDate.fromEpochDay(day)
    return year * 12 + month - 1
  }, (month) => months.includes(month % 12 + 1) ? tradingDayOnOrBefore(dayIn(month)) : undefined)

/**
 * The third Friday of every month, or of some months, each given as 1 to 12.
 *
 * @category constructors
 * @since 0.1.0
 */
export const thirdFridays = (months: ReadonlyArray<number> = everyMonth): ExpirationCycle =>
  monthly(months, (month) => {
    const fourteenth = firstOf(month) + 13
    // Day 0 was a Thursday.
    return fourteenth + 7 - (fourteenth + 6) % 7
  })

/**
 * The last trading day of every month, or of some months, each given as 1 to 12.
 *
 * @category constructors
 * @since 0.1.0
 */
export const monthEnds = (months: ReadonlyArray<number> = everyMonth): ExpirationCycle =>
  monthly(months, (month) => firstOf(month + 1) - 1)

/**
 * The days of two cycles together.
 *
 * @category combinators
 * @since 0.1.0
 */
export const either = (a: ExpirationCycle, b: ExpirationCycle): ExpirationCycle => ({
  onOrAfter: (day) => Math.min(a.onOrAfter(day), b.onOrAfter(day)),
  before: (day) => Math.max(a.before(day), b.before(day))
})
