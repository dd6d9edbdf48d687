import type * as Answer from "@effect-marketdata/core/Answer"
import type * as DataMode from "@effect-marketdata/core/DataMode"
import type * as Query from "@effect-marketdata/core/Query"
import type * as Reason from "@effect-marketdata/core/Reason"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Incomplete } from "../error/Incomplete.ts"
import { MarketDataError } from "../error/MarketDataError.ts"
import type { CacheFallback } from "../policy/CacheFallback.ts"

/**
 * Why a query in this mode can fail: `one` if it takes one request, `list` if it may take several and only some of them may be answered.
 * It is an interface so that editors show the reasons instead of the name of a type.
 *
 * @category errors
 * @since 0.1.0
 */
export interface Reasons<Mode extends DataMode.DataMode | undefined, Data = unknown> {
  readonly one:
    | Reason.InvalidQuery
    | Reason.CreditBudgetExceeded
    | Reason.LedgerUnavailable
    | Reason.AlreadySent
    | Reason.GuardUnavailable
    | Reason.IpBlocked
    | Reason.GatewayUnavailable
    | Reason.TransportFailure
    | Reason.TimedOut
    | Reason.InReplyTo<Mode>["reason"]
  readonly list: Reasons<Mode>["one"] | Incomplete<Data, Reasons<Mode>["one"]>
}

/**
 * What a query in this mode requires besides the client: `CacheFallback`, the consent to pay, if it may fall back to live data.
 *
 * @category models
 * @since 0.1.0
 */
export type RequirementsOf<Mode extends DataMode.DataMode | undefined> = Mode extends undefined ? never
  : Mode extends DataMode.CachedOrLive ? CacheFallback
  : never

/**
 * The client.
 *
 * @category services
 * @since 0.1.0
 */
export class MarketData extends Context.Service<MarketData, {
  readonly run: <Data, Mode extends DataMode.DataMode | undefined>(
    query: Query.Query<Data, Mode>
  ) => Effect.Effect<Answer.Answer<Data>, MarketDataError<Reasons<Mode, Data>["list"]>, RequirementsOf<Mode>>
}>()("@effect-marketdata/client/MarketData") {}

/**
 * Asks a query that a constructor of core's `Query` made, and returns its answer.
 *
 * Fails with a `MarketDataError` whose reasons are those that the query's mode can cause. The bound of the query is reserved in the
 * `CreditLedger` before the first request, and settled by what was charged, also when the fiber is interrupted. A query about more
 * tickers than fit into one request takes several. If some of them fail, the reason is `Incomplete`, which holds the answers to the
 * others.
 *
 * @example
 * ```ts
 * import * as MarketData from "@effect-marketdata/client/MarketData"
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Effect from "effect/Effect"
 *
 * export const strikes = Effect.gen(function*() {
 *   const query = yield* Effect.fromResult(Query.optionChain("SPX", { dte: 30, columns: ["strike"] }))
 *   const { credits, data } = yield* MarketData.run(query)
 *   return { strikes: data.strike, charged: credits.charged }
 * })
 * ```
 *
 * @category queries
 * @since 0.1.0
 */
export const run = <Data, Mode extends DataMode.DataMode | undefined>(
  query: Query.Query<Data, Mode>
): Effect.Effect<
  Answer.Answer<Data>,
  MarketDataError<Reasons<Mode, Data>["list"]>,
  MarketData | RequirementsOf<Mode>
> => Effect.flatMap(MarketData, (service) => service.run(query))

/** The result of a constructor of core: a query, or why it is invalid. */
export type Made<Data, Mode extends DataMode.DataMode | undefined> = Result.Result<
  Query.Query<Data, Mode>,
  Reason.InvalidQuery
>

/** Asks the query that a constructor made, or fails if it is invalid; `what` is then its name in the error. */
export const askList = <Data, Mode extends DataMode.DataMode | undefined>(
  what: string,
  made: Made<Data, Mode>
): ReturnType<typeof run<Data, Mode>> =>
  Result.isSuccess(made)
    ? run(made.success)
    : Effect.fail(new MarketDataError({ query: what, reason: made.failure, trace: [] }))

/** Like `run`, for queries that take one request. `Incomplete` is not among their reasons: it takes several requests, of which some are answered. */
export const runSingle = run as <Data, Mode extends DataMode.DataMode | undefined>(
  query: Query.Query<Data, Mode>
) => Effect.Effect<Answer.Answer<Data>, MarketDataError<Reasons<Mode>["one"]>, MarketData | RequirementsOf<Mode>>

/** Like `askList`, for queries that take one request. */
export const ask = askList as <Data, Mode extends DataMode.DataMode | undefined>(
  what: string,
  made: Made<Data, Mode>
) => Effect.Effect<Answer.Answer<Data>, MarketDataError<Reasons<Mode>["one"]>, MarketData | RequirementsOf<Mode>>

const texts = (values: ReadonlyArray<unknown>): ReadonlyArray<string> =>
  values.filter((value) => typeof value === "string").map((text) => text.slice(0, 64))

/** Names an invalid query by its endpoint and the texts of its subject. */
export const named = (endpoint: string, ...subject: ReadonlyArray<unknown>) => [endpoint, ...texts(subject)].join(" ")

/** Names an invalid query about many tickers. */
export const namedList = (endpoint: string, symbols: unknown): string => {
  // Untyped code may pass something else than a list, or a proxy that throws.
  const all = Result.getOrElse(Result.try(() => Array.isArray(symbols) ? texts(symbols) : []), () => [])
  return named(endpoint, ...all.length === 0 ? [] : [all.slice(0, 3).join(",")]) +
    (all.length > 3 ? ` and ${all.length - 3} more` : "")
}
