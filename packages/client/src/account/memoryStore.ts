import * as Ledger from "@effect-marketdata/core/Ledger"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Arr from "effect/Array"
import * as Deferred from "effect/Deferred"
import * as Stream from "effect/Stream"
import type { Event } from "./ledgerEvents.ts"
import type * as Steps from "./ledgerSteps.ts"
import * as LedgerStore from "./LedgerStore.ts"

/** How many events a history has if no length is given. */
const defaultHistory = 1000

/** How many claims are remembered: those whose first request was sent last. */
const mostClaims = 10_000

/** Remembers what was sent first under the key of each claim. */
const makeClaims = () => {
  const claims = new Map<string, Steps.FirstSent>()
  // Their keys in a ring: to look for the oldest in the map is to pass all places from which one was deleted.
  const keys: Array<string> = []
  let next = 0
  return {
    first: (key: string | undefined) => key === undefined ? undefined : claims.get(key),
    add: (events: ReadonlyArray<Event>): void => {
      for (const event of events) {
        if (event._tag !== "Sent" || event.claim === undefined || claims.has(event.claim.key)) continue
        const { key, run } = event.claim
        claims.set(key, { run, time: event.time })
        const oldest = keys[next]
        if (oldest !== undefined) claims.delete(oldest)
        keys[next] = key
        next = (next + 1) % mostClaims
      }
    }
  }
}

/** Keeps a ledger in memory: a step is one synchronous function, so that nothing comes between what it reads, writes and tells. */
export const make = (
  open: (now: number) => Ledger.Ledger,
  length = defaultHistory
): Effect.Effect<LedgerStore.LedgerStore> =>
  Effect.map(Clock.currentTimeMillis, (millis) => {
    let current = open(millis / 1000)
    const history = makeHistory<Event>(length)
    const claims = makeClaims()
    const take = <A>(
      step: (ledger: Ledger.Ledger, now: number, first: Steps.FirstSent | undefined) => LedgerStore.Step<A>,
      key?: string
    ): Effect.Effect<A> =>
      Effect.clockWith((clock) => {
        const taken = step(current, clock.currentTimeMillisUnsafe() / 1000, claims.first(key))
        current = taken.ledger
        if (taken.events.length > 0) {
          const events = LedgerStore.events(taken.ledger, taken.events, history.count() + 1)
          history.append(events)
          claims.add(events)
        }
        return Effect.succeed(taken.value)
      })
    return {
      take,
      record: (step) => take((ledger, now) => step(ledger, now, false)),
      history: history.values,
      readings: history.readings
    }
  })

/**
 * What happened, in one ring that everybody reads from who follows it. Appending never waits, and a reader who is slow keeps
 * nothing alive: where it comes back too late it goes on with the oldest value that is still there. It has room for one value at least.
 */
const makeHistory = <A>(size: number) => {
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
    /** The number of values that were ever appended. */
    count: () => count,
    /** Appends values; a plain step, so that it can be one with the change that they tell of. */
    append: (values: ReadonlyArray<A>): void => {
      if (values.length === 0) return
      for (const value of values) ring[count++ % capacity] = value
      const waiting = appended
      appended = undefined
      if (waiting !== undefined) Deferred.doneUnsafe(waiting, Effect.void)
    },
    /** The values that are still there, and those to come. */
    values: Stream.fromPull(Effect.sync(() => {
      let place = 0
      const pull: Effect.Effect<Arr.NonEmptyReadonlyArray<A>> = Effect.suspend(() => {
        const values = since(place)
        place = count
        return Arr.isReadonlyArrayNonEmpty(values) ? Effect.succeed(values) : Effect.andThen(more, pull)
      })
      return pull
    })),
    /** What `read` gives: at once, and after each append, where appends that come faster than it is taken count as one. */
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
