/**
 * Questions to the service as values. A question that exists is well-formed: constructors refuse any other with a reason, and
 * everything that can be known about it is known before anything is sent.
 *
 * @example
 * ```ts
 * import * as DataMode from "@effect-marketdata/core/DataMode"
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Result from "effect/Result"
 *
 * const query = Query.optionChain("SPX", { expiration: "all", mode: DataMode.cached({ maxAge: "5 minutes" }) })
 * Result.map(query, Query.target)
 * // => Result.succeed("/v1/options/chain/SPX/?expiration=all&mode=cached&maxage=5min")
 * ```
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import * as CalendarDate from "./CalendarDate.ts"
import * as DataMode from "./DataMode.ts"
import * as Eastern from "./Eastern.ts"
import * as OptionChainEndpoint from "./endpoints/OptionChainEndpoint.ts"
import * as Encoding from "./internal/encoding.ts"
import * as MaxAge from "./MaxAge.ts"
import type * as OptionChain from "./OptionChain.ts"
import { InvalidQuery } from "./Reason.ts"

/**
 * What the caller knows about a reply beforehand; it turns an open price into a bounded one, and is named in the estimate.
 *
 * - `contracts`: at most this many option contracts come back
 * - `historical`: the account is served historical data even without `date` (user type Professional or Unknown); `false` says
 *   that it is not
 *
 * @category models
 * @since 0.1.0
 */
export interface Assumptions {
  readonly contracts?: number | undefined
  readonly historical?: boolean | undefined
}

/**
 * A well-formed question. `Data` is what its answer holds; `Mode` the data mode it asks in.
 *
 * @category models
 * @since 0.1.0
 */
export interface Query<
  out Data = unknown,
  out Mode extends DataMode.DataMode | undefined = DataMode.DataMode | undefined
> {
  /** Only there for the type: a question does not hold its answer. */
  readonly "~Data"?: Data
  readonly endpoint: "optionChain"
  readonly kind: "chain"
  readonly subject: string
  readonly path: string
  readonly parameters: ReadonlyArray<readonly [name: string, value: string]>
  readonly columns: ReadonlyArray<string> | undefined
  readonly mode: Mode
  readonly maxAge: MaxAge.MaxAge | undefined
  readonly assume: Assumptions
}

/**
 * Asks for the option chain of an underlying (clauses 4.1-path and 4.1-params). Fails with `InvalidQuery` for a symbol that is no
 * ticker, for cached data of a past day (clause 8.2-cached-unavailable), and for parameters that break their rule.
 *
 * @category constructors
 * @since 0.1.0
 */
export const optionChain = <
  const Name extends OptionChain.Column = OptionChain.Column,
  const Mode extends DataMode.DataMode | undefined = undefined
>(
  underlying: string,
  options: OptionChainEndpoint.Options<Name, Mode> = {}
): Result.Result<Query<OptionChain.OptionChain<Name>, Mode>, InvalidQuery> =>
  Result.gen(function*() {
    const segment = yield* Encoding.pathSegment("underlying", underlying)
    const parameters = yield* OptionChainEndpoint.parameters(options)
    // Leaving the mode out leaves out the type parameter, whose default is undefined.
    const mode = options.mode as Mode
    const maxAge = yield* maxAgeOf(mode)
    if (options.date !== undefined && mode !== undefined && DataMode.parameter(mode) === "cached") {
      return yield* refuse("mode", "cached", "there is no cached data of a past day: leave out the date, or the mode")
    }
    if (options.columns?.length === 0) {
      return yield* refuse("columns", "", "name at least one column, or leave columns out for all of them")
    }
    const unknown = options.columns?.find((name) => !OptionChainEndpoint.columns.includes(name))
    if (unknown !== undefined) {
      return yield* refuse("columns", unknown, `the columns of a chain are ${OptionChainEndpoint.columns.join(", ")}`)
    }
    const assume = options.assume ?? {}
    if (assume.contracts !== undefined && !(Number.isInteger(assume.contracts) && assume.contracts >= 0)) {
      return yield* refuse("assume.contracts", String(assume.contracts), "a count is a whole number, 0 or more")
    }
    return {
      endpoint: OptionChainEndpoint.row.name,
      kind: OptionChainEndpoint.row.kind,
      subject: underlying,
      path: OptionChainEndpoint.path(segment),
      parameters,
      columns: options.columns,
      mode,
      maxAge,
      assume
    }
  })

const refuse = (parameter: string, value: string, rule: string) =>
  Result.fail(new InvalidQuery({ parameter, value, rule }))

const maxAgeOf = (mode: DataMode.DataMode | undefined): Result.Result<MaxAge.MaxAge | undefined, InvalidQuery> =>
  mode === undefined || mode._tag === "Live" || mode._tag === "Delayed" || mode.maxAge === undefined
    ? Result.succeed(undefined)
    : Result.mapError(
      MaxAge.parse(mode.maxAge),
      (error) => new InvalidQuery({ parameter: "maxAge", value: error.input, rule: error.message })
    )

/**
 * Turns a question into the same question in another mode; a greatest age stays with cached modes only (clause 8.3-fallback).
 *
 * @category combinators
 * @since 0.1.0
 */
export const withMode = <Data, Mode extends DataMode.Live | DataMode.Delayed | DataMode.Cached>(
  self: Query<Data>,
  mode: Mode
): Query<Data, Mode> => ({ ...self, mode, maxAge: mode._tag === "Cached" ? self.maxAge : undefined })

/**
 * Returns the past day that a question is about, if it is about one.
 *
 * @category getters
 * @since 0.1.0
 */
export const dateOf = (self: Query): string | undefined => self.parameters.find(([name]) => name === "date")?.[1]

/**
 * Checks that a question about a past day is about one, in New York, at the moment `now` in epoch seconds; today counts as current data
 * (clause 4.1-date). Fails with `InvalidQuery`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const checkDate = (self: Query, now: number): Result.Result<void, InvalidQuery> => {
  const date = dateOf(self)
  return date === undefined || date < CalendarDate.format(Eastern.dateOf(now))
    ? Result.succeed(undefined)
    : refuse("date", date, "name a day before today in New York, or leave the date out for current data")
}

/**
 * Returns path and query as one finished text, the way it goes on the wire; nothing after this rewrites it (clause 7.3-url-shape).
 *
 * @category getters
 * @since 0.1.0
 */
export const target = (self: Query): string => {
  const parameters = [...self.parameters]
  if (self.columns !== undefined) parameters.push(["columns", self.columns.join(",")])
  if (self.mode !== undefined) parameters.push(["mode", DataMode.parameter(self.mode)])
  if (self.maxAge !== undefined) parameters.push(["maxage", MaxAge.format(self.maxAge)])
  return parameters.length === 0 ? self.path : `${self.path}?${Encoding.queryString(parameters)}`
}

/**
 * Describes a question in a few words, for messages and traces.
 *
 * @category formatting
 * @since 0.1.0
 */
export const format = (self: Query): string => `${self.endpoint} ${self.subject}`
