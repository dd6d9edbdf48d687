/**
 * Parses what people type in a field, on a command line or in a file: numbers of a filter, option symbols, modes, days relative to today, lists of
 * symbols. It checks which parts go together; the constructors of `Query` check the rest.
 *
 * @example
 * ```ts
 * import * as NewYork from "@effect-marketdata/core/NewYork"
 * import * as QueryText from "@effect-marketdata/core/QueryText"
 * import * as Result from "effect/Result"
 *
 * QueryText.numbers("strike", "150-160", "150") // => Result.succeed({ from: 150, to: 160 })
 * QueryText.numbers("volume", ">=100", ">=1") // => Result.succeed({ atLeast: 100 })
 * QueryText.day("2 days ago", NewYork.at({ year: 2026, month: 11, day: 20 }, 12, 0)) // => "2026-11-18"
 *
 * const refused = QueryText.mode({ mode: "live", maxAge: "5min" })
 * Result.isFailure(refused) && refused.failure.rule // => "is for cached data only"
 * ```
 *
 * @see {@link WorkloadSchedule} for schedules in words
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import * as DataMode from "../account/DataMode.ts"
import type * as OptionQuote from "../endpoints/OptionQuote.ts"
import * as Query from "../endpoints/Query.ts"
import type * as StockQuotes from "../endpoints/StockQuotes.ts"
import * as Parameter from "../query/parameter.ts"
import { InvalidQuery } from "../reason/Reason.ts"
import * as OptionSymbol from "../symbol/OptionSymbol.ts"
import * as DurationText from "../text/DurationText.ts"
import * as Problem from "../text/Problem.ts"
import * as Untyped from "../text/untyped.ts"
import * as CalendarDate from "../time/CalendarDate.ts"
import * as MaxAge from "../time/MaxAge.ts"
import * as NewYork from "../time/NewYork.ts"

/** Refuses an option of a query: its name, what was given, the rule, and an example. */
const refuse = (name: unknown, value: unknown, rule: string, example: unknown) =>
  Result.fail(InvalidQuery.of(Untyped.shown(name), value, { rule, example: Untyped.shown(example) }))

/**
 * Numbers that a filter keeps: one, a list, a range, a bound.
 *
 * @category models
 * @since 0.1.0
 */
export type Numbers = Parameter.Numbers

/**
 * Reads which numbers a filter keeps, written as the service writes them: `150`, `150,155`, `150-160`, `>150`, `>=150`, `<150` or `<=150`. A filter that
 * is left out is undefined. Fails with `InvalidQuery` that has the name and the example.
 *
 * @category decoding
 * @since 0.1.0
 */
export const numbers = (
  name: string,
  text: string | number | undefined,
  example: string
): Result.Result<Numbers | undefined, InvalidQuery> => {
  if (text === undefined) return Result.succeed(undefined)
  const read = Parameter.parseNumbers(Untyped.shown(text).replaceAll(" ", "").replace(/(?<!\d)\.(?=\d)/g, "0."))
  if (read === undefined) {
    return refuse(name, text, "must be a number, a list, a range or a bound such as '>=1'", example)
  }
  return typeof read === "object" && "from" in read && read.from > read.to
    ? refuse(name, text, "must go from the smaller number to the greater", `${read.to}-${read.from}`)
    : Result.succeed(read)
}

/**
 * Reads an option symbol, with or without the blanks that fill its root to six characters.
 *
 * @category decoding
 * @since 0.1.0
 */
export const optionSymbol = (text: string): Result.Result<OptionSymbol.OptionSymbol, InvalidQuery> => {
  const padded = OptionSymbol.parseOsi(text)
  const isPadded = Result.isSuccess(padded) || typeof text !== "string" || text.includes(" ")
  const read = isPadded ? padded : OptionSymbol.parse(text)
  return Result.mapError(read, (error) => InvalidQuery.of("symbol", text, error))
}

/**
 * A mode as it is typed: its name, the greatest age of cached data such as `5min`, and what live data may cost at most if nothing is cached, in credits.
 *
 * @category models
 * @since 0.1.0
 */
export interface Mode {
  readonly mode?: "live" | "delayed" | "cached" | undefined
  readonly maxAge?: string | undefined
  readonly fallbackUpTo?: number | undefined
}

/**
 * Reads a mode from its parts; undefined if no mode is named. `dashes` is printed before the names of the parts if they are flags. Fails
 * with `InvalidQuery` for parts that do not go together, and for an age that cannot be read.
 *
 * @category decoding
 * @since 0.1.0
 */
