import { Clock, Effect } from "effect"

/** Runs an effect by a clock that is ahead, by so many hours. */
export const ahead = (hours: number) => <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.clockWith((clock) => {
    const shifted: Clock.Clock = Object.assign(Object.create(clock), {
      currentTimeMillis: Effect.map(clock.currentTimeMillis, (millis) => millis + hours * 3_600_000),
      currentTimeMillisUnsafe: () => clock.currentTimeMillisUnsafe() + hours * 3_600_000
    })
    return Effect.provideService(effect, Clock.Clock, shifted)
  })
