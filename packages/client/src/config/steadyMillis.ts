import * as Effect from "effect/Effect"

/**
 * Makes a clock that never goes back, in epoch milliseconds: the monotonic clock, plus the greatest lead that the system's clock ever had over it. So no time
 * that was read before lies in the future, and nothing seems younger than it is: not if the system's clock is set back, if it jumps ahead and returns, or if
 * the machine sleeps. The time is handed on, which takes one step where each call takes several.
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
