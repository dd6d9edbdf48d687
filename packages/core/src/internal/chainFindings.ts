import * as CalendarDate from "../CalendarDate.ts"
import type { Vectors } from "../columns/ColumnSpec.ts"
import type { Content } from "../ColumnTable.ts"
import * as Eastern from "../Eastern.ts"
import * as Expiration from "../Expiration.ts"
import type { Code, Example, Finding } from "../Finding.ts"
import { maxExamples } from "../Finding.ts"
import type { Spec } from "../OptionChain.ts"
import * as Strike from "../Strike.ts"
import * as Bitmap from "./bitmap.ts"

/** Counts one kind of deviation in one column, and keeps the first rows. */
class Collector {
  private readonly code: Code
  private readonly column: string
  private readonly examples: Array<Example> = []
  private count = 0

  constructor(code: Code, column: string) {
    this.code = code
    this.column = column
  }

  add(index: number, expected: string, received: string): void {
    this.count++
    if (this.examples.length < maxExamples) this.examples.push({ index, expected, received })
  }

  get findings(): ReadonlyArray<Finding> {
    return this.count === 0
      ? []
      : [{ code: this.code, column: this.column, count: this.count, examples: this.examples }]
  }
}

type Columns = Partial<Vectors<Spec>>

/**
 * Compares the columns of a chain with each other: strike, side and expiration with the option symbol, mid with bid and ask, dte with
 * the days, moneyness with the prices. Columns that are not there are not compared. NaN, which stands for null, compares as no
 * deviation: the null is a finding of its own.
 *
 * Each comparison is one loop over typed arrays, because all rows of every reply go through it.
 */
export const chainFindings = ({ length, nulls, vectors }: Content): ReadonlyArray<Finding> => {
  const columns: Columns = vectors
  return [
    ...strikeFindings(length, columns),
    ...sideFindings(length, columns),
    ...expirationFindings(length, columns),
    ...midFindings(length, columns),
    ...dteFindings(length, columns),
    ...moneynessFindings(length, columns, nulls["inTheMoney"])
  ]
}

const strikeFindings = (length: number, { optionSymbol, strike }: Columns): ReadonlyArray<Finding> => {
  if (optionSymbol === undefined || strike === undefined) return []
  const strikes = new Collector("StrikeMismatch", "strike")
  const { thousandths } = optionSymbol
  for (let index = 0; index < length; index++) {
    const expected = Strike.fromThousandths(thousandths[index]!)
    if (strike[index] !== expected) strikes.add(index, String(expected), String(strike[index]))
  }
  return strikes.findings
}

const codeOf = { call: 0, put: 1 } as const

const sideFindings = (length: number, { optionSymbol, side }: Columns): ReadonlyArray<Finding> => {
  if (optionSymbol === undefined || side === undefined) return []
  const sides = new Collector("SideMismatch", "side")
  const { codes, series } = optionSymbol
  const expected = Uint8Array.from(series, ({ side }) => codeOf[side])
  for (let index = 0; index < length; index++) {
    const code = codes[index]!
    if (side[index] !== expected[code]) sides.add(index, series[code]!.side, side[index] === 0 ? "call" : "put")
  }
  return sides.findings
}

/** The `underlying` column knows better than the root of a symbol whether its options expire at the time of indexes. */
const expirationFindings = (
  length: number,
  { expiration, optionSymbol, underlying }: Columns
): ReadonlyArray<Finding> => {
  if (optionSymbol === undefined || expiration === undefined) return []
  const days = new Collector("ExpirationMismatch", "expiration")
  const times = new Collector("ExpirationTime", "expiration")
  const { codes, series } = optionSymbol
  const ofRoot = Float64Array.from(series, (series) => Expiration.instant(series))
  const ofIndex = Float64Array.from(series, ({ expiration }) => Expiration.closing(expiration, true))
  const ofEquity = Float64Array.from(series, ({ expiration }) => Expiration.closing(expiration, false))
  const ofUnderlying = underlying?.values.map((symbol) => Expiration.indexUnderlyings.has(symbol) ? ofIndex : ofEquity)
  const underlyings = underlying?.codes
  let [lastCode, lastUnderlying, expected] = [-1, -1, NaN]
  for (let index = 0; index < length; index++) {
    const code = codes[index]!
    const of = underlyings === undefined ? -1 : underlyings[index]!
    if (code !== lastCode || of !== lastUnderlying) {
      expected = (ofUnderlying?.[of] ?? ofRoot)[code]!
      lastCode = code
      lastUnderlying = of
    }
    const received = expiration[index]!
    if (received === expected) continue
    const sameDay = Eastern.epochDayOf(received) === CalendarDate.toEpochDay(series[code]!.expiration)
    const deviations = sameDay ? times : days
    deviations.add(index, Eastern.format(expected), Eastern.format(received))
  }
  return [...days.findings, ...times.findings]
}

/** A little over half a cent: the midpoint is compared in binary, where half a cent is rarely itself. */
const halfACent = 0.005 + 1e-9

const midFindings = (length: number, { ask, bid, mid }: Columns): ReadonlyArray<Finding> => {
  if (ask === undefined || bid === undefined || mid === undefined) return []
  const mids = new Collector("MidMismatch", "mid")
  for (let index = 0; index < length; index++) {
    const midpoint = (bid[index]! + ask[index]!) / 2
    if (Math.abs(mid[index]! - midpoint) > halfACent) mids.add(index, String(midpoint), String(mid[index]))
  }
  return mids.findings
}

