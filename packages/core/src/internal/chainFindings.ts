import * as CalendarDate from "../CalendarDate.ts"
import type { Vectors } from "../columns/ColumnSpec.ts"
import type { Content } from "../ColumnTable.ts"
import * as Eastern from "../Eastern.ts"
import * as Expiration from "../Expiration.ts"
import type { Finding } from "../Finding.ts"
import type { Spec } from "../OptionChain.ts"
import * as Strike from "../Strike.ts"
import { aCent, codeOfSide, halfACent, RowFindings } from "./rowFindings.ts"

type Columns = Partial<Vectors<Spec>>

/**
 * Compares the columns of a chain with each other: strike, side and expiration with the option symbol, mid with bid and ask, dte with
 * the days, moneyness with the prices. Columns that are not there are not compared.
 *
 * Every row of every reply goes through one loop, which asks no more than whether it could deviate; a row that could is looked at in detail.
 * It is one loop and not nine, because the first reply of a process runs it before it is compiled. A column that is not there is full of
 * NaN, as one full of nulls is: no comparison with NaN finds anything.
 */
export const chainFindings = ({ length, nulls, vectors }: Content): ReadonlyArray<Finding> => {
  const columns: Columns = vectors
  let rows: RowFindings | undefined
  let empty: Float64Array | undefined
  const nothing = (): Float64Array => empty ??= new Float64Array(length).fill(NaN)
  const { ask = nothing(), bid = nothing(), dte = nothing(), expiration = nothing() } = columns
  const { extrinsicValue = nothing(), intrinsicValue = nothing(), mid = nothing(), strike = nothing() } = columns
  const { inTheMoney, side, underlyingPrice = nothing(), updated = new Float64Array(length) } = columns
  const { codes, days, instants, sides, thousandths } = contractsOf(columns, length)
  // The day of the quote before, and when it begins and ends in New York: the quotes of a chain are mostly of one day.
  let [begins, ends, day] = [NaN, NaN, NaN]
  for (let row = 0; row < length; row++) {
    const code = codes[row]!
    const quoted = updated[row]!
    if (!(quoted >= begins && quoted < ends)) {
      day = Eastern.epochDayOf(quoted)
      begins = Eastern.midnight(CalendarDate.fromEpochDay(day))
      ends = Eastern.midnight(CalendarDate.fromEpochDay(day + 1))
    }
    const isPut = sides[code]!
    const expected = Strike.fromThousandths(thousandths[row]!)
    const above = isPut === 0 ? underlyingPrice[row]! - expected : expected - underlyingPrice[row]!
    const intrinsic = Math.max(0, above)
    if (
      Math.abs(strike[row]! - expected) > 0 ||
      (side !== undefined && side[row] !== isPut) ||
      Math.abs(expiration[row]! - instants[code]!) > 0 ||
      Math.abs(mid[row]! - (bid[row]! + ask[row]!) / 2) > halfACent ||
      Math.abs(dte[row]! - (days[code]! - day)) > 0 ||
      (inTheMoney !== undefined && Math.abs(inTheMoney[row]! - Math.sign(intrinsic)) > 0) ||
      Math.abs(intrinsicValue[row]! - intrinsic) > aCent ||
      Math.abs(Math.abs(extrinsicValue[row]!) - Math.abs(mid[row]! - intrinsic)) > aCent
    ) (rows ??= new RowFindings(columns, nulls["inTheMoney"])).examine(row)
  }
  return rows?.findings ?? []
}

/** What the symbols of a chain say, row by row and series by series. */
interface Contracts {
  readonly codes: ArrayLike<number>
  readonly thousandths: ArrayLike<number>
  /** 0 for calls and 1 for puts, as in the column. */
  readonly sides: ArrayLike<number>
  /** When a series expires. Infinity where that is not the same for all its rows: each of them is looked at. */
  readonly instants: ArrayLike<number>
  /** The day on which it expires, if days can be compared at all. */
  readonly days: ArrayLike<number>
}

const contractsOf = (columns: Columns, length: number): Contracts => {
  const { expiration, optionSymbol, side, strike, updated } = columns
  const hasDays = expiration !== undefined && updated !== undefined
  if (optionSymbol === undefined) {
    // Without symbols the columns say what is bought; and what a row expires on is only known from itself.
    return {
      codes: side ?? new Uint8Array(length),
      thousandths: Float64Array.from({ length }, (_, row) => side === undefined ? NaN : (strike?.[row] ?? NaN) * 1000),
      sides: [codeOfSide.call, codeOfSide.put],
      instants: [NaN, NaN],
      days: hasDays ? [Infinity, Infinity] : [NaN, NaN]
    }
  }
  const { codes, series, thousandths } = optionSymbol
  const sides = new Uint8Array(series.length)
  const instants = new Float64Array(series.length)
  const days = new Float64Array(series.length)
  const instant = instantOf(columns)
  for (let code = 0; code < series.length; code++) {
    const { expiration, side } = series[code]!
    sides[code] = codeOfSide[side]
    instants[code] = instant(series[code]!)
    days[code] = hasDays ? CalendarDate.toEpochDay(expiration) : NaN
  }
  return { codes, thousandths, sides, instants, days }
}

const instantOf = (
  { underlying }: Columns
): (series: Parameters<typeof Expiration.instant>[0]) => number => {
  if (underlying === undefined || underlying.values.length === 0) return (series) => Expiration.instant(series)
  const [symbol, ...others] = underlying.values
  const isIndex = Expiration.indexUnderlyings.has(symbol!)
  return others.length > 0 ? () => Infinity : ({ expiration }) => Expiration.closing(expiration, isIndex)
}
