/** Bodies of chain replies. */
import { OptionChain, OptionSymbol } from "@effect-marketdata/core"
import * as fc from "fast-check"
import { optionSymbol } from "./arbitraries.ts"

/** The names of the 25 columns in the order of the contract's table, written out here so that the source cannot change them alone. */
export const names = `
  optionSymbol underlying expiration side strike firstTraded dte ask askSize bid bidSize mid last volume openInterest
  underlyingPrice inTheMoney intrinsicValue extrinsicValue updated iv delta gamma theta vega
`.trim().split(/\s+/) as ReadonlyArray<OptionChain.Column>

export type Columns = Readonly<Record<OptionChain.Column, ReadonlyArray<unknown>>>

/** 2026-11-20, 16:00 and 12:00 in New York. */
const expiration = Date.UTC(2026, 10, 20, 21) / 1000
export const noon = Date.UTC(2026, 10, 20, 17) / 1000

/**
 * The columns of a chain that holds to the contract in every row: calls and puts on AAPL by turns, the strikes from 100 up, the
 * underlying at 102.
 */
export const columns = (rows: number): Columns => {
  const times = { expiration, firstTraded: Date.UTC(2026, 5, 1, 13, 30) / 1000, dte: 0, updated: noon }
  const trade = { askSize: 20, bidSize: 10, last: 1.2, volume: 100, openInterest: 1000, underlyingPrice: 102 }
  const greeks = { iv: 0.25, gamma: 0.05, theta: -0.1, vega: 0.02 }
  const all = Array.from({ length: rows }, (_, index) => {
    const strike = 100 + Math.floor(index / 2)
    const isCall = index % 2 === 0
    const intrinsic = Math.max(0, isCall ? trade.underlyingPrice - strike : strike - trade.underlyingPrice)
    const optionSymbol = `AAPL261120${isCall ? "C" : "P"}${String(strike).padStart(5, "0")}000`
    const contract = { optionSymbol, underlying: "AAPL", side: isCall ? "call" : "put", strike }
    const quote = { ask: intrinsic + 1.5, bid: intrinsic + 1, mid: intrinsic + 1.25, delta: isCall ? 0.5 : -0.5 }
    const value = { inTheMoney: intrinsic > 0, intrinsicValue: intrinsic, extrinsicValue: 1.25 }
    return { ...contract, ...times, ...trade, ...quote, ...value, ...greeks }
  })
  return Object.fromEntries(names.map((name) => [name, all.map((row) => row[name])])) as unknown as Columns
}

/** A reply with that many rows. `change` replaces fields; an undefined one is left out. */
export const body = (rows: number, change: Readonly<Record<string, unknown>> = {}): string =>
  JSON.stringify({ s: "ok", ...columns(rows), ...change })

/** A few columns of a reply, without regard to whether they fit each other: nulls where the contract or a finding allows them. */
export const someColumns: fc.Arbitrary<Partial<Columns>> = fc.tuple(
  fc.subarray([...names], { minLength: 1 }),
  fc.array(
    fc.record({
      symbol: optionSymbol,
      text: fc.string({ maxLength: 3 }),
      // JSON knows no minus zero.
      number: fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
      flag: fc.boolean(),
      nulls: fc.nat({ max: 2 ** 25 - 1 })
    }),
    { maxLength: 20 }
  )
).map(([chosen, rows]) =>
  Object.fromEntries(
    chosen.map((name, column) => [
      name,
      rows.map(({ flag, nulls, number, symbol, text }) => {
        const { kind, null: where } = OptionChain.spec[name]
        if (where !== "identity" && (nulls >> column) % 2 === 1) return null
        return name === "optionSymbol"
          ? OptionSymbol.format(symbol)
          : name === "underlying"
          ? text
          : name === "side"
          ? symbol.side
          : kind === OptionChain.spec.inTheMoney.kind
          ? flag
          : number
      })
    ])
  )
)
