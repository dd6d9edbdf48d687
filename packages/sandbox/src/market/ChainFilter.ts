/**
 * Parts of a chain: one expiration, one side, or both. The columns are cut as they are; no row becomes an object.
 *
 * @example
 * ```ts
 * import * as NewYork from "@effect-marketdata/core/NewYork"
 * import * as ChainFilter from "@effect-marketdata/sandbox/ChainFilter"
 * import * as Market from "@effect-marketdata/sandbox/Market"
 *
 * const expiration = { year: 2026, month: 11, day: 20 }
 * const chain = Market.make().chain("F", NewYork.at(expiration, 12, 0))!
 * ChainFilter.filter(chain, { expiration, side: "put" }).length // => 30
 * ```
 *
 * @since 0.1.0
 */
import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
import * as OptionChain from "@effect-marketdata/core/OptionChain"
import type * as OptionSymbol from "@effect-marketdata/core/OptionSymbol"

/**
 * What to keep; all where nothing is said.
 *
 * @category models
 * @since 0.1.0
 */
export interface Options {
  readonly expiration?: CalendarDate.CalendarDate | undefined
  readonly side?: OptionSymbol.Side | undefined
}

/**
 * Returns the contracts of a chain that have the expiration and the side, in the same order; the chain itself where that is all of them.
 * Findings name rows of the whole chain, and are not carried over.
 *
 * @category combinators
 * @since 0.1.0
 */
export const filter = (chain: OptionChain.OptionChain, { expiration, side }: Options): OptionChain.OptionChain => {
  const { codes, series } = chain.optionSymbol
  const isKept = series.map((of) =>
    (expiration === undefined || CalendarDate.Equivalence(of.expiration, expiration)) &&
    (side === undefined || of.side === side)
  )
  if (!isKept.includes(false)) return chain
  return ColumnTable.filter(chain, (row) => isKept[codes[row]!]!)
}
