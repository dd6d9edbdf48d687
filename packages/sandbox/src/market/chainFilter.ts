/** Parts of a chain: one expiration, one side, or both. The columns are cut as they are; no row becomes an object. */
import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
import * as OptionChain from "@effect-marketdata/core/OptionChain"
import type * as OptionSymbol from "@effect-marketdata/core/OptionSymbol"

/** What to keep; all where nothing is said. */
export interface Options {
  readonly expiration?: CalendarDate.CalendarDate | undefined
  readonly side?: OptionSymbol.Side | undefined
}

/**
 * Returns the contracts of a chain that have the expiration and the side, in the same order; the chain itself where that is all of them.
 * Findings name rows of the whole chain, and are not carried over.
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
