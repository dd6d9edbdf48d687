import * as Answer from "@effect-marketdata/core/Answer"
import type { Reason } from "@effect-marketdata/core/Reason"
import * as Effect from "effect/Effect"
import type { Failure, Incomplete } from "../error/Incomplete.ts"
import type { MarketDataError } from "../error/MarketDataError.ts"

/**
 * An answer that may lack some tickers. `missing` names them and `errors` says why; both are empty if the answer is whole.
 *
 * @category models
 * @since 0.1.0
 */
export interface PartialAnswer<out Data, out R extends Reason = Reason> extends Answer.Answer<Data> {
  readonly missing: ReadonlyArray<string>
  readonly errors: ReadonlyArray<Failure<R>>
}

/**
 * Accepts part of an answer: the failure `Incomplete` becomes an answer that names what is missing. Any other failure stays a failure.
 *
 * @example
 * ```ts
 * import * as MarketData from "@effect-marketdata/client/MarketData"
 * import * as Console from "effect/Console"
 * import * as Effect from "effect/Effect"
 *
 * export const prices = MarketData.stockPrices(["AAPL", "MSFT"]).pipe(
 *   MarketData.partial,
 *   Effect.tap(({ missing }) => Console.log(`${missing.length} tickers are missing`))
 * )
 * ```
 *
 * @see {@link whenCached} for a cached miss
 * @category combinators
 * @since 0.1.0
 */
export const partial = <Data, R extends Reason, Requirements>(
  self: Effect.Effect<Answer.Answer<Data>, MarketDataError<R | Incomplete<Data, R>>, Requirements>
): Effect.Effect<PartialAnswer<Data, R>, MarketDataError<R>, Requirements> =>
  Effect.matchEffect(self, {
    onSuccess: (answer) => Effect.succeed(Answer.make({ ...answer, missing: [], errors: [] })),
    onFailure: (error): Effect.Effect<PartialAnswer<Data, R>, MarketDataError<R>> => {
      const part = incomplete(error)
      return part === undefined
        // Without that one reason, the others are what is left.
        ? Effect.fail(error as MarketDataError<R>)
        : Effect.succeed(Answer.make({ ...part.answered, missing: part.missing, errors: part.errors }))
    }
  })

const incomplete = <Data, R extends Reason>(
  { reason }: MarketDataError<R | Incomplete<Data, R>>
): Incomplete<Data, R> | undefined => reason._tag === "Incomplete" ? reason : undefined
