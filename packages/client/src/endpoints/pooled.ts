import * as Answer from "@effect-marketdata/core/Answer"
import * as BufferPool from "@effect-marketdata/core/BufferPool"
import * as Effect from "effect/Effect"
import { dual } from "effect/Function"
import type * as Scope from "effect/Scope"
import * as Policies from "../policy/Policies.ts"
import * as Terms from "../policy/terms.ts"

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
