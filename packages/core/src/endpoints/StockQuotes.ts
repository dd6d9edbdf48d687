/**
 * Stock quotes: one row for each stock (contract 4.4).
 *
 * Prices are in dollars; `changepct` is a fraction, 0.03 for three percent; `updated` is in epoch seconds. The 52-week high and low, and
 * the day's open, high, low and close, come only if `include` asks for them.
 *
 * @example
 * ```ts
 * import * as StockQuotes from "@effect-marketdata/core/StockQuotes"
 * import * as Result from "effect/Result"
 *
 * const body = `{"s":"ok","symbol":["AAPL"],"last":[247.94]}`
 * const quotes = Result.getOrThrow(StockQuotes.decode(body, { columns: ["symbol", "last"] }))
 * quotes.at(0).last // => 247.94
 * ```
 *
 * @see {@link StockPrices} for the midpoint alone
 * @see {@link ColumnTable} for what a table can do
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import * as ColumnTable from "../columns/ColumnTable.ts"
import type * as Construct from "../query/construct.ts"
import type * as Endpoint from "../query/Endpoint.ts"
import * as Parameter from "../query/parameter.ts"
import * as Rules from "../query/rules.ts"
import * as Define from "./define.ts"
import * as Reading from "./reading.ts"

/**
 * What a stock's quote can have in addition, if `include` asks for it: the parameter, and the columns that it adds.
 *
 * @category constants
 * @since 0.1.0
 */
export const extras = {
  "52week": {
    /** The highest price of 52 weeks, in dollars. */
    "52weekHigh": Define.nullable,
    /** The lowest price of 52 weeks, in dollars. */
    "52weekLow": Define.nullable
  },
  candle: {
    /** The day's open, in dollars. */
    o: Define.nullable,
    /** The day's high, in dollars. */
    h: Define.nullable,
    /** The day's low, in dollars. */
    l: Define.nullable,
    /** The day's close, in dollars. */
    c: Define.nullable
  }
} as const

/** The columns that every reply has. */
const base = {
  /** The ticker of the stock. */
  symbol: Define.ticker,
  /** The lowest offer, in dollars. */
  ask: Define.nullable,
  /** How much is offered at the ask, in shares. */
  askSize: Define.nullable,
  /** The highest bid, in dollars. */
  bid: Define.nullable,
  /** How much is wanted at the bid, in shares. */
  bidSize: Define.nullable,
  /** The middle between bid and ask, in dollars. */
  mid: Define.nullable,
  /** The last price that was paid, in dollars. */
  last: Define.nullable,
  /** The change since the last close of the regular session, in dollars. */
  change: Define.nullable,
  /** The change since the last close of the regular session, as a fraction of it: 0.03 is three percent. */
  changepct: Define.nullable,
  /** The volume of the day, in shares. */
  volume: Define.nullable,
  /** When the quote was taken, in epoch seconds. */
  updated: Define.quantity
} as const

/**
 * The columns of a reply, in order. Their types are those of the public service's examples.
 *
 * @category constants
 * @since 0.1.0
 */
export const spec = { ...base, ...extras["52week"], ...extras.candle } as const

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
 * One quote of a stock, as a view: an element is null where the reply held null.
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
export type StockQuotes<Name extends Column = Column> = ColumnTable.ColumnTable<Spec, Name>

/**
 * The name of a column that every reply has.
 *
 * @category models
 * @since 0.1.0
 */
export type BaseColumn = keyof typeof base

/**
 * What a reply holds only if `include` asks for it: `"52week"`, the 52-week high and low, and `"candle"`, the day's open, high, low and
 * close.
 *
 * @category models
 * @since 0.1.0
 */
export type Extra = keyof typeof extras

/**
 * The names of the columns that an `include` adds.
 *
 * @category models
 * @since 0.1.0
 */
export type ColumnsOf<With extends Extra> = { readonly [Name in Extra]: keyof typeof extras[Name] }[With]

/**
 * The endpoint as data: its path, its parameters, its columns and the rule of its price.
 *
 * @category constants
 * @since 0.1.0
 */
export const row = /* @__PURE__ */ Define.table(spec, {
  name: "stockQuotes",
  path: "/v1/stocks/quotes/{symbol}/",
  listPath: "/v1/stocks/quotes/",
  parameters: ["52week", "candle", "extended"],
  kind: "quotes",
  stated: true,
  cached: true,
  prices: ["ask", "bid", "mid", "last"],
  // No request line has room for more tickers.
  maxReplyBytes: 2_097_152,
  maxRows: 4096
})

