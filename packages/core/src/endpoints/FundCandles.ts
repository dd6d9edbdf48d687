/**
 * The candles of a fund: one row a candle.
 *
 * `t` is the beginning of a candle in epoch seconds, midnight in New York for days and longer; `o`, `h`, `l` and `c` are open, high, low and
 * close in dollars.
 *
 * @example
 * ```ts
 * import * as FundCandles from "@effect-marketdata/core/FundCandles"
 * import * as Result from "effect/Result"
 *
 * const body = `{"s":"ok","t":[1703048400],"o":[196.16],"h":[196.95],"l":[195.89],"c":[196.94]}`
 * Result.getOrThrow(FundCandles.decode(body)).at(0).c // => 196.94
 * ```
 *
 * @since 0.1.0
 */
import type * as Result from "effect/Result"
import { number } from "../columns/ColumnKind.ts"
import type { Row as RowOf } from "../columns/ColumnSpec.ts"
import type { DecodeOptions } from "../columns/ColumnDecoder.ts"
import * as ColumnTable from "../columns/ColumnTable.ts"
import type { DecodeError } from "../columns/DecodeError.ts"

const quantity = { kind: number, null: "finding" } as const

/**
 * The columns of a reply, in order. Their types are those that the public service shows.
 *
 * @category constants
 * @since 0.1.0
 */
export const spec = {
  t: { kind: number, null: "identity" },
  o: quantity,
  h: quantity,
  l: quantity,
  c: quantity
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
export type FundCandles<Name extends Column = Column> = ColumnTable.ColumnTable<Spec, Name>

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
): Result.Result<FundCandles<Name>, DecodeError> => ColumnTable.decode<Spec, Name>(spec, body, options)
