/**
 * How long a candle is, as the service's paths say it: minutes (`5`), hours (`2H`), days, weeks, months and years (`D`, `3M`), or the same
 * in words.
 *
 * @example
 * ```ts
 * import * as Resolution from "@effect-marketdata/sandbox/Resolution"
 *
 * Resolution.parse("2H") // => { unit: "minute", count: 120 }
 * Resolution.parse("weekly") // => { unit: "week", count: 1 }
 * Resolution.parse("soon") // => undefined
 * ```
 *
 * @since 0.1.0
 */
import * as CalendarDate from "@effect-marketdata/core/CalendarDate"

/**
 * A number of units; an hour is sixty minutes.
 *
 * @category models
 * @since 0.1.0
 */
export interface Resolution {
  readonly unit: "minute" | "day" | "week" | "month" | "year"
  readonly count: number
}

const units: ReadonlyArray<readonly [letter: string, word: string, Resolution]> = [
  ["", "minutely", { unit: "minute", count: 1 }],
  ["h", "hourly", { unit: "minute", count: 60 }],
  ["d", "daily", { unit: "day", count: 1 }],
  ["w", "weekly", { unit: "week", count: 1 }],
  ["m", "monthly", { unit: "month", count: 1 }],
  ["y", "yearly", { unit: "year", count: 1 }]
]

/**
 * Reads a resolution, in letters of either case; undefined for an invalid text. How large its number may be is for core to judge.
 *
 * @category decoding
 * @since 0.1.0
 */
export const parse = (text: string): Resolution | undefined => {
  const lower = text.toLowerCase()
  const [, times = "1", letter] = /^(?=.)([1-9]\d*)?([hdwmy]?)$/.exec(lower) ?? []
  const [, , one] = units.find(([own, word]) => letter === undefined ? word === lower : own === letter) ?? []
  return one && { ...one, count: one.count * Number(times) }
}

/**
 * Numbers the candles to which days belong: days of one candle have the same number, and later candles have higher ones. Days are counted
 * since 1970-01-01, weeks begin on Monday, and days are counted as weekdays.
 *
 * @category getters
 * @since 0.1.0
 */
export const candleOf = ({ count, unit }: Resolution, day: number): number => {
  if (unit === "minute") return day
  // Day 4 was a Monday.
  const week = Math.floor((day - 4) / 7)
  if (unit === "week") return Math.floor(week / count)
  if (unit === "day") return Math.floor((week * 5 + Math.min(4, day - 4 - week * 7)) / count)
  const { month, year } = CalendarDate.fromEpochDay(day)
  return Math.floor((unit === "year" ? year : year * 12 + month - 1) / count)
}
