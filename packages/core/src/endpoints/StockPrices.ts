/**
 * Stock prices: one row a stock (contract 4.5).
 *
 * `mid` is in dollars, `changepct` a fraction, `updated` in epoch seconds.
 *
 * @example
 * ```ts
 * import * as StockPrices from "@effect-marketdata/core/StockPrices"
 * import * as Result from "effect/Result"
 *
 * const body = `{"s":"ok","symbol":["AAPL"],"mid":[149.07],"change":[-2.05],"changepct":[-0.0088],"updated":[1663958092]}`
 * Result.getOrThrow(StockPrices.decode(body)).mid // => new Float64Array([149.07])
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
  mid: nullable,
  change: nullable,
  changepct: nullable,
  updated: { kind: number, null: "finding" }
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
export type StockPrices<Name extends Column = Column> = ColumnTable.ColumnTable<Spec, Name>

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
): Result.Result<StockPrices<Name>, DecodeError> => ColumnTable.decode<Spec, Name>(spec, body, options)
