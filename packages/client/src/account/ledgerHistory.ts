import * as Arr from "effect/Array"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

/**
 * What happened, in one ring that everybody reads from who follows it. Appending never waits, and a reader who is slow keeps
 * nothing alive: where it comes back too late it goes on with the oldest value that is still there.
 */
export interface History<A> {
  /** The number of values that were ever appended. */
  readonly count: () => number
  /** Appends values; a plain step, so that it can be one with the change that they tell of. */
  readonly append: (values: ReadonlyArray<A>) => void
  /** The values that are still there, and those to come. */
  readonly values: Stream.Stream<A>
  /** What `read` gives: at once, and after each append, where appends that come faster than it is taken count as one. */
  readonly readings: <B, E>(read: Effect.Effect<B, E>) => Stream.Stream<B, E>
}

/** Makes a ring of a number of values, at least one. */
export const make = <A>(size: number): History<A> => {
  const capacity = Math.max(1, Math.floor(size) || 1)
  const ring: Array<A> = []
  let count = 0
  let appended: Deferred.Deferred<void> | undefined

  const more = Effect.suspend(() => Deferred.await(appended ??= Deferred.makeUnsafe()))
  const since = (place: number): ReadonlyArray<A> => {
    const first = Math.max(place, count - ring.length)
    return Array.from({ length: count - first }, (_, index) => ring[(first + index) % capacity]!)
  }
  return {
    count: () => count,
    append: (values) => {
      if (values.length === 0) return
      for (const value of values) ring[count++ % capacity] = value
      const waiting = appended
      appended = undefined
      if (waiting !== undefined) Deferred.doneUnsafe(waiting, Effect.void)
    },
    values: Stream.fromPull(Effect.sync(() => {
      let place = 0
      const pull: Effect.Effect<Arr.NonEmptyReadonlyArray<A>> = Effect.suspend(() => {
        const values = since(place)
        place = count
        return Arr.isReadonlyArrayNonEmpty(values) ? Effect.succeed(values) : Effect.andThen(more, pull)
      })
      return pull
    })),
    readings: <B, E>(read: Effect.Effect<B, E>) =>
      Stream.fromPull(Effect.sync(() => {
        let place = -1
        const pull: Effect.Effect<Arr.NonEmptyReadonlyArray<B>, E> = Effect.suspend(() => {
          if (place === count) return Effect.andThen(more, pull)
          place = count
          return Effect.map(read, Arr.of)
        })
        return pull
      }))
  }
}
