/** Quotes: of an option, and of any number of stocks. */
import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import type { ColumnSpec } from "@effect-marketdata/core/ColumnSpec"
import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
import type * as Endpoint from "@effect-marketdata/core/Endpoint"
import * as NewYork from "@effect-marketdata/core/NewYork"
import * as OptionQuote from "@effect-marketdata/core/OptionQuote"
import * as Query from "@effect-marketdata/core/Query"
import * as StockPrices from "@effect-marketdata/core/StockPrices"
import * as StockQuotes from "@effect-marketdata/core/StockQuotes"
import * as TradingCalendar from "@effect-marketdata/core/TradingCalendar"
import * as Result from "effect/Result"
import * as Parameters from "../request/parameters.ts"
import * as Refusals from "../request/refusals.ts"
import * as View from "../view/view.ts"

/** The quote of one contract: now, at the end of a past day, or at the end of each day of a range (contract 4.2). */
export const ofOption: View.Reader = ({ parameters, profile, segments }) =>
  Result.gen(function*() {
    const date = yield* Parameters.date(parameters)
    const { from, to } = yield* Parameters.several(parameters, Parameters.day, ["from", "to"])
    if (date !== undefined && (from ?? to) !== undefined) return yield* Result.fail(Refusals.dateWithRange)
    const days = { date, from, to } as OptionQuote.Options<OptionQuote.Column, Endpoint.AnyMode>
    const query = yield* Refusals.query(Query.optionQuote(segments["optionSymbol"]!, days))
    yield* Parameters.checkPastDay(query, parameters.now)
    const [underlying] = query.tickers
    const symbols = [query.subject]
    return {
      query,
      answer: (view) =>
        Result.gen(function*() {
          if (from !== undefined || to !== undefined) {
            return View.table(yield* eachDay(view, query.subject, from, to), symbols)
          }
          if (date !== undefined) {
            if (!TradingCalendar.isTradingDay(TradingCalendar.NYSE, date)) {
              return yield* Result.fail(Refusals.marketClosed)
            }
            if (!view.isOver("options", date)) return yield* Result.fail(Refusals.noData)
            const quotes = view.market.optionQuotesAtClose(symbols, date)
            const known = yield* Refusals.notEmpty(quotes, Refusals.optionNotFound)
            return View.table(View.ofPastDay(profile, OptionQuote.spec, known), symbols)
          }
          const at = view.at("options", underlying!)
          if (at === undefined) return yield* Result.fail(Refusals.noContent)
          const quotes = view.market.optionQuotes(symbols, at)
          return View.table(yield* Refusals.notEmpty(quotes, Refusals.optionNotFound), [underlying!])
        })
    }
  })

/** The most days of one series. What the service does with more is not known; the sandbox refuses them, as it does intraday candles of over a year. */
const mostDays = 366

/** The quotes at the close of each session from one day to before another, as far as they are over. */
const eachDay = (
  view: View.View,
  symbol: string,
  from: CalendarDate.CalendarDate | undefined,
  to: CalendarDate.CalendarDate | undefined
): Result.Result<OptionQuote.OptionQuote, Refusals.Refusal> => {
  const today = NewYork.epochDayOf(view.now)
  const end = to === undefined ? today : Math.min(CalendarDate.toEpochDay(to), today)
  const start = from === undefined ? end - mostDays : CalendarDate.toEpochDay(from)
  if (end - start > mostDays) {
    return Result.fail(Refusals.tooMuchData("Too much data. Ask for at most one year of quotes."))
  }
  const days: Array<OptionQuote.OptionQuote> = []
  for (let day = start; day < end; day++) {
    const date = CalendarDate.fromEpochDay(day)
    if (view.isOver("options", date)) days.push(view.market.optionQuotesAtClose([symbol], date))
  }
  const all = days.filter(({ length }) => length > 0)
  if (all.length === 0) return Result.fail(Refusals.noData)
  return Result.succeed(View.ofPastDay(view.profile, OptionQuote.spec, ColumnTable.merge(OptionQuote.spec, all)))
}

