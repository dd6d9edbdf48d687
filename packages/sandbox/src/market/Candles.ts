/**
 * Candles: open, high, low and close of the one walk that options and quotes read too. A candle ends with the price with which the next
 * one begins, the last one of a session with its close, and a longer candle is made of the shorter ones that it spans.
 *
 * Prices are looked at every half minute. Nothing is seen that lies after the moment from which one looks: the last candle may be
 * unfinished.
 *
 * @example
 * ```ts
 * import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
 * import * as Candles from "@effect-marketdata/sandbox/Candles"
 * import * as Stock from "@effect-marketdata/sandbox/Stock"
 *
 * const apple = Stock.all.find(({ symbol }) => symbol === "AAPL")!
 * const { ofDay } = Candles.make(1, apple)
 * const day = CalendarDate.toEpochDay(CalendarDate.parseUnsafe("2026-11-20"))
 * const { h, l, o } = ofDay(day)!
 * l <= o && o <= h // => true
 * ofDay(day + 1) // => undefined
 * ```
 *
 * @since 0.1.0
 */
import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as NewYork from "@effect-marketdata/core/NewYork"
import * as ExpirationCycle from "./ExpirationCycle.ts"
import * as Memo from "./memo.ts"
import * as QuoteTime from "./QuoteTime.ts"
import * as Resolution from "./Resolution.ts"
import * as SeededNoise from "./seededNoise.ts"
import * as Spot from "./Spot.ts"
import type { Stock } from "./Stock.ts"
import * as TradingHours from "./TradingHours.ts"
import type { Stretch } from "./TradingHours.ts"

/**
 * A candle: prices in dollars, and `v` shares.
 *
 * @category models
 * @since 0.1.0
 */
export interface Candle {
  readonly o: number
  readonly h: number
  readonly l: number
  readonly c: number
  readonly v: number
}

/**
 * A candle with its beginning in epoch seconds.
 *
 * @category models
 * @since 0.1.0
 */
export interface Timed extends Candle {
  readonly t: number
}

/**
 * Which candles: those of a resolution that begin from `from` to `to`, as they look at a moment `at`. All are epoch seconds, and `to` and
 * `at` are included. `extended` adds the hours before and after the session; candles of a day and longer never have them.
 *
 * @category models
 * @since 0.1.0
 */
export interface Range {
  readonly resolution: Resolution.Resolution
  readonly from: number
  readonly to: number
  readonly at: number
  readonly extended: boolean
}

/**
 * The candles of a stock.
 *
 * - `between`: the candles of a range, the earliest first
 * - `ofDay`: the candle of a day's session, as far as it has come at a moment in epoch seconds; undefined where it has not begun, or the day
 *   has none
 *
 * @category models
 * @since 0.1.0
 */
export interface Candles {
  readonly between: (range: Range) => ReadonlyArray<Timed>
  readonly ofDay: (day: number, at?: number) => Candle | undefined
}

/** In seconds. */
const step = 30

/** How many for each stock: all of its years. */
const daysRemembered = 25_000

/**
 * Creates the candles of a stock. They remember the days that they were asked for.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (seed: number, stock: Spot.Asset & Pick<Stock, "symbol" | "shares">): Candles => {
  const heightAt = Spot.walker(seed, stock)

  /** The candles of parts of a stretch, from one whole minute to another. */
  const partsOf = (day: number, stretch: TradingHours.Stretch) => {
    const traded = sharesTraded(seed, stock, day, stretch)
    const heightOf = (moment: number) => heightAt(TradingHours.marketTime(day, stretch, moment))
    return (from: number, to: number): Candle => {
      const first = heightOf(from)
      let [highest, lowest, last] = [first, first, first]
      for (let moment = from + step; moment <= to; moment += step) {
        last = heightOf(moment)
        if (last > highest) highest = last
        if (last < lowest) lowest = last
      }
      return {
        o: Spot.priceAt(stock, first),
        h: Spot.priceAt(stock, highest),
        l: Spot.priceAt(stock, lowest),
        c: Spot.priceAt(stock, last),
        v: traded(to) - traded(from)
      }
    }
  }

  const ofSession = Memo.recent(daysRemembered, (day: number) => day, (day) => {
    const session = TradingHours.of(day)?.session
    return session && partsOf(day, session)(session.begins, session.ends)
  })

  const ofDay = (day: number, at: number = Infinity): Candle | undefined => {
    // Most days are before that of the moment, and their hours need not be looked up.
    if (at === Infinity || NewYork.epochDayOf(at) > day) return ofSession(day)
    const session = TradingHours.of(day)?.session
    if (session === undefined || !(at >= session.begins)) return undefined
    return at >= session.ends ? ofSession(day) : partsOf(day, session)(session.begins, lastQuote(session, at))
  }

  const minutes = ({ at, extended, from, resolution: { count }, to }: Range): ReadonlyArray<Timed> => {
    const found: Array<Timed> = []
    const end = Math.min(to, at)
    for (const day of days(NewYork.epochDayOf(from), NewYork.epochDayOf(end))) {
      const hours = TradingHours.of(day)
      if (hours === undefined) continue
      for (const stretch of extended ? hours.stretches : [hours.session]) {
        const ofPart = partsOf(day, stretch)
        for (let t = stretch.begins; t < stretch.ends && t <= end; t += count * 60) {
          if (t < from) continue
          const ends = Math.min(t + count * 60, stretch.ends, lastQuote(stretch, at))
          found.push({ t, ...ofPart(t, ends) })
        }
      }
    }
    return found
  }

  return {
    between: (range) => range.resolution.unit === "minute" ? minutes(range) : ofDays(range, ofDay),
    ofDay
  }
}

