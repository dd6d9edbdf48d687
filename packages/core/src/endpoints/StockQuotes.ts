/**
 * Stock quotes: one row a stock (contract 4.4).
 *
 * Prices are in dollars; `changepct` is a fraction, 0.03 for three percent; `updated` is in epoch seconds. The high and the low of 52
 * weeks, and the day's open, high, low and close, come only when they are asked for.
 *
 * @example
 * ```ts
 * import * as StockQuotes from "@effect-marketdata/core/StockQuotes"
 * import * as Result from "effect/Result"
 *
 * const body = `{"s":"ok","symbol":["AAPL"],"last":[247.94]}`
 * const quotes = Result.getOrThrow(StockQuotes.decode(body, { columns: ["symbol", "last"] }))
 * quotes.at(0).last // => 247.94
 * ```
 *
 * @since 0.1.0
 */
import type * as Result from "effect/Result"
import { dictionary, number } from "../columns/ColumnKind.ts"
import type { Row as RowOf } from "../columns/ColumnSpec.ts"
import type { DecodeOptions } from "../columns/ColumnDecoder.ts"
import * as ColumnTable from "../columns/ColumnTable.ts"
import type { DecodeError } from "../columns/DecodeError.ts"

const nullable = { kind: number, null: "nullable" } as const

/**
 * The columns of a reply, in order. Their types are those that the public service shows.
 *
 * @category constants
 * @since 0.1.0
 */
export const spec = {
  symbol: { kind: dictionary, null: "identity" },
  ask: nullable,
  askSize: nullable,
  bid: nullable,
  bidSize: nullable,
  mid: nullable,
  last: nullable,
  change: nullable,
  changepct: nullable,
  volume: nullable,
  updated: { kind: number, null: "finding" },
  "52weekHigh": nullable,
  "52weekLow": nullable,
  o: nullable,
  h: nullable,
  l: nullable,
  c: nullable
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
export type StockQuotes<Name extends Column = Column> = ColumnTable.ColumnTable<Spec, Name>

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
): Result.Result<StockQuotes<Name>, DecodeError> => ColumnTable.decode<Spec, Name>(spec, body, options)
