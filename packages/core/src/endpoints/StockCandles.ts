/**
 * The candles of a stock: one row for each candle.
 *
 * `t` is the start of a candle in epoch seconds; for candles of a day and longer it is midnight in New York. `o`, `h`, `l` and `c` are
 * open, high, low and close in dollars; `v` is the volume in shares.
 *
 * @example
 * ```ts
 * import * as StockCandles from "@effect-marketdata/core/StockCandles"
 * import * as Result from "effect/Result"
 *
 * const body = `{"s":"ok","t":[1703048400],"o":[196.16],"h":[196.95],"l":[195.89],"c":[196.94],"v":[40714051]}`
 * Result.getOrThrow(StockCandles.decode(body)).at(0).c // => 196.94
 * ```
 *
 * @see {@link StockBulkCandles} for one day of many stocks
 * @see {@link Period} for how days and times are written
 * @since 0.1.0
 */
import * as ColumnTable from "../columns/ColumnTable.ts"
import type * as Endpoint from "../query/Endpoint.ts"
import * as Parameter from "../query/parameter.ts"
import type * as Period from "../query/Period.ts"
import * as Rules from "../query/rules.ts"
import * as Define from "./define.ts"
import * as Reading from "./reading.ts"

/**
 * The columns of a reply, in order. Their types are those of the public service's examples.
 *
 * @category constants
 * @since 0.1.0
 */
export const spec = {
  ...Define.candle,
  /** The volume, in shares. */
  v: Define.quantity
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
 * One candle of a stock, as a view: an element is null where the reply held null.
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
export type StockCandles<Name extends Column = Column> = ColumnTable.ColumnTable<Spec, Name>

type Own = Period.Range & {
  readonly extended?: boolean | undefined
  readonly adjustsplits?: boolean | undefined
  readonly adjustdividends?: boolean | undefined
}

const readers = {
  ...Parameter.countedDays,
  extended: Parameter.yesOrNo,
  adjustsplits: Parameter.yesOrNo,
  adjustdividends: Parameter.yesOrNo
} satisfies Define.Readers<Own>

/**
 * The endpoint as data: its path, its parameters, its columns and the rule of its price.
 *
 * @category constants
 * @since 0.1.0
 */
export const row = /* @__PURE__ */ Define.table(spec, {
  name: "stockCandles",
  path: "/v1/stocks/candles/{resolution}/{symbol}/",
  kind: "candles",
  // Three years of minutes, with those before and after the session.
  maxReplyBytes: 67_108_864,
  maxRows: 800_000
}, readers)

/**
 * The length of a candle: minutes (`5`), hours (`2H`), days, weeks, months or years (`D`, `3M`), or a word such as `daily`.
 *
 * @category models
 * @since 0.1.0
 */
export type Resolution =
  | "minutely"
  | "hourly"
  | "daily"
  | "weekly"
  | "monthly"
  | "yearly"
  | `${number}`
  | `${number | ""}${"H" | "D" | "W" | "M" | "Y"}`

/**
 * The options of a query for candles: those of a range, or the last ones of a count. With neither it is the most recent candle only. Days
 * and times are New York's.
 *
 * - `extended`: candles shorter than a day also from outside the regular session
 * - `adjustsplits`, `adjustdividends`: whether earlier prices are adjusted
 *
 * @category models
 * @since 0.1.0
 */
export type Options<Name extends Column = Column, Mode extends Endpoint.UncachedMode = undefined> =
  & Endpoint.Columnar<Name, Mode>
  & Own

/**
 * Makes the query for the candles of a stock. `Query.stockCandles` is the same function. Fails with `InvalidQuery` for a resolution, a
 * symbol or an option that breaks its rule.
 *
 * @example
 * ```ts
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Result from "effect/Result"
 *
 * Result.map(Query.stockCandles("D", "AAPL", { from: "2026-11-02", to: "2026-11-20" }), Query.target)
 * // => Result.succeed("/v1/stocks/candles/D/AAPL/?from=2026-11-02&to=2026-11-20")
 * Result.map(Query.stockCandles("5", "AAPL", { countback: 78, to: "2026-11-20" }), Query.target)
 * // => Result.succeed("/v1/stocks/candles/5/AAPL/?to=2026-11-20&countback=78")
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const query: <const Name extends Column = Column, const Mode extends Endpoint.UncachedMode = undefined>(
  resolution: Resolution,
  symbol: string,
  options?: Options<Name, Mode>
) => Define.Asked<StockCandles<Name>, Mode>["result"] = /* @__PURE__ */ Define.ofCandles(
  row,
  readers,
  /* @__PURE__ */ Parameter.resolution(
    /^(minutely|hourly|daily|weekly|monthly|yearly|[1-9]\d{0,3}|([1-9]\d{0,2})?[HDWMY])$/i,
    Rules.stockResolution
  )
)

/**
 * Decodes the body of a reply, given as bytes or text, into a table. `columns` names the columns that were asked for, and types the table.
 * Fails with `DecodeError` for a body that is not such a table.
 *
 * @example
 * ```ts
 * import * as StockCandles from "@effect-marketdata/core/StockCandles"
 * import * as Result from "effect/Result"
 *
 * const candles = StockCandles.decode(`{"s":"ok","t":[1795156200],"c":[350.1]}`, { columns: ["t", "c"] })
 * Result.map(candles, ({ c }) => c[0]) // => Result.succeed(350.1)
 * ```
 *
 * @category decoding
 * @since 0.1.0
 */
export const decode: Define.Decode<Spec> = (body, options) => ColumnTable.decode(spec, body, options)

/** @internal */
export const reading = /* @__PURE__ */ Reading.table(spec)