/** The moment of the newest quotes of a stretch: they are taken on each minute of it. */
const lastQuote = ({ begins }: TradingHours.Stretch, at: number): number => begins + Math.floor((at - begins) / 60) * 60

/**
 * The first day that has prices.
 *
 * @internal
 */
export const firstDay = CalendarDate.toEpochDay({ year: QuoteTime.years.first, month: 1, day: 1 })
const lastDay = CalendarDate.toEpochDay({ year: QuoteTime.years.last, month: 12, day: 31 })

/** The trading days from one day to another, both included, as far as there are prices. */
const days = function*(from: number, to: number): Generator<number> {
  const last = Math.min(to, lastDay)
  if (!(from <= last)) return
  let day = ExpirationCycle.daily.onOrAfter(Math.max(from, firstDay))
  while (day <= last) {
    yield day
    day = ExpirationCycle.daily.onOrAfter(day + 1)
  }
}

/**
 * Makes candles of a day and longer, of the candles of single days. They begin at midnight of their first session; one that began before
 * `from` is left out.
 *
 * @category constructors
 * @since 0.1.0
 */
export const ofDays = (
  { at, from, resolution, to }: Omit<Range, "extended">,
  ofDay: Candles["ofDay"]
): ReadonlyArray<Timed> => {
  const found: Array<Timed> = []
  const fromDay = NewYork.epochDayOf(from + 86_399)
  // Outside of the calendar, or from NaN, the search for a trading day would never end.
  if (!(fromDay <= lastDay)) return found
  const before = ExpirationCycle.daily.before(Math.max(fromDay, firstDay))
  let candle = Resolution.candleOf(resolution, before)
  let open: Timed | undefined
  for (const day of days(fromDay, NewYork.epochDayOf(at))) {
    const next = Resolution.candleOf(resolution, day)
    const isNew = next !== candle
    candle = next
    if (!isNew && open === undefined) continue
    const added = ofDay(day, at)
    if (added === undefined) break
    if (isNew) {
      if (open !== undefined) found.push(open)
      const t = NewYork.midnight(CalendarDate.fromEpochDay(day))
      open = t > to ? undefined : { t, ...added }
      if (open === undefined) break
    } else if (open !== undefined) open = joined(open, added)
  }
  if (open !== undefined) found.push(open)
  return found
}

const joined = (first: Timed, next: Candle): Timed => ({
  t: first.t,
  o: first.o,
  h: Math.max(first.h, next.h),
  l: Math.min(first.l, next.l),
  c: next.c,
  v: first.v + next.v
})

/** The busiest days see five times the shares of the quietest. */
const unevenness = 1.6

/**
 * Returns how many shares have been traded in a stretch of a day up to a moment, which is a whole minute after its beginning: most after the
 * open and before the close, few outside the session. What has been traded by a moment only grows, so that the volume of any candle is a
 * difference, and candles add up.
 */
const sharesTraded = (
  seed: number,
  { shares, symbol }: Pick<Stock, "symbol" | "shares">,
  day: number,
  { begins, busyness, ends }: Stretch
): (moment: number) => number => {
  const today = SeededNoise.mix(SeededNoise.named(seed, symbol), day)
  const ofStretch = SeededNoise.mix(today, SeededNoise.ofText("volume") + begins)
  const total = shares * busyness * Math.exp(unevenness * (SeededNoise.unit(today) - 0.5))
  const minutes = (ends - begins) / 60
  return (moment) => {
    const minute = (moment - begins) / 60
    if (minute <= 0) return 0
    if (minute >= minutes) return Math.floor(total)
    // Each minute's boundary is moved by less than half a minute, so that minutes differ and none is negative.
    const moved = minute + 0.9 * (SeededNoise.draw(ofStretch, minute) - 0.5)
    return Math.floor(total * sharesBy(moved / minutes))
  }
}

/** The part of a stretch's shares that is traded in the first part of it: three times as fast at its ends as in the middle. */
const sharesBy = (part: number): number => 0.6 * part + 1.6 * ((part - 0.5) ** 3 + 0.125)
