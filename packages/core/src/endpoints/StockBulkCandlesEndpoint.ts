/**
 * The bulk candle endpoint (contract 4.5): one daily candle a ticker, for many tickers at once.
 *
 * @example
 * ```ts
 * import * as StockBulkCandlesEndpoint from "@effect-marketdata/core/StockBulkCandlesEndpoint"
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Result from "effect/Result"
 *
 * Result.map(StockBulkCandlesEndpoint.make(["AAPL", "MSFT"]), Query.target)
 * // => Result.succeed("/v1/stocks/bulkcandles/D/?symbols=AAPL,MSFT")
 * ```
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import type * as CalendarDate from "../time/CalendarDate.ts"
import * as Parameter from "../query/parameter.ts"
import * as Question from "../query/question.ts"
import type * as StockBulkCandles from "./StockBulkCandles.ts"
import type { Query } from "../query/Query.ts"
import type { InvalidQuery } from "../reason/Reason.ts"
import type * as Endpoint from "../query/Endpoint.ts"
import type * as Period from "../query/Period.ts"

/**
 * The names of the columns of a reply, in order.
 *
 * @category constants
 * @since 0.1.0
 */
export const columns = [
  "symbol",
  "o",
  "h",
  "l",
  "c",
  "v",
  "t"
] as const satisfies ReadonlyArray<StockBulkCandles.Column>

/**
 * The row of the endpoint.
 *
 * @category constants
 * @since 0.1.0
 */
export const row = {
  name: "stockBulkCandles",
  path: "/v1/stocks/bulkcandles/D/",
  listPath: "/v1/stocks/bulkcandles/D/",
  parameters: ["snapshot", "date", "adjustsplits"],
  kind: "bulkCandles",
  kindStated: true,
  stated: true,
  tokenless: false,
  demo: "stock",
  cached: false,
  date: "any",
  columns,
  prices: [],
  // Several times as many as there are stocks.
  maxReplyBytes: 8_388_608,
  maxRows: 65_536
} as const satisfies Endpoint.Endpoint<StockBulkCandles.Column>

/**
 * What can be asked of the endpoint.
 *
 * - `date`: the candles of this day, which may be relative, see `Period.Relative`; of the last session where it is left out
 * - `adjustsplits`: whether earlier prices are adjusted
 *
 * @category models
 * @since 0.1.0
 */
export interface Options<Name extends StockBulkCandles.Column, Mode extends Endpoint.UncachedMode>
  extends Endpoint.Columnar<Name, Mode>
{
  readonly date?: CalendarDate.Input | Period.Relative | undefined
  readonly adjustsplits?: boolean | undefined
}

/**
 * Asks for the daily candles of stocks (clause 4.5-bulk-candles), or of the whole market with `"all"`. Each ticker is sent once, in the
 * order of its first mention. Fails with `InvalidQuery`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = <
  const Name extends StockBulkCandles.Column = StockBulkCandles.Column,
  const Mode extends Endpoint.UncachedMode = undefined
>(
  symbols: ReadonlyArray<string> | "all",
  options: Options<Name, Mode> = {}
): Result.Result<Query<StockBulkCandles.StockBulkCandles<Name>, Mode>, InvalidQuery> =>
  Result.gen(function*() {
    const tickers = symbols === "all" ? [] : yield* Question.tickersOf("symbols", symbols)
    const given = yield* Question.read(row, readers, options)
    return yield* Question.make<StockBulkCandles.StockBulkCandles<Name>, Mode>(row, given, {
      subject: symbols === "all" ? "all" : Question.nameOf(tickers),
      path: row.listPath,
      tickers,
      list: symbols !== "all",
      texts: symbols === "all" ? { ...given.texts, snapshot: "true" } : given.texts
    })
  })

const readers = {
  date: Parameter.orRelative(Parameter.day),
  adjustsplits: Parameter.flag
} satisfies Question.Readers<Options<StockBulkCandles.Column, Endpoint.UncachedMode>>
