/**
 * When to ask again after a failure, and how long to wait before: exponential backoff with full jitter, for reasons that pass.
 *
 * @example
 * ```ts
 * import * as Reason from "@effect-marketdata/core/Reason"
 * import * as Retry from "@effect-marketdata/core/Retry"
 *
 * const fault = new Reason.ServerFault({ status: 503, temporary: true, body: "" })
 * Retry.wait(Retry.defaultPolicy, { reason: fault, attempt: 2, jitter: 0.5 }) // => 200
 * Retry.wait(Retry.defaultPolicy, { reason: new Reason.NotFound({ body: "" }), attempt: 1, jitter: 0.5 }) // => undefined
 * ```
 *
 * @since 0.1.0
 */
import type { Reason } from "./Reason.ts"

/**
 * How often and how patiently to ask again. `attempts` counts the first one; the waits are in milliseconds: `base` is doubled after
 * each attempt, up to `cap`.
 *
 * @category models
 * @since 0.1.0
 */
export interface Policy {
  readonly attempts: number
  readonly base: number
  readonly cap: number
}

/**
 * Three attempts in all, waiting up to 200 and then up to 400 milliseconds.
 *
 * @category constants
 * @since 0.1.0
 */
export const defaultPolicy: Policy = { attempts: 3, base: 200, cap: 5000 }

/**
 * Returns the milliseconds to wait before the next attempt, or `undefined` where asking again is no use. `attempt` counts from 1 and
 * is the one that failed; `jitter` is a random number from 0 to 1.
 *
 * @category decisions
 * @since 0.1.0
 */
export const wait = (
  policy: Policy,
  failure: { readonly reason: Reason; readonly attempt: number; readonly jitter: number }
): number | undefined =>
  failure.reason.isRetryable && failure.attempt < policy.attempts
    ? Math.min(policy.cap, policy.base * 2 ** (failure.attempt - 1)) * failure.jitter
    : undefined
