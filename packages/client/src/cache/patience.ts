import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"

/** How long a query waits for the disk: 40 turns, which are less than 50 ms on an idle machine. What is not read by then is a miss. */
export const ofQuery = 40

/**
 * Runs something that may never end, such as a step of a disk, and waits for it for some turns of the event loop of a millisecond each; undefined where
 * it has not ended by then. On a busy machine turns take longer, so that the disk is not taken for slow where the program is; and they go by the clock of
 * the machine, as the disk knows no other.
 */
export const within = <A>(turns: number, self: Effect.Effect<A>): Effect.Effect<A | undefined> =>
  Effect.gen(function*() {
    const fiber = yield* Effect.forkDetach(self)
    return yield* Effect.raceFirst(Fiber.join(fiber), Effect.as(passed(turns), undefined)).pipe(
      // It may never be done with being interrupted either.
      Effect.ensuring(Effect.sync(() => fiber.interruptUnsafe()))
    )
  })

const passed = (turns: number): Effect.Effect<unknown> =>
  Effect.repeat(Effect.sleep(1), { times: turns - 1 }).pipe(
    Effect.provideService(Clock.Clock, Clock.Clock.defaultValue())
  )
