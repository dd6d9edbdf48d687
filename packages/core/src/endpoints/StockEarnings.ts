/**
 * The earnings of a company: one row a fiscal quarter.
 *
 * `date` and `reportDate` are midnight in New York in epoch seconds; the date of a report to come is an estimate. Earnings are per share, in
 * `currency`, and null as long as they are not known.
 *
 * @example
 * ```ts
 * import * as StockEarnings from "@effect-marketdata/core/StockEarnings"
 * import * as Result from "effect/Result"
 *
 * const body = `{"s":"ok","symbol":["AAPL"],"fiscalQuarter":[1],"reportedEPS":[null]}`
 * const columns = ["symbol", "fiscalQuarter", "reportedEPS"] as const
 * Result.getOrThrow(StockEarnings.decode(body, { columns })).at(0).reportedEPS // => null
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
  fiscalYear: nullable,
  fiscalQuarter: nullable,
  date: nullable,
  reportDate: nullable,
  reportTime: { kind: dictionary, null: "nullable" },
  currency: { kind: dictionary, null: "nullable" },
  reportedEPS: nullable,
  estimatedEPS: nullable,
  surpriseEPS: nullable,
  surpriseEPSpct: nullable,
  updated: nullable
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
export type StockEarnings<Name extends Column = Column> = ColumnTable.ColumnTable<Spec, Name>

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
): Result.Result<StockEarnings<Name>, DecodeError> => ColumnTable.decode<Spec, Name>(spec, body, options)
