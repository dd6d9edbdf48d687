/**
 * Parts of a chain: one expiration, one side, or both. The columns are cut as they are; no row becomes an object.
 *
 * @example
 * ```ts
 * import * as Eastern from "@effect-marketdata/core/Eastern"
 * import * as ChainFilter from "@effect-marketdata/sandbox/market/ChainFilter"
 * import * as Market from "@effect-marketdata/sandbox/market/Market"
 *
 * const expiration = { year: 2026, month: 11, day: 20 }
 * const chain = Market.make().chain("F", Eastern.at(expiration, 12, 0))!
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
 * @category filtering
 * @since 0.1.0
 */
export const filter = (chain: OptionChain.OptionChain, { expiration, side }: Options): OptionChain.OptionChain => {
  const { codes, series } = chain.optionSymbol
  const isKept = series.map((of) =>
    (expiration === undefined || CalendarDate.Equivalence(of.expiration, expiration)) &&
    (side === undefined || of.side === side)
  )
  if (!isKept.includes(false)) return chain
  const rows: Array<number> = []
  for (let row = 0; row < chain.length; row++) if (isKept[codes[row]!]) rows.push(row)
  return take(chain, rows)
}

type Rows = ReadonlyArray<number>

const take = (chain: OptionChain.OptionChain, rows: Rows): OptionChain.OptionChain => {
  const vectors: Record<string, unknown> = {}
  const nulls: Record<string, Uint8Array<ArrayBuffer>> = {}
  for (const name of chain.columnNames) {
    vectors[name] = takeVector(chain[name], rows)
    for (let to = 0; to < rows.length; to++) {
      if (!chain.isNull(name, rows[to]!)) continue
      const bitmap = nulls[name] ??= new Uint8Array((rows.length + 7) >> 3)
      bitmap[to >> 3]! |= 1 << (to & 7)
    }
  }
  return ColumnTable.make(OptionChain.spec, { length: rows.length, vectors, nulls, findings: [] })
}

const takeVector = (vector: OptionChain.OptionChain[OptionChain.Column], rows: Rows): typeof vector => {
  if (vector instanceof Float64Array) return takeElements(vector, new Float64Array(rows.length), rows)
  if (vector instanceof Uint8Array) return takeElements(vector, new Uint8Array(rows.length), rows)
  const codes = takeElements(vector.codes, new Uint32Array(rows.length), rows)
  return "values" in vector
    ? { ...vector, codes }
    : { ...vector, codes, thousandths: takeElements(vector.thousandths, new Int32Array(rows.length), rows) }
}

const takeElements = <Vector extends { [index: number]: number }>(from: Vector, into: Vector, rows: Rows): Vector => {
  for (let to = 0; to < rows.length; to++) into[to] = from[rows[to]!]!
  return into
}
