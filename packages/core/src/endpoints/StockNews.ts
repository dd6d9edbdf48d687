/**
 * News about a company: one row an article.
 *
 * `source` is an address; `publicationDate` is in epoch seconds, whether the service writes it as a number or as digits.
 *
 * @example
 * ```ts
 * import * as StockNews from "@effect-marketdata/core/StockNews"
 * import * as Result from "effect/Result"
 *
 * const body = `{"s":"ok","symbol":["AAPL"],"headline":["A"],"publicationDate":["1703041200"],"updated":1703041200}`
 * const columns = ["symbol", "headline", "publicationDate"] as const
 * Result.getOrThrow(StockNews.decode(body, { columns })).publicationDate // => new Float64Array([1703041200])
 * ```
 *
 * @since 0.1.0
 */
import type * as Result from "effect/Result"
import { dictionary, quotedNumber } from "../columns/ColumnKind.ts"
import type { Row as RowOf } from "../columns/ColumnSpec.ts"
import type { ColumnDecoder, DecodeOptions } from "../columns/ColumnDecoder.ts"
import * as ColumnTable from "../columns/ColumnTable.ts"
import type { DecodeError } from "../columns/DecodeError.ts"

/** Seconds since 1970, as a number or as its digits. */
const epochSeconds = /* @__PURE__ */ quotedNumber((text) => /^\d{1,12}$/.test(text) ? Number(text) : undefined)

/**
 * The columns of a reply, in order. Their types are those that the public service shows.
 *
 * @category constants
 * @since 0.1.0
 */
export const spec = {
  symbol: { kind: dictionary, null: "identity" },
  headline: { kind: dictionary, null: "finding" },
  content: { kind: dictionary, null: "nullable" },
  source: { kind: dictionary, null: "nullable" },
  publicationDate: { kind: epochSeconds, null: "finding" }
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
export type StockNews<Name extends Column = Column> = ColumnTable.ColumnTable<Spec, Name>

/**
 * Decodes the body of a reply, bytes or text. Fails with `DecodeError` where data would be wrong; `columns` says which columns were asked
 * for, and types the result. The moment of the whole list, a single `updated`, is left aside.
 *
 * @category decoding
 * @since 0.1.0
 */
export const decode = <Name extends Column = Column>(
  body: Uint8Array | string,
  options?: DecodeOptions<Name>
): Result.Result<StockNews<Name>, DecodeError> =>
  ColumnTable.decode<Spec, Name>(spec, body, { ...options, scalars: ["updated"] })

/**
 * Creates a decoder for a reply that arrives in pieces; the same as `decode` otherwise.
 *
 * @category decoding
 * @since 0.1.0
 */
export const decoder = <Name extends Column = Column>(
  options?: DecodeOptions<Name>
): ColumnDecoder<StockNews<Name>> => ColumnTable.decoder<Spec, Name>(spec, { ...options, scalars: ["updated"] })
