import type * as Query from "../query/query.ts"
import { grouped } from "../text/amount.ts"
import * as DayRange from "../query/dayRange.ts"
import * as Maximum from "./maximum.ts"
import * as TradingDays from "../time/tradingDays.ts"

/**
 * The most candles that a query can bring: as many as it counts back, the one of now where it names no days, and those that fit between
 * two days where it names both.
 */
export const maxCandles = (query: Query.Query): Maximum.Maximum => {
  const countback = DayRange.parameterOf(query, "countback")
  if (countback !== undefined) {
    return /^\d+$/.test(countback)
      ? Maximum.make(Number(countback), { name: "candles", value: `at most ${countback}, counted back` })
      : Maximum.none
  }
  const isDated = query.parameters.some(([name]) => name === "from" || name === "to")
  if (!isDated) return Maximum.make(1, { name: "candles", value: "1, the most recent" })
  const range = DayRange.of(query)
  const resolution = resolutionOf(query)
  if (range === undefined || resolution === undefined) return Maximum.none
  const isRegular = DayRange.parameterOf(query, "extended") === "false"
  const { count, each } = fitting(resolution, range, isRegular ? [regular] : [before, regular, after])
  return Maximum.make(count, { name: "candles", value: `at most ${grouped(count)}, ${each}` })
}

/** How long a candle is: a number of units. */
interface Resolution {
  readonly unit: "minute" | "day" | "week" | "month" | "year"
  readonly count: number
}

const units = {
  minutely: ["minute", 1],
  "": ["minute", 1],
  hourly: ["minute", 60],
  h: ["minute", 60],
  daily: ["day", 1],
  d: ["day", 1],
  weekly: ["week", 1],
  w: ["week", 1],
  monthly: ["month", 1],
  m: ["month", 1],
  yearly: ["year", 1],
  y: ["year", 1]
} as const

/** The resolution is part of the path, in letters of either case. */
const resolutionOf = ({ path }: Query.Query): Resolution | undefined => {
  const text = /\/candles\/([^/]+)\//.exec(path)?.[1]?.toLowerCase() ?? ""
  const [, count, letters] = /^(\d*)([a-z]*)$/.exec(text) ?? []
  if (text === "" || letters === undefined || !Object.hasOwn(units, letters)) return undefined
  const [unit, one] = units[letters as keyof typeof units]
  return { unit, count: one * Number(count === "" ? 1 : count) }
}

/** The hours of a trading day in minutes: 04:00 to 09:30, to 16:00 and to 20:00 in New York. A candle spans no two of them. */
const [before, regular, after] = [330, 390, 240] as const

/** The most candles of some length that touch a stretch: one that began earlier, and one that ends later, may be among them. */
const touching = (stretch: number, length: number): number => stretch === 0 ? 0 : Math.ceil((stretch - 1) / length) + 1

const fitting = (
  { count, unit }: Resolution,
  range: DayRange.DayRange,
  stretches: ReadonlyArray<number>
): { readonly count: number; readonly each: string } => {
  const { first, last } = range
  const each = (name: string): string => `1 for ${count === 1 ? `each ${name}` : `every ${count} ${name}s`}`
  switch (unit) {
    case "minute": {
      const ofDay = stretches.reduce((sum, stretch) => sum + touching(stretch, count), 0)
      return {
        count: TradingDays.sessions(first, last) * ofDay,
        each: `${grouped(ofDay)} for each trading day of the NYSE${
          stretches.length > 1 ? ", extended hours included" : ""
        }`
      }
    }
    case "day": {
      const sessions = TradingDays.sessions(first, last)
      // Several days together may be counted with the holidays among them.
      const most = count === 1 ? sessions : Math.min(sessions, touching(TradingDays.weekdays(first, last), count))
      return { count: most, each: `${each("trading day")} of the NYSE` }
    }
    case "week":
      // A week may begin on any day.
      return { count: touching(Math.max(0, last - first + 1), 7 * count), each: each("week") }
    case "month":
      return { count: touching(DayRange.months(range), count), each: each("month") }
    case "year":
      return { count: touching(DayRange.years(range), count), each: each("year") }
  }
}
