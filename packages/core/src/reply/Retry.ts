/**
 * What to do after a failure: ask again after a wait, or stop, and why. Temporary failures are retried with exponential backoff and
 * jitter, within a number of attempts, a deadline, and a budget that all callers share. The budget keeps retries from
 * multiplying the load of a service in trouble.
 *
 * Retried are lost requests and replies, temporary faults of the service (501 and above), too many requests at once (429), and requests that
 * a server did not read (408). Other refusals, a miss (204) and status 500 are never retried, because asking again does not help. A lost
 * request may have been charged, and so may its retry; that is why fewer attempts may be lost than refused.
 *
 * Times are milliseconds; the caller brings the clock and the random number. `NaN` never makes it more patient: it means the shorter
 * wait, no retry, or a deadline that is over.
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
 * @see `RetryPolicy` and `RetryBudget` of the client, which apply it
 * @since 0.1.0
 */
import { known as knownReason, type Reason } from "../reason/Reason.ts"
import * as Problem from "../text/Problem.ts"

/**
 * A retry policy. Counts include the first attempt; times are milliseconds.
 *
 * - `attempts`: the most attempts in total
 * - `lostAttempts`: the most attempts whose request or reply is lost, each of which may be charged; `attempts` by default
 * - `base`: the longest wait after the first attempt. It doubles after each attempt, up to `cap`. Each wait is shortened by a random
 *   part, at most half
 * - `retryAfter`: the longest `Retry-After` of the service that is obeyed; `cap` by default
 * - `deadline`: how long a query may take with all its attempts and waits; unlimited by default
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
 * The default policy. It survives a minute of 502s: ten attempts, with waits of half a second, one, two, … up to 30 seconds, one to two
 * minutes in total. Lost requests and replies get four attempts, since each may be charged. It obeys a `Retry-After` of up to two
 * minutes, and has no deadline.
 *
 * @category constants
 * @since 0.1.0
 */
export const defaultPolicy: Policy = { attempts: 10, lostAttempts: 4, base: 500, cap: 30_000, retryAfter: 120_000 }

/**
 * A failed attempt.
 *
 * - `attempt`: its number, from 1
 * - `lost`: how many attempts were lost, this one included; `attempt` by default
 * - `jitter`: a random number from 0 to 1
 * - `elapsed`: how long the query has taken so far, in milliseconds
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
 * Returns whether a request or its reply was lost, so that it is unknown whether it was charged.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isLost = (reason: Reason): boolean =>
  knownReason(reason)._tag === "TransportFailure" || reason._tag === "TimedOut"

/**
 * What to do after a failure: wait for a number of milliseconds and ask again, or stop.
 *
 * - `Lasting`: the failure is not temporary
 * - `Attempts`: the attempts of the policy are used up
 * - `RetryAfter`: the service asks to wait longer than the policy allows
 * - `Deadline`: the wait would exceed the deadline of the query
 * - `Budget`: other queries have used up the retries
 *
 * @category models
 * @since 0.1.0
 */
export type Decision =
  | { readonly _tag: "Wait"; readonly milliseconds: number }
  | { readonly _tag: "Stop"; readonly why: "Lasting" | "Attempts" | "RetryAfter" | "Deadline" | "Budget" }

const knownPolicy = /* @__PURE__ */ Problem.guard("retry policy", "Retry.defaultPolicy", {})

const knownFailure = /* @__PURE__ */ Problem.guard("failed attempt", "{ reason, attempt: 1, … }", { reason: {} })

const knownAllowance = /* @__PURE__ */ Problem.guard("allowance", "Retry.defaultAllowance", { tokens: 0, perSecond: 0 })

const knownBudget = /* @__PURE__ */ Problem.guard("retry budget", "Retry.makeBudget(allowance)", { tokens: 0, now: 0 })

/** The longest that a timer can wait, in milliseconds: a longer one would end at once. */
const longestWait = 2 ** 31 - 1

/** A number from 0 to another, which must not be negative; 0 for `NaN`. */
const upTo = (most: number, value: number): number => value > 0 ? Math.min(most, value) : 0

