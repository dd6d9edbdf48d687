import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/** The time, in whole epoch seconds. */
export const epochSeconds: Effect.Effect<number> = Effect.map(
  Clock.currentTimeMillis,
  (millis) => Math.floor(millis / 1000)
)
