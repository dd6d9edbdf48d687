import * as Answer from "@effect-marketdata/core/Answer"
import type { NoCachedData, Reason } from "@effect-marketdata/core/Reason"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as BufferPool from "@effect-marketdata/core/BufferPool"
import { dual } from "effect/Function"
import type * as Scope from "effect/Scope"
import type { Failure, Incomplete } from "../error/Incomplete.ts"
import type { AnyReason, MarketDataError } from "../error/MarketDataError.ts"
import * as Policies from "../policy/Policies.ts"
import * as Terms from "../policy/terms.ts"

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
  self: Effect.Effect<Answer.Answer<Data>, MarketDataError<R>, Requirements>
): Effect.Effect<Option.Option<Answer.Answer<Data>>, MarketDataError<Exclude<R, NoCachedData>>, Requirements> =>
  Effect.matchEffect(self, {
    onSuccess: (answer) => Effect.succeed(Option.some(answer)),
    onFailure: (error) =>
      error.reason._tag === "NoCachedData"
        ? Effect.succeed(Option.none())
        // Without that one reason, the others are what is left.
        : Effect.fail(error as MarketDataError<Exclude<R, NoCachedData>>)
  })

/**
 * Takes the memory for an answer's table from a pool, and gives it back when the scope closes. A program that polls large chains and
 * keeps none of them then leaves almost nothing to the garbage collector. After the scope every use of the table throws, and its columns
 * are empty; keep rows with `ColumnTable.pick`. The call is not shared with others (`Policies.Coalesce`), and its reply is not compared
 * with the last one (`maxKeptBytes`).
 *
 * @example
 * ```ts
 * import * as MarketData from "@effect-marketdata/client/MarketData"
 * import * as BufferPool from "@effect-marketdata/core/BufferPool"
 * import * as Effect from "effect/Effect"
 * import * as Schedule from "effect/Schedule"
 *
 * const pool = BufferPool.make()
 *
 * export const volumes = Effect.scoped(
 *   MarketData.optionChain("SPX", { mode: "cached" }).pipe(
 *     MarketData.pooled(pool),
 *     Effect.map(({ data }) => data.volume.reduce((sum, volume) => sum + volume, 0))
 *   )
 * ).pipe(Effect.repeat(Schedule.spaced("5 seconds")))
 * ```
 *
 * @category combinators
 * @since 0.1.0
 */
export const pooled: {
  (pool: BufferPool.BufferPool): <Data, E, R>(
    self: Effect.Effect<Answer.Answer<Data>, E, R>
  ) => Effect.Effect<Answer.Answer<Data>, E, R | Scope.Scope>
  <Data, E, R>(
    self: Effect.Effect<Answer.Answer<Data>, E, R>,
    pool: BufferPool.BufferPool
  ): Effect.Effect<Answer.Answer<Data>, E, R | Scope.Scope>
} = dual(
  2,
  <Data, E, R>(
    self: Effect.Effect<Answer.Answer<Data>, E, R>,
    pool: BufferPool.BufferPool
  ): Effect.Effect<Answer.Answer<Data>, E, R | Scope.Scope> =>
    Effect.uninterruptibleMask((restore) => {
      const asked = self.pipe(
        Effect.provideService(Terms.Buffers, pool),
        Effect.provideService(Policies.Coalesce, false)
      )
      return Effect.flatMap(restore(asked), (answer) =>
        Effect.map(BufferPool.lend(pool, answer.data), (data) => Answer.make({ ...answer, data })))
    })
)
