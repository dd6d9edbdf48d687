/**
 * The endpoint of past and expected earnings of a company; the public service has it, the contract does not.
 *
 * @example
 * ```ts
 * import * as StockEarningsEndpoint from "@effect-marketdata/core/StockEarningsEndpoint"
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Result from "effect/Result"
 *
 * Result.map(StockEarningsEndpoint.make("AAPL", { from: "2026-01-01" }), Query.target)
 * // => Result.succeed("/v1/stocks/earnings/AAPL/?from=2026-01-01")
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
import type * as StockEarnings from "./StockEarnings.ts"
import type { Query } from "../query/Query.ts"
import type { InvalidQuery } from "../reason/Reason.ts"
import * as Endpoint from "../query/Endpoint.ts"
import type * as Period from "../query/Period.ts"

/**
 * The names of the columns of a reply, in order.
 *
 * @category constants
 * @since 0.1.0
 */
export const columns = [
  "symbol",
  "fiscalYear",
  "fiscalQuarter",
  "date",
  "reportDate",
  "reportTime",
  "currency",
  "reportedEPS",
  "estimatedEPS",
  "surpriseEPS",
  "surpriseEPSpct",
  "updated"
] as const satisfies ReadonlyArray<StockEarnings.Column>

/**
 * The row of the endpoint.
 *
 * @category constants
 * @since 0.1.0
 */
export const row = {
  name: "stockEarnings",
  path: "/v1/stocks/earnings/{symbol}/",
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
  // A thousand years of quarters.
  maxReplyBytes: Endpoint.smallReply,
  maxRows: 4096
} as const satisfies Endpoint.Endpoint<StockEarnings.Column>

/**
 * What can be asked of the endpoint: one day, a range of days, or the last rows before one.
 *
 * @category models
 * @since 0.1.0
 */
export type Options<Name extends StockEarnings.Column, Mode extends Endpoint.UncachedMode> =
  & Endpoint.Columnar<Name, Mode>
  & Endpoint.Page
  & (
    | Period.Day
    | Period.Between<CalendarDate.Input | Period.Relative>
    | Period.Back<CalendarDate.Input | Period.Relative>
  )

/**
 * Asks for past and expected earnings of a company. Fails with `InvalidQuery`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = <
  const Name extends StockEarnings.Column = StockEarnings.Column,
  const Mode extends Endpoint.UncachedMode = undefined
>(
  symbol: string,
  options: Options<Name, Mode> = {}
): Result.Result<Query<StockEarnings.StockEarnings<Name>, Mode>, InvalidQuery> =>
  Result.gen(function*() {
    const segment = yield* Encoding.pathSegment("symbol", symbol)
    const given = yield* Question.read(row, readers, options)
    yield* Range.check(given.texts)
    return yield* Question.make<StockEarnings.StockEarnings<Name>, Mode>(row, given, {
      subject: symbol,
      path: Encoding.fill(row.path, { symbol: segment }),
      tickers: [symbol]
    })
  })

const readers = { ...Range.any, ...Parameter.page } satisfies Question.Readers<
  Options<StockEarnings.Column, Endpoint.UncachedMode>
>
