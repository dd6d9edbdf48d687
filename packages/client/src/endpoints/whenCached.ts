import type { Answer } from "@effect-marketdata/core/Answer"
import type { NoCachedData } from "@effect-marketdata/core/Reason"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { AnyReason, MarketDataError } from "../error/MarketDataError.ts"

/**
 * Turns a cached miss into `None`: the service answered, and nothing in its cache is young enough (clause 8.3-miss). A miss is free. Any
 * other failure stays a failure. For a query about many tickers it is `None` if none of them is in the cache; if only some are, the
 * failure is `Incomplete`, see `partial`.
 *
 * @example
 * ```ts
 * import * as MarketData from "@effect-marketdata/client/MarketData"
 * import * as DataMode from "@effect-marketdata/core/DataMode"
 * import * as Effect from "effect/Effect"
 * import * as Option from "effect/Option"
 *
 * export const contracts = MarketData.whenCached(MarketData.optionChain("SPX", { mode: DataMode.cached() })).pipe(
 *   Effect.map(Option.match({ onNone: () => 0, onSome: ({ data }) => data.length }))
 * )
 * ```
 *
 * @see {@link partial} for part of an answer
 * @category combinators
 * @since 0.1.0
 */
export const whenCached = <Data, R extends AnyReason, Requirements>(
  self: Effect.Effect<Answer<Data>, MarketDataError<R>, Requirements>
): Effect.Effect<Option.Option<Answer<Data>>, MarketDataError<Exclude<R, NoCachedData>>, Requirements> =>
  Effect.matchEffect(self, {
    onSuccess: (answer) => Effect.succeed(Option.some(answer)),
    onFailure: (error) =>
      error.reason._tag === "NoCachedData"
        ? Effect.succeed(Option.none())
        // Without that one reason, the others are what is left.
        : Effect.fail(error as MarketDataError<Exclude<R, NoCachedData>>)
  })
