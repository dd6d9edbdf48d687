/**
 * News about a company: one row for each article.
 *
 * `source` is a URL; `publicationDate` is in epoch seconds, whether the service writes it as a number or as digits in a text.
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
import { dictionary, quotedNumber } from "../columns/ColumnKind.ts"
import * as ColumnTable from "../columns/ColumnTable.ts"
import type * as Endpoint from "../query/Endpoint.ts"
import type * as Period from "../query/Period.ts"
import * as Define from "./define.ts"
import * as Reading from "./reading.ts"

/** Seconds since 1970, as a number or as its digits. */
const epochSeconds = /* @__PURE__ */ quotedNumber((text) => /^\d{1,12}$/.test(text) ? Number(text) : undefined)

/**
 * The columns of a reply, in order. Their types are those of the public service's examples.
 *
 * @category constants
 * @since 0.1.0
 */
export const spec = {
  /** The ticker of the company. */
  symbol: Define.ticker,
  /** The headline of the article. */
  headline: { kind: dictionary, null: "finding" },
  /** The text of the article, whole or its beginning. */
  content: Define.nullableText,
  /** The address of the article. */
  source: Define.nullableText,
  /** When it was published, in epoch seconds. */
  publicationDate: { kind: epochSeconds, null: "finding" }
} as const

/**
 * The type of `spec`.
 *
 * @category models
 * @since 0.1.0
 */
export type Spec = { readonly [Name in keyof typeof spec]: typeof spec[Name] }

/**
 * The name of a column.
 *
 * @category models
 * @since 0.1.0
 */
export type Column = { [Name in keyof Spec]: Name }[keyof Spec]

/**
 * One article, as a view: an element is null where the reply held null.
 *
 * @category models
 * @since 0.1.0
 */
export type Row<Name extends Column = Column> = Define.Row<Spec, Name>

/**
 * A table with the columns that were asked for, each under its own name.
 *
 * @category models
 * @since 0.1.0
 */
export type StockNews<Name extends Column = Column> = ColumnTable.ColumnTable<Spec, Name>

/**
 * The endpoint as data: its path, its parameters, its columns and the rule of its price.
 *
 * @category constants
 * @since 0.1.0
 */
export const row = /* @__PURE__ */ Define.table(spec, {
  name: "stockNews",
  path: "/v1/stocks/news/{symbol}/",
  date: "any",
  // A few thousand articles with their texts.
  maxReplyBytes: 16_777_216,
  maxRows: 4096
}, Define.reports)

/**
 * The options of a query for news: one day, a range of days, or the last rows before a day.
 *
 * @category models
 * @since 0.1.0
 */
export type Options<Name extends Column = Column, Mode extends Endpoint.UncachedMode = undefined> =
  & Endpoint.Columnar<Name, Mode>
  & Endpoint.Page
  & Period.DayOrRange

/**
 * Makes the query for news about a company. `Query.stockNews` is the same function. Fails with `InvalidQuery` for a symbol that is not a
 * ticker, and for an option that breaks its rule.
 *
 * @example
 * ```ts
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Result from "effect/Result"
 *
 * Result.map(Query.stockNews("AAPL", { from: "2026-11-16", to: "2026-11-20" }), Query.target)
 * // => Result.succeed("/v1/stocks/news/AAPL/?from=2026-11-16&to=2026-11-20")
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const query: <const Name extends Column = Column, const Mode extends Endpoint.UncachedMode = undefined>(
  symbol: string,
  options?: Options<Name, Mode>
) => Define.Asked<StockNews<Name>, Mode>["result"] = /* @__PURE__ */ Define.ofTicker(row, Define.reports)

/**
 * Decodes the body of a reply, given as bytes or text, into a table. `columns` names the columns that were asked for, and types the
 * table. Fails with `DecodeError` for a body that is not such a table. The single field `updated`, the time of the whole list, is not
 * read.
 *
 * @category decoding
 * @since 0.1.0
 */
export const decode: Define.Decode<Spec> = (body, options) =>
  ColumnTable.decode(spec, body, { ...options, scalars: ["updated"] })

/**
 * Creates a decoder for a reply that arrives in pieces. It gives the same results and errors as `decode`.
 *
 * @category decoding
 * @since 0.1.0
 */
export const decoder: Define.Decoder<Spec> = (options) =>
  ColumnTable.decoder(spec, { ...options, scalars: ["updated"] })

/** @internal */
export const reading = /* @__PURE__ */ Reading.table(spec, {
  belonging: { about: "symbol", each: false },
  decoder: (_, options) => decoder(options)
})
