import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
import type { ColumnSpec } from "@effect-marketdata/core/ColumnSpec"
import * as Result from "effect/Result"
import * as Period from "../request/period.ts"
import * as Refusals from "../request/refusals.ts"

/** Candles between two moments in epoch seconds, both included; undefined where the symbol is not known. */
export type Between<Table> = (from: number, to: number) => Table | undefined

/** The longest range of candles of less than a day, in seconds. */
const oneYear = 366 * 86_400

/** Before this there are no candles: 2000-01-01. */
const beginning = 946_702_800

/** About how long one candle of a resolution takes, nights and weekends included, in seconds. */
const spanOf = (resolution: string): number => {
  const [, count = "1", unit = ""] = /^(\d*)([a-z]*)$/i.exec(resolution) ?? []
  const minutes = { "": 1, minutely: 1, h: 60, hourly: 60 }[unit.toLowerCase()]
  const days = { d: 1, daily: 1, w: 7, weekly: 7, m: 31, monthly: 31, y: 366, yearly: 366 }[unit.toLowerCase()]
  return Math.max(1, Number(count)) * (minutes === undefined ? (days ?? 1) * 86_400 : minutes * 60) * 6
}

/** Whether candles are shorter than a day. */
const isIntraday = (resolution: string): boolean => /^(\d+|\d*H|hourly|minutely)$/i.test(resolution)

/**
 * The candles of a query: of a range, a number before a moment (that moment's own excluded), or the most recent one. None is newer than
 * `newest`, the newest moment that may be seen.
 */
export const find = <Spec extends ColumnSpec, Name extends keyof Spec & string>(
  resolution: string,
  { countback, from, to }: Period.Period,
  newest: number,
  between: Between<ColumnTable.ColumnTable<Spec, Name>>
): Result.Result<ColumnTable.ColumnTable<Spec, Name>, Refusals.Refusal> => {
  const last = to === undefined ? newest : Math.min(newest, Period.end(to) - (countback === undefined ? 0 : 1))
  if (from === undefined) return notEmpty(back(resolution, countback ?? 1, last, between))
  const first = Period.start(from)
  return isIntraday(resolution) && last - first > oneYear
    ? Result.fail(Refusals.tooMuchData("Too much data. Ask for at most one year of candles of less than a day."))
    : notEmpty(between(Math.max(beginning, first), last))
}

/** The last candles before a moment: looks back twice as far each time, until there are enough of them. */
const back = <Spec extends ColumnSpec, Name extends keyof Spec & string>(
  resolution: string,
  count: number,
  last: number,
  between: Between<ColumnTable.ColumnTable<Spec, Name>>
): ColumnTable.ColumnTable<Spec, Name> | undefined => {
  const earliest = isIntraday(resolution) ? last - oneYear : beginning
  for (let span = spanOf(resolution) * (count + 1) + 7 * 86_400;; span *= 2) {
    const from = Math.max(earliest, last - span)
    const candles = between(from, last)
    if (candles === undefined || candles.length >= count || from === earliest) {
      return candles && ColumnTable.slice(candles, Math.max(0, candles.length - count))
    }
  }
}

const notEmpty = <Table extends { readonly length: number }>(
  table: Table | undefined
): Result.Result<Table, Refusals.Refusal> =>
  table === undefined || table.length === 0 ? Result.fail(Refusals.noData) : Result.succeed(table)
