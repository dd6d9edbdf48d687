import * as Reason from "@effect-marketdata/core/Reason"
import * as Retry from "@effect-marketdata/core/Retry"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { afterSending, type Batch, type Call, elapsed } from "../call/call.ts"
import * as Checked from "../config/checked.ts"
import * as Observe from "../telemetry/observe.ts"

/**
 * Retries after temporary failures, as the retry policy and the retry budget allow, until the deadline of the query. The deadline counts from the
 * start of the query and is applied to each request by itself, so that the results of other requests are kept.
 */
export const retry = <A>(
  call: Call,
  batch: Batch<unknown>,
  attempt: Effect.Effect<A, Reason.Reason>
): Effect.Effect<A, Reason.Reason> => {
  const { deadline } = call.retryPolicy
  const attempts = Effect.catch(attempt, (reason) => again(call, batch, attempt, reason))
  return deadline === undefined ? attempts : untilDeadline(call, batch, deadline, attempts)
}

/** Retries after a first failure. */
const again = Effect.fnUntraced(function*<A>(
  call: Call,
  batch: Batch<unknown>,
  attempt: Effect.Effect<A, Reason.Reason>,
  first: Reason.Reason
) {
  const decide = yield* call.retryPolicy.start
  let reason = first
  for (let count = 1, lost = 0;; count++) {
    if (Retry.isLost(reason)) lost++
    const failure = { query: batch.query, reason, attempt: count, lost, elapsed: yield* elapsed(call) }
    const decided = yield* Checked.decided(decide, [failure], isDecision, "RetryPolicy")
    if (decided._tag === "Stop" || !(yield* call.resources.retryBudget.take)) return yield* Effect.fail(reason)
    yield* Observe.retry(batch.query, reason, decided.milliseconds)
    yield* Effect.sleep(decided.milliseconds)
    const next = yield* Effect.result(attempt)
    if (Result.isSuccess(next)) return next.success
    reason = afterSending(call, next.failure)
  }
})

const isDecision = (given: unknown): boolean =>
  Checked.has({ _tag: (tag) => tag === "Stop" })(given) ||
  Checked.has({ _tag: (tag) => tag === "Wait", milliseconds: (wait) => typeof wait === "number" && wait >= 0 })(given)

/** Interrupts a wait or an attempt at the deadline of the query; such an attempt counts as lost. */
const untilDeadline = <A>(
  call: Call,
  { request }: Batch<unknown>,
  milliseconds: number,
  attempts: Effect.Effect<A, Reason.Reason>
): Effect.Effect<A, Reason.Reason> =>
  Effect.flatMap(elapsed(call), (elapsed) =>
    Effect.timeoutOrElse(attempts, {
      // A deadline of `NaN` has passed, as in core's rule.
      duration: Math.max(0, milliseconds - elapsed) || 0,
      orElse: () => {
        const mayHaveBeenCharged = call.trace.some(({ reason, target }) =>
          target === request.target && (reason?.cost === "possible" || reason?.cost === "full")
        )
        return Effect.fail(new Reason.TimedOut({ limit: "deadline", milliseconds, mayHaveBeenCharged }))
      }
    }))
