/**
 * The endpoint of the strikes that are listed for an underlying; the public service has it, the contract does not.
 *
 * @example
 * ```ts
 * import * as OptionStrikesEndpoint from "@effect-marketdata/core/OptionStrikesEndpoint"
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Result from "effect/Result"
 *
 * Result.map(OptionStrikesEndpoint.make("AAPL", { expiration: "2026-11-20" }), Query.target)
 * // => Result.succeed("/v1/options/strikes/AAPL/?expiration=2026-11-20")
 * ```
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import type * as CalendarDate from "../time/CalendarDate.ts"
import * as Encoding from "../query/encoding.ts"
import * as Parameter from "../query/parameter.ts"
import * as Question from "../query/question.ts"
import type * as OptionStrikes from "./OptionStrikes.ts"
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
  name: "optionStrikes",
  path: "/v1/options/strikes/{underlyingSymbol}/",
  listPath: undefined,
  parameters: ["expiration", "date"],
  kind: "other",
  kindStated: true,
  stated: false,
  tokenless: false,
  demo: "option",
  cached: false,
  date: "past",
  columns: [],
  prices: [],
  // The strikes of a chain of 200,000 contracts.
  maxReplyBytes: Endpoint.smallReply,
  maxRows: 65_536
} as const satisfies Endpoint.Endpoint

/**
 * What can be asked of the endpoint.
 *
 * - `expiration`: the strikes of this expiration only
 * - `date`: those that were listed on a past day
 *
 * @category models
 * @since 0.1.0
 */
export interface Options<Mode extends Endpoint.UncachedMode> extends Endpoint.General<Mode> {
  readonly expiration?: CalendarDate.Input | undefined
  readonly date?: CalendarDate.Input | undefined
}

/**
 * Asks for the strikes of an underlying's options, expiration by expiration. Fails with `InvalidQuery`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = <const Mode extends Endpoint.UncachedMode = undefined>(
  underlying: string,
  options: Options<Mode> = {}
): Result.Result<Query<OptionStrikes.OptionStrikes, Mode>, InvalidQuery> =>
  Result.gen(function*() {
    const segment = yield* Encoding.pathSegment("underlying", underlying)
    const given = yield* Question.read(row, readers, options)
    return yield* Question.make<OptionStrikes.OptionStrikes, Mode>(row, given, {
      subject: underlying,
      path: Encoding.fill(row.path, { underlyingSymbol: segment }),
      tickers: [underlying],
      historical: given.texts.date !== undefined
    })
  })

const readers = {
  expiration: Parameter.day,
  date: Parameter.day
} satisfies Question.Readers<Options<Endpoint.UncachedMode>>
