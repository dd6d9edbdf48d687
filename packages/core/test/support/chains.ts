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
  const underlyingPrice = 102
  const each = <A>(value: (strike: number, side: "call" | "put") => A): ReadonlyArray<A> =>
    Array.from({ length: rows }, (_, index) => value(100 + Math.floor(index / 2), index % 2 === 0 ? "call" : "put"))
  const intrinsic = (strike: number, side: "call" | "put") =>
    Math.max(0, side === "call" ? underlyingPrice - strike : strike - underlyingPrice)
  return {
    optionSymbol: each((strike, side) =>
      `AAPL261120${side === "call" ? "C" : "P"}${String(strike).padStart(5, "0")}000`
    ),
    underlying: each(() => "AAPL"),
    expiration: each(() => expiration),
    side: each((_, side) => side),
    strike: each((strike) => strike),
    firstTraded: each(() => Date.UTC(2026, 5, 1, 13, 30) / 1000),
    dte: each(() => 0),
    ask: each((strike, side) => intrinsic(strike, side) + 1.5),
    askSize: each(() => 20),
    bid: each((strike, side) => intrinsic(strike, side) + 1),
    bidSize: each(() => 10),
    mid: each((strike, side) => intrinsic(strike, side) + 1.25),
    last: each(() => 1.2),
    volume: each(() => 100),
    openInterest: each(() => 1000),
    underlyingPrice: each(() => underlyingPrice),
    inTheMoney: each((strike, side) => intrinsic(strike, side) > 0),
    intrinsicValue: each(intrinsic),
    extrinsicValue: each(() => 1.25),
    updated: each(() => noon),
    iv: each(() => 0.25),
    delta: each((_, side) => side === "call" ? 0.5 : -0.5),
    gamma: each(() => 0.05),
    theta: each(() => -0.1),
    vega: each(() => 0.02)
  }
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
