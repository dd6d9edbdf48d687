/**
 * The candles of a fund: one row for each candle.
 *
 * `t` is the start of a candle in epoch seconds; for candles of a day and longer it is midnight in New York. `o`, `h`, `l` and `c` are
 * open, high, low and close in dollars.
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
export const spec = { ...Define.candle } as const

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
 * One candle of a fund, as a view: an element is null where the reply held null.
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
export type FundCandles<Name extends Column = Column> = ColumnTable.ColumnTable<Spec, Name>

/**
 * The endpoint as data: its path, its parameters, its columns and the rule of its price.
 *
 * @category constants
 * @since 0.1.0
 */
export const row = /* @__PURE__ */ Define.table(spec, {
  name: "fundCandles",
  path: "/v1/funds/candles/{resolution}/{symbol}/",
  kind: "candles",
  demo: "fund",
  // A hundred years of trading days.
  maxReplyBytes: 4_194_304,
  maxRows: 40_000
}, Parameter.countedDays)

/**
 * The length of a candle: days, weeks, months or years (`D`, `3M`), or a word such as `daily`. A fund has one price a day.
 *
 * @category models
 * @since 0.1.0
 */
export type Resolution = "daily" | "weekly" | "monthly" | "yearly" | `${number | ""}${"D" | "W" | "M" | "Y"}`

/**
 * The options of a query for candles: those of a range, or the last ones of a count. With neither it is the most recent candle only.
 *
 * @category models
 * @since 0.1.0
 */
export type Options<Name extends Column = Column, Mode extends Endpoint.UncachedMode = undefined> =
  & Endpoint.Columnar<Name, Mode>
  & Period.Range

/**
 * Makes the query for the candles of a fund. `Query.fundCandles` is the same function. Fails with `InvalidQuery` for a resolution, a
 * symbol or an option that breaks its rule.
 *
 * @example
 * ```ts
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Result from "effect/Result"
 *
 * Result.map(Query.fundCandles("D", "VFINX", { from: "2026-11-02", to: "2026-11-20" }), Query.target)
 * // => Result.succeed("/v1/funds/candles/D/VFINX/?from=2026-11-02&to=2026-11-20")
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const query: <const Name extends Column = Column, const Mode extends Endpoint.UncachedMode = undefined>(
  resolution: Resolution,
  symbol: string,
  options?: Options<Name, Mode>
) => Define.Asked<FundCandles<Name>, Mode>["result"] = /* @__PURE__ */ Define.ofCandles(
  row,
  Parameter.countedDays satisfies Define.Readers<Period.Range>,
  /* @__PURE__ */ Parameter.resolution(/^(daily|weekly|monthly|yearly|([1-9]\d{0,2})?[DWMY])$/i, Rules.fundResolution)
)

/**
 * Decodes the body of a reply, given as bytes or text, into a table. `columns` names the columns that were asked for, and types the table.
 * Fails with `DecodeError` for a body that is not such a table.
 *
 * @category decoding
 * @since 0.1.0
 */
export const decode: Define.Decode<Spec> = (body, options) => ColumnTable.decode(spec, body, options)

/** @internal */
export const reading = /* @__PURE__ */ Reading.table(spec)
