import * as Effect from "effect/Effect"

/**
 * Makes a clock that never goes back, in epoch milliseconds: the monotonic clock, plus the greatest lead that the system's clock ever had over it. So no time
 * that was read before lies in the future, and nothing seems younger than it is: not if the system's clock is set back, if it jumps ahead and returns, or if
 * the machine sleeps. The function that is returned reads the time and uses it in one step of the fiber, because each call does so several times.
 */
export const steadyMillis = () => {
  let ahead = -Infinity
  return <A, E, R>(use: (millis: number) => Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.clockWith((clock) => {
      const monotonic = Number(clock.monotonicTimeNanosUnsafe()) / 1e6
      ahead = Math.max(ahead, clock.currentTimeMillisUnsafe() - monotonic)
      return use(Math.round(monotonic + ahead))
    })
}
