/**
 * Stock prices: one row for each stock (contract 4.5).
 *
 * `mid` and `change` are in dollars; `changepct` is a fraction, 0.03 for three percent; `updated` is in epoch seconds.
 *
 * @example
 * ```ts
 * import * as StockPrices from "@effect-marketdata/core/StockPrices"
 * import * as Result from "effect/Result"
 *
 * const body = `{"s":"ok","symbol":["AAPL"],"mid":[149.07],"change":[-2.05],"changepct":[-0.0088],"updated":[1663958092]}`
 * Result.getOrThrow(StockPrices.decode(body)).mid // => new Float64Array([149.07])
 * ```
 *
 * @see {@link StockQuotes} for bid, ask, last and volume
 * @since 0.1.0
 */
import * as ColumnTable from "../columns/ColumnTable.ts"
import * as Endpoint from "../query/Endpoint.ts"
import * as Parameter from "../query/parameter.ts"
import * as Define from "./define.ts"
import * as Reading from "./reading.ts"

/**
 * The columns of a reply, in order. Their types are those of the public service's examples.
 *
 * @category constants
 * @since 0.1.0
 */
export const spec = {
  /** The ticker of the stock. */
  symbol: Define.ticker,
  /** The middle between bid and ask, in dollars. */
  mid: Define.nullable,
  /** The change since the last close of the regular session, in dollars. */
  change: Define.nullable,
  /** The change since the last close of the regular session, as a fraction of it: 0.03 is three percent. */
  changepct: Define.nullable,
  /** When the price was taken, in epoch seconds. */
  updated: Define.quantity
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
 * One price of a stock, as a view: an element is null where the reply held null.
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
export type StockPrices<Name extends Column = Column> = ColumnTable.ColumnTable<Spec, Name>

type Own = { readonly extended?: boolean | undefined }

const readers = { extended: Parameter.yesOrNo } satisfies Define.Readers<Own>

/**
 * The endpoint as data: its path, its parameters, its columns and the rule of its price.
 *
 * @category constants
 * @since 0.1.0
 */
export const row = /* @__PURE__ */ Define.table(spec, {
  name: "stockPrices",
  path: "/v1/stocks/prices/{symbol}/",
  listPath: "/v1/stocks/prices/",
  kind: "quotes",
  kindStated: false,
  stated: true,
  cached: true,
  prices: ["mid"],
  // No request line has room for more tickers.
  maxRows: 4096
}, readers)

/**
 * The options of a query for prices. `extended: false` takes the last price of the regular session.
 *
 * @category models
 * @since 0.1.0
 */
export type Options<Name extends Column = Column, Mode extends Endpoint.AnyMode = undefined> =
  & Endpoint.Columnar<Name, Mode>
  & Own

/**
 * Makes the query for the prices of stocks (clause 4.5-prices). `Query.stockPrices` is the same function. Each ticker is sent once, in
 * the order of its first mention. Fails with `InvalidQuery` for a symbol that is not a ticker, and for an option that breaks its rule.
 *
 * @example
 * ```ts
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Result from "effect/Result"
 *
 * Result.map(Query.stockPrices(["AAPL", "MSFT"], { extended: false }), Query.target)
 * // => Result.succeed("/v1/stocks/prices/?symbols=AAPL,MSFT&extended=false")
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const query: <const Name extends Column = Column, const Mode extends Endpoint.AnyMode = undefined>(
  symbols: ReadonlyArray<string>,
  options?: Options<Name, Mode>
) => Define.Asked<StockPrices<Name>, Mode>["result"] = /* @__PURE__ */ Define.ofTickers(row, readers)

/**
 * Decodes the body of a reply, given as bytes or text, into a table. `columns` names the columns that were asked for, and types the table.
 * Fails with `DecodeError` for a body that is not such a table.
 *
 * @example
 * ```ts
 * import * as StockPrices from "@effect-marketdata/core/StockPrices"
 * import * as Result from "effect/Result"
 *
 * const prices = StockPrices.decode(`{"s":"ok","symbol":["AAPL"],"mid":[350.1]}`, { columns: ["symbol", "mid"] })
 * Result.map(prices, ({ mid }) => mid[0]) // => Result.succeed(350.1)
 * ```
 *
 * @category decoding
 * @since 0.1.0
 */
export const decode: Define.Decode<Spec> = (body, options) => ColumnTable.decode(spec, body, options)

/** @internal */
export const reading = /* @__PURE__ */ Reading.table(spec, { belonging: { about: "symbol", each: true } })
