/**
 * Where a ledger of credits is kept: in memory, or outside of the program. A store reads the ledger, takes a step, writes the new ledger and
 * publishes the events, all in one atomic operation. The steps themselves are the same everywhere: `CreditLedger.make` makes a ledger
 * over any store.
 *
 * Unstable: it is there for the packages of this repository, and a minor release may change it.
 *
 * @example
 * ```ts
 * import type * as LedgerStore from "@effect-marketdata/client/LedgerStore"
 * import * as Ledger from "@effect-marketdata/core/Ledger"
 * import * as Effect from "effect/Effect"
 *
 * // The least that a store does: it keeps a ledger, and forgets what happened, claims included.
 * let ledger = Ledger.make(100)
 * export const take: LedgerStore.LedgerStore["take"] = (step) =>
 *   Effect.clockWith((clock) => {
 *     const taken = step(ledger, clock.currentTimeMillisUnsafe() / 1000, undefined)
 *     ledger = taken.ledger
 *     return Effect.succeed(taken.value)
 *   })
 * ```
 *
 * @see {@link CreditLedger} for the ledger as a service
 * @since 0.1.0
 */
import * as Ledger from "@effect-marketdata/core/Ledger"
import type { GuardUnavailable, LedgerUnavailable } from "@effect-marketdata/core/Reason"
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Fence } from "./IpGuard.ts"
import type { Event, Happening, OfRequest, OfReservation } from "./ledgerEvents.ts"
import type { FirstSent, Step } from "./ledgerSteps.ts"
import * as Steps from "./ledgerSteps.ts"

/**
 * What can happen in a ledger: an event without its number and its time.
 *
 * @category models
 * @since 0.1.0
 */
export type { Happening } from "./ledgerEvents.ts"

/**
 * A step that was taken, how another is taken after it, and what was sent first under the key of a claim.
 *
 * @since 0.1.0
 */
export { both, type FirstSent, type Step } from "./ledgerSteps.ts"

/**
 * Where a ledger is kept. Each step gets the ledger as it is and the time in epoch seconds.
 *
 * - `take`: takes a step, or fails, and then nothing of the step was written. With the key of a claim, the step also gets the first request that was
 *   sent under that key: the first `Sent` event whose claim has it. With a fence of the same database, it gets the reason why the guard refuses, if it
 *   does
 * - `record`: takes a step that records what already happened, such as a charge. It never fails: a step that cannot be written is written
 *   later, with the next one that can. Until then its value is `meanwhile`. Such a step gets `isAgain: true`: it may have been
 *   written before, because the connection was lost in between
 * - `reservation`: the one that a step is about, if it was made before. A store that was replaced by an older copy of itself may not have it any more,
 *   or have given its number to another program: then the step finds none
 * - `history`: the latest events, and then all future ones
 * - `readings`: the result of `read` now and after each change
 * - `joins`: whether a step is so expensive, such as a transaction, that several are taken in one where possible: see `CreditLedger.reserve`
 *
 * @category models
 * @since 0.1.0
 */
export interface LedgerStore {
  readonly take: <A>(
    step: (ledger: Ledger.Ledger, now: number, first: FirstSent | undefined, refused?: GuardUnavailable) => Step<A>,
    key?: string,
    fence?: Fence,
    reservation?: number
  ) => Effect.Effect<A, LedgerUnavailable>
  readonly record: <A>(
    step: (ledger: Ledger.Ledger, now: number, isAgain: boolean) => Step<A>,
    meanwhile: A,
    reservation?: number
  ) => Effect.Effect<A>
  readonly history: Stream.Stream<Event, LedgerUnavailable>
  readonly readings: <A, E>(read: Effect.Effect<A, E>) => Stream.Stream<A, E | LedgerUnavailable>
  readonly joins?: boolean
}

/**
 * Makes events of what happened: numbered from `first`, at the time of the ledger, and with what it has left afterwards.
 *
 * @category constructors
 * @since 0.1.0
 */
export const events = (
  ledger: Ledger.Ledger,
  happenings: ReadonlyArray<Happening>,
  first: number
): ReadonlyArray<Event> => {
  const moment = { time: ledger.now, available: Ledger.available(ledger) }
  return happenings.map((happening, index) => ({ ...happening, ...moment, number: first + index }))
}

/**
 * Moves a ledger to the time `now`, in epoch seconds, and closes reservations whose owners are gone: their requests in flight may have been charged,
 * and the rest is free again. Requests that are known to be `unsent` cost nothing, whether their reservations are closed or not.
 *
 * @category transitions
 * @since 0.1.0
 */
