/**
 * The fund candle endpoint, at the path of the public service: the contract speaks of candles and prices them, and shows no path.
 *
 * @example
 * ```ts
 * import * as FundCandlesEndpoint from "@effect-marketdata/core/FundCandlesEndpoint"
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Result from "effect/Result"
 *
 * Result.map(FundCandlesEndpoint.make("D", "VFINX", { from: "2020-01-02", to: "2020-01-10" }), Query.target)
 * // => Result.succeed("/v1/funds/candles/D/VFINX/?from=2020-01-02&to=2020-01-10")
 * ```
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import * as Range from "../query/range.ts"
import * as Encoding from "../query/encoding.ts"
import * as Parameter from "../query/parameter.ts"
import * as Question from "../query/question.ts"
import type * as FundCandles from "./FundCandles.ts"
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
  "c"
] as const satisfies ReadonlyArray<FundCandles.Column>

/**
 * The row of the endpoint.
 *
 * @category constants
 * @since 0.1.0
 */
export const row = {
  name: "fundCandles",
  path: "/v1/funds/candles/{resolution}/{symbol}/",
  listPath: undefined,
  parameters: ["from", "to", "countback"],
  kind: "candles",
  kindStated: true,
  stated: false,
  tokenless: false,
  demo: "fund",
  cached: false,
  date: "none",
  columns,
  prices: [],
  // A hundred years of trading days.
  maxReplyBytes: 4_194_304,
  maxRows: 40_000
} as const satisfies Endpoint.Endpoint<FundCandles.Column>

/**
 * How long a candle is: days, weeks, months or years (`D`, `3M`), or the same in words. Funds have one price a day.
 *
 * @category models
 * @since 0.1.0
 */
export type Resolution =
  | "daily"
  | "weekly"
  | "monthly"
  | "yearly"
  | "D"
  | "W"
  | "M"
  | "Y"
  | `${number}${"D" | "W" | "M" | "Y"}`

/**
 * What can be asked of the endpoint: candles of a range, or the last ones; only the most recent one where neither is said.
 *
 * @category models
 * @since 0.1.0
 */
export type Options<Name extends FundCandles.Column, Mode extends Endpoint.UncachedMode> =
  & Endpoint.Columnar<Name, Mode>
  & (Period.Between | Period.Back)

/**
 * Asks for the candles of a fund. Fails with `InvalidQuery`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = <
  const Name extends FundCandles.Column = FundCandles.Column,
  const Mode extends Endpoint.UncachedMode = undefined
>(
  resolution: Resolution,
  symbol: string,
  options: Options<Name, Mode> = {}
): Result.Result<Query<FundCandles.FundCandles<Name>, Mode>, InvalidQuery> =>
  Result.gen(function*() {
    const segment = yield* Encoding.pathSegment("symbol", symbol)
    yield* checkResolution("resolution", resolution)
    const given = yield* Question.read(row, readers, options)
    yield* Range.check(given.texts)
    return yield* Question.make<FundCandles.FundCandles<Name>, Mode>(row, given, {
      subject: `${symbol} ${resolution}`,
      path: Encoding.fill(row.path, { resolution, symbol: segment }),
      tickers: [symbol]
    })
  })

const readers = Range.counted satisfies Question.Readers<Options<FundCandles.Column, Endpoint.UncachedMode>>

const checkResolution = Parameter.matching(
  /^(daily|weekly|monthly|yearly|([1-9]\d{0,2})?[DWMY])$/i,
  "write D, W, M or Y, with or without a number: D, 3M"
)
