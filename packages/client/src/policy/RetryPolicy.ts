/**
 * How often and how long to retry after temporary failures. A policy that is provided to the client applies to all its calls; one that is
 * provided to a call, or to a part of a program, applies to that. The default is that of core's `Retry`, which survives a minute of 502s.
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
 * @see {@link Retry} of core for the rules and the default
 * @since 0.1.0
 */
import * as Problem from "@effect-marketdata/core/Problem"
import type { Query } from "@effect-marketdata/core/Query"
import type { Reason } from "@effect-marketdata/core/Reason"
import * as Retry from "@effect-marketdata/core/Retry"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Pull from "effect/Pull"
import * as Random from "effect/Random"
import * as Schedule from "effect/Schedule"
import { optionsOf } from "../config/checked.ts"

/**
 * A request that failed.
 *
 * - `query`, `reason`: the query, and why the request failed
 * - `attempt`: the number of the attempt, from 1
 * - `lost`: how many attempts were lost, this one included
 * - `elapsed`: how long the query has taken so far, in milliseconds
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
 * Decides after each failure of one request whether to wait and ask again, or to stop. Whatever it decides, the ledger and the caller's
 * ceiling still limit the cost.
 *
 * @category models
 * @since 0.1.0
 */
export type Decide = (failure: Failure) => Effect.Effect<Retry.Decision>

/**
 * The policy. `start` returns a new `Decide` for a request, after its first failure. `deadline` is how long a query may take with all its
 * attempts and waits, in milliseconds; a request in flight at that time is cut off and counts as lost. `numbers` is set if the policy consists
 * of numbers only: such a policy can be sent to another program, and a function cannot.
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
  readonly numbers?: Retry.Policy | undefined
}>()("@effect-marketdata/client/RetryPolicy") {}

/**
 * Makes a policy from numbers. Numbers that are left out are those of `Retry.defaultPolicy`.
 *
 * @example
 * ```ts
 * import * as RetryPolicy from "@effect-marketdata/client/RetryPolicy"
 *
 * RetryPolicy.make({ deadline: 10_000 }).deadline // => 10000
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (options: Partial<Retry.Policy> = {}): RetryPolicy["Service"] => {
  const usual = Retry.defaultPolicy
  // What is read from elsewhere may be undefined: without a wait, all attempts would be sent at once.
  const { attempts = usual.attempts, base = usual.base, cap = usual.cap } = optionsOf(options, "{ attempts: 3 }") ?? {}
  const policy = { ...usual, ...options, attempts, base, cap }
  const decide: Decide = (failure) => Effect.map(Random.next, (jitter) => Retry.decide(policy, { ...failure, jitter }))
  return { start: Effect.succeed(decide), deadline: policy.deadline, numbers: policy }
}

/**
 * Makes a policy from a schedule. The schedule gets the reason of each failure and says how long to wait; when it is done, nothing is sent
 * again. The rules of core still hold: only temporary failures are retried, and never before the service's `Retry-After`.
 * Throws `ValueError` for what is not a schedule.
 *
 * @example
 * ```ts
 * import * as RetryPolicy from "@effect-marketdata/client/RetryPolicy"
 * import * as Schedule from "effect/Schedule"
 *
 * RetryPolicy.makeSchedule(Schedule.spaced("2 seconds"), { deadline: 60_000 }).deadline // => 60000
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeSchedule = (
  schedule: Schedule.Schedule<unknown, Reason>,
  options?: { readonly deadline?: number | undefined }
): RetryPolicy["Service"] => {
  Problem.expect(Schedule.isSchedule(schedule), "schedule", schedule, "a Schedule", `Schedule.spaced("2 seconds")`)
  const { deadline } = options ?? {}
  const decide = (delay: number, failure: Failure) => {
    const policy = { attempts: Infinity, base: delay, cap: delay, retryAfter: Infinity, deadline }
    return Retry.decide(policy, { ...failure, attempt: 1, jitter: 1 })
  }
  const start = Effect.map(Schedule.toStep(schedule), (step): Decide => (failure) =>
    failure.reason.isRetryable
      ? Effect.clockWith((clock) => step(clock.currentTimeMillisUnsafe(), failure.reason)).pipe(
        Effect.map(([, delay]) => decide(Duration.toMillis(delay), failure)),
        Pull.catchDone(() => Effect.succeed<Retry.Decision>({ _tag: "Stop", why: "Attempts" }))
      )
      : Effect.succeed({ _tag: "Stop", why: "Lasting" }))
  return { start, deadline }
}

/**
 * A policy of numbers, see `make`.
 *
 * @example
 * ```ts
 * import * as MarketData from "@effect-marketdata/client/MarketData"
 * import * as RetryPolicy from "@effect-marketdata/client/RetryPolicy"
 * import * as Effect from "effect/Effect"
 *
 * export const patient = MarketData.stockPrices(["AAPL"]).pipe(Effect.provide(RetryPolicy.layer({ attempts: 20 })))
 * ```
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (options?: Partial<Retry.Policy>): Layer.Layer<RetryPolicy> =>
  Layer.succeed(RetryPolicy, make(options))

/**
 * A policy of a schedule, see `makeSchedule`.
 *
 * @example
 * ```ts
 * import * as MarketData from "@effect-marketdata/client/MarketData"
 * import * as RetryPolicy from "@effect-marketdata/client/RetryPolicy"
 * import * as Effect from "effect/Effect"
 * import * as Schedule from "effect/Schedule"
 *
 * const every2Seconds = RetryPolicy.layerSchedule(Schedule.spaced("2 seconds"), { deadline: 60_000 })
 * export const steady = MarketData.stockPrices(["AAPL"]).pipe(Effect.provide(every2Seconds))
 * ```
 *
 * @category layers
 * @since 0.1.0
 */
export const layerSchedule = (
  schedule: Schedule.Schedule<unknown, Reason>,
  options?: { readonly deadline?: number | undefined }
): Layer.Layer<RetryPolicy> => Layer.succeed(RetryPolicy, makeSchedule(schedule, options))

/**
 * A policy without retries.
 *
 * @example
 * ```ts
 * import * as MarketData from "@effect-marketdata/client/MarketData"
 * import * as RetryPolicy from "@effect-marketdata/client/RetryPolicy"
 * import * as Effect from "effect/Effect"
 *
 * export const once = MarketData.stockPrices(["AAPL"]).pipe(Effect.provide(RetryPolicy.layerNone))
 * ```
 *
 * @category layers
 * @since 0.1.0
 */
export const layerNone: Layer.Layer<RetryPolicy> = /* @__PURE__ */ layer({ attempts: 1 })
