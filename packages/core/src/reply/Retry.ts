/**
 * What to do after a failure: ask again, and when, or stop, and why. Exponential backoff with full jitter, for reasons that pass, within
 * a number of attempts, a time, and a budget that many callers share, so that a service in trouble is not asked three times as often.
 *
 * Asked again are lost requests and replies, faults of the service that pass (501 and above), and too many requests at once (429). Asking
 * again never helps after any other refusal, a miss (204), or status 500. Times are milliseconds; the caller brings the clock and the
 * random number. A number that is none, in a policy too, stands for the shorter wait, for no retry, and for a deadline that is over.
 *
 * @example
 * ```ts
 * import * as Reason from "@effect-marketdata/core/Reason"
 * import * as Retry from "@effect-marketdata/core/Retry"
 *
 * const fault = new Reason.ServerFault({ status: 503, temporary: true, body: "" })
 * const { budget, decision } = Retry.next(Retry.defaultPolicy, Retry.makeBudget(Retry.defaultAllowance), {
 *   reason: fault,
 *   attempt: 2,
 *   jitter: 0.5,
 *   elapsed: 1200,
 *   now: 0
 * })
 * decision // => { _tag: "Wait", milliseconds: 200 }
 * budget.tokens // => 9
 * Retry.wait(Retry.defaultPolicy, { reason: new Reason.NotFound({ body: "" }), attempt: 1, jitter: 0.5 }) // => undefined
 * ```
 *
 * @since 0.1.0
 */
import type { Reason } from "../reason/Reason.ts"

/**
 * How often and how patiently to ask again. `attempts` counts the first one; the waits are in milliseconds.
 *
 * - `base`: the longest wait after the first attempt; it is doubled after each, up to `cap`
 * - `retryAfter`: the longest that the service may ask to be left alone (its `Retry-After`); `cap` where that is not given
 * - `deadline`: how long a query may take with all its attempts and waits; without end where that is not given
 *
 * @category models
 * @since 0.1.0
 */
export interface Policy {
  readonly attempts: number
  readonly base: number
  readonly cap: number
  readonly retryAfter?: number | undefined
  readonly deadline?: number | undefined
}

/**
 * Three attempts in all, waiting up to 200 and then up to 400 milliseconds, and what the service asks for up to 30 seconds.
 *
 * @category constants
 * @since 0.1.0
 */
export const defaultPolicy: Policy = { attempts: 3, base: 200, cap: 5000, retryAfter: 30_000 }

/**
 * A failure to decide on. `attempt` counts from 1 and is the one that failed; `jitter` is a random number from 0 to 1.
 *
 * @category models
 * @since 0.1.0
 */
export interface Failure {
  readonly reason: Reason
  readonly attempt: number
  readonly jitter: number
}

/** The longest that a timer can wait, in milliseconds: a longer one would end at once. */
const longestWait = 2 ** 31 - 1

/** A number from 0 to another, which must not be negative; 0 for one that is none. */
const upTo = (most: number, value: number): number => value > 0 ? Math.min(most, value) : 0

const backoff = ({ base, cap }: Policy, { attempt, jitter }: Failure): number =>
  upTo(upTo(longestWait, cap), base * 2 ** (attempt - 1)) * upTo(1, jitter)

/** How long the service asks to be left alone, in milliseconds. */
const retryAfter = (reason: Reason): number =>
  upTo(Infinity, 1000 * ("retryAfter" in reason ? reason.retryAfter ?? 0 : 0))

/** Says by the reason and the policy alone how long to wait, or why to stop. */
const decide = (policy: Policy, failure: Failure, elapsed: number): Decision => {
  if (!failure.reason.isRetryable) return { _tag: "Stop", why: "Lasting" }
  if (!(failure.attempt < policy.attempts)) return { _tag: "Stop", why: "Attempts" }
  const asked = retryAfter(failure.reason)
  if (asked > upTo(longestWait, policy.retryAfter ?? policy.cap)) return { _tag: "Stop", why: "RetryAfter" }
  // The backoff comes on top, so that callers who were told the same time do not come back in the same moment.
  const milliseconds = upTo(longestWait, asked + backoff(policy, failure))
  // At the deadline there would be no time left for the attempt itself; where it cannot be told, there may be none either.
  return policy.deadline === undefined || elapsed + milliseconds < policy.deadline
    ? { _tag: "Wait", milliseconds }
    : { _tag: "Stop", why: "Deadline" }
}

