/**
 * The option lookup endpoint (contract 4.3): the OCC symbol of a contract that is described in words.
 *
 * The description is one path segment: a slash in it goes as `%2F`, a blank as `%20`, and no slash ends the path (clause 4.3-lookup).
 *
 * @example
 * ```ts
 * import * as OptionLookupEndpoint from "@effect-marketdata/core/OptionLookupEndpoint"
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Result from "effect/Result"
 *
 * Result.map(OptionLookupEndpoint.make("AAPL 7/28/2023 200 Call"), Query.target)
 * // => Result.succeed("/v1/options/lookup/AAPL%207%2F28%2F2023%20200%20Call")
 * ```
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import type * as CalendarDate from "../time/CalendarDate.ts"
import * as Encoding from "../query/encoding.ts"
import * as Named from "../query/named.ts"
import * as Parameter from "../query/parameter.ts"
import * as Question from "../query/question.ts"
import * as Untyped from "../text/untyped.ts"
import type * as OptionLookup from "./OptionLookup.ts"
import type { Side } from "../symbol/OptionSymbol.ts"
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
  name: "optionLookup",
  path: "/v1/options/lookup/{description}",
  listPath: undefined,
  parameters: [],
  kind: "other",
  kindStated: true,
  stated: true,
  tokenless: false,
  demo: "option",
  cached: false,
  date: "none",
  columns: [],
  prices: [],
  maxReplyBytes: Endpoint.smallReply,
  maxRows: 1
} as const satisfies Endpoint.Endpoint

/**
 * A contract to look up, in parts. `underlying` is a ticker, `strike` is in dollars.
 *
 * @category models
 * @since 0.1.0
 */
export interface Description {
  readonly underlying: string
  readonly expiration: CalendarDate.Input
  readonly strike: number | string
  readonly side: Side
}

/**
 * Asks for the OCC symbol of a contract: described in parts, or in words of your own that hold underlying, expiration, strike and side.
 * Fails with `InvalidQuery` for words with characters that no such description has.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = <const Mode extends Endpoint.UncachedMode = undefined>(
  description: string | Description,
  options: Endpoint.General<Mode> = {}
): Result.Result<Query<OptionLookup.OptionLookup, Mode>, InvalidQuery> =>
  Result.gen(function*() {
    const text = typeof description === "string" ? yield* words(description) : yield* describe(description)
    const given = yield* Question.read(row, {}, options)
    return yield* Question.make<OptionLookup.OptionLookup, Mode>(row, given, {
      subject: text,
      path: Encoding.fill(row.path, { description: Encoding.encodeText(text) }),
      // In words of one's own the underlying usually comes first; where it does not, the demo case is not recognised, and a token is sent.
      tickers: [text.split(" ")[0]!]
    })
  })

const example = "write underlying, expiration, strike and side, such as AAPL 7/28/2023 200 Call"

const words = (text: string): Result.Result<string, InvalidQuery> => {
  const trimmed = text.trim().replace(/ +/g, " ")
  return /^[A-Za-z0-9 /.,$^_-]{1,100}$/.test(trimmed) && !/(^|[ /])\.+($|[ /])/.test(trimmed)
    ? Result.succeed(trimmed)
    : Parameter.refuse(
      "description",
      text,
      `${example}: letters, digits, blanks, slashes, dots, commas and dashes only`
    )
}

const parts = {
  underlying: Encoding.ticker,
  expiration: Parameter.calendarDate,
  strike: Parameter.strike,
  side: Parameter.choice(["call", "put"])
} satisfies Named.ReadersOf<Description>

const describe = (description: unknown): Result.Result<string, InvalidQuery> =>
  Result.gen(function*() {
    // Parts of a symbol are a description with a root, which says nothing more.
    const given = Untyped.fields(description, ["underlying", "expiration", "strike", "side"])
    if (given === undefined) return yield* Parameter.refuse("description", description, example)
    const { expiration, side, strike, underlying } = yield* Named.read("description", given, parts)
    if (underlying === undefined || expiration === undefined || strike === undefined || side === undefined) {
      return yield* Parameter.refuse("description", description, example)
    }
    const { day, month, year } = expiration
    return `${underlying} ${month}/${day}/${year} ${strike} ${side === "call" ? "Call" : "Put"}`
  })
