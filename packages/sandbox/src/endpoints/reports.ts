import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
import type { ColumnSpec } from "@effect-marketdata/core/ColumnSpec"
import type * as Endpoint from "@effect-marketdata/core/Endpoint"
import type * as Period from "@effect-marketdata/core/Period"
import type * as Query from "@effect-marketdata/core/Query"
import type { InvalidQuery } from "@effect-marketdata/core/Reason"
import type { Market } from "../market/Market.ts"
import * as Result from "effect/Result"
import * as Periods from "../request/period.ts"
import * as Found from "../view/found.ts"
import * as Refusals from "../request/refusals.ts"

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

/** How far apart reports are: what is looked at where no days are named, and for each one that is counted back. In seconds. */
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
    const period = yield* Periods.read(parameters)
    const query = yield* Refusals.query(make(symbol, Periods.inDays(period) as Period.DayOrRange))
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
  { countback, date, from, to }: Periods.Period,
  pace: Pace,
  now: number,
  within: (range: Range) => ColumnTable.ColumnTable<Spec, Name> | undefined
): Result.Result<ColumnTable.ColumnTable<Spec, Name>, Refusals.Refusal> => {
  const last = date ?? to
  const until = last === undefined ? now + pace.ahead : Math.min(Periods.end(last), now + furthest)
  const first = date ?? from
  const since = first === undefined ? until - pace.span - (countback ?? 0) * pace.each * 2 : Periods.start(first)
  const all = within({ from: Math.max(beginning, since), to: until })
  if (all === undefined || all.length === 0) return Result.fail(Refusals.noData)
  return Result.succeed(
    countback === undefined || first !== undefined ? all : ColumnTable.slice(all, Math.max(0, all.length - countback))
  )
}
