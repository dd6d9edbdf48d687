/**
 * The queries of commands that ask for one thing or for several, for the command line and the planner. Which options go together is checked here; the
 * constructors check the rest: what options are, which columns there are, and which days go together.
 */
import type * as OptionQuote from "@effect-marketdata/core/OptionQuote"
import * as OptionSymbol from "@effect-marketdata/core/OptionSymbol"
import * as Query from "@effect-marketdata/core/Query"
import type * as StockQuotes from "@effect-marketdata/core/StockQuotes"
import * as Result from "effect/Result"
import { optionSymbolOf, refuse } from "./written.ts"

type Symbols = ReadonlyArray<string>

/** Options as they are written, which no type has seen. */
type Options = Readonly<Record<string, unknown>>

/** A query for each contract, which may be named twice. */
export const contracts = (texts: Symbols, options: Options) =>
  Result.flatMap(Result.all(texts.map(optionSymbolOf)), (symbols) => {
    const names = new Set(symbols.map((symbol) => OptionSymbol.format(symbol)))
    return Result.all(Array.from(names, (name) => Query.optionQuote(name, options as OptionQuote.Options)))
  })

/** One query for all stocks; the range of the year is there for one stock only. */
export const stockQuotes = (symbols: Symbols, { "52week": year, candle, ...rest }: Options) => {
  const [symbol = "", ...others] = symbols
  const include = [...year === true ? ["52week"] : [], ...candle === true ? ["candle"] : []]
  const options = { ...rest, include } as StockQuotes.Options<StockQuotes.BaseColumn, undefined, "candle">
  return others.length === 0
    ? Query.stockQuote(symbol, options)
    : year === true
    ? refuse("52week", true, "is for one stock only", `${symbol} --52week`)
    : Query.stockQuotes(symbols, options)
}

/** One query for the stocks that are named, or for every stock there is. */
export const stockBulkCandles = (symbols: Symbols, { all, ...options }: Options) =>
  all !== true
    ? Query.stockBulkCandles(symbols, options)
    : symbols.length > 0
    ? refuse("all", true, "cannot be combined with symbols", symbols.slice(0, 3).join(" "))
    : Query.stockBulkCandles("all", options)

/** One query for days, the only one of which may be named as the argument too. */
export const marketStatus = (day: string | undefined, options: Options) =>
  day !== undefined && options["date"] !== undefined
    ? refuse("date", options["date"], `cannot be combined with the day ${day}`, `${day} alone`)
    : Query.marketStatus(day === undefined ? options : { ...options, date: day })
