/**
 * On which days the market is open: one row a day.
 *
 * `date` is midnight in New York in epoch seconds. Half days count as open; days that the service knows nothing of are null.
 *
 * @example
 * ```ts
 * import * as MarketStatus from "@effect-marketdata/core/MarketStatus"
 * import * as Result from "effect/Result"
 *
 * const body = `{"s":"ok","date":[1680580800],"status":["open"]}`
 * Result.getOrThrow(MarketStatus.decode(body)).at(0).status // => "open"
 * ```
 *
 * @since 0.1.0
 */
import type * as Result from "effect/Result"
import { choices, number } from "../columns/ColumnKind.ts"
import type { Row as RowOf } from "../columns/ColumnSpec.ts"
import type { DecodeOptions } from "../columns/ColumnDecoder.ts"
import * as ColumnTable from "../columns/ColumnTable.ts"
import type { DecodeError } from "../columns/DecodeError.ts"

/**
 * The columns of a reply, in order. Their types are those that the public service shows.
 *
 * @category constants
 * @since 0.1.0
 */
export const spec = {
  date: { kind: number, null: "identity" },
  status: { kind: choices(["open", "closed"]), null: "nullable" }
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
export type MarketStatus<Name extends Column = Column> = ColumnTable.ColumnTable<Spec, Name>

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
): Result.Result<MarketStatus<Name>, DecodeError> => ColumnTable.decode<Spec, Name>(spec, body, options)
