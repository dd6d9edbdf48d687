import { TimedOut } from "@effect-marketdata/core/Reason"
import type * as Reason from "@effect-marketdata/core/Reason"
import * as Retry from "@effect-marketdata/core/Retry"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import * as Ref from "effect/Ref"
import type { Asking, Batch } from "../asking/asking.ts"
import * as Observe from "../telemetry/observe.ts"

/**
 * Asks again after failures that pass, as core's rule and the client's budget of retries allow, until the query's time is up. The time
 * counts for each request by itself, from the start of the query: what other requests brought by then is not lost.
 */
export const retry = <A>(
  asking: Asking,
  batch: Batch<unknown>,
  attempt: Effect.Effect<A, Reason.Reason>
): Effect.Effect<A, Reason.Reason> => {
  const from = (count: number): Effect.Effect<A, Reason.Reason> =>
    Effect.catch(
      attempt,
      (reason) =>
        Effect.flatMap(decide(asking, reason, count), (decision) =>
          decision._tag === "Stop"
            ? Effect.fail(reason)
            : Observe.retry(batch.query, reason, decision.milliseconds).pipe(
              Effect.andThen(Effect.sleep(decision.milliseconds)),
              Effect.andThen(from(count + 1))
            ))
    )
  const { deadline } = asking.terms.retry
  return deadline === undefined ? from(1) : within(asking, batch, deadline, from(1))
}

const decide = Effect.fnUntraced(function*(
  { resources, startedAt, terms }: Asking,
  reason: Reason.Reason,
  attempt: number
) {
  const jitter = yield* Random.next
  const now = yield* Clock.currentTimeMillis
  const elapsed = now - startedAt
  return yield* Ref.modify(resources.retries, (before) => {
    const { budget, decision } = Retry.next(terms.retry, before, { reason, attempt, jitter, elapsed, now })
    return [decision, budget]
  })
})

/** Cuts off whatever goes on when the query's time is up: a wait, or an attempt, which then counts as lost. */
const within = <A>(
  asking: Asking,
  { request }: Batch<unknown>,
  milliseconds: number,
  attempts: Effect.Effect<A, Reason.Reason>
): Effect.Effect<A, Reason.Reason> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) =>
    Effect.timeoutOrElse(attempts, {
      // A deadline that is no number is over, as in core's rule.
      duration: Math.max(0, asking.startedAt + milliseconds - now) || 0,
      orElse: () => {
        const mayHaveBeenCharged = asking.trace.some(({ reason, target }) =>
          target === request.target && (reason?.cost === "possible" || reason?.cost === "full")
        )
        return Effect.fail(new TimedOut({ limit: "deadline", milliseconds, mayHaveBeenCharged }))
      }
    }))
