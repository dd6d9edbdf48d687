/**
 * The stock quote endpoint (contract 4.4): one stock, or many at once at the public service.
 *
 * @example
 * ```ts
 * import * as StockQuotesEndpoint from "@effect-marketdata/core/StockQuotesEndpoint"
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Result from "effect/Result"
 *
 * Result.map(StockQuotesEndpoint.makeMany(["AAPL", "MSFT"], { columns: ["symbol", "last"] }), Query.target)
 * // => Result.succeed("/v1/stocks/quotes/?symbols=AAPL,MSFT&columns=symbol,last")
 * ```
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import * as Encoding from "../query/encoding.ts"
import * as Parameter from "../query/parameter.ts"
import * as Question from "../query/question.ts"
import type * as StockQuotes from "./StockQuotes.ts"
import type { Query } from "../query/Query.ts"
import type { InvalidQuery } from "../reason/Reason.ts"
import type * as Endpoint from "../query/Endpoint.ts"

/**
 * The names of the columns that every reply has, in order.
 *
 * @category constants
 * @since 0.1.0
 */
export const columns = [
  "symbol",
  "ask",
  "askSize",
  "bid",
  "bidSize",
  "mid",
  "last",
  "change",
  "changepct",
  "volume",
  "updated"
] as const satisfies ReadonlyArray<StockQuotes.Column>

/**
 * The columns that come with `include`: the high and the low of 52 weeks, and the day's open, high, low and close.
 *
 * @category constants
 * @since 0.1.0
 */
export const extras = {
  "52week": ["52weekHigh", "52weekLow"],
  candle: ["o", "h", "l", "c"]
} as const satisfies Readonly<Record<string, ReadonlyArray<StockQuotes.Column>>>

/**
 * The name of a column that every reply has.
 *
 * @category models
 * @since 0.1.0
 */
export type BaseColumn = typeof columns[number]

/**
 * What a reply can hold besides.
 *
 * @category models
 * @since 0.1.0
 */
export type Extra = keyof typeof extras

/**
 * The names of the columns that come with an extra.
 *
 * @category models
 * @since 0.1.0
 */
export type ColumnsOf<With extends Extra> = typeof extras[With][number]

/**
 * The row of the endpoint.
 *
 * @category constants
 * @since 0.1.0
 */
export const row = {
  name: "stockQuotes",
  path: "/v1/stocks/quotes/{symbol}/",
  listPath: "/v1/stocks/quotes/",
  parameters: ["52week", "candle", "extended"],
  kind: "quotes",
  kindStated: true,
  stated: true,
  tokenless: false,
  demo: "stock",
  cached: true,
  date: "none",
  columns: [...columns, ...extras["52week"], ...extras.candle],
  prices: ["ask", "bid", "mid", "last"],
  // No request line has room for more tickers.
  maxReplyBytes: 2_097_152,
  maxRows: 4096
} as const satisfies Endpoint.Endpoint<StockQuotes.Column>

/**
 * What can be asked of the endpoint.
 *
 * - `include`: columns that come only when they are asked for; they are added to `columns`
 * - `extended`: `false` takes the last quote of the regular session, outside of which there may be later ones
 *
 * @category models
 * @since 0.1.0
 */
export interface Options<Name extends BaseColumn, Mode extends Endpoint.AnyMode, With extends Extra>
  extends Endpoint.Columnar<Name, Mode>
{
  readonly include?: ReadonlyArray<With> | undefined
  readonly extended?: boolean | undefined
}

/**
 * Asks for the quote of one stock (clause 4.4-stock-quote). Fails with `InvalidQuery`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = <
  const Name extends BaseColumn = BaseColumn,
  const Mode extends Endpoint.AnyMode = undefined,
  const With extends Extra = never
>(
  symbol: string,
  options: Options<Name, Mode, With> = {}
): Result.Result<Query<StockQuotes.StockQuotes<Name | ColumnsOf<With>>, Mode>, InvalidQuery> =>
  Result.gen(function*() {
    const segment = yield* Encoding.pathSegment("symbol", symbol)
    const given = yield* Question.read(row, readers, options)
    return yield* Question.make<StockQuotes.StockQuotes<Name | ColumnsOf<With>>, Mode>(row, given, {
      subject: symbol,
      path: Encoding.fill(row.path, { symbol: segment }),
      tickers: [symbol],
      ...included(given)
    })
  })

/**
 * Asks for the quotes of many stocks. Each is sent once, in the order of its first mention. The 52 weeks are not told of many at once.
 * Fails with `InvalidQuery`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeMany = <
  const Name extends BaseColumn = BaseColumn,
  const Mode extends Endpoint.AnyMode = undefined,
  const With extends Exclude<Extra, "52week"> = never
>(
  symbols: ReadonlyArray<string>,
  options: Options<Name, Mode, With> = {}
): Result.Result<Query<StockQuotes.StockQuotes<Name | ColumnsOf<With>>, Mode>, InvalidQuery> =>
  Result.gen(function*() {
    const tickers = yield* Question.tickersOf("symbols", symbols)
    const given = yield* Question.read(row, readers, options)
    return yield* Question.make<StockQuotes.StockQuotes<Name | ColumnsOf<With>>, Mode>(row, given, {
      subject: Question.nameOf(tickers),
      path: row.listPath,
      tickers,
      list: true,
      ...included(given)
    })
  })

const readers = {
  include: Parameter.map(
    Parameter.list(Parameter.choice(["52week", "candle"]), `write a list of "52week", "candle" or both`, 0),
    (names) => names.join(",")
  ),
  extended: Parameter.flag
} satisfies Question.Readers<Options<BaseColumn, Endpoint.AnyMode, Extra>>

/** What is to be included is asked for by a parameter each, and adds its columns to those that are asked for. */
const included = (
  { general, texts }: Question.Given<keyof typeof readers>
): Pick<Question.Parts, "texts" | "columns" | "returns"> => {
  const names = texts.include?.split(",") ?? []
  const extra = (["52week", "candle"] as const).filter((name) => names.includes(name))
  const added = extra.flatMap((name): ReadonlyArray<string> => extras[name])
  return {
    texts: { ...texts, ...Object.fromEntries(extra.map((name) => [name, "true"])) },
    columns: general.columns && [...general.columns, ...added],
    returns: [...columns, ...added]
  }
}
