/**
 * How often and how patiently to ask again after failures that pass. Provided to the client it holds for all its calls; provided to a call, or
 * a part of a program, for that. Without one the default of core's `Retry` holds: it outlasts a minute of 502s.
 *
 * Every retry reserves credits like a first attempt, and takes one from the `RetryBudget`.
 *
 * @example
 * ```ts
 * import * as MarketData from "@effect-marketdata/client/MarketData"
 * import * as RetryPolicy from "@effect-marketdata/client/RetryPolicy"
 * import * as Effect from "effect/Effect"
 * import * as Schedule from "effect/Schedule"
 *
 * const price = MarketData.stockPrices(["SPY"])
 *
 * export const within10Seconds = price.pipe(Effect.provide(RetryPolicy.layer({ deadline: 10_000 })))
 * export const once = price.pipe(Effect.provide(RetryPolicy.layerNone))
 * export const steadily = price.pipe(Effect.provide(RetryPolicy.layerSchedule(Schedule.spaced("2 seconds"), { deadline: 60_000 })))
 * ```
 *
 * @see {@link RetryBudget} for how many retries all calls together may send
 * @since 0.1.0
 */
import type { Query } from "@effect-marketdata/core/Query"
import type { Reason } from "@effect-marketdata/core/Reason"
import * as Retry from "@effect-marketdata/core/Retry"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Pull from "effect/Pull"
import * as Random from "effect/Random"
import * as Schedule from "effect/Schedule"

/**
 * A request that failed: for which query and why, which attempt it was, from 1, how many of them were lost, this one included, and how long the
 * query has taken so far, in milliseconds.
 *
 * @category models
 * @since 0.1.0
 */
export interface Failure {
  readonly query: Query
  readonly reason: Reason
  readonly attempt: number
  readonly lost: number
  readonly elapsed: number
}

/**
 * Says after each failure of one request whether to wait and ask again, or to stop. What it decides costs at most what the ledger and the
 * caller's consent allow.
 *
 * @category models
 * @since 0.1.0
 */
export type Decide = (failure: Failure) => Effect.Effect<Retry.Decision>

/**
 * The policy. `start` begins to decide about one request, after its first failure; `deadline` is how long a query may take with all its
 * attempts and waits, in milliseconds: what is under way then is cut off, and counts as lost.
 *
 * @example
 * ```ts
 * import * as RetryPolicy from "@effect-marketdata/client/RetryPolicy"
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 *
 * // Chains are worth a second attempt, and nothing else.
 * const decide: RetryPolicy.Decide = ({ attempt, query, reason }) =>
 *   Effect.succeed(
 *     reason.isRetryable && attempt === 1 && query.endpoint.name === "optionChain"
 *       ? { _tag: "Wait", milliseconds: 5000 }
 *       : { _tag: "Stop", why: "Attempts" }
 *   )
 *
 * export const layer = Layer.succeed(RetryPolicy.RetryPolicy, { deadline: undefined, start: Effect.succeed(decide) })
 * ```
 *
 * @category services
 * @since 0.1.0
 */
export class RetryPolicy extends Context.Service<RetryPolicy, {
  readonly start: Effect.Effect<Decide>
  readonly deadline: number | undefined
}>()("@effect-marketdata/client/RetryPolicy") {}

/**
 * Makes a policy of numbers; those that are not given are those of `Retry.defaultPolicy`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (options: Partial<Retry.Policy> = {}): RetryPolicy["Service"] => {
  const policy = { ...Retry.defaultPolicy, ...options }
  const decide: Decide = (failure) => Effect.map(Random.next, (jitter) => Retry.decide(policy, { ...failure, jitter }))
  return { start: Effect.succeed(decide), deadline: policy.deadline }
}

/**
 * Makes a policy of a schedule, which is given the reason of each failure and says how long to wait; where it is done, nothing is sent again.
 * What core's rule says holds all the same: only what passes is asked again, and not before the service's own `Retry-After`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeSchedule = (
  schedule: Schedule.Schedule<unknown, Reason>,
  { deadline }: { readonly deadline?: number | undefined } = {}
): RetryPolicy["Service"] => {
  const decide = (delay: number, failure: Failure): Retry.Decision =>
    Retry.decide(
      { attempts: Infinity, base: delay, cap: delay, retryAfter: Infinity, deadline },
      { ...failure, attempt: 1, jitter: 1 }
    )
  const start = Effect.map(Schedule.toStep(schedule), (step): Decide => (failure) =>
    failure.reason.isRetryable
      ? Effect.flatMap(Clock.currentTimeMillis, (now) => step(now, failure.reason)).pipe(
        Effect.map(([, delay]) => decide(Duration.toMillis(delay), failure)),
        Pull.catchDone(() => Effect.succeed<Retry.Decision>({ _tag: "Stop", why: "Attempts" }))
      )
      : Effect.succeed({ _tag: "Stop", why: "Lasting" }))
  return { start, deadline }
}

/**
 * A policy of numbers, see `make`.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (options?: Partial<Retry.Policy>): Layer.Layer<RetryPolicy> =>
  Layer.succeed(RetryPolicy, make(options))

/**
 * A policy of a schedule, see `makeSchedule`.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerSchedule = (
  schedule: Schedule.Schedule<unknown, Reason>,
  options?: { readonly deadline?: number | undefined }
): Layer.Layer<RetryPolicy> => Layer.succeed(RetryPolicy, makeSchedule(schedule, options))

/**
 * Sends nothing again.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerNone: Layer.Layer<RetryPolicy> = /* @__PURE__ */ layer({ attempts: 1 })
