/**
 * The option quote endpoint (contract 4.2): one contract, now, on a past day, or day by day.
 *
 * @example
 * ```ts
 * import * as OptionQuoteEndpoint from "@effect-marketdata/core/OptionQuoteEndpoint"
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Result from "effect/Result"
 *
 * const quote = OptionQuoteEndpoint.make("AAPL261120C00150000", { date: "2026-11-19" })
 * Result.map(quote, Query.target) // => Result.succeed("/v1/options/quotes/AAPL261120C00150000/?date=2026-11-19")
 * ```
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import type * as CalendarDate from "../time/CalendarDate.ts"
import * as Expiration from "../symbol/Expiration.ts"
import * as Range from "../query/range.ts"
import * as Encoding from "../query/encoding.ts"
import * as Parameter from "../query/parameter.ts"
import * as Question from "../query/question.ts"
import * as Untyped from "../text/untyped.ts"
import type * as OptionQuote from "./OptionQuote.ts"
import * as OptionSymbol from "../symbol/OptionSymbol.ts"
import type { Query } from "../query/Query.ts"
import { InvalidQuery } from "../reason/Reason.ts"
import type * as Endpoint from "../query/Endpoint.ts"
import { columns } from "./OptionChainEndpoint.ts"
import * as Period from "../query/Period.ts"

/**
 * The row of the endpoint. Its columns are those of a chain.
 *
 * @category constants
 * @since 0.1.0
 */
export const row = {
  name: "optionQuote",
  path: "/v1/options/quotes/{optionSymbol}/",
  listPath: undefined,
  parameters: ["date", "from", "to", "limit", "offset"],
  kind: "quotes",
  kindStated: true,
  stated: true,
  tokenless: false,
  demo: "option",
  cached: true,
  date: "past",
  columns,
  prices: ["ask", "bid", "mid", "last"],
  // One row, or one a trading day: an option is listed for a few years.
  maxReplyBytes: 2_097_152,
  maxRows: 4096
} as const satisfies Endpoint.Endpoint<OptionQuote.Column>

/**
 * What can be asked of the endpoint: the quote of now, of a past day (clause 4.2-quote), or one for each day from `from` to the day
 * before `to`. Past days are not with cached modes.
 *
 * @category models
 * @since 0.1.0
 */
export type Options<Name extends OptionQuote.Column, Mode extends Endpoint.AnyMode> =
  & Endpoint.Columnar<Name, Mode>
  & Endpoint.Page
  & (Period.Day<CalendarDate.Input> | Period.Between<CalendarDate.Input>)
  & Endpoint.NoneCached<Mode, "date" | "from" | "to">

/**
 * Asks for the quote of an option, named by its OCC symbol as text or as data. Fails with `InvalidQuery` for a symbol that is none, and
 * for cached data of past days (clause 8.2-cached-unavailable).
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = <
  const Name extends OptionQuote.Column = OptionQuote.Column,
  const Mode extends Endpoint.AnyMode = undefined
>(
  symbol: string | OptionSymbol.OptionSymbol,
  options: Options<Name, Mode> = {}
): Result.Result<Query<OptionQuote.OptionQuote<Name>, Mode>, InvalidQuery> =>
  Result.gen(function*() {
    const parsed = yield* parse(symbol)
    const given = yield* Question.read(row, readers, options)
    yield* Range.check(given.texts)
    const text = OptionSymbol.format(parsed)
    return yield* Question.make<OptionQuote.OptionQuote<Name>, Mode>(row, given, {
      subject: text,
      path: Encoding.fill(row.path, { optionSymbol: text }),
      tickers: [Expiration.underlyingOf(parsed.root)],
      historical: Period.isGiven(given.texts)
    })
  })

const readers = { date: Parameter.day, ...Range.plain, ...Parameter.page } satisfies Question.Readers<
  Options<OptionQuote.Column, Endpoint.AnyMode>
>

const parse = (
  symbol: string | OptionSymbol.OptionSymbol
): Result.Result<OptionSymbol.OptionSymbol, InvalidQuery> => {
  const isData = typeof symbol === "object" && symbol !== null
  return Result.mapError(
    isData ? OptionSymbol.make(symbol) : OptionSymbol.parse(symbol),
    (error) => new InvalidQuery({ parameter: "optionSymbol", value: Untyped.shown(symbol), rule: `it ${error.rule}` })
  )
}
