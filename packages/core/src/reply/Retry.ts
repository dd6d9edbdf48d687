/**
 * What to do after a failure: ask again, and when, or stop, and why. Exponential backoff with jitter, for reasons that pass, within a number
 * of attempts, a time, and a budget that many callers share, so that a service in trouble is not asked three times as often.
 *
 * Asked again are lost requests and replies, faults of the service that pass (501 and above), and too many requests at once (429). Asking
 * again never helps after any other refusal, a miss (204), or status 500. A request that was lost may have been charged, and so may the next:
 * fewer attempts may be lost than refused. Times are milliseconds; the caller brings the clock and the random number. `NaN`, in a policy
 * too, stands for the shorter wait, for no retry, and for a deadline that is over.
 *
 * @example
 * ```ts
 * import * as Reason from "@effect-marketdata/core/Reason"
 * import * as Retry from "@effect-marketdata/core/Retry"
 *
 * const reason = new Reason.ServerFault({ status: 503, temporary: true, body: "" })
 * const failure = { reason, attempt: 2, jitter: 0.5, elapsed: 1200 }
 * Retry.decide(Retry.defaultPolicy, failure) // => { _tag: "Wait", milliseconds: 750 }
 * Retry.decide({ ...Retry.defaultPolicy, attempts: 2 }, failure) // => { _tag: "Stop", why: "Attempts" }
 * Retry.take(Retry.makeBudget(Retry.defaultAllowance), 0).budget.tokens // => 49
 * ```
 *
 * @since 0.1.0
 */
import type { Reason } from "../reason/Reason.ts"

/**
 * How often and how patiently to ask again. Counts hold the first attempt; times are milliseconds.
 *
 * - `attempts`: the most attempts in all
 * - `lostAttempts`: the most of them whose request or reply is lost, each of which may be charged; `attempts` where not given
 * - `base`: the longest wait after the first attempt; it is doubled after each, up to `cap`. Of each wait a random part, half at most, is left out
 * - `retryAfter`: the longest that the service may ask to be left alone (its `Retry-After`); `cap` where not given
 * - `deadline`: how long a query may take with all its attempts and waits; without end where not given
 *
 * @category models
 * @since 0.1.0
 */
export interface Policy {
  readonly attempts: number
  readonly lostAttempts?: number | undefined
  readonly base: number
  readonly cap: number
  readonly retryAfter?: number | undefined
  readonly deadline?: number | undefined
}

/**
 * Outlasts a minute in which the service answers with 502 or the like: ten attempts, with waits of half a second, one, two, … up to 30
 * seconds, which come to one to two minutes. Four attempts where requests or replies are lost, since each may be charged. A
 * `Retry-After` of up to two minutes is obeyed. No deadline.
 *
 * @category constants
 * @since 0.1.0
 */
export const defaultPolicy: Policy = { attempts: 10, lostAttempts: 4, base: 500, cap: 30_000, retryAfter: 120_000 }

/**
 * A failure to decide on. `attempt` counts from 1 and is the one that failed; `lost` is how many attempts were lost, this one included, as
 * many as there were where it is not given; `jitter` is a random number from 0 to 1, `elapsed` how long the query has taken so far, in
 * milliseconds.
 *
 * @category models
 * @since 0.1.0
 */
export interface Failure {
  readonly reason: Reason
  readonly attempt: number
  readonly lost?: number | undefined
  readonly jitter: number
  readonly elapsed: number
}

/**
 * Whether a request or its reply was lost: nobody can tell whether it was charged.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isLost = (reason: Reason): boolean => reason._tag === "TransportFailure" || reason._tag === "TimedOut"

/**
 * What to do after a failure: wait a number of milliseconds and ask again, or stop.
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

/** The longest that a timer can wait, in milliseconds: a longer one would end at once. */
const longestWait = 2 ** 31 - 1

/** A number from 0 to another, which must not be negative; 0 for `NaN`. */
const upTo = (most: number, value: number): number => value > 0 ? Math.min(most, value) : 0

/** Half of the wait is certain, or chance could use up all attempts at once. */
const backoff = ({ base, cap }: Policy, { attempt, jitter }: Failure): number =>
  upTo(upTo(longestWait, cap), base * 2 ** (attempt - 1)) * (1 + upTo(1, jitter)) / 2

/** How long the service asks to be left alone, in milliseconds. */
const retryAfter = (reason: Reason): number =>
  upTo(Infinity, 1000 * ("retryAfter" in reason ? reason.retryAfter ?? 0 : 0))

const isUsedUp = (
  { attempts, lostAttempts = attempts }: Policy,
  { attempt, lost = attempt, reason }: Failure
): boolean => !(attempt < attempts) || isLost(reason) && !(lost < lostAttempts)

/**
 * Decides by the policy what to do after a failure; a budget is not looked at. The service's own `Retry-After` comes before the wait of the
 * policy; where it is longer than the policy allows, asking again is of no use.
 *
 * @category decisions
 * @since 0.1.0
 */
export const decide = (policy: Policy, failure: Failure): Decision => {
  if (!failure.reason.isRetryable) return { _tag: "Stop", why: "Lasting" }
  if (isUsedUp(policy, failure)) return { _tag: "Stop", why: "Attempts" }
  const asked = retryAfter(failure.reason)
  if (asked > upTo(longestWait, policy.retryAfter ?? policy.cap)) return { _tag: "Stop", why: "RetryAfter" }
  // The backoff comes on top, so that callers who were told the same time do not come back in the same moment.
  const milliseconds = upTo(longestWait, asked + backoff(policy, failure))
  // At the deadline there would be no time left for the attempt itself; where it cannot be told, there may be none either.
  return policy.deadline === undefined || failure.elapsed + milliseconds < policy.deadline
    ? { _tag: "Wait", milliseconds }
    : { _tag: "Stop", why: "Deadline" }
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
 * Fifty retries at once, as many as the public service takes requests at a time, and two more each second.
 *
 * @category constants
 * @since 0.1.0
 */
export const defaultAllowance: Allowance = { tokens: 50, perSecond: 2 }

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
 * Takes a retry out of a budget at a time in milliseconds, where one is left.
 *
 * @category transitions
 * @since 0.1.0
 */
export const take = (self: Budget, now: number): { readonly taken: boolean; readonly budget: Budget } => {
  const present = advance(self, now)
  return present.tokens < 1
    ? { taken: false, budget: present }
    : { taken: true, budget: { ...present, tokens: present.tokens - 1 } }
}
