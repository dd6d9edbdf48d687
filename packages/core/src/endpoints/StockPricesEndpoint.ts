/**
 * The stock price endpoint (contract 4.5): one price a ticker, for many tickers at once.
 *
 * Which row of the price table it falls under is not stated; it is taken for quotes, and `assume: { kind: "other" }` takes it for
 * something else (clause 4-endpoint-kinds).
 *
 * @example
 * ```ts
 * import * as StockPricesEndpoint from "@effect-marketdata/core/StockPricesEndpoint"
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Result from "effect/Result"
 *
 * Result.map(StockPricesEndpoint.make(["AAPL", "MSFT", "AAPL"]), Query.target)
 * // => Result.succeed("/v1/stocks/prices/?symbols=AAPL,MSFT")
 * ```
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import * as Parameter from "../query/parameter.ts"
import * as Question from "../query/question.ts"
import type * as StockPrices from "./StockPrices.ts"
import type { Query } from "../query/Query.ts"
import type { InvalidQuery } from "../reason/Reason.ts"
import * as Endpoint from "../query/Endpoint.ts"

/**
 * The names of the columns of a reply, in order.
 *
 * @category constants
 * @since 0.1.0
 */
export const columns = [
  "symbol",
  "mid",
  "change",
  "changepct",
  "updated"
] as const satisfies ReadonlyArray<StockPrices.Column>

/**
 * The row of the endpoint.
 *
 * @category constants
 * @since 0.1.0
 */
export const row = {
  name: "stockPrices",
  path: "/v1/stocks/prices/{symbol}/",
  listPath: "/v1/stocks/prices/",
  parameters: ["extended"],
  kind: "quotes",
  kindStated: false,
  stated: true,
  tokenless: false,
  demo: "stock",
  cached: true,
  date: "none",
  columns,
  prices: ["mid"],
  // No request line has room for more tickers.
  maxReplyBytes: Endpoint.smallReply,
  maxRows: 4096
} as const satisfies Endpoint.Endpoint<StockPrices.Column>

/**
 * What can be asked of the endpoint. `extended: false` takes the last price of the regular session.
 *
 * @category models
 * @since 0.1.0
 */
export interface Options<Name extends StockPrices.Column, Mode extends Endpoint.AnyMode>
  extends Endpoint.Columnar<Name, Mode>
{
  readonly extended?: boolean | undefined
}

/**
 * Asks for the prices of stocks (clause 4.5-prices). Each ticker is sent once, in the order of its first mention. Fails with
 * `InvalidQuery`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = <
  const Name extends StockPrices.Column = StockPrices.Column,
  const Mode extends Endpoint.AnyMode = undefined
>(
  symbols: ReadonlyArray<string>,
  options: Options<Name, Mode> = {}
): Result.Result<Query<StockPrices.StockPrices<Name>, Mode>, InvalidQuery> =>
  Result.gen(function*() {
    const tickers = yield* Question.tickersOf("symbols", symbols)
    const given = yield* Question.read(row, readers, options)
    return yield* Question.make<StockPrices.StockPrices<Name>, Mode>(row, given, {
      subject: Question.nameOf(tickers),
      path: row.listPath,
      tickers,
      list: true
    })
  })

const readers = {
  extended: Parameter.flag
} satisfies Question.Readers<Options<StockPrices.Column, Endpoint.AnyMode>>
