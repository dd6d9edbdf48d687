import * as Effect from "effect/Effect"

/** Says how many milliseconds have gone since it was started, also where a clock is set meanwhile. */
export const start: Effect.Effect<() => number> = Effect.clockWith((clock) =>
  Effect.sync(() => {
    const started = clock.monotonicTimeNanosUnsafe()
    return () => Number(clock.monotonicTimeNanosUnsafe() - started) / 1e6
  })
)
