import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
import type { ColumnSpec } from "@effect-marketdata/core/ColumnSpec"
import type * as Endpoint from "@effect-marketdata/core/Endpoint"
import type * as Period from "@effect-marketdata/core/Period"
import * as Query from "@effect-marketdata/core/Query"
import type { InvalidQuery } from "@effect-marketdata/core/Reason"
import type { Market } from "../market/Market.ts"
import * as Result from "effect/Result"
import * as Found from "../view/found.ts"
import * as Refusals from "../request/refusals.ts"
import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as NewYork from "@effect-marketdata/core/NewYork"
import type * as MarketStatus from "@effect-marketdata/core/MarketStatus"
import * as Parameters from "../request/parameters.ts"

/** From one moment to another in epoch seconds, both included. */
interface Range {
  readonly from: number
  readonly to: number
}

/** How far apart reports are. */
interface Pace {
  readonly span: number
  readonly ahead: number
  readonly each: number
}

/** Quarterly reports: the range without named days, how far ahead, and the range for each report that is counted back, in seconds. */
export const quarters: Pace = { span: 400 * 86_400, ahead: 120 * 86_400, each: 92 * 86_400 }
export const days: Pace = { span: 30 * 86_400, ahead: 0, each: 7 * 86_400 }

/** Nothing is reported before 2000-01-01, nor expected further ahead than this many seconds. */
const beginning = 946_702_800
const furthest = 400 * 86_400

/** The queries to an endpoint of reports, as far as its constructor takes what a request can say. */
type Make = (
  symbol: string,
  options: Endpoint.Page & Period.DayOrRange
) => Result.Result<Query.Query, InvalidQuery>

/** The reports about a symbol in a range, as they are known at a time; undefined where the symbol is not. */
type Within<Spec extends ColumnSpec, Name extends keyof Spec & string> = (
  market: Market,
  symbol: string,
  range: Range & { readonly at: number }
) => ColumnTable.ColumnTable<Spec, Name> | undefined

/**
 * Makes the reader of an endpoint of reports about one company. `updated` says when the whole list was taken, where its rows do not.
 */
export const reader = <Spec extends ColumnSpec, Name extends keyof Spec & string>(
  make: Make,
  pace: Pace,
  within: Within<Spec, Name>,
  { updated = false }: { readonly updated?: boolean } = {}
): Found.Reader =>
({ parameters, segments }) =>
  Result.gen(function*() {
    const symbol = segments["symbol"]!
    const period = yield* Parameters.period(parameters)
    const query = yield* Refusals.query(make(symbol, Parameters.inDays(period) as Period.DayOrRange))
    return {
      query,
      answer: (view) => {
        const at = view.known("stocks")
        return Result.map(
          find(period, pace, at, (range) => within(view.market, symbol, { ...range, at })),
          (reports) => Found.table(reports, [], updated ? { updated: at } : {})
        )
      }
    }
  })

/** What was reported in the days that a query names: one day, a range, or the last reports before a day. */
const find = <Spec extends ColumnSpec, Name extends keyof Spec & string>(
  { countback, date, from, to }: Parameters.Period,
  pace: Pace,
  now: number,
  within: (range: Range) => ColumnTable.ColumnTable<Spec, Name> | undefined
): Result.Result<ColumnTable.ColumnTable<Spec, Name>, Refusals.Refusal> => {
  const last = date ?? to
  const until = last === undefined ? now + pace.ahead : Math.min(Parameters.endOf(last), now + furthest)
  const first = date ?? from
  const since = first === undefined ? until - pace.span - (countback ?? 0) * pace.each * 2 : Parameters.startOf(first)
  const all = Refusals.notEmpty(within({ from: Math.max(beginning, since), to: until }))
  return countback === undefined || first !== undefined
    ? all
    : Result.map(all, (all) => ColumnTable.slice(all, Math.max(0, all.length - countback)))
}

/** The most days of one reply: ten years. */
const mostDays = 3660

/** On which days the market is open: today, a day, a range, or the last days before one. */
export const marketStatus: Found.Reader = ({ parameters }) =>
  Result.gen(function*() {
    const country = yield* Parameters.choice(parameters, "country", ["US"])
    const period = Parameters.inDays(yield* Parameters.period(parameters))
    const query = yield* Refusals.query(
      Query.marketStatus(
        { ...period, country } as MarketStatus.Options<MarketStatus.Column, Endpoint.UncachedMode>
      )
    )
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
          : Result.succeed(Found.table(view.market.marketStatus({ from, to })))
      }
    }
  })

const latest = (a: CalendarDate.CalendarDate, b: CalendarDate.CalendarDate): CalendarDate.CalendarDate =>
  CalendarDate.toEpochDay(a) > CalendarDate.toEpochDay(b) ? a : b
