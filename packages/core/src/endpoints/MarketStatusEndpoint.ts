/**
 * The endpoint of the days on which the market is open; the public service has it, the contract does not. It may be asked about days to come.
 *
 * @example
 * ```ts
 * import * as MarketStatusEndpoint from "@effect-marketdata/core/MarketStatusEndpoint"
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Result from "effect/Result"
 *
 * Result.map(MarketStatusEndpoint.make({ from: "2026-11-23", to: "2026-11-27" }), Query.target)
 * // => Result.succeed("/v1/markets/status/?from=2026-11-23&to=2026-11-27")
 * ```
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import type * as CalendarDate from "../time/CalendarDate.ts"
import * as Range from "../query/range.ts"
import * as Parameter from "../query/parameter.ts"
import * as Question from "../query/question.ts"
import type * as MarketStatus from "./MarketStatus.ts"
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
  "date",
  "status"
] as const satisfies ReadonlyArray<MarketStatus.Column>

/**
 * The row of the endpoint.
 *
 * @category constants
 * @since 0.1.0
 */
export const row = {
  name: "marketStatus",
  path: "/v1/markets/status/",
  listPath: undefined,
  parameters: ["country", "date", "from", "to", "countback", "limit", "offset"],
  kind: "other",
  kindStated: true,
  stated: false,
  tokenless: false,
  demo: "none",
  cached: false,
  date: "any",
  columns,
  prices: [],
  // A hundred years of days.
  maxReplyBytes: 2_097_152,
  maxRows: 40_000
} as const satisfies Endpoint.Endpoint<MarketStatus.Column>

/**
 * What can be asked of the endpoint: one day, a range of days, or the last days before one; today where none is named. `country` is the
 * market's; the public service knows `US` only.
 *
 * @category models
 * @since 0.1.0
 */
export type Options<Name extends MarketStatus.Column, Mode extends Endpoint.UncachedMode> =
  & Endpoint.Columnar<Name, Mode>
  & Endpoint.Page
  & (
    | Period.Day
    | Period.Between<CalendarDate.Input | Period.Relative>
    | Period.Back<CalendarDate.Input | Period.Relative>
  )
  & { readonly country?: "US" | undefined }

/**
 * Asks on which days the market is open. Fails with `InvalidQuery`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = <
  const Name extends MarketStatus.Column = MarketStatus.Column,
  const Mode extends Endpoint.UncachedMode = undefined
>(
  options: Options<Name, Mode> = {}
): Result.Result<Query<MarketStatus.MarketStatus<Name>, Mode>, InvalidQuery> =>
  Result.gen(function*() {
    const given = yield* Question.read(row, readers, options)
    yield* Range.check(given.texts)
    return yield* Question.make<MarketStatus.MarketStatus<Name>, Mode>(row, given, {
      subject: given.texts.country ?? "",
      path: row.path,
      tickers: []
    })
  })

const readers = {
  country: Parameter.choice(["US"]),
  ...Range.any,
  ...Parameter.page
} satisfies Question.Readers<Options<MarketStatus.Column, Endpoint.UncachedMode>>
