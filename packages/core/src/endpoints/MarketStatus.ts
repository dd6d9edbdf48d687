/**
 * On which days the market is open: one row for each day.
 *
 * `date` is midnight in New York in epoch seconds. Half days count as open; the status of a day that the service does not know is null.
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
 * @see {@link TradingCalendar} which knows the days of the exchange without a request
 * @since 0.1.0
 */
import { choices } from "../columns/ColumnKind.ts"
import * as ColumnTable from "../columns/ColumnTable.ts"
import type * as Endpoint from "../query/Endpoint.ts"
import * as Parameter from "../query/parameter.ts"
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
  /** The day, as midnight in New York in epoch seconds. */
  date: Define.identity,
  /** Whether the market is open; half days are. Null where the service does not know. */
  status: { kind: /* @__PURE__ */ choices(["open", "closed"]), null: "nullable" }
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
 * One day of the market, as a view: an element is null where the reply held null.
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
export type MarketStatus<Name extends Column = Column> = ColumnTable.ColumnTable<Spec, Name>

const readers = {
  country: /* @__PURE__ */ Parameter.choice(["US"]),
  ...Define.reports
} satisfies Define.Readers<Options<Column>>

/**
 * The endpoint as data: its path, its parameters, its columns and the rule of its price.
 *
 * @category constants
 * @since 0.1.0
 */
export const row = /* @__PURE__ */ Define.table(spec, {
  name: "marketStatus",
  path: "/v1/markets/status/",
  demo: "none",
  date: "any",
  // A hundred years of days.
  maxReplyBytes: 2_097_152,
  maxRows: 40_000
}, readers)

/**
 * The options of a query for market days: one day, a range of days, or the last days before a day; today if none is named. `country` is
 * that of the market; the public service knows only `US`.
 *
 * @category models
 * @since 0.1.0
 */
export type Options<Name extends Column = Column, Mode extends Endpoint.UncachedMode = undefined> =
  & Endpoint.Columnar<Name, Mode>
  & Endpoint.Page
  & Period.DayOrRange
  & { readonly country?: "US" | undefined }

/**
 * Makes the query for the days on which the market is open. `Query.marketStatus` is the same function. Fails with `InvalidQuery` for an
 * option that breaks its rule.
 *
 * @example
 * ```ts
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Result from "effect/Result"
 *
 * Result.map(Query.marketStatus({ date: "2026-11-26" }), Query.target)
 * // => Result.succeed("/v1/markets/status/?date=2026-11-26")
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const query = <const Name extends Column = Column, const Mode extends Endpoint.UncachedMode = undefined>(
  options: Options<Name, Mode> = {}
): Define.Asked<MarketStatus<Name>, Mode>["result"] =>
  Define.made(row, readers, options, { subject: "", tickers: [] }, ({ own }) => ({ subject: own.country ?? "" }))

/**
 * Decodes the body of a reply, given as bytes or text, into a table. `columns` names the columns that were asked for, and types the table.
 * Fails with `DecodeError` for a body that is not such a table.
 *
 * @example
 * ```ts
 * import * as MarketStatus from "@effect-marketdata/core/MarketStatus"
 * import * as Result from "effect/Result"
 *
 * const days = MarketStatus.decode(`{"s":"ok","date":[1795150800],"status":["open"]}`)
 * Result.map(days, ({ length }) => length) // => Result.succeed(1)
 * ```
 *
 * @category decoding
 * @since 0.1.0
 */
export const decode: Define.Decode<Spec> = (body, options) => ColumnTable.decode(spec, body, options)

/** @internal */
export const reading = /* @__PURE__ */ Reading.table(spec)