/** Half of the wait is certain, or chance could use up all attempts at once. */
const backoff = ({ base, cap }: Policy, { attempt, jitter }: Failure): number =>
  upTo(upTo(longestWait, cap), base * 2 ** (attempt - 1)) * (1 + upTo(1, jitter)) / 2

/** How long the service asks to wait, in milliseconds. */
const retryAfter = (reason: Reason): number =>
  upTo(Infinity, 1000 * ("retryAfter" in reason ? reason.retryAfter ?? 0 : 0))

const isUsedUp = ({ attempts, lostAttempts = attempts }: Policy, { attempt, lost = attempt, reason }: Failure) =>
  !(attempt < attempts) || isLost(reason) && !(lost < lostAttempts)

/**
 * Decides by the policy what to do after a failure; it does not look at a budget. The service's `Retry-After` is added to the wait of the
 * policy. If it is longer than the policy allows, the decision is to stop.
 *
 * @category decisions
 * @since 0.1.0
 */
export const decide = (policy: Policy, failure: Failure): Decision => {
  if (!knownReason(knownFailure(failure).reason).isRetryable) return { _tag: "Stop", why: "Lasting" }
  if (isUsedUp(knownPolicy(policy), failure)) return { _tag: "Stop", why: "Attempts" }
  const asked = retryAfter(failure.reason)
  if (asked > upTo(longestWait, policy.retryAfter ?? policy.cap)) return { _tag: "Stop", why: "RetryAfter" }
  // The backoff is added, so that callers who were told the same time do not all come back at that time.
  const milliseconds = upTo(longestWait, asked + backoff(policy, failure))
  // At the deadline there would be no time left for the attempt itself; where it cannot be told, there may be none either.
  return policy.deadline === undefined || failure.elapsed + milliseconds < policy.deadline
    ? { _tag: "Wait", milliseconds }
    : { _tag: "Stop", why: "Deadline" }
}

/**
 * How many retries a client may send: `tokens` at once, and `perSecond` more each second, up to `tokens`.
 *
 * @category models
 * @since 0.1.0
 */
export interface Allowance {
  readonly tokens: number
  readonly perSecond: number
}

/**
 * The default allowance: 50 retries at once, which is how many requests the public service takes at a time, and two more each second.
 *
 * @category constants
 * @since 0.1.0
 */
export const defaultAllowance: Allowance = { tokens: 50, perSecond: 2 }

/**
 * A budget: the retries that are left to all callers of a client, as of a time in milliseconds.
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
 * @example
 * ```ts
 * import * as Retry from "@effect-marketdata/core/Retry"
 *
 * const { budget, taken } = Retry.take(Retry.makeBudget({ tokens: 1, perSecond: 1 }), 0)
 * taken // => true
 * Retry.take(budget, 0.5).taken // => false
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeBudget = (allowance: Allowance): Budget => ({
  allowance,
  tokens: upTo(Infinity, knownAllowance(allowance).tokens),
  now: -Infinity
})

/**
 * Moves a budget to a time in milliseconds, and adds the retries for the time that passed. An earlier time changes nothing.
 *
 * @category transitions
 * @since 0.1.0
 */
export const advance = (self: Budget, now: number): Budget => {
  if (!(now > knownBudget(self).now) || now === Infinity) return self
  // The first time that is told only starts the clock: the budget was opened full.
  if (self.now === -Infinity) return { ...self, now }
  const gained = upTo(Infinity, (now - self.now) / 1000 * self.allowance.perSecond)
  return { ...self, now, tokens: upTo(upTo(Infinity, self.allowance.tokens), self.tokens + gained) }
}

/**
 * Takes one retry out of a budget, if one is left, at a time in milliseconds. `taken` says whether there was one.
 *
 * @example
 * ```ts
 * import * as Retry from "@effect-marketdata/core/Retry"
 *
 * const { budget } = Retry.take(Retry.makeBudget({ tokens: 1, perSecond: 1 }), 0)
 * // Times are in milliseconds: a second later there is one more.
 * Retry.take(budget, 1000).taken // => true
 * ```
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
