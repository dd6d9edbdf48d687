import * as CalendarDate from "../time/CalendarDate.ts"
import type { Vectors } from "../columns/ColumnSpec.ts"
import * as Expiration from "../symbol/Expiration.ts"
import type { Spec } from "./columns.ts"
import { codeOfSide } from "./rowFindings.ts"

type Columns = Partial<Vectors<Spec>>

/** A lane of numbers, one a row; NaN stands for null. */
type Lane = Float64Array<ArrayBuffer> | Int32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>

/** The lanes that are compared, in the order in which WebAssembly takes them; `undefined` where a column is not there. */
export interface Lanes {
  readonly thousandths: Lane
  readonly strike: Lane | undefined
  readonly side: Lane | undefined
  readonly expiration: Lane | undefined
  readonly updated: Lane
  readonly dte: Lane | undefined
  readonly bid: Lane | undefined
  readonly ask: Lane | undefined
  readonly mid: Lane | undefined
  readonly underlyingPrice: Lane | undefined
  readonly inTheMoney: Lane | undefined
  readonly intrinsicValue: Lane | undefined
  readonly extrinsicValue: Lane | undefined
}

/** What is compared in every row of a chain, and with what. */
export interface ChainLanes {
  readonly length: number
  /** The series of each row. */
  readonly codes: NonNullable<Columns["optionSymbol"]>["codes"]
  readonly lanes: Lanes
  /**
   * Four numbers a series: the instant at which it expires, Infinity where that is not the same for all its rows; the day on which it does, if days
   * can be compared at all; its side as in the column; and 1 for calls, -1 for puts.
   */
  readonly series: Float64Array<ArrayBuffer>
}

/** How many numbers tell of a series. */
export const numbersPerSeries = 4

/** Picks what is compared from the columns of a chain. */
export const of = (columns: Columns, length: number): ChainLanes => {
  const { ask, bid, dte, expiration, extrinsicValue, inTheMoney, intrinsicValue, mid, side, strike } = columns
  const { optionSymbol, underlyingPrice, updated = new Float64Array(length) } = columns
  const { codes, series, thousandths } = optionSymbol === undefined
    ? withoutSymbols(columns, length)
    : { ...optionSymbol, series: seriesOf(optionSymbol.series, columns) }
  return {
    length,
    codes,
    lanes: {
      thousandths,
      strike,
      side,
      expiration,
      updated,
      dte,
      bid,
      ask,
      mid,
      underlyingPrice,
      inTheMoney,
      intrinsicValue,
      extrinsicValue
    },
    series
  }
}

const seriesOf = (
  series: NonNullable<Columns["optionSymbol"]>["series"],
  columns: Columns
): Float64Array<ArrayBuffer> => {
  const table = new Float64Array(series.length * numbersPerSeries)
  const hasDays = columns.expiration !== undefined && columns.updated !== undefined
  const instant = instantOf(columns)
  for (let code = 0, at = 0; code < series.length; code++) {
    const { expiration, side } = series[code]!
    table[at++] = instant(series[code]!)
    table[at++] = hasDays ? CalendarDate.toEpochDay(expiration) : NaN
    table[at++] = codeOfSide[side]
    table[at++] = side === "call" ? 1 : -1
  }
  return table
}

const instantOf = (
  { underlying }: Columns
): (series: Parameters<typeof Expiration.instant>[0]) => number => {
  if (underlying === undefined || underlying.values.length === 0) return (series) => Expiration.instant(series)
  const [symbol, ...others] = underlying.values
  const isIndex = Expiration.indexUnderlyings.has(symbol!)
  return others.length > 0 ? () => Infinity : ({ expiration }) => Expiration.closing(expiration, isIndex)
}

/** Without symbols the columns say what is bought: calls are one series and puts another, and what a row expires on is only known from itself. */
const withoutSymbols = ({ expiration, side, strike, updated }: Columns, length: number) => {
  const day = expiration !== undefined && updated !== undefined ? Infinity : NaN
  const thousandths = new Float64Array(length).fill(NaN)
  if (side !== undefined && strike !== undefined) {
    for (let row = 0; row < length; row++) thousandths[row] = strike[row]! * 1000
  }
  return {
    codes: side ?? new Uint8Array(length),
    thousandths,
    series: Float64Array.of(NaN, day, codeOfSide.call, 1, NaN, day, codeOfSide.put, -1)
  }
}
