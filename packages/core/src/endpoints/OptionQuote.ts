/**
 * The quotes of one option contract: one row now or for a past day, or one row for each day of a range (contract 4.2).
 *
 * The contract shows no columns; they are those of a chain. Past days have no greeks, and a contract without a quote has no prices, so
 * most columns may hold null. Times are epoch seconds.
 *
 * @example
 * ```ts
 * import * as OptionQuote from "@effect-marketdata/core/OptionQuote"
 * import * as Result from "effect/Result"
 *
 * const body = `{"s":"ok","optionSymbol":["AAPL261120C00150000"],"bid":[1.2],"delta":[null]}`
 * const quotes = Result.getOrThrow(OptionQuote.decode(body, { columns: ["optionSymbol", "bid", "delta"] }))
 * quotes.at(0).bid // => 1.2
 * quotes.at(0).delta // => null
 * ```
 *
 * @since 0.1.0
 */
import type * as Result from "effect/Result"
import { boolean, choices, number } from "../columns/ColumnKind.ts"
import type { Row as RowOf } from "../columns/ColumnSpec.ts"
import type { DecodeOptions } from "../columns/ColumnDecoder.ts"
import * as ColumnTable from "../columns/ColumnTable.ts"
import type { DecodeError } from "../columns/DecodeError.ts"
import { optionSymbolKind, underlyings } from "../chain/optionSymbolColumn.ts"

const quantity = { kind: number, null: "finding" } as const
const nullable = { kind: number, null: "nullable" } as const

/**
 * The columns of a reply, in order. Their types are those that the public service shows.
 *
 * @category constants
 * @since 0.1.0
 */
export const spec = {
  optionSymbol: { kind: optionSymbolKind, null: "identity" },
  underlying: { kind: underlyings, null: "finding" },
  expiration: quantity,
  side: { kind: choices(["call", "put"]), null: "finding" },
  strike: quantity,
  firstTraded: quantity,
  dte: quantity,
  ask: nullable,
  askSize: nullable,
  bid: nullable,
  bidSize: nullable,
  mid: nullable,
  last: nullable,
  volume: nullable,
  openInterest: nullable,
  underlyingPrice: quantity,
  inTheMoney: { kind: boolean, null: "finding" },
  intrinsicValue: quantity,
  extrinsicValue: quantity,
  updated: quantity,
  iv: nullable,
  delta: nullable,
  gamma: nullable,
  theta: nullable,
  vega: nullable
} as const

/**
 * The type of `spec`.
 *
 * @category models
 * @since 0.1.0
 */
export type Spec = typeof spec

/**
 * The name of a column.
 *
 * @category models
 * @since 0.1.0
 */
export type Column = keyof Spec

/**
 * One row: null where the reply held null.
 *
 * @category models
 * @since 0.1.0
 */
export type Row<Name extends Column = Column> = RowOf<Spec, Name>

/**
 * A table over the columns that were asked for.
 *
 * @category models
 * @since 0.1.0
 */
export type OptionQuote<Name extends Column = Column> = ColumnTable.ColumnTable<Spec, Name>

/**
 * Decodes the body of a reply, bytes or text. Fails with `DecodeError` where data would be wrong; `columns` says which columns were asked
 * for, and types the result.
 *
 * @category decoding
 * @since 0.1.0
 */
export const decode = <Name extends Column = Column>(
  body: Uint8Array | string,
  options?: DecodeOptions<Name>
): Result.Result<OptionQuote<Name>, DecodeError> => ColumnTable.decode<Spec, Name>(spec, body, options)
