/**
 * The earnings of a company: one row for each fiscal quarter.
 *
 * `date` and `reportDate` are midnight in New York in epoch seconds; the date of a future report is an estimate. Earnings are per share,
 * in `currency`, and null until they are known.
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
import * as ColumnTable from "../columns/ColumnTable.ts"
import * as Endpoint from "../query/Endpoint.ts"
import type * as Period from "../query/Period.ts"
import * as Define from "./define.ts"
import * as Reading from "./reading.ts"

/**
 * The columns of a reply, in order. Their types are those of the public service's examples.
 *
 * @category constants
 * @since 0.1.0
 */
export const spec = {
  /** The ticker of the company. */
  symbol: Define.ticker,
  /** The fiscal year. */
  fiscalYear: Define.nullable,
  /** The fiscal quarter, from 1 to 4. */
  fiscalQuarter: Define.nullable,
  /** The last day of the quarter, as midnight in New York in epoch seconds. */
  date: Define.nullable,
  /** The day of the report, as midnight in New York in epoch seconds; an estimate as long as it lies ahead. */
  reportDate: Define.nullable,
  /** When on that day, in the service's words, such as `before market open`. */
  reportTime: Define.nullableText,
  /** The currency of the earnings, such as `USD`. */
  currency: Define.nullableText,
  /** Earnings per share as reported, in `currency`; null before the report. */
  reportedEPS: Define.nullable,
  /** Earnings per share as analysts expect them, in `currency`. */
  estimatedEPS: Define.nullable,
  /** `reportedEPS` less `estimatedEPS`, in `currency`. */
  surpriseEPS: Define.nullable,
  /** `surpriseEPS` as a fraction of `estimatedEPS`: 0.05 is five percent. */
  surpriseEPSpct: Define.nullable,
  /** When the row was last changed, in epoch seconds. */
  updated: Define.nullable
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
 * One quarter's earnings, as a view: an element is null where the reply held null.
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
export type StockEarnings<Name extends Column = Column> = ColumnTable.ColumnTable<Spec, Name>

/**
 * The endpoint as data: its path, its parameters, its columns and the rule of its price.
 *
 * @category constants
 * @since 0.1.0
 */
export const row = /* @__PURE__ */ Define.table(spec, {
  name: "stockEarnings",
  path: "/v1/stocks/earnings/{symbol}/",
  premium: true,
  date: "any",
  // A thousand years of quarters.
  maxRows: 4096
}, Define.reports)

/**
 * The options of a query for earnings: one day, a range of days, or the last rows before a day.
 *
 * @category models
 * @since 0.1.0
 */
export type Options<Name extends Column = Column, Mode extends Endpoint.UncachedMode = undefined> =
  & Endpoint.Columnar<Name, Mode>
  & Endpoint.Page
  & Period.DayOrRange

/**
 * Makes the query for past and expected earnings of a company. `Query.stockEarnings` is the same function. Fails with `InvalidQuery` for
 * a symbol that is not a ticker, and for an option that breaks its rule.
 *
 * @example
 * ```ts
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Result from "effect/Result"
 *
 * Result.map(Query.stockEarnings("AAPL", { countback: 4, to: "2026-11-20" }), Query.target)
 * // => Result.succeed("/v1/stocks/earnings/AAPL/?to=2026-11-20&countback=4")
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const query: <const Name extends Column = Column, const Mode extends Endpoint.UncachedMode = undefined>(
  symbol: string,
  options?: Options<Name, Mode>
) => Define.Asked<StockEarnings<Name>, Mode>["result"] = /* @__PURE__ */ Define.ofTicker(row, Define.reports)

/**
 * Decodes the body of a reply, given as bytes or text, into a table. `columns` names the columns that were asked for, and types the table.
 * Fails with `DecodeError` for a body that is not such a table.
 *
 * @category decoding
 * @since 0.1.0
 */
export const decode: Define.Decode<Spec> = (body, options) => ColumnTable.decode(spec, body, options)

/** @internal */
export const reading = /* @__PURE__ */ Reading.table(spec, { belonging: { about: "symbol", each: false } })