/**
 * Returns the milliseconds to wait before the next attempt, or `undefined` where asking again is no use; a budget and a deadline are not
 * looked at. The service's own `Retry-After` is added; where it is longer than the policy allows, asking again is no use.
 *
 * @category decisions
 * @since 0.1.0
 */
export const wait = (policy: Policy, failure: Failure): number | undefined => {
  const decision = decide({ ...policy, deadline: undefined }, failure, 0)
  return decision._tag === "Wait" ? decision.milliseconds : undefined
}

/**
 * How many retries a client may send: `tokens` at once, and `perSecond` more with time, never more than `tokens` together.
 *
 * @category models
 * @since 0.1.0
 */
export interface Allowance {
  readonly tokens: number
  readonly perSecond: number
}

/**
 * Ten retries at once, and one more every two seconds.
 *
 * @category constants
 * @since 0.1.0
 */
export const defaultAllowance: Allowance = { tokens: 10, perSecond: 0.5 }

/**
 * The retries that are left to all callers of a client, as of a time in milliseconds.
 *
 * @category models
 * @since 0.1.0
 */
export interface Budget {
  readonly allowance: Allowance
  readonly tokens: number
  readonly now: number
}

/**
 * Opens a budget with all its retries.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeBudget = (allowance: Allowance): Budget => ({
  allowance,
  tokens: upTo(Infinity, allowance.tokens),
  now: -Infinity
})

/**
 * Tells a budget the time, in milliseconds, and adds the retries that time has brought. A time that is past changes nothing.
 *
 * @category transitions
 * @since 0.1.0
 */
export const advance = (self: Budget, now: number): Budget => {
  if (!(now > self.now) || now === Infinity) return self
  // The first time that is told only starts the clock: the budget was opened full.
  if (self.now === -Infinity) return { ...self, now }
  const gained = upTo(Infinity, (now - self.now) / 1000 * self.allowance.perSecond)
  return { ...self, now, tokens: upTo(upTo(Infinity, self.allowance.tokens), self.tokens + gained) }
}

/**
 * What to do after a failure: wait so many milliseconds and ask again, or stop.
 *
 * - `Lasting`: the reason does not pass by itself
 * - `Attempts`: there have been as many as the policy allows
 * - `RetryAfter`: the service asks to be left alone for longer than the policy allows
 * - `Deadline`: the wait would outlast the time for the query
 * - `Budget`: other queries have used up the retries
 *
 * @category models
 * @since 0.1.0
 */
export type Decision =
  | { readonly _tag: "Wait"; readonly milliseconds: number }
  | { readonly _tag: "Stop"; readonly why: "Lasting" | "Attempts" | "RetryAfter" | "Deadline" | "Budget" }

/**
 * Decides what to do after a failure. `elapsed` is how long the query has taken so far, `now` is the time, both in milliseconds. A
 * retry takes one token from the budget; where the decision is to stop, nothing is taken.
 *
 * @category decisions
 * @since 0.1.0
 */
export const next = (
  policy: Policy,
  budget: Budget,
  failure: Failure & { readonly elapsed: number; readonly now: number }
): { readonly decision: Decision; readonly budget: Budget } => {
  const present = advance(budget, failure.now)
  const decision = decide(policy, failure, failure.elapsed)
  if (decision._tag === "Stop") return { decision, budget: present }
  return present.tokens < 1
    ? { decision: { _tag: "Stop", why: "Budget" }, budget: present }
    : { decision, budget: { ...present, tokens: present.tokens - 1 } }
}