export const mode = (asked: Mode, dashes = ""): Result.Result<DataMode.DataMode | undefined, InvalidQuery> =>
  Result.gen(function*() {
    const { fallbackUpTo, maxAge, mode } = { ...asked }
    const [part, given] = maxAge === undefined ? ["fallback-up-to", fallbackUpTo] : ["max-age", maxAge]
    const name = dashes + part
    if (mode !== "cached" && given !== undefined) {
      const example = `${dashes}mode cached ${name} ${given}`
      return yield* refuse(name, given, "is for cached data only", example)
    }
    if (mode !== "cached") return mode && DataMode.fromParameter(mode)
    const age = maxAge === undefined ? undefined : yield* Result.mapError(
      MaxAge.parse(DurationText.spaced(maxAge)),
      (error) => InvalidQuery.of(name, maxAge, error)
    )
    return fallbackUpTo === undefined ? DataMode.cached({ maxAge: age }) : DataMode.cachedOrLive({ maxAge: age })
  })

const daysBack = (text: string): number | undefined => {
  if (text === "today" || text === "now") return 0
  if (text === "yesterday") return 1
  const [, count, unit] = /^(\d{1,5}) (day|week)s? ago$/.exec(text) ?? []
  return count === undefined ? undefined : Number(count) * (unit === "week" ? 7 : 1)
}

/**
 * Returns a day relative to today as its date in New York, so that candles between two days can be counted: `today`, `yesterday`, `3 days ago`,
 * `2 weeks ago`. Any other text stays as it is, for the service to read. `now` is in epoch seconds.
 *
 * @category decoding
 * @since 0.1.0
 */
export const day = (text: string, now: number): string => {
  const back = typeof text === "string" ? daysBack(text.trim().toLowerCase()) : undefined
  const today = CalendarDate.toEpochDay(NewYork.dateOf(now))
  return back === undefined ? text : CalendarDate.format(CalendarDate.fromEpochDay(today - back))
}

/**
 * A range of days as it is typed.
 *
 * @category models
 * @since 0.1.0
 */
export interface Range {
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly countback?: unknown
}

/**
 * Returns both days of a range as dates in New York; the last one is today if it is left out. `now` is in epoch seconds.
 *
 * @category decoding
 * @since 0.1.0
 */
export const range = (given: Range, now: number): Pick<Range, "from" | "to"> => {
  const { countback, from: first, to: last } = { ...given }
  const isOpen = first !== undefined && countback === undefined
  const named = (text: string | undefined) => text === undefined ? undefined : day(text, now)
  const from = named(first)
  const to = named(isOpen ? last ?? "today" : last)
  // A range that begins after today is refused by its own name, not by that of an option that was not given.
  const isReversed = last === undefined && from !== undefined && to !== undefined && from > to
  return { from, to: isReversed ? last : to }
}

/** Options as they are written, which no type has seen. */
type Options = Readonly<Record<string, unknown>>

/**
 * Makes a query for each contract. A contract may occur twice.
 *
 * @category constructors
 * @since 0.1.0
 */
export const optionQuotes = (texts: ReadonlyArray<string>, options: Options) =>
  Result.flatMap(Result.all(Problem.list("symbols", texts).map(optionSymbol)), (symbols) => {
    const names = new Set(symbols.map((symbol) => OptionSymbol.format(symbol)))
    return Result.all(Array.from(names, (name) => Query.optionQuote(name, options as OptionQuote.Options)))
  })

/**
 * Makes one query for all stocks. `52week` adds the range of the year, for a single stock only, and `candle` the candle of the day.
 *
 * @category constructors
 * @since 0.1.0
 */
export const stockQuotes = (symbols: ReadonlyArray<string>, asked: Options) => {
  const { "52week": year, candle, ...rest } = { ...asked }
  const [symbol = "", ...others] = Problem.list("symbols", symbols)
  const include = [...year === true ? ["52week"] : [], ...candle === true ? ["candle"] : []]
  const options = { ...rest, include } as StockQuotes.Options<StockQuotes.BaseColumn, undefined, "candle">
  return others.length === 0
    ? Query.stockQuote(symbol, options)
    : year === true
    ? refuse("52week", true, "is for one stock only", `${symbol} --52week`)
    : Query.stockQuotes(symbols, options)
}

/**
 * Makes one query for the stocks that are named, or with `all` for every stock there is.
 *
 * @category constructors
 * @since 0.1.0
 */
export const stockBulkCandles = (symbols: ReadonlyArray<string>, asked: Options) => {
  const { all, ...options } = { ...asked }
  if (all !== true) return Query.stockBulkCandles(symbols, options)
  return Problem.list("symbols", symbols).length > 0
    ? refuse("all", true, "cannot be combined with symbols", symbols.slice(0, 3).join(" "))
    : Query.stockBulkCandles("all", options)
}

/**
 * Makes one query for a range of days, or for a single day.
 *
 * @category constructors
 * @since 0.1.0
 */
export const marketStatus = (day: string | undefined, options: Options) =>
  day !== undefined && options?.["date"] !== undefined
    ? refuse("date", options["date"], `cannot be combined with the day ${day}`, `${day} alone`)
    : Query.marketStatus(day === undefined ? options : { ...options, date: day })
