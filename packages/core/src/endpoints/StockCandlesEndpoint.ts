/**
 * The stock candle endpoint, at the path of the public service: the contract speaks of candles and prices them, and shows no path.
 *
 * @example
 * ```ts
 * import * as StockCandlesEndpoint from "@effect-marketdata/core/StockCandlesEndpoint"
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Result from "effect/Result"
 *
 * Result.map(StockCandlesEndpoint.make("D", "AAPL", { countback: 5, to: "2026-11-20" }), Query.target)
 * // => Result.succeed("/v1/stocks/candles/D/AAPL/?to=2026-11-20&countback=5")
 * ```
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import * as Range from "../query/range.ts"
import * as Encoding from "../query/encoding.ts"
import * as Parameter from "../query/parameter.ts"
import * as Question from "../query/question.ts"
import type * as StockCandles from "./StockCandles.ts"
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
  "t",
  "o",
  "h",
  "l",
  "c",
  "v"
] as const satisfies ReadonlyArray<StockCandles.Column>

/**
 * The row of the endpoint.
 *
 * @category constants
 * @since 0.1.0
 */
export const row = {
  name: "stockCandles",
  path: "/v1/stocks/candles/{resolution}/{symbol}/",
  listPath: undefined,
  parameters: ["from", "to", "countback", "extended", "adjustsplits", "adjustdividends"],
  kind: "candles",
  kindStated: true,
  stated: false,
  tokenless: false,
  demo: "stock",
  cached: false,
  date: "none",
  columns,
  prices: [],
  // Three years of minutes, with those before and after the session.
  maxReplyBytes: 67_108_864,
  maxRows: 800_000
} as const satisfies Endpoint.Endpoint<StockCandles.Column>

/**
 * How long a candle is: minutes (`5`), hours (`2H`), days, weeks, months or years (`D`, `3M`), or the same in words.
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
  | "H"
  | "D"
  | "W"
  | "M"
  | "Y"
  | `${number}`
  | `${number}${"H" | "D" | "W" | "M" | "Y"}`

/**
 * What can be asked of the endpoint: candles of a range, or the last ones; only the most recent one where neither is said.
 *
 * - `extended`: candles of less than a day also from outside the regular session
 * - `adjustsplits`, `adjustdividends`: whether earlier prices are adjusted
 *
 * @category models
 * @since 0.1.0
 */
export type Options<Name extends StockCandles.Column, Mode extends Endpoint.UncachedMode> =
  & Endpoint.Columnar<Name, Mode>
  & (Period.Between | Period.Back)
  & {
    readonly extended?: boolean | undefined
    readonly adjustsplits?: boolean | undefined
    readonly adjustdividends?: boolean | undefined
  }

/**
 * Asks for the candles of a stock. Fails with `InvalidQuery`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = <
  const Name extends StockCandles.Column = StockCandles.Column,
  const Mode extends Endpoint.UncachedMode = undefined
>(
  resolution: Resolution,
  symbol: string,
  options: Options<Name, Mode> = {}
): Result.Result<Query<StockCandles.StockCandles<Name>, Mode>, InvalidQuery> =>
  Result.gen(function*() {
    const segment = yield* Encoding.pathSegment("symbol", symbol)
    yield* checkResolution("resolution", resolution)
    const given = yield* Question.read(row, readers, options)
    yield* Range.check(given.texts)
    return yield* Question.make<StockCandles.StockCandles<Name>, Mode>(row, given, {
      subject: `${symbol} ${resolution}`,
      path: Encoding.fill(row.path, { resolution, symbol: segment }),
      tickers: [symbol]
    })
  })

const readers = {
  ...Range.counted,
  extended: Parameter.flag,
  adjustsplits: Parameter.flag,
  adjustdividends: Parameter.flag
} satisfies Question.Readers<Options<StockCandles.Column, Endpoint.UncachedMode>>

const checkResolution = Parameter.matching(
  /^(minutely|hourly|daily|weekly|monthly|yearly|[1-9]\d{0,3}|([1-9]\d{0,2})?[HDWMY])$/i,
  "write minutes, or a number with H, D, W, M or Y: 5, 2H, D, 3M"
)