export const abandon = (
  ledger: Ledger.Ledger,
  now: number,
  reservations: ReadonlyArray<OfReservation>,
  unsent: ReadonlyArray<OfRequest> = []
): Step<unknown> => {
  let step: Step<unknown> = Steps.advance(ledger, now)
  for (const of of unsent.filter((of) => Steps.isOpen(ledger, of))) {
    step = Steps.both(step, (ledger) => Steps.charge(ledger, of, { credits: 0 }, undefined))
  }
  for (const of of reservations) step = Steps.both(step, (ledger) => Steps.settle(ledger, of))
  return step
}

/** How many events a history has if no length is given. */
const defaultHistory = 1000

/** How many claims are remembered: those whose first request was sent last. */
const mostClaims = 10_000

/** Remembers the first request that was sent under the key of each claim. */
const makeClaims = () => {
  const claims = new Map<string, FirstSent>()
  // It goes on where it was: finding the oldest key of a map anew means to skip all deleted ones. Made on an empty map it would hold each table that it outgrew.
  let oldest: MapIterator<string> | undefined
  return {
    first: (key: string | undefined) => key === undefined ? undefined : claims.get(key),
    add: (events: ReadonlyArray<Event>): void => {
      for (const event of events) {
        if (event._tag !== "Sent" || event.claim === undefined || claims.has(event.claim.key)) continue
        const { key, run } = event.claim
        claims.set(key, { run, time: event.time })
        if (claims.size > mostClaims) claims.delete((oldest ??= claims.keys()).next().value!)
      }
    }
  }
}

/**
 * Keeps a ledger in memory. A step is one synchronous function, and so atomic.
 *
 * @internal
 */
export const makeMemory = (open: (now: number) => Ledger.Ledger, length = defaultHistory): Effect.Effect<LedgerStore> =>
  Effect.map(Clock.currentTimeMillis, (millis) => {
    let current = open(millis / 1000)
    const history = makeHistory<Event>(length)
    const claims = makeClaims()
    const take = <A>(step: (ledger: Ledger.Ledger, now: number, first?: FirstSent) => Step<A>, key?: string) =>
      Effect.clockWith((clock) => {
        const taken = step(current, clock.currentTimeMillisUnsafe() / 1000, claims.first(key))
        current = taken.ledger
        if (taken.events.length > 0) {
          const happened = events(taken.ledger, taken.events, history.count() + 1)
          history.append(happened)
          claims.add(happened)
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
 * The latest values in a ring, from which all readers read. Appending never waits, and a slow reader keeps no values alive: it continues with the oldest
 * value that is still there. The ring has room for at least one value.
 */
const makeHistory = <A>(size: number) => {
  const capacity = Math.max(1, Math.floor(size) || 1)
  const ring: Array<A> = []
  let count = 0
  let appended: Deferred.Deferred<void> | undefined

  const more = Effect.suspend(() => Deferred.await(appended ??= Deferred.makeUnsafe()))
  const since = (place: number): Arr.NonEmptyReadonlyArray<A> => {
    const first = Math.max(place, count - ring.length)
    return Arr.makeBy(count - first, (index) => ring[(first + index) % capacity]!)
  }
  /** A stream of what `next` returns for the values since the place that it read last, at first `start`. It waits until there is at least one. */
  const following = <B, E>(start: number, next: (place: number) => Effect.Effect<Arr.NonEmptyReadonlyArray<B>, E>) =>
    Stream.fromPull(Effect.sync(() => {
      let place = start
      const pull: Effect.Effect<Arr.NonEmptyReadonlyArray<B>, E> = Effect.suspend(() => {
        if (place === count) return Effect.andThen(more, pull)
        const from = place
        place = count
        return next(from)
      })
      return pull
    }))
  return {
    /** The number of values that were ever appended. */
    count: () => count,
    /** Appends values, synchronously, so that it is atomic with the change that they describe. */
    append: (values: ReadonlyArray<A>): void => {
      for (const value of values) ring[count++ % capacity] = value
      const waiting = appended
      appended = undefined
      if (waiting !== undefined) Deferred.doneUnsafe(waiting, Effect.void)
    },
    /** The values that are still there, and then all future ones. */
    values: following(0, (place) => Effect.succeed(since(place))),
    /** The result of `read`, at once and after appends; several appends between two pulls count as one. */
    readings: <B, E>(read: Effect.Effect<B, E>) => following(-1, () => Effect.map(read, Arr.of))
  }
}