/** The tickers of a query: the one in its path, or the list in `symbols`. */
export const tickersOf = (
  { list, parameters, segments }: View.Asked
): Result.Result<ReadonlyArray<string>, Refusals.Refusal> => {
  if (!list) return Result.succeed([segments["symbol"]!])
  const symbols = Parameters.text(parameters, "symbols")
  return symbols === undefined
    ? Result.fail(Refusals.badRequest("Invalid symbols. Name tickers, separated by commas."))
    : Result.succeed(symbols.split(",").map((symbol) => symbol.trim()))
}

/**
 * What is found of some tickers at the moments that may be seen of them. Those that the market does not know are missing; where it knows
 * none there is no such symbol, and where the cache has none there is nothing.
 */
const ofTickers = <Spec extends ColumnSpec & { readonly symbol: typeof StockPrices.spec.symbol }>(
  spec: Spec,
  symbols: ReadonlyArray<string>,
  { at }: View.View,
  rowsAt: (symbols: ReadonlyArray<string>, at: number) => ColumnTable.ColumnTable<Spec>
): Result.Result<View.Found, Refusals.Refusal> => {
  // Only neighbours with the same moment are looked up together, so that the reply keeps the order of the query.
  const runs: Array<{ readonly moment: number; readonly symbols: Array<string> }> = []
  for (const symbol of symbols) {
    const moment = at("stocks", symbol)
    if (moment === undefined) continue
    const last = runs.at(-1)
    if (last?.moment === moment) last.symbols.push(symbol)
    else runs.push({ moment, symbols: [symbol] })
  }
  if (runs.length === 0) return Result.fail(Refusals.noContent)
  const tables = runs.map(({ moment, symbols }) => rowsAt(symbols, moment))
  const [first] = tables
  const all = tables.length === 1 && first !== undefined
    ? first
    : ColumnTable.merge<Spec, keyof Spec & string>(spec, tables)
  // Of a list with unknown symbols the others may be merely not cached.
  const isKnownWhole = symbols.every((symbol) => at("stocks", symbol) !== undefined)
  return Result.map(
    Refusals.notEmpty(all, isKnownWhole ? Refusals.symbolNotFound : Refusals.noContent),
    (rows) => View.table(rows, Array.from({ length: rows.length }, (_, row) => String(rows.valueAt("symbol", row))))
  )
}

/** The prices of stocks (contract 4.5). */
export const prices: View.Reader = (asked) =>
  Result.gen(function*() {
    const symbols = yield* tickersOf(asked)
    const extended = yield* Parameters.flag(asked.parameters, "extended")
    const query = yield* Refusals.query(Query.stockPrices(symbols, { extended }))
    return {
      query,
      answer: (view) => ofTickers(StockPrices.spec, query.tickers, view, view.market.stockPrices)
    }
  })

/** The quotes of stocks; the 52 weeks and the day's candle come only when they are asked for (contract 4.4). */
export const ofStocks: View.Reader = (asked) =>
  Result.gen(function*() {
    const { list, parameters } = asked
    const symbols = yield* tickersOf(asked)
    const asks = yield* Parameters.several(parameters, Parameters.flag, ["52week", "candle", "extended"])
    const { candle = false, extended } = asks
    const one = asks["52week"] === true && !list ? (["52week"] as const) : []
    const query = yield* Refusals.query<Query.Query>(
      list
        ? Query.stockQuotes(symbols, { extended, include: candle ? ["candle"] : [] })
        : Query.stockQuote(symbols[0]!, { extended, include: candle ? [...one, "candle"] : one })
    )
    return {
      query,
      answer: (view) => ofTickers(StockQuotes.spec, query.tickers, view, view.market.stockQuotes)
    }
  })
