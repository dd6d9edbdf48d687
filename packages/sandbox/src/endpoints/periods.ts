/** What happened in a period: candles, what was reported of a company, and on which days the market was open. */
import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import type { ColumnSpec } from "@effect-marketdata/core/ColumnSpec"
import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
import type * as Endpoint from "@effect-marketdata/core/Endpoint"
import type * as MarketStatus from "@effect-marketdata/core/MarketStatus"
import * as NewYork from "@effect-marketdata/core/NewYork"
import type * as Period from "@effect-marketdata/core/Period"
import * as Query from "@effect-marketdata/core/Query"
import type { InvalidQuery } from "@effect-marketdata/core/Reason"
import * as TradingCalendar from "@effect-marketdata/core/TradingCalendar"
import * as Result from "effect/Result"
import type { Market } from "../market/Market.ts"
import type { Resolution } from "../market/Resolution.ts"
import type { CandleRange, Reported } from "../market/stockMarket.ts"
import * as Parameters from "../request/parameters.ts"
import * as Refusals from "../request/refusals.ts"
import * as View from "../view/view.ts"
import { tickersOf } from "./quotes.ts"

/** Before this there are neither prices nor reports: 2000-01-01. */
const beginning = 946_702_800

/** A constructor of core for queries of candles, without its types: it checks the texts of a request. */
type MakeCandles = (resolution: string, symbol: string, options: object) => Result.Result<Query.Query, InvalidQuery>

/** Makes the reader of candles of one symbol, which may take some flags. */
const candles = <Spec extends ColumnSpec, Name extends keyof Spec & string>(
  make: MakeCandles,
  flags: ReadonlyArray<string>,
  candlesOf: (market: Market) => (
    symbol: string,
    range: CandleRange & { readonly extended: boolean | undefined }
  ) => ColumnTable.ColumnTable<Spec, Name> | undefined
): View.Reader =>
({ parameters, segments }) =>
  Result.gen(function*() {
    const symbol = segments["symbol"]!
    const resolution = segments["resolution"]!
    const period = yield* Parameters.period(parameters)
    const given = yield* Parameters.several(parameters, Parameters.flag, flags)
    const query = yield* Refusals.query(make(resolution, symbol, { ...period, ...given }))
    return {
      query,
      answer: (view) => {
        const at = view.newest("stocks")
        const between = (from: number, to: number) =>
          candlesOf(view.market)(symbol, { resolution, from, to, at, extended: given["extended"] })
        return Result.map(candlesIn(query.resolution!, period, at, between), (found) => View.table(found))
      }
    }
  })

/** The candles of a stock. The market has neither splits nor dividends, so that adjusting for them changes nothing. */
export const stockCandles = candles(
  Query.stockCandles as MakeCandles,
  ["extended", "adjustsplits", "adjustdividends"],
  (market) => market.stockCandles
)

/** The candles of a fund, none of them shorter than a day. */
export const fundCandles = candles(Query.fundCandles as MakeCandles, [], (market) => market.fundCandles)

/** One daily candle a ticker: of a day, or of the last session that is over (contract 4.5). */
export const bulkCandles: View.Reader = (asked) =>
  Result.gen(function*() {
    const { parameters } = asked
    const date = yield* Parameters.date(parameters, "relative")
    const adjustsplits = yield* Parameters.flag(parameters, "adjustsplits")
    const snapshot = yield* Parameters.flag(parameters, "snapshot")
    const symbols = snapshot === true ? "all" : yield* tickersOf(asked)
    const query = yield* Refusals.query(Query.stockBulkCandles(symbols, { date, adjustsplits }))
    return {
      query,
      answer: (view) =>
        Result.gen(function*() {
          const newest = view.newest("stocks")
          const isClosed = date !== undefined && !TradingCalendar.isTradingDay(TradingCalendar.NYSE, date)
          if (isClosed) return yield* Result.fail(Refusals.marketClosed)
          const day = date ?? Parameters.lastSession(newest)
          if (NewYork.midnight(day) > newest) return yield* Result.fail(Refusals.noData)
          const candles = view.market.bulkCandles(symbols === "all" ? symbols : query.tickers, day, newest)
          yield* Refusals.notEmpty(candles, Refusals.symbolNotFound)
          // The public service leaves out the column of symbols for a single ticker.
          return asked.profile === "public" && query.tickers.length === 1
            ? View.table(ColumnTable.select(candles, ["o", "h", "l", "c", "v", "t"]))
            : View.table(candles)
        })
    }
  })

/** Rows between two moments in epoch seconds, both included; undefined where the symbol is not known. */
type Between<Table> = (from: number, to: number) => Table | undefined

/** The longest range of candles of less than a day, in seconds. */
const oneYear = 366 * 86_400

/** About how many days one candle takes, nights and weekends included. */
const daysOf = { minute: 1 / 240, day: 6, week: 42, month: 186, year: 2196 } as const

/**
 * The candles of a query: of a range, a number before a moment (that moment's own excluded), or the most recent one. None is newer than
 * `newest`, the newest moment that may be seen.
 */
