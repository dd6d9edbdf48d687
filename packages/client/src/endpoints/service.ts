import type * as Answer from "@effect-marketdata/core/Answer"
import type * as DataMode from "@effect-marketdata/core/DataMode"
import type * as Query from "@effect-marketdata/core/Query"
import type * as Reason from "@effect-marketdata/core/Reason"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Result from "effect/Result"
import type { CacheFallback } from "../policy/CacheFallback.ts"
import type { Incomplete } from "../error/Incomplete.ts"
import { MarketDataError } from "../error/MarketDataError.ts"

/**
 * Why a query in this mode can fail: `one` where it takes one request, `list` where it may take several, and only some of them may be
 * answered. They are properties so that editors show the reasons, and not the name of a type.
 *
 * @category errors
 * @since 0.1.0
 */
export interface Reasons<Mode extends DataMode.DataMode | undefined, Data = unknown> {
  readonly one:
    | Reason.InvalidQuery
    | Reason.CreditBudgetExceeded
    | Reason.IpBlocked
    | Reason.TransportFailure
    | Reason.TimedOut
    | Reason.InReplyTo<Mode>["reason"]
  readonly list: Reasons<Mode>["one"] | Incomplete<Data, Reasons<Mode>["one"]>
}

/**
 * What a query in this mode requires besides the client: consent to pay, where it may fall back to live data.
 *
 * @category models
 * @since 0.1.0
 */
export type RequirementsOf<Mode extends DataMode.DataMode | undefined> = Mode extends DataMode.CachedOrLive
  ? CacheFallback
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
 * Asks a query, made by one of the constructors of core's `Query`.
 *
 * Fails with a `MarketDataError` whose reasons are those that the query's mode can bring. The credits it may cost are reserved in
 * the `CreditLedger` before the first request, and settled by what was charged, also when the fiber is interrupted. A query about more
 * tickers than fit into one request takes several: where some of them fail the reason is `Incomplete`, which holds what the others brought.
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

/** What a constructor of core makes: a query, or why it is not one. */
export type Made<Data, Mode extends DataMode.DataMode | undefined> = Result.Result<
  Query.Query<Data, Mode>,
  Reason.InvalidQuery
>

/** Asks what a constructor made, or fails with why it made nothing; `what` names the query then. */
export const askList = <Data, Mode extends DataMode.DataMode | undefined>(
  what: string,
  made: Made<Data, Mode>
): Effect.Effect<
  Answer.Answer<Data>,
  MarketDataError<Reasons<Mode, Data>["list"]>,
  MarketData | RequirementsOf<Mode>
> =>
  Effect.fromResult(made).pipe(
    Effect.mapError((reason) => new MarketDataError({ query: what, reason, trace: [] })),
    Effect.flatMap(run)
  )

/** Asks a query of one ticker. It takes one request, so that its answer cannot be incomplete. */
export const runSingle = <Data, Mode extends DataMode.DataMode | undefined>(
  query: Query.Query<Data, Mode>
): Effect.Effect<Answer.Answer<Data>, MarketDataError<Reasons<Mode>["one"]>, MarketData | RequirementsOf<Mode>> =>
  narrowed<Data, Mode>(run(query))

/** Asks what a constructor made that makes no lists. */
export const ask = <Data, Mode extends DataMode.DataMode | undefined>(
  what: string,
  made: Made<Data, Mode>
): Effect.Effect<Answer.Answer<Data>, MarketDataError<Reasons<Mode>["one"]>, MarketData | RequirementsOf<Mode>> =>
  narrowed<Data, Mode>(askList(what, made))

const narrowed = <Data, Mode extends DataMode.DataMode | undefined>(
  asked: Effect.Effect<Answer.Answer<Data>, MarketDataError, MarketData | RequirementsOf<Mode>>
) =>
  asked as Effect.Effect<Answer.Answer<Data>, MarketDataError<Reasons<Mode>["one"]>, MarketData | RequirementsOf<Mode>>
