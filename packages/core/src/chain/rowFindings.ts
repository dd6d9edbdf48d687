import * as Bitmap from "../columns/bitmap.ts"
import type { Vectors } from "../columns/ColumnSpec.ts"
import { type Code, type Example, type Finding, maxExamples } from "../columns/Finding.ts"
import * as Expiration from "../symbol/Expiration.ts"
import * as Strike from "../symbol/Strike.ts"
import * as CalendarDate from "../time/CalendarDate.ts"
import * as NewYork from "../time/NewYork.ts"
import type { Spec } from "./columns.ts"

/** The codes of the `side` column. */
export const codeOfSide = { call: 0, put: 1 } as const

/** A little over half a cent, because half a cent is rarely exact in binary. */
export const halfACent = 0.005 + 1e-9

/** The service rounds to cents; two roundings may add up. */
export const aCent = 0.01 + 1e-9

/** One kind of deviation in one column: in how many rows it is, and the first of them. */
interface Deviation extends Finding {
  count: number
  readonly examples: Array<Example>
}

const none = (code: Code, column: string): Deviation => ({ code, column, count: 0, examples: [] })

/** Adds a row. Only the first rows are described in words. */
const add = (
  deviation: Deviation,
  index: number,
  words: () => readonly [expected: unknown, received: unknown]
): void => {
  deviation.count++
  if (deviation.examples.length === maxExamples) return
  const [expected, received] = words()
  deviation.examples.push({ index, expected: String(expected), received: String(received) })
}

type Columns = Partial<Vectors<Spec>>

/** A column that is not there: where a sum has one of its elements it is not a number, and compares as no deviation. */
const absent = /* @__PURE__ */ new Float64Array(0)

/**
 * Looks at rows of a chain in detail. Only columns that are there are compared; NaN, which stands for null, compares as no deviation: the null is
 * a finding of its own.
 */
export const rowFindings = (columns: Columns, moneynessNulls: Bitmap.Bitmap | undefined) => {
  const { dte, expiration, inTheMoney, optionSymbol, side, strike, underlying, updated } = columns
  const { ask = absent, bid = absent, mid = absent, underlyingPrice = absent } = columns
  const { extrinsicValue = absent, intrinsicValue = absent } = columns
  const found = {
    strikes: none("StrikeMismatch", "strike"),
    sides: none("SideMismatch", "side"),
    days: none("ExpirationMismatch", "expiration"),
    times: none("ExpirationTime", "expiration"),
    mids: none("MidMismatch", "mid"),
    dtes: none("DteMismatch", "dte"),
    moneyness: none("MoneynessMismatch", "inTheMoney"),
    intrinsics: none("MoneynessMismatch", "intrinsicValue"),
    extrinsics: none("MoneynessMismatch", "extrinsicValue")
  }

  /**
   * Side and strike of a row, by its symbol or by its columns. Undefined if the two contradict each other: that is a finding already, and which of
   * them is right is unknown.
   */
  const rightAt = (row: number): { readonly isCall: boolean; readonly strike: number } | undefined => {
    if (optionSymbol === undefined) {
      return side && strike && { isCall: side[row] === codeOfSide.call, strike: strike[row]! }
    }
    const expectedSide = optionSymbol.series[optionSymbol.codes[row]!]!.side
    const expectedStrike = Strike.fromThousandths(optionSymbol.thousandths[row]!)
    const isOtherSide = side !== undefined && side[row] !== codeOfSide[expectedSide]
    const isOtherStrike = strike !== undefined && strike[row] !== expectedStrike
    if (isOtherSide) add(found.sides, row, () => [expectedSide, side[row] === codeOfSide.call ? "call" : "put"])
    if (isOtherStrike) add(found.strikes, row, () => [expectedStrike, strike[row]])
    return isOtherSide || isOtherStrike ? undefined : { isCall: expectedSide === "call", strike: expectedStrike }
  }

  const examineExpiration = (row: number): void => {
    if (optionSymbol === undefined || expiration === undefined) return
    const series = optionSymbol.series[optionSymbol.codes[row]!]!
    // The underlying tells better than the root whether a contract expires at the time of index options.
    const root = underlying?.values[underlying.codes[row]!] ?? series.root
    const instant = Expiration.instant({ ...series, root })
    const received = expiration[row]!
    if (received === instant) return
    const sameDay = NewYork.epochDayOf(received) === CalendarDate.toEpochDay(series.expiration)
    add(sameDay ? found.times : found.days, row, () => [NewYork.format(instant), NewYork.format(received)])
  }

  const examineDays = (row: number): void => {
    if (dte === undefined || expiration === undefined || updated === undefined) return
    const expected = NewYork.epochDayOf(expiration[row]!) - NewYork.epochDayOf(updated[row]!)
    if (Math.abs(dte[row]! - expected) > 0) add(found.dtes, row, () => [expected, dte[row]])
  }

  const examineMoneyness = (row: number): void => {
    const right = rightAt(row)
    if (right === undefined) return
    const above = underlyingPrice[row]! - right.strike
    if (Number.isNaN(above)) return
    const intrinsic = Math.max(0, right.isCall ? above : -above)
    const isInside = intrinsic > 0
    if (inTheMoney !== undefined && !Bitmap.has(moneynessNulls, row) && (inTheMoney[row] === 1) !== isInside) {
      add(found.moneyness, row, () => [isInside, !isInside])
    }
    if (Math.abs(intrinsicValue[row]! - intrinsic) > aCent) {
      add(found.intrinsics, row, () => [intrinsic.toFixed(2), intrinsicValue[row]])
    }
    const extrinsic = Math.abs(mid[row]! - intrinsic)
    const received = extrinsicValue[row]!
    // The contract does not say how a value below zero is written: with its sign, without it, or as zero.
    const isZero = received === 0 && mid[row]! < intrinsic
    if (!isZero && Math.abs(Math.abs(received) - extrinsic) > aCent) {
      add(found.extrinsics, row, () => [extrinsic.toFixed(2), received])
    }
  }

  return {
    /** Compares all columns in one row. */
    examine: (row: number): void => {
      examineExpiration(row)
      examineDays(row)
      examineMoneyness(row)
      const midpoint = (bid[row]! + ask[row]!) / 2
      if (Math.abs(mid[row]! - midpoint) > halfACent) add(found.mids, row, () => [midpoint, mid[row]])
    },
    findings: (): ReadonlyArray<Finding> => Object.values(found).filter(({ count }) => count > 0)
  }
}
