import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"

/** The clock of every program that provides no other. */
const usual = Context.get(Context.empty(), Clock.Clock)

/** A timer of the host rings at once if it is set for longer. */
const longest = 2 ** 31 - 1

/**
 * Rings after a time by a clock, unless it is stopped before with what this returns.
 *
 * The usual clock sleeps on a timer of the host, which is set here without a fiber around it: to begin and to interrupt one takes 3 % of a
 * small call, and nearly every alarm is stopped. Any other clock, such as that of a test, is asked to sleep.
 */
export const set = (clock: Clock.Clock, milliseconds: number, ring: () => void): () => void => {
  if (clock === usual && milliseconds <= longest) {
    const timer = setTimeout(ring, milliseconds)
    return () => clearTimeout(timer)
  }
  // Without the query's context: Effect would annotate each interruption of the alarm with the stack frames there.
  const sleeping = Effect.runFork(clock.sleep(Duration.millis(milliseconds)))
  sleeping.addObserver((slept) => {
    if (Exit.isSuccess(slept)) ring()
  })
  return () => sleeping.interruptUnsafe()
}
