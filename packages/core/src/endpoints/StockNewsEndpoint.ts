/**
 * The endpoint of news about a company; the public service has it, the contract does not.
 *
 * @example
 * ```ts
 * import * as StockNewsEndpoint from "@effect-marketdata/core/StockNewsEndpoint"
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Result from "effect/Result"
 *
 * Result.map(StockNewsEndpoint.make("AAPL", { date: "2026-11-19" }), Query.target)
 * // => Result.succeed("/v1/stocks/news/AAPL/?date=2026-11-19")
 * ```
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import type * as CalendarDate from "../time/CalendarDate.ts"
import * as Range from "../query/range.ts"
import * as Encoding from "../query/encoding.ts"
import * as Parameter from "../query/parameter.ts"
import * as Question from "../query/question.ts"
import type * as StockNews from "./StockNews.ts"
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
  "headline",
  "content",
  "source",
  "publicationDate"
] as const satisfies ReadonlyArray<StockNews.Column>

/**
 * The row of the endpoint.
 *
 * @category constants
 * @since 0.1.0
 */
export const row = {
  name: "stockNews",
  path: "/v1/stocks/news/{symbol}/",
  listPath: undefined,
  parameters: ["date", "from", "to", "countback", "limit", "offset"],
  kind: "other",
  kindStated: true,
  stated: false,
  tokenless: false,
  demo: "stock",
  cached: false,
  date: "any",
  columns,
  prices: [],
  // A few thousand articles with their texts.
  maxReplyBytes: 16_777_216,
  maxRows: 4096
} as const satisfies Endpoint.Endpoint<StockNews.Column>

/**
 * What can be asked of the endpoint: one day, a range of days, or the last rows before one.
 *
 * @category models
 * @since 0.1.0
 */
export type Options<Name extends StockNews.Column, Mode extends Endpoint.UncachedMode> =
  & Endpoint.Columnar<Name, Mode>
  & Endpoint.Page
  & (
    | Period.Day
    | Period.Between<CalendarDate.Input | Period.Relative>
    | Period.Back<CalendarDate.Input | Period.Relative>
  )

/**
 * Asks for news about a company. Fails with `InvalidQuery`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = <
  const Name extends StockNews.Column = StockNews.Column,
  const Mode extends Endpoint.UncachedMode = undefined
>(
  symbol: string,
  options: Options<Name, Mode> = {}
): Result.Result<Query<StockNews.StockNews<Name>, Mode>, InvalidQuery> =>
  Result.gen(function*() {
    const segment = yield* Encoding.pathSegment("symbol", symbol)
    const given = yield* Question.read(row, readers, options)
    yield* Range.check(given.texts)
    return yield* Question.make<StockNews.StockNews<Name>, Mode>(row, given, {
      subject: symbol,
      path: Encoding.fill(row.path, { symbol: segment }),
      tickers: [symbol]
    })
  })

const readers = { ...Range.any, ...Parameter.page } satisfies Question.Readers<
  Options<StockNews.Column, Endpoint.UncachedMode>
>
