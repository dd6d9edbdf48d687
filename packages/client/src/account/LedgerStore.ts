/**
 * Where a ledger of credits is kept: in memory, or outside of the program. A store reads the ledger, takes a step, writes what the step made
 * of it and tells what happened, with nothing in between. The steps themselves are the same everywhere: `CreditLedger.make` makes a ledger
 * of any store.
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
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { Fence } from "./IpGuard.ts"
import type { Event, Happening, OfReservation } from "./ledgerEvents.ts"
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
 * A step that was taken, and what was sent first under the key of a claim.
 *
 * @since 0.1.0
 */
export type { FirstSent, Step } from "./ledgerSteps.ts"

/**
 * Where a ledger is kept. Each step gets the ledger as it is and the time in epoch seconds.
 *
 * - `take`: takes a step, or fails, and then nothing of the step was written. With the key of a claim, the step is also told which request was
 *   sent first under that key: the first `Sent` event whose claim has it. With a fence of the same database, it is told why the guard refuses, if it
 *   does
 * - `record`: takes a step that tells what happened already, such as a charge. It never fails: a step that cannot be written is written
 *   later, with the next one that can. Until then its value is `meanwhile`. Such a step is told with `isAgain` that it may have been
 *   written before, because the connection was lost in between
 * - `history`: the latest events, and then all future ones
 * - `readings`: what `read` gives now and after each change
 * - `joins`: whether a step costs so much, such as a transaction, that steps which can be taken together are: see `CreditLedger.reserve`
 *
 * @category models
 * @since 0.1.0
 */
export interface LedgerStore {
  readonly take: <A>(
    step: (ledger: Ledger.Ledger, now: number, first: FirstSent | undefined, refused?: GuardUnavailable) => Step<A>,
    key?: string,
    fence?: Fence
  ) => Effect.Effect<A, LedgerUnavailable>
  readonly record: <A>(
    step: (ledger: Ledger.Ledger, now: number, isAgain: boolean) => Step<A>,
    meanwhile: A
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
  const time = ledger.now
  const available = Ledger.available(ledger)
  return happenings.map((happening, index) => ({ ...happening, time, available, number: first + index }))
}

/**
 * Tells a ledger the time, in epoch seconds, and closes reservations whose owners are gone: their requests in flight may have been charged,
 * and the rest is free again.
 *
 * @category transitions
 * @since 0.1.0
 */
export const abandon = (
  ledger: Ledger.Ledger,
  now: number,
  reservations: ReadonlyArray<OfReservation>
): Step<void> =>
  reservations.reduce((step, of) => {
    const settled = Steps.settle(step.ledger, of)
    return { ...settled, events: [...step.events, ...settled.events] }
  }, Steps.advance(ledger, now))
