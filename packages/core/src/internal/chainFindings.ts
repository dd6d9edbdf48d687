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
 * Compares the columns of a chain with each other: strike, side and expiration with the option symbol, mid with bid and ask.
 * Columns that are not there are not compared.
 */
export const chainFindings = (chain: Partial<OptionChain> & Pick<OptionChain, "length">): ReadonlyArray<Finding> => [
  ...symbolFindings(chain),
  ...midFindings(chain)
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
    if (strike !== undefined && Math.round(strike[index]! * 1000) !== symbols.thousandths[index]) {
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
    // NaN, from a null, compares as no deviation: the null is a finding of its own.
    if (Math.abs(mid[index]! - midpoint) > halfACent) mids.add(index, String(midpoint), String(mid[index]))
  }
  return mids.findings
}