/**
 * The options of a query for quotes.
 *
 * - `include`: extra columns, which come only if they are asked for; they are added to `columns`
 * - `extended`: `false` takes the last quote of the regular session, even if there is a later one
 *
 * @category models
 * @since 0.1.0
 */
export interface Options<
  Name extends BaseColumn = BaseColumn,
  Mode extends Endpoint.AnyMode = undefined,
  With extends Extra = never
> extends Endpoint.Columnar<Name, Mode> {
  readonly include?: ReadonlyArray<With> | undefined
  readonly extended?: boolean | undefined
}

const readers = {
  include: /* @__PURE__ */ Parameter.list(/* @__PURE__ */ Parameter.choice(["52week", "candle"]), Rules.include, 0),
  extended: Parameter.yesOrNo
}

/** What is to be included is asked for by a parameter each, and adds its columns to those that are asked for. */
const details = (
  { general, own: { include = [], ...own } }: Construct.Given<typeof readers>
): Partial<Construct.Details> => {
  const extra = (["52week", "candle"] as const).filter((name) => include.includes(name))
  const added = extra.flatMap((name) => Object.keys(extras[name]))
  return {
    options: { ...own, ...Object.fromEntries(extra.map((name) => [name, true])) },
    columns: general.columns && [...general.columns, ...added],
    returns: [...Object.keys(base), ...added]
  }
}

/**
 * Makes the query for the quote of one stock (clause 4.4-stock-quote). `Query.stockQuote` is the same function. Fails with `InvalidQuery`
 * for a symbol that is not a ticker, and for an option that breaks its rule.
 *
 * @example
 * ```ts
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Result from "effect/Result"
 *
 * Result.map(Query.stockQuote("AAPL", { include: ["52week"] }), Query.target)
 * // => Result.succeed("/v1/stocks/quotes/AAPL/?52week=true")
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const query: <
  const Name extends BaseColumn = BaseColumn,
  const Mode extends Endpoint.AnyMode = undefined,
  const With extends Extra = never
>(
  symbol: string,
  options?: Options<Name, Mode, With>
) => Define.Asked<StockQuotes<Name | ColumnsOf<With>>, Mode>["result"] = /* @__PURE__ */ Define.ofTicker(
  row,
  readers,
  details
)

/**
 * Makes the query for the quotes of many stocks. `Query.stockQuotes` is the same function.
 *
 * Each ticker is sent once, in the order of its first mention. The 52-week high and low are available for one stock only. Fails with
 * `InvalidQuery` for a symbol that is not a ticker, and for an option that breaks its rule.
 *
 * @example
 * ```ts
 * import * as DataMode from "@effect-marketdata/core/DataMode"
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Result from "effect/Result"
 *
 * Result.map(Query.stockQuotes(["AAPL", "MSFT", "AAPL"], { mode: DataMode.cached({ maxAge: "5 minutes" }) }), Query.target)
 * // => Result.succeed("/v1/stocks/quotes/?symbols=AAPL,MSFT&mode=cached&maxage=5min")
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const queryMany: <
  const Name extends BaseColumn = BaseColumn,
  const Mode extends Endpoint.AnyMode = undefined,
  const With extends Exclude<Extra, "52week"> = never
>(
  symbols: ReadonlyArray<string>,
  options?: Options<Name, Mode, With>
) => Define.Asked<StockQuotes<Name | ColumnsOf<With>>, Mode>["result"] = /* @__PURE__ */ Define
  .ofTickers(row, readers, details)

/**
 * Decodes the body of a reply, given as bytes or text, into a table. `columns` names the columns that were asked for, and types the table.
 * Fails with `DecodeError` for a body that is not such a table.
 *
 * @category decoding
 * @since 0.1.0
 */
export const decode: Define.Decode<Spec> = (body, options) => ColumnTable.decode(spec, body, options)

/** @internal */
export const restore: Define.Restore = ({ options, subject }) => {
  const { "52week": _, candle: __, columns, ...others } = options
  const include = (["52week", "candle"] as const).filter((name) => options[name] !== undefined)
  const added = include.flatMap((name): ReadonlyArray<unknown> => Object.keys(extras[name]))
  const own = Array.isArray(columns) ? columns.filter((column) => !added.includes(column)) : columns
  return Result.map(
    Result.all(include.map((name) => Define.onlyTrue(name, options[name]))),
    () => ({ options: { ...others, include, columns: own }, subject })
  )
}

/** @internal */
export const reading = /* @__PURE__ */ Reading.table(spec, { belonging: { about: "symbol", each: true } })
