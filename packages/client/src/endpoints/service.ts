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
 * Why a query of one request in this mode can fail.
 *
 * @category errors
 * @since 0.1.0
 */
export type ReasonFor<Mode extends DataMode.DataMode | undefined> =
  | Reason.InvalidQuery
  | Reason.CreditBudgetExceeded
  | Reason.IpBlocked
  | Reason.TransportFailure
  | Reason.TimedOut
  | Reason.ForMode<Mode>

/**
 * What can go wrong with a query of one request in this mode.
 *
 * @category errors
 * @since 0.1.0
 */
export type ErrorFor<Mode extends DataMode.DataMode | undefined> = MarketDataError<ReasonFor<Mode>>

/**
 * What can go wrong with a query that may take several requests: the same, and that only some of them were answered.
 *
 * @category errors
 * @since 0.1.0
 */
export type ListErrorFor<Data, Mode extends DataMode.DataMode | undefined> = MarketDataError<
  ReasonFor<Mode> | Incomplete<Data, ReasonFor<Mode>>
>

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
  ) => Effect.Effect<Answer.Answer<Data>, ListErrorFor<Data, Mode>, RequirementsOf<Mode>>
}>()("@effect-marketdata/client/MarketData") {}

/**
 * A query of one request, asked.
 *
 * @category models
 * @since 0.1.0
 */
export type Asked<Data, Mode extends DataMode.DataMode | undefined> = Effect.Effect<
  Answer.Answer<Data>,
  ErrorFor<Mode>,
  MarketData | RequirementsOf<Mode>
>

/**
 * A query that may take several requests, asked.
 *
 * @category models
 * @since 0.1.0
 */
export type AskedInBatches<Data, Mode extends DataMode.DataMode | undefined> = Effect.Effect<
  Answer.Answer<Data>,
  ListErrorFor<Data, Mode>,
  MarketData | RequirementsOf<Mode>
>

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
): AskedInBatches<Data, Mode> => Effect.flatMap(MarketData, (service) => service.run(query))

/** What a constructor of core makes: a query, or why it is none. */
export type Made<Data, Mode extends DataMode.DataMode | undefined> = Result.Result<
  Query.Query<Data, Mode>,
  Reason.InvalidQuery
>

/** Asks what a constructor made, or fails with why it made nothing; `what` names the query then. */
export const askList = <Data, Mode extends DataMode.DataMode | undefined>(
  what: string,
  made: Made<Data, Mode>
): AskedInBatches<Data, Mode> =>
  Effect.fromResult(made).pipe(
    Effect.mapError((reason) => new MarketDataError({ query: what, reason, trace: [] })),
    Effect.flatMap(run)
  )

/** Asks a query of one ticker. It takes one request, so that its answer cannot be incomplete. */
export const runSingle = <Data, Mode extends DataMode.DataMode | undefined>(
  query: Query.Query<Data, Mode>
): Asked<Data, Mode> => run(query) as Asked<Data, Mode>

/** Asks what a constructor made that makes no lists. */
export const ask = <Data, Mode extends DataMode.DataMode | undefined>(
  what: string,
  made: Made<Data, Mode>
): Asked<Data, Mode> => askList(what, made) as Asked<Data, Mode>
