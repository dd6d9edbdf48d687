import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
import type { ColumnSpec } from "@effect-marketdata/core/ColumnSpec"
import * as Result from "effect/Result"
import * as Period from "./period.ts"
import * as Refusals from "./refusals.ts"

/** From one moment to another in epoch seconds, both included. */
export interface Range {
  readonly from: number
  readonly to: number
}

/** How far apart reports are: what is looked at where no days are named, and for each one that is counted back. In seconds. */
export const quarters = { span: 400 * 86_400, ahead: 120 * 86_400, each: 92 * 86_400 }
export const days = { span: 30 * 86_400, ahead: 0, each: 7 * 86_400 }

/** Nothing is reported before 2000-01-01, nor expected further ahead than this many seconds. */
const beginning = 946_702_800
const furthest = 400 * 86_400

/** What was reported in the days that a question names: one day, a range, or the last reports before a day. */
export const find = <Spec extends ColumnSpec, Name extends keyof Spec & string>(
  { countback, date, from, to }: Period.Period,
  pace: { readonly span: number; readonly ahead: number; readonly each: number },
  now: number,
  within: (range: Range) => ColumnTable.ColumnTable<Spec, Name> | undefined
): Result.Result<ColumnTable.ColumnTable<Spec, Name>, Refusals.Refusal> => {
  const last = date ?? to
  const until = last === undefined ? now + pace.ahead : Math.min(Period.end(last), now + furthest)
  const first = date ?? from
  const since = first === undefined ? until - pace.span - (countback ?? 0) * pace.each * 2 : Period.start(first)
  const all = within({ from: Math.max(beginning, since), to: until })
  if (all === undefined || all.length === 0) return Result.fail(Refusals.noData)
  return Result.succeed(
    countback === undefined || first !== undefined ? all : ColumnTable.slice(all, Math.max(0, all.length - countback))
  )
}
