import * as IpGuard from "@effect-marketdata/client/IpGuard"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/** How long a runner waits until it may send: longer than a lease and than the start of another runner, and no longer than a person waits for an error. */
const atMost = "15 seconds"

/**
 * Waits until this runner may send: until the one before it has nothing in flight, or its lease has ended. Only the guard knows that, and only one that
 * is shared by the machines. Where its address is not safe for longer, another runner may come whose address is, and take the account; if none does,
 * the policy of each call says whether it waits.
 */
export const takeOver: Effect.Effect<void> = Effect.flatMap(
  Effect.serviceOption(IpGuard.IpGuard),
  Option.match({
    onNone: () => Effect.void,
    onSome: ({ admit }) => {
      // What is let in leaves at once, and is not interrupted in between: it would count as in flight for ever, and no other runner might send.
      const look = Effect.uninterruptible(Effect.flatMap(
        Effect.option(admit),
        Option.match({
          // Each call says that the guard cannot be used.
          onNone: () => Effect.succeedNone,
          onSome: (admission) =>
            admission._tag === "Send"
              ? Effect.as(admission.leave("lost"), Option.none())
              : Effect.succeedSome(admission.over)
        })
      ))
      const until: Effect.Effect<void> = Effect.flatMap(
        look,
        Option.match({ onNone: () => Effect.void, onSome: (over) => Effect.andThen(over, until) })
      )
      return Effect.asVoid(Effect.timeoutOption(until, atMost))
    }
  })
)
