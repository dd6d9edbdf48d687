import * as CalendarDate from "../CalendarDate.ts"
import * as Eastern from "../Eastern.ts"
import * as Expiration from "../Expiration.ts"
import type { Code, Example, Finding } from "../Finding.ts"
import { maxExamples } from "../Finding.ts"
import type { OptionChain } from "../OptionChain.ts"
import * as Strike from "../Strike.ts"

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

/** A little over half a cent: the midpoint is compared in binary, where half a cent is rarely itself. */
const halfACent = 0.005 + 1e-9

/**
 * Compares the columns of a chain with each other: strike, side and expiration with the option symbol, mid with bid and ask, dte with
 * the days, moneyness with the prices. Columns that are not there are not compared. NaN, which stands for null, compares as no
 * deviation: the null is a finding of its own.
 */
export const chainFindings = (chain: Partial<OptionChain> & Pick<OptionChain, "length">): ReadonlyArray<Finding> => [
  ...symbolFindings(chain),
  ...midFindings(chain),
  ...dteFindings(chain),
  ...moneynessFindings(chain)
]

const symbolFindings = (chain: Partial<OptionChain> & Pick<OptionChain, "length">): ReadonlyArray<Finding> => {
  const { expiration, optionSymbol: symbols, side, strike } = chain
  if (symbols === undefined) return []
  const strikes = new Collector("StrikeMismatch", "strike")
  const sides = new Collector("SideMismatch", "side")
  const days = new Collector("ExpirationMismatch", "expiration")
  const times = new Collector("ExpirationTime", "expiration")
  const instants = symbols.series.map((series) => Expiration.instant(series))
  for (let index = 0; index < chain.length; index++) {
    const code = symbols.codes[index]!
    const series = symbols.series[code]!
    if (strike !== undefined && strike[index] !== Strike.fromThousandths(symbols.thousandths[index]!)) {
      strikes.add(index, String(Strike.fromThousandths(symbols.thousandths[index]!)), String(strike[index]))
    }
    if (side !== undefined && side[index] !== (series.side === "call" ? 0 : 1)) {
      sides.add(index, series.side, side[index] === 0 ? "call" : "put")
    }
    if (expiration !== undefined) {
      const received = expiration[index]!
      const expected = instants[code]!
      if (received !== expected) {
        const sameDay = Eastern.epochDayOf(received) === CalendarDate.toEpochDay(series.expiration)
        const deviations = sameDay ? times : days
        deviations.add(index, Eastern.format(expected), Eastern.format(received))
      }
    }
  }
  return [...strikes.findings, ...sides.findings, ...days.findings, ...times.findings]
}

const midFindings = (chain: Partial<OptionChain> & Pick<OptionChain, "length">): ReadonlyArray<Finding> => {
  const { ask, bid, mid } = chain
  if (ask === undefined || bid === undefined || mid === undefined) return []
  const mids = new Collector("MidMismatch", "mid")
  for (let index = 0; index < chain.length; index++) {
    const midpoint = (bid[index]! + ask[index]!) / 2
    if (Math.abs(mid[index]! - midpoint) > halfACent) mids.add(index, String(midpoint), String(mid[index]))
  }
  return mids.findings
}

const dteFindings = (chain: Partial<OptionChain> & Pick<OptionChain, "length">): ReadonlyArray<Finding> => {
  const { dte, expiration, updated } = chain
  if (dte === undefined || expiration === undefined || updated === undefined) return []
  const days = new Collector("DteMismatch", "dte")
  for (let index = 0; index < chain.length; index++) {
    const expected = Eastern.epochDayOf(expiration[index]!) - Eastern.epochDayOf(updated[index]!)
    if (Math.abs(dte[index]! - expected) > 0) days.add(index, String(expected), String(dte[index]))
  }
  return days.findings
}

/** The service rounds to cents; two roundings may add up. */
const aCent = 0.01 + 1e-9

const moneynessFindings = (chain: Partial<OptionChain> & Pick<OptionChain, "length">): ReadonlyArray<Finding> => {
  const { extrinsicValue, inTheMoney, intrinsicValue, mid, underlyingPrice } = chain
  const rightOf = rightsOf(chain)
  if (rightOf === undefined || underlyingPrice === undefined) return []
  const moneyness = new Collector("MoneynessMismatch", "inTheMoney")
  const intrinsics = new Collector("MoneynessMismatch", "intrinsicValue")
  const extrinsics = new Collector("MoneynessMismatch", "extrinsicValue")
  for (let index = 0; index < chain.length; index++) {
    const right = rightOf(index)
    if (right === undefined || Number.isNaN(underlyingPrice[index]!)) continue
    const above = underlyingPrice[index]! - right.strike
    const intrinsic = Math.max(0, right.isCall ? above : -above)
    if (inTheMoney !== undefined && chain.isNull?.("inTheMoney", index) !== true) {
      const expected = intrinsic > 0
      if ((inTheMoney[index] === 1) !== expected) moneyness.add(index, String(expected), String(!expected))
    }
    if (intrinsicValue !== undefined && Math.abs(intrinsicValue[index]! - intrinsic) > aCent) {
      intrinsics.add(index, intrinsic.toFixed(2), String(intrinsicValue[index]))
    }
    if (extrinsicValue !== undefined && mid !== undefined) {
      const extrinsic = Math.abs(mid[index]! - intrinsic)
      if (Math.abs(Math.abs(extrinsicValue[index]!) - extrinsic) > aCent) {
        extrinsics.add(index, extrinsic.toFixed(2), String(extrinsicValue[index]))
      }
    }
  }
  return [...moneyness.findings, ...intrinsics.findings, ...extrinsics.findings]
}

interface Right {
  readonly isCall: boolean
  readonly strike: number
}

/**
 * Side and strike of a row, by its symbol or by its columns. A row in which the two contradict each other has none: that is a finding
 * already, and nobody can say which of them is right.
 */
const rightsOf = (
  { optionSymbol: symbols, side, strike }: Partial<OptionChain>
): ((index: number) => Right | undefined) | undefined => {
  if (symbols === undefined) {
    return side === undefined || strike === undefined
      ? undefined
      : (index) => ({ isCall: side[index] === 0, strike: strike[index]! })
  }
  return (index) => {
    const isCall = symbols.series[symbols.codes[index]!]!.side === "call"
    const thousandths = symbols.thousandths[index]!
    return (side !== undefined && (side[index] === 0) !== isCall) ||
        (strike !== undefined && strike[index] !== Strike.fromThousandths(thousandths))
      ? undefined
      : { isCall, strike: Strike.fromThousandths(thousandths) }
  }
}
