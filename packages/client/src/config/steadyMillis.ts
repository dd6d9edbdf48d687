import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/**
 * Makes a clock that never goes back, in epoch milliseconds: the monotonic clock, plus the greatest lead that the system's clock ever had over it. So no time
 * seems to be to come, and nothing younger than it is, even if the system's clock is set back, jumps ahead and returns, or the machine sleeps.
 */
export const steadyMillis = (): Effect.Effect<number> => {
  let ahead = -Infinity
  return Effect.map(Clock.Clock, (clock) => {
    const gone = Number(clock.monotonicTimeNanosUnsafe()) / 1e6
    ahead = Math.max(ahead, clock.currentTimeMillisUnsafe() - gone)
    return Math.round(gone + ahead)
  })
}
