import * as IpGuard from "@effect-marketdata/client/IpGuard"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/** How long a runner waits for the one before it: longer than a lease, and no longer than a person waits for an error. */
const atMost = "15 seconds"

/**
 * Waits until the runner that sent before is over: until it has nothing in flight, or its lease has ended. Only the guard knows that, and only one that
 * is shared by the machines. A block of the service is nothing to wait for here: the policy of each call says whether it waits for that.
 */
export const takeOver: Effect.Effect<void> = Effect.flatMap(
  Effect.serviceOption(IpGuard.IpGuard),
  Option.match({
    onNone: () => Effect.void,
    onSome: ({ admit }) => {
      const until: Effect.Effect<void> = Effect.flatMap(
        Effect.option(admit),
        Option.match({
          // Each call says that the guard cannot be used.
          onNone: () => Effect.void,
          onSome: (admission) => {
            if (admission._tag === "Send") return admission.leave("lost")
            return admission.until === undefined ? Effect.andThen(admission.over, until) : Effect.void
          }
        })
      )
      return Effect.asVoid(Effect.timeoutOption(until, atMost))
    }
  })
)
