/**
 * Days and instants of New York, for fast-check, drawn where programs about markets go wrong: where clocks change, on holidays and half days,
 * and at the edges of sessions.
 *
 * Days shrink towards the first one allowed, instants towards 1970.
 *
 * @example
 * ```ts
 * import * as TradingCalendar from "@effect-marketdata/core/TradingCalendar"
 * import * as Days from "@effect-marketdata/testing/Days"
 * import * as fc from "fast-check"
 *
 * const [holiday] = fc.sample(Days.holiday, { seed: 1, numRuns: 1 })
 * TradingCalendar.isTradingDay(TradingCalendar.NYSE, holiday!) // => false
 * ```
 *
 * @since 0.1.0
 */
import { CalendarDate, NewYork, TradingCalendar } from "@effect-marketdata/core"
import * as Option from "effect/Option"
import * as fc from "fast-check"

/**
 * Any day between two, both included: of the years 2000 to 2099 if left out, those that an option symbol can name. All are equally likely.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const day = (
  from: CalendarDate.CalendarDate = { year: 2000, month: 1, day: 1 },
  to: CalendarDate.CalendarDate = { year: 2099, month: 12, day: 31 }
): fc.Arbitrary<CalendarDate.CalendarDate> =>
  fc.integer({ min: CalendarDate.toEpochDay(from), max: CalendarDate.toEpochDay(to) }).map(CalendarDate.fromEpochDay)

const sunday = (year: number, month: number, first: number): CalendarDate.CalendarDate => {
  const date = { year, month, day: first }
  return CalendarDate.addDays(date, (7 - CalendarDate.dayOfWeek(date)) % 7)
}

/**
 * A Sunday on which New York clocks are changed, of the years 2007 to 2099: the second of March or the first of November.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const clockChange: fc.Arbitrary<CalendarDate.CalendarDate> = fc
  .tuple(fc.integer({ min: 2007, max: 2099 }), fc.boolean())
  .map(([year, autumn]) => autumn ? sunday(year, 11, 1) : sunday(year, 3, 8))

/** A day on which the New York Stock Exchange does something rare, such as closing early; every year has some. */
const rareDay = (is: (day: TradingCalendar.Day) => boolean): fc.Arbitrary<CalendarDate.CalendarDate> => {
  const found = new Map<number, ReadonlyArray<CalendarDate.CalendarDate>>()
  const daysOf = (year: number) => {
    const first = CalendarDate.toEpochDay({ year, month: 1, day: 1 })
    const days = found.get(year) ?? Array.from({ length: 365 }, (_, index) => CalendarDate.fromEpochDay(first + index))
      .filter((date) => is(TradingCalendar.NYSE.day(date)))
    found.set(year, days)
    return days
  }
  return fc.tuple(fc.integer({ min: 2000, max: 2099 }), fc.nat({ max: 15 })).map(([year, index]) => {
    const days = daysOf(year)
    return days[index % days.length]!
  })
}

/**
 * A weekday of the years 2000 to 2099 on which the New York Stock Exchange is closed.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const holiday: fc.Arbitrary<CalendarDate.CalendarDate> = rareDay(({ _tag }) => _tag === "Holiday")

/**
 * A day of the years 2000 to 2099 on which the New York Stock Exchange closes early.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const halfDay: fc.Arbitrary<CalendarDate.CalendarDate> = rareDay((day) =>
  day._tag === "Session" && day.close < 16 * 3600
)

/**
 * A day of the years 2000 to 2099 with a session at the New York Stock Exchange; half days, and days beside a holiday or a change of
 * clocks, are more likely than others.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const tradingDay: fc.Arbitrary<CalendarDate.CalendarDate> = fc.oneof(
  { arbitrary: day(), weight: 3 },
  { arbitrary: halfDay, weight: 1 },
  { arbitrary: fc.oneof(holiday, clockChange), weight: 2 }
).map((date) => Option.getOrElse(TradingCalendar.tradingDayOnOrAfter(TradingCalendar.NYSE, date), () => date))

const leap = fc.nat({ max: 24 }).map((count) => ({ year: 2000 + 4 * count, month: 2, day: 29 }))

/**
 * A day of the years 2000 to 2099; those of the other arbitraries, and 29 February, are as likely as any.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const anyDay: fc.Arbitrary<CalendarDate.CalendarDate> = fc.oneof(day(), tradingDay, holiday, clockChange, leap)

/**
 * Epoch seconds within two seconds of a moment at which something begins or ends on a trading day: midnight, 09:30, the closing time,
 * 16:00, or 16:15.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const sessionEdge: fc.Arbitrary<number> = fc.tuple(
  tradingDay,
  fc.constantFrom("midnight", "open", "close", "equities", "indexes"),
  fc.integer({ min: -2, max: 2 })
).map(([date, edge, seconds]) => {
  const session = TradingCalendar.NYSE.day(date)
  const close = session._tag === "Session" ? session.close : 16 * 3600
  const secondOfDay = { midnight: 0, open: 9.5 * 3600, close, equities: 16 * 3600, indexes: 16.25 * 3600 }[edge]
  return NewYork.toEpochSeconds(date, secondOfDay) + seconds
})

/**
 * Epoch seconds within two hours of a change of clocks, most of them within two seconds of a full hour: the skipped hour, and the repeated
 * one both times.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const clockChangeEdge: fc.Arbitrary<number> = fc.tuple(
  clockChange,
  fc.oneof(
    fc.tuple(fc.integer({ min: -2, max: 2 }), fc.integer({ min: -2, max: 2 }))
      .map(([hours, seconds]) => hours * 3600 + seconds),
    fc.integer({ min: -7200, max: 7200 })
  )
).map(([date, seconds]) => NewYork.midnight(date) + 2 * 3600 + seconds)

/**
 * Epoch seconds of the years 1970 to 2099: anywhere, at the edges of sessions, and around changes of clocks. Whole seconds.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const instant: fc.Arbitrary<number> = fc.oneof(
  fc.integer({ min: 0, max: NewYork.at({ year: 2099, month: 12, day: 31 }, 23, 59, 59) }),
  sessionEdge,
  clockChangeEdge
)