const candlesIn = <Spec extends ColumnSpec, Name extends keyof Spec & string>(
  resolution: Resolution,
  { countback, from, to }: Parameters.Period,
  newest: number,
  between: Between<ColumnTable.ColumnTable<Spec, Name>>
): Result.Result<ColumnTable.ColumnTable<Spec, Name>, Refusals.Refusal> => {
  const last = to === undefined ? newest : Math.min(newest, Parameters.endOf(to) - (countback === undefined ? 0 : 1))
  if (from === undefined) return Refusals.notEmpty(lastCandles(resolution, countback ?? 1, last, between))
  const first = Parameters.startOf(from)
  return resolution.unit === "minute" && last - first > oneYear
    ? Result.fail(Refusals.tooMuchData("Too much data. Ask for at most one year of candles of less than a day."))
    : Refusals.notEmpty(between(Math.max(beginning, first), last))
}

/** The last candles before a moment: doubles the range until there are enough of them. */
const lastCandles = <Spec extends ColumnSpec, Name extends keyof Spec & string>(
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

/** How far apart reports are. */
interface Pace {
  readonly span: number
  readonly ahead: number
  readonly each: number
}

/** Quarterly reports: the range without named days, how far ahead, and the range for each report that is counted back, in seconds. */
const quarters: Pace = { span: 400 * 86_400, ahead: 120 * 86_400, each: 92 * 86_400 }
const days: Pace = { span: 30 * 86_400, ahead: 0, each: 7 * 86_400 }

/** Nothing is expected further ahead than this many seconds. */
const furthest = 400 * 86_400

/** Makes the reader of reports about one company. `updated` says when the whole list was taken, where its rows do not. */
const reports = <Spec extends ColumnSpec, Name extends keyof Spec & string>(
  make: (symbol: string, options: Endpoint.Page & Period.DayOrRange) => Result.Result<Query.Query, InvalidQuery>,
  pace: Pace,
  reportsOf: (market: Market) => (symbol: string, range: Reported) => ColumnTable.ColumnTable<Spec, Name> | undefined,
  { updated = false }: { readonly updated?: boolean } = {}
): View.Reader =>
({ parameters, segments }) =>
  Result.gen(function*() {
    const symbol = segments["symbol"]!
    const period = yield* Parameters.period(parameters)
    const query = yield* Refusals.query(make(symbol, Parameters.inDays(period) as Period.DayOrRange))
    return {
      query,
      answer: (view) => {
        const at = view.known("stocks")
        const between = (from: number, to: number) => reportsOf(view.market)(symbol, { from, to, at })
        const fields = updated ? { updated: at } : {}
        return Result.map(reportsIn(period, pace, at, between), (reports) => View.table(reports, [], fields))
      }
    }
  })

/** What was reported in the days that a query names: one day, a range, or the last reports before a day. */
const reportsIn = <Spec extends ColumnSpec, Name extends keyof Spec & string>(
  { countback, date, from, to }: Parameters.Period,
  pace: Pace,
  now: number,
  between: Between<ColumnTable.ColumnTable<Spec, Name>>
): Result.Result<ColumnTable.ColumnTable<Spec, Name>, Refusals.Refusal> => {
  const last = date ?? to
  const until = last === undefined ? now + pace.ahead : Math.min(Parameters.endOf(last), now + furthest)
  const first = date ?? from
  const since = first === undefined ? until - pace.span - (countback ?? 0) * pace.each * 2 : Parameters.startOf(first)
  const all = Refusals.notEmpty(between(Math.max(beginning, since), until))
  return countback === undefined || first !== undefined
    ? all
    : Result.map(all, (all) => ColumnTable.slice(all, Math.max(0, all.length - countback)))
}

export const stockEarnings = reports(Query.stockEarnings, quarters, (market) => market.earnings)

export const stockNews = reports(Query.stockNews, days, (market) => market.news, { updated: true })

/** The most days of one reply: ten years. */
const mostDays = 3660

/** On which days the market is open: today, a day, a range, or the last days before one. */
export const marketStatus: View.Reader = ({ parameters }) =>
  Result.gen(function*() {
    const country = yield* Parameters.choice(parameters, "country", ["US"])
    const period = Parameters.inDays(yield* Parameters.period(parameters))
    const asked = { ...period, country } as MarketStatus.Options<MarketStatus.Column, Endpoint.UncachedMode>
    const query = yield* Refusals.query(Query.marketStatus(asked))
    return {
      query,
      answer: (view) => {
        const today = NewYork.dateOf(view.now)
        const { countback, date } = period
        const to = date ?? period.to ?? (period.from === undefined ? today : latest(period.from, today))
        const from = date ?? period.from ?? CalendarDate.addDays(to, 1 - Math.min(countback ?? 1, mostDays))
        const days = CalendarDate.toEpochDay(to) - CalendarDate.toEpochDay(from) + 1
        return days > mostDays
          ? Result.fail(Refusals.tooMuchData("Too much data. Ask for at most ten years of days."))
          : Result.succeed(View.table(view.market.marketStatus({ from, to })))
      }
    }
  })

const latest = (a: CalendarDate.CalendarDate, b: CalendarDate.CalendarDate): CalendarDate.CalendarDate =>
  CalendarDate.toEpochDay(a) > CalendarDate.toEpochDay(b) ? a : b