/** Tells the day in New York of times that mostly lie on the same day as the one before. */
class LastDay {
  private from = NaN
  private to = NaN
  private day = NaN

  of(epochSeconds: number): number {
    if (epochSeconds >= this.from && epochSeconds < this.to) return this.day
    this.day = Eastern.epochDayOf(epochSeconds)
    this.from = Eastern.midnight(CalendarDate.fromEpochDay(this.day))
    this.to = Eastern.midnight(CalendarDate.fromEpochDay(this.day + 1))
    return this.day
  }
}

const dteFindings = (length: number, { dte, expiration, updated }: Columns): ReadonlyArray<Finding> => {
  if (dte === undefined || expiration === undefined || updated === undefined) return []
  const days = new Collector("DteMismatch", "dte")
  const expirationDay = new LastDay()
  const updatedDay = new LastDay()
  for (let index = 0; index < length; index++) {
    const expected = expirationDay.of(expiration[index]!) - updatedDay.of(updated[index]!)
    if (Math.abs(dte[index]! - expected) > 0) days.add(index, String(expected), String(dte[index]))
  }
  return days.findings
}

/** The service rounds to cents; two roundings may add up. */
const aCent = 0.01 + 1e-9

const moneynessFindings = (
  length: number,
  columns: Columns,
  nulls: Bitmap.Bitmap | undefined
): ReadonlyArray<Finding> => {
  const { extrinsicValue, inTheMoney, intrinsicValue, mid, underlyingPrice } = columns
  const rights = rightsOf(length, columns)
  if (rights === undefined || underlyingPrice === undefined) return []
  const { signs, strikes } = rights
  const intrinsic = new Float64Array(length)
  for (let index = 0; index < length; index++) {
    intrinsic[index] = Math.max(0, signs[index]! * (underlyingPrice[index]! - strikes[index]!))
  }
  return [
    ...inTheMoney === undefined ? [] : insideFindings(intrinsic, inTheMoney, nulls),
    ...intrinsicValue === undefined ? [] : intrinsicFindings(intrinsic, intrinsicValue),
    ...extrinsicValue === undefined || mid === undefined ? [] : extrinsicFindings(intrinsic, extrinsicValue, mid)
  ]
}

const insideFindings = (
  intrinsic: Float64Array,
  inTheMoney: Uint8Array,
  nulls: Bitmap.Bitmap | undefined
): ReadonlyArray<Finding> => {
  const inside = new Collector("MoneynessMismatch", "inTheMoney")
  for (let index = 0; index < intrinsic.length; index++) {
    const value = intrinsic[index]!
    if (Number.isNaN(value) || (inTheMoney[index] === 1) === value > 0) continue
    if (nulls === undefined || !Bitmap.has(nulls, index)) inside.add(index, String(value > 0), String(!(value > 0)))
  }
  return inside.findings
}

const intrinsicFindings = (intrinsic: Float64Array, intrinsicValue: Float64Array): ReadonlyArray<Finding> => {
  const intrinsics = new Collector("MoneynessMismatch", "intrinsicValue")
  for (let index = 0; index < intrinsic.length; index++) {
    const expected = intrinsic[index]!
    const received = intrinsicValue[index]!
    if (Math.abs(received - expected) > aCent) intrinsics.add(index, expected.toFixed(2), String(received))
  }
  return intrinsics.findings
}

const extrinsicFindings = (
  intrinsic: Float64Array,
  extrinsicValue: Float64Array,
  mid: Float64Array
): ReadonlyArray<Finding> => {
  const extrinsics = new Collector("MoneynessMismatch", "extrinsicValue")
  for (let index = 0; index < intrinsic.length; index++) {
    const expected = Math.abs(mid[index]! - intrinsic[index]!)
    const received = extrinsicValue[index]!
    if (Math.abs(Math.abs(received) - expected) > aCent) extrinsics.add(index, expected.toFixed(2), String(received))
  }
  return extrinsics.findings
}

/** What a row is a right to: to buy, 1, or to sell, -1, at a strike. */
interface Rights {
  readonly signs: ArrayLike<number>
  readonly strikes: ArrayLike<number>
}

/**
 * Side and strike of each row, by its symbol or by its columns. A row in which the two contradict each other has NaN: that is a finding
 * already, and nobody can say which of them is right.
 */
const rightsOf = (length: number, { optionSymbol, side, strike }: Columns): Rights | undefined => {
  if (optionSymbol === undefined) {
    return side === undefined || strike === undefined
      ? undefined
      : { signs: Int8Array.from(side, signOf), strikes: strike }
  }
  const { codes, series, thousandths } = optionSymbol
  const sides = Uint8Array.from(series, ({ side }) => codeOf[side])
  const signs = new Int8Array(length)
  const strikes = new Float64Array(length)
  for (let index = 0; index < length; index++) {
    const ofSymbol = sides[codes[index]!]!
    const expected = Strike.fromThousandths(thousandths[index]!)
    const contradicts = (side !== undefined && side[index] !== ofSymbol) ||
      (strike !== undefined && strike[index] !== expected)
    signs[index] = signOf(ofSymbol)
    strikes[index] = contradicts ? NaN : expected
  }
  return { signs, strikes }
}

const signOf = (side: number): number => side === codeOf.call ? 1 : -1
