/**
 * How many retries all calls together may send, so that retries do not multiply the load of a service in trouble. Each client has its own
 * budget, set by `MarketDataConfig`. Clients that a `RetryBudget` is provided around share it.
 *
 * @example
 * ```ts
 * import * as MarketData from "@effect-marketdata/client/MarketData"
 * import * as RetryBudget from "@effect-marketdata/client/RetryBudget"
 * import * as Effect from "effect/Effect"
 *
 * const prices = MarketData.stockPrices(["SPY"])
 * const [first, second] = [MarketData.layer({ maxInFlight: 10 }), MarketData.layer({ maxInFlight: 1 })]
 *
 * // One service behind two clients: 20 retries at once for both, and one more each second.
 * export const both = Effect.all([Effect.provide(prices, first), Effect.provide(prices, second)]).pipe(
 *   Effect.provide(RetryBudget.layerMemory({ tokens: 20, perSecond: 1 }))
 * )
 * ```
 *
 * @see {@link RetryPolicy} for when to ask again
 * @since 0.1.0
 */
import * as Retry from "@effect-marketdata/core/Retry"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { steadyMillis } from "../config/steadyMillis.ts"

/**
 * The budget. `take` takes one retry if one is left, and returns whether it did; it never waits.
 *
 * @category services
 * @since 0.1.0
 */
export class RetryBudget extends Context.Service<RetryBudget, {
  readonly take: Effect.Effect<boolean>
}>()("@effect-marketdata/client/RetryBudget") {}

/**
 * Makes a budget in memory, full at first.
 *
 * @example
 * ```ts
 * import * as RetryBudget from "@effect-marketdata/client/RetryBudget"
 *
 * export const budget = RetryBudget.makeMemory({ tokens: 10, perSecond: 1 })
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeMemory = (allowance?: Retry.Allowance): Effect.Effect<RetryBudget["Service"]> =>
  Effect.sync(() => {
    // By a system's clock that was set back by an hour, no retries would come back for an hour.
    const withMillis = steadyMillis()
    let budget = Retry.makeBudget(allowance ?? Retry.defaultAllowance)
    return {
      take: withMillis((millis) => {
        const after = Retry.take(budget, millis)
        budget = after.budget
        return Effect.succeed(after.taken)
      })
    }
  })

/**
 * A budget in memory: 50 retries at once, and two more each second, unless `allowance` says otherwise.
 *
 * @example
 * ```ts
 * import * as MarketData from "@effect-marketdata/client/MarketData"
 * import * as RetryBudget from "@effect-marketdata/client/RetryBudget"
 * import * as Layer from "effect/Layer"
 *
 * export const client = MarketData.layerConfig.pipe(Layer.provide(RetryBudget.layerMemory({ tokens: 10, perSecond: 1 })))
 * ```
 *
 * @category layers
 * @since 0.1.0
 */
export const layerMemory = (allowance?: Retry.Allowance): Layer.Layer<RetryBudget> =>
  Layer.effect(RetryBudget, makeMemory(allowance))
