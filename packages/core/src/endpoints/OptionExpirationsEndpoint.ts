/**
 * The endpoint of the expirations that are listed for an underlying; the public service has it, the contract does not.
 *
 * @example
 * ```ts
 * import * as OptionExpirationsEndpoint from "@effect-marketdata/core/OptionExpirationsEndpoint"
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Result from "effect/Result"
 *
 * Result.map(OptionExpirationsEndpoint.make("AAPL", { strike: 150 }), Query.target)
 * // => Result.succeed("/v1/options/expirations/AAPL/?strike=150")
 * ```
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import type * as CalendarDate from "../time/CalendarDate.ts"
import * as Encoding from "../query/encoding.ts"
import * as Parameter from "../query/parameter.ts"
import * as Question from "../query/question.ts"
import type * as OptionExpirations from "./OptionExpirations.ts"
import type { Query } from "../query/Query.ts"
import type { InvalidQuery } from "../reason/Reason.ts"
import * as Endpoint from "../query/Endpoint.ts"

/**
 * The row of the endpoint.
 *
 * @category constants
 * @since 0.1.0
 */
export const row = {
  name: "optionExpirations",
  path: "/v1/options/expirations/{underlyingSymbol}/",
  listPath: undefined,
  parameters: ["strike", "date", "nonstandard"],
  kind: "other",
  kindStated: true,
  stated: false,
  tokenless: false,
  demo: "option",
  cached: false,
  date: "past",
  columns: [],
  prices: [],
  maxReplyBytes: Endpoint.smallReply,
  maxRows: 65_536
} as const satisfies Endpoint.Endpoint

/**
 * What can be asked of the endpoint.
 *
 * - `strike`: only expirations that list this strike, in dollars
 * - `date`: those that were listed on a past day
 * - `nonstandard`: those of adjusted contracts as well
 *
 * @category models
 * @since 0.1.0
 */
export interface Options<Mode extends Endpoint.UncachedMode> extends Endpoint.General<Mode> {
  readonly strike?: number | undefined
  readonly date?: CalendarDate.Input | undefined
  readonly nonstandard?: boolean | undefined
}

/**
 * Asks for the expirations of an underlying's options. Fails with `InvalidQuery`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = <const Mode extends Endpoint.UncachedMode = undefined>(
  underlying: string,
  options: Options<Mode> = {}
): Result.Result<Query<OptionExpirations.OptionExpirations, Mode>, InvalidQuery> =>
  Result.gen(function*() {
    const segment = yield* Encoding.pathSegment("underlying", underlying)
    const given = yield* Question.read(row, readers, options)
    return yield* Question.make<OptionExpirations.OptionExpirations, Mode>(row, given, {
      subject: underlying,
      path: Encoding.fill(row.path, { underlyingSymbol: segment }),
      tickers: [underlying],
      historical: given.texts.date !== undefined
    })
  })

const readers = {
  strike: Parameter.strike,
  date: Parameter.day,
  nonstandard: Parameter.flag
} satisfies Question.Readers<Options<Endpoint.UncachedMode>>
