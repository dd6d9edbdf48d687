/** Chains of the sandbox's market, and chains that are written by hand. */
import { NewYork, OptionChain } from "@effect-marketdata/core"
import { ChainSnapshot, Listing, QuoteTime, Underlying } from "@effect-marketdata/sandbox"
import * as Result from "effect/Result"

/** Noon of 20 November 2026 in New York, a day on which options expire. */
export const noon = NewYork.at({ year: 2026, month: 11, day: 20 }, 12, 0)

export const underlying = (symbol: string): Underlying.Underlying =>
  Underlying.all.find((underlying) => underlying.symbol === symbol)!

/** The chain that the sandbox's market lists at noon. */
export const ofMarket = (symbol: string): OptionChain.OptionChain => {
  const time = QuoteTime.at(noon)!
  const of = underlying(symbol)
  return ChainSnapshot.make(1, of, time, Listing.make(1, of)(time.day))
}

/** The symbol of an option, by its root with the day, its side and its strike. */
export const symbol = (rootAndDay: string, side: "call" | "put", strike: number): string =>
  `${rootAndDay}${side === "call" ? "C" : "P"}${String(strike * 1000).padStart(8, "0")}`

/** A row by hand; what is left out is null. */
export interface Row {
  readonly symbol: string
  readonly bid?: number | null
  readonly ask?: number | null
  readonly mid?: number | null
  readonly spot?: number | null
}

const columns = ["optionSymbol", "bid", "ask", "mid", "underlyingPrice", "updated"] as const

/** A chain of these rows, quoted at noon. */
export const of = (rows: ReadonlyArray<Row>): OptionChain.OptionChain<typeof columns[number]> => {
  const each = (value: (row: Row) => unknown) => rows.map((row) => value(row) ?? null)
  const body = JSON.stringify({
    s: "ok",
    optionSymbol: each(({ symbol }) => symbol),
    bid: each(({ bid }) => bid),
    ask: each(({ ask }) => ask),
    mid: each(({ ask, bid, mid }) => mid === undefined && bid != null && ask != null ? (bid + ask) / 2 : mid),
    underlyingPrice: each(({ spot = 100 }) => spot),
    updated: each(() => noon)
  })
  return Result.getOrThrow(OptionChain.decode(body, { columns }))
}
