/**
 * The columns of a chain, and their types. What reads, compares and answers chains stands on these.
 */
import { memoize } from "effect/Function"
import * as Result from "effect/Result"
import type { Codes, ColumnKind, Dictionary } from "../columns/ColumnKind.ts"
import { boolean, choices, dictionaryOf, number, repeatedNumber } from "../columns/ColumnKind.ts"
import * as OptionSymbol from "../symbol/OptionSymbol.ts"

/** What all symbols of one root, expiration and side share. `prefix` is their text up to the strike. */
interface Series extends Omit<OptionSymbol.OptionSymbol, "strike"> {
  readonly prefix: string
}

/**
 * A column of option symbols, taken apart: row i is `series[codes[i]]` with a strike of `thousandths[i]`. A chain of thousands
 * of contracts has a few dozen series, so a symbol costs five or six bytes; its text is built when somebody asks for it.
 */
export interface SymbolColumn {
  readonly codes: Codes
  readonly thousandths: Int32Array<ArrayBuffer>
  readonly series: ReadonlyArray<Series>
}

const strikeDigits = 8

const isStrike = /^[0-9]{8}$/

/** The most series of a reply: the largest chain has a few hundred. */
const maxSeries = 16_384

/** The series that were read lately: a poller meets the same ones in each reply, and need not take their symbols apart again. */
const known = /* @__PURE__ */ new Map<string, Series>()

/** Several times as many as the largest chain has. */
const mostKnown = 4096

/** The text of one symbol. */
export const textAt = (column: SymbolColumn, index: number): string =>
  column.series[column.codes[index]!]!.prefix + String(column.thousandths[index]!).padStart(strikeDigits, "0")

/** The kind of the `optionSymbol` column. */
const optionSymbolKind: ColumnKind<SymbolColumn, string> = {
  storage: {
    _tag: "Texts",
    digits: strikeDigits,
    most: maxSeries,
    problem: (text) => {
      const prefix = text.slice(0, -strikeDigits)
      if (known.has(prefix) && isStrike.test(text.slice(-strikeDigits))) return undefined
      const parsed = OptionSymbol.parse(text)
      if (Result.isFailure(parsed)) return parsed.failure.reason.rule
      remember(prefix, parsed.success)
      return undefined
    }
  },
  expected: "an option symbol",
  at: textAt,
  pack: ({ codes, series, thousandths }) => ({
    lanes: [codes, thousandths],
    legend: series.map(({ prefix }) => prefix)
  }),
  of: ({ lanes: [codes, thousandths], legend }) => ({
    codes: codes as Codes,
    thousandths: thousandths as Int32Array<ArrayBuffer>,
    series: legend.map(seriesOf)
  })
}

/** The kind of the `underlying` column: no reply has more of them than series. */
const underlyings: ColumnKind<Dictionary, string> = /* @__PURE__ */ dictionaryOf(maxSeries)

/** The series that a prefix names, which the decoder has found to be one. */
const seriesOf = (prefix: string): Series =>
  known.get(prefix) ?? remember(prefix, OptionSymbol.parseUnsafe(prefix + "0".repeat(strikeDigits)))

const remember = (prefix: string, { expiration, root, side }: OptionSymbol.OptionSymbol): Series => {
  const series = { prefix, root, expiration, side }
  if (known.size === mostKnown) known.clear()
  known.set(prefix, series)
  return series
}

/** The first row of each symbol, by prefix and thousandths. It lives as long as its column. */
const rowsOf = /* @__PURE__ */ memoize(({ codes, series, thousandths }: SymbolColumn) => {
  const rows = series.map(({ prefix }) => [prefix, new Map<number, number>()] as const)
  for (let row = codes.length - 1; row >= 0; row--) rows[codes[row]!]![1].set(thousandths[row]!, row)
  return new Map(rows)
})

/** The first row of a symbol, or -1. */
export const indexOf = (column: SymbolColumn, symbol: string): number => {
  const digits = symbol.slice(-strikeDigits)
  if (!isStrike.test(digits)) return -1
  return rowsOf(column).get(symbol.slice(0, -strikeDigits))?.get(Number(digits)) ?? -1
}

const quantity = { kind: number, null: "finding" } as const
const repeated = { kind: repeatedNumber, null: "finding" } as const

/** The columns of a chain, in the order of the contract (clauses 2.1-fields and 2.1-only-last-null). */
export const spec = {
  /** The OCC symbol of the contract. */
  optionSymbol: { kind: optionSymbolKind, null: "identity" },
  /** The ticker of the underlying. */
  underlying: { kind: underlyings, null: "identity" },
  /** When the contract expires, in epoch seconds. */
  expiration: { kind: repeatedNumber, null: "identity" },
  /** Call or put; the column holds 0 for a call, 1 for a put. */
  side: { kind: /* @__PURE__ */ choices(["call", "put"]), null: "identity" },
  /** The strike, in dollars. */
  strike: { kind: number, null: "identity" },
  /** The morning of the first day on which it was traded, in epoch seconds. */
  firstTraded: repeated,
  /** Calendar days to expiration. */
  dte: repeated,
  /** The lowest offer, in dollars a share. */
  ask: quantity,
  /** How much is offered at the ask, in contracts. */
  askSize: quantity,
  /** The highest bid, in dollars a share. */
  bid: quantity,
  /** How much is wanted at the bid, in contracts. */
  bidSize: quantity,
  /** The middle between bid and ask, in dollars a share. */
  mid: quantity,
  /** The last price that was paid, in dollars a share; null where the contract was never traded. */
  last: { kind: number, null: "nullable" },
  /** The volume of the day, in contracts. */
  volume: quantity,
  /** The open interest, in contracts. */
  openInterest: quantity,
  /** The price of the underlying, in dollars. */
  underlyingPrice: repeated,
  /** Whether exercising would pay; the column holds 1 where it would, or else 0. */
  inTheMoney: { kind: boolean, null: "finding" },
  /** What exercising would pay, in dollars a share. */
  intrinsicValue: quantity,
  /** What `mid` is above the intrinsic value, in dollars a share. */
  extrinsicValue: quantity,
  /** When the quote was taken, in epoch seconds. */
  updated: repeated,
  /** Implied volatility of a year, as a fraction: 0.25 is 25 percent. */
  iv: quantity,
  /** Dollars for each dollar that the underlying rises: from 0 to 1 for calls, from -1 to 0 for puts. */
  delta: quantity,
  /** What `delta` changes for each dollar that the underlying rises. */
  gamma: quantity,
  /** Dollars a share for each day that passes. */
  theta: quantity,
  /** Dollars a share for each percentage point of volatility. */
  vega: quantity
} as const

/** The type of `spec`. */
export type Spec = { readonly [Name in keyof typeof spec]: typeof spec[Name] }
