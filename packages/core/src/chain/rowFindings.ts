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
const add = (deviation: Deviation, index: number, words: () => Omit<Example, "index">): void => {
  deviation.count++
  if (deviation.examples.length < maxExamples) deviation.examples.push({ index, ...words() })
}

type Columns = Partial<Vectors<Spec>>

/**
 * Looks at rows of a chain in detail. Only columns that are there are compared; NaN, which stands for null, compares as no deviation: the null is
 * a finding of its own.
 */
export class RowFindings {
  private readonly columns: Columns
  private readonly moneynessNulls: Bitmap.Bitmap | undefined
  private readonly found = {
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

  constructor(columns: Columns, moneynessNulls: Bitmap.Bitmap | undefined) {
    this.columns = columns
    this.moneynessNulls = moneynessNulls
  }

  get findings(): ReadonlyArray<Finding> {
    return Object.values(this.found).filter(({ count }) => count > 0)
  }

  /** Compares all columns in one row. */
  examine(row: number): void {
    this.examineSymbol(row)
    this.examineMid(row)
    this.examineDays(row)
    this.examineMoneyness(row)
  }

  private examineSymbol(row: number): void {
    const { expiration, optionSymbol, side, strike } = this.columns
    if (optionSymbol === undefined) return
    const series = optionSymbol.series[optionSymbol.codes[row]!]!
    const expected = Strike.fromThousandths(optionSymbol.thousandths[row]!)
    if (strike !== undefined && strike[row] !== expected) {
      add(this.found.strikes, row, () => ({ expected: String(expected), received: String(strike[row]) }))
    }
    if (side !== undefined && side[row] !== codeOfSide[series.side]) {
      add(this.found.sides, row, () => ({
        expected: series.side,
        received: side[row] === codeOfSide.call ? "call" : "put"
      }))
    }
    if (expiration !== undefined) {
      const instant = Expiration.instant(this.listed(row) ?? series)
      const received = expiration[row]!
      if (received === instant) return
      const sameDay = NewYork.epochDayOf(received) === CalendarDate.toEpochDay(series.expiration)
      const deviation = sameDay ? this.found.times : this.found.days
      add(deviation, row, () => ({ expected: NewYork.format(instant), received: NewYork.format(received) }))
    }
  }

  /** The contract by its underlying, which tells better than its root whether it expires at the time of index options. */
  private listed(row: number): Parameters<typeof Expiration.instant>[0] | undefined {
    const { optionSymbol, underlying } = this.columns
    const root = underlying?.values[underlying.codes[row]!]
    const series = optionSymbol?.series[optionSymbol.codes[row]!]
    return root === undefined || series === undefined ? undefined : { root, expiration: series.expiration }
  }

  private examineMid(row: number): void {
    const { ask, bid, mid } = this.columns
    if (ask === undefined || bid === undefined || mid === undefined) return
    const midpoint = (bid[row]! + ask[row]!) / 2
    if (Math.abs(mid[row]! - midpoint) > halfACent) {
      add(this.found.mids, row, () => ({ expected: String(midpoint), received: String(mid[row]) }))
    }
  }

  private examineDays(row: number): void {
    const { dte, expiration, updated } = this.columns
    if (dte === undefined || expiration === undefined || updated === undefined) return
    const expected = NewYork.epochDayOf(expiration[row]!) - NewYork.epochDayOf(updated[row]!)
    if (Math.abs(dte[row]! - expected) > 0) {
      add(this.found.dtes, row, () => ({ expected: String(expected), received: String(dte[row]) }))
    }
  }

  private examineMoneyness(row: number): void {
    const { extrinsicValue, inTheMoney, intrinsicValue, mid, underlyingPrice } = this.columns
    const right = this.rightAt(row)
    if (right === undefined || underlyingPrice === undefined || Number.isNaN(underlyingPrice[row]!)) return
    const above = underlyingPrice[row]! - right.strike
    const intrinsic = Math.max(0, right.isCall ? above : -above)
    if (inTheMoney !== undefined && !Bitmap.has(this.moneynessNulls, row)) {
      const expected = intrinsic > 0
      if ((inTheMoney[row] === 1) !== expected) {
        add(this.found.moneyness, row, () => ({ expected: String(expected), received: String(!expected) }))
      }
    }
    if (intrinsicValue !== undefined && Math.abs(intrinsicValue[row]! - intrinsic) > aCent) {
      add(this.found.intrinsics, row, () => ({ expected: intrinsic.toFixed(2), received: String(intrinsicValue[row]) }))
    }
    if (extrinsicValue !== undefined && mid !== undefined) {
      const extrinsic = Math.abs(mid[row]! - intrinsic)
      const received = extrinsicValue[row]!
      // The contract does not say how a value below zero is written: with its sign, without it, or as zero.
      const isZero = received === 0 && mid[row]! < intrinsic
      if (!isZero && Math.abs(Math.abs(received) - extrinsic) > aCent) {
        add(this.found.extrinsics, row, () => ({ expected: extrinsic.toFixed(2), received: String(received) }))
      }
    }
  }

  /**
   * Side and strike of a row, by its symbol or by its columns. Undefined if the two contradict each other: that is a finding already, and which of
   * them is right is unknown.
   */
  private rightAt(row: number): { readonly isCall: boolean; readonly strike: number } | undefined {
    const { optionSymbol, side, strike } = this.columns
    if (optionSymbol === undefined) {
      return side === undefined || strike === undefined
        ? undefined
        : { isCall: side[row] === codeOfSide.call, strike: strike[row]! }
    }
    const code = codeOfSide[optionSymbol.series[optionSymbol.codes[row]!]!.side]
    const expected = Strike.fromThousandths(optionSymbol.thousandths[row]!)
    const contradicts = (side !== undefined && side[row] !== code) || (strike !== undefined && strike[row] !== expected)
    return contradicts ? undefined : { isCall: code === codeOfSide.call, strike: expected }
  }
}
