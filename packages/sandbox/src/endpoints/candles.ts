import type { ColumnSpec } from "@effect-marketdata/core/ColumnSpec"
import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
import * as NewYork from "@effect-marketdata/core/NewYork"
import * as Query from "@effect-marketdata/core/Query"
import type { InvalidQuery } from "@effect-marketdata/core/Reason"
import * as TradingCalendar from "@effect-marketdata/core/TradingCalendar"
import * as Result from "effect/Result"
import type { Market } from "../market/Market.ts"
import type { Resolution } from "../market/Resolution.ts"
import type { CandleRange } from "../market/stockMarket.ts"
import * as Parameters from "../request/parameters.ts"
import * as Refusals from "../request/refusals.ts"
import * as RequestTime from "../request/requestTime.ts"
import * as Found from "../view/found.ts"
import * as Tickers from "./tickers.ts"

/** A constructor of core for queries of candles, without its types: it checks the texts of a request. */
type Make = (resolution: string, symbol: string, options: object) => Result.Result<Query.Query, InvalidQuery>

/** Makes the reader of candles of one symbol, which may take some flags. */
const ofSymbol = <Spec extends ColumnSpec, Name extends keyof Spec & string>(
  make: Make,
  flags: ReadonlyArray<string>,
  candlesOf: (market: Market) => (
    symbol: string,
    range: CandleRange & { readonly extended: boolean | undefined }
  ) => ColumnTable.ColumnTable<Spec, Name> | undefined
): Found.Reader =>
({ parameters, segments }) =>
  Result.gen(function*() {
    const symbol = segments["symbol"]!
    const resolution = segments["resolution"]!
    const period = yield* Parameters.period(parameters)
    const given = yield* Parameters.several(parameters, Parameters.flag, flags)
    const query = yield* Refusals.query(make(resolution, symbol, { ...period, date: undefined, ...given }))
    return {
      query,
      answer: (view) => {
        const at = view.newest("stocks")
        const between = (from: number, to: number) =>
          candlesOf(view.market)(symbol, { resolution, from, to, at, extended: given["extended"] })
        return Result.map(find(query.resolution!, period, at, between), (found) => Found.table(found))
      }
    }
  })

/** The candles of a stock. The market has neither splits nor dividends, so that adjusting for them changes nothing. */
export const ofStock = ofSymbol(
  Query.stockCandles as Make,
  ["extended", "adjustsplits", "adjustdividends"],
  (market) => market.stockCandles
)

/** The candles of a fund, none of them shorter than a day. */
export const ofFund = ofSymbol(Query.fundCandles as Make, [], (market) => market.fundCandles)

/** One daily candle a ticker: of a day, or of the last session that is over (contract 4.5). */
export const ofStocks: Found.Reader = (asked) =>
  Result.gen(function*() {
    const { parameters } = asked
    const date = yield* Parameters.date(parameters, "relative")
    const adjustsplits = yield* Parameters.flag(parameters, "adjustsplits")
    const snapshot = yield* Parameters.flag(parameters, "snapshot")
    const symbols = snapshot === true ? "all" : yield* Tickers.read(asked)
    const query = yield* Refusals.query(Query.stockBulkCandles(symbols, { date, adjustsplits }))
    return {
      query,
      answer: (view) =>
        Result.gen(function*() {
          const newest = view.newest("stocks")
          const isClosed = date !== undefined && !TradingCalendar.isTradingDay(TradingCalendar.NYSE, date)
          if (isClosed) return yield* Result.fail(Refusals.marketClosed)
          const day = date ?? RequestTime.lastSession(newest)
          if (NewYork.midnight(day) > newest) return yield* Result.fail(Refusals.noData)
          const candles = view.market.bulkCandles(symbols === "all" ? symbols : query.tickers, day, newest)
          yield* Refusals.notEmpty(candles, Refusals.symbolNotFound)
          // The public service leaves out the column of symbols for a single ticker.
          return asked.profile === "public" && query.tickers.length === 1
            ? Found.table(ColumnTable.select(candles, ["o", "h", "l", "c", "v", "t"]))
            : Found.table(candles)
        })
    }
  })

/** Candles between two moments in epoch seconds, both included; undefined where the symbol is not known. */
type Between<Table> = (from: number, to: number) => Table | undefined

/** The longest range of candles of less than a day, in seconds. */
const oneYear = 366 * 86_400

/** Before this there are no candles: 2000-01-01. */
const beginning = 946_702_800

/** About how many days one candle takes, nights and weekends included. */
const daysOf = { minute: 1 / 240, day: 6, week: 42, month: 186, year: 2196 } as const

/**
 * The candles of a query: of a range, a number before a moment (that moment's own excluded), or the most recent one. None is newer than
 * `newest`, the newest moment that may be seen.
 */
const find = <Spec extends ColumnSpec, Name extends keyof Spec & string>(
  resolution: Resolution,
  { countback, from, to }: Parameters.Period,
  newest: number,
  between: Between<ColumnTable.ColumnTable<Spec, Name>>
): Result.Result<ColumnTable.ColumnTable<Spec, Name>, Refusals.Refusal> => {
  const last = to === undefined ? newest : Math.min(newest, Parameters.endOf(to) - (countback === undefined ? 0 : 1))
  if (from === undefined) return Refusals.notEmpty(back(resolution, countback ?? 1, last, between))
  const first = Parameters.startOf(from)
  return resolution.unit === "minute" && last - first > oneYear
    ? Result.fail(Refusals.tooMuchData("Too much data. Ask for at most one year of candles of less than a day."))
    : Refusals.notEmpty(between(Math.max(beginning, first), last))
}

/** The last candles before a moment: doubles the range until there are enough of them. */
const back = <Spec extends ColumnSpec, Name extends keyof Spec & string>(
  { count: units, unit }: Resolution,
  count: number,
  last: number,
  between: Between<ColumnTable.ColumnTable<Spec, Name>>
): ColumnTable.ColumnTable<Spec, Name> | undefined => {
  const earliest = unit === "minute" ? last - oneYear : beginning
  for (let span = (units * daysOf[unit] * (count + 1) + 7) * 86_400;; span *= 2) {
    const from = Math.max(earliest, last - span)
    const candles = between(from, last)
    if (candles === undefined || candles.length >= count || from === earliest) {
      return candles && ColumnTable.slice(candles, Math.max(0, candles.length - count))
    }
  }
}
