import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/**
 * A clock that never goes back, in epoch seconds: as far ahead of the time that has really gone by as the system's clock ever was. So a reply is never
 * taken for younger than it is, whether that clock is set back, jumps ahead and returns, or the machine sleeps.
 */
export const make = (): Effect.Effect<number> => {
  let ahead = -Infinity
  return Effect.map(Clock.Clock, (clock) => {
    const gone = Number(clock.monotonicTimeNanosUnsafe()) / 1e6
    ahead = Math.max(ahead, clock.currentTimeMillisUnsafe() - gone)
    return Math.floor((gone + ahead) / 1000)
  })
}
