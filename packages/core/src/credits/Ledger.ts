/**
 * The ledger of credits, as a pure state machine: what may be spent, what is reserved for queries in progress, what was charged, and what
 * may have been charged. Each step is a function from ledger to ledger. A step with an invalid number, a closed reservation or an earlier
 * time never throws.
 *
 * A query reserves its bound before its first request. `send` records each request with its own bound, and `charge` or `markLost` records its
 * result. `settle` closes the reservation: credits that were not used are available again, and requests that are still open become
 * uncertain.
 *
 * Credits are whole numbers: costs are rounded up and allowances down, so that rounding never promises credits that are not there.
 *
 * At every moment `available + charged + uncertain + reserved + elsewhere` is the allowance. Under a budget, `available` is negative only
 * after a recorded overrun, or if another program uses the account.
 *
 * An allowance may have a window, and is full again in the next one. A charge counts in the window in which it is recorded, even if the
 * reservation was made in the window before. Reservations carry over to the next window.
 *
 * A ledger may instead follow the service: then its allowance is what the figures of the latest reply say. The service answers a request
 * of any price as long as one credit is left, and its balance may become negative. Such a ledger does the same.
 *
 * @example
 * ```ts
 * import * as Ledger from "@effect-marketdata/core/Ledger"
 * import * as Result from "effect/Result"
 *
 * const reserved = Result.getOrThrow(Ledger.reserve(Ledger.make(100), 40))
 * Ledger.available(reserved.ledger) // => 60
 * const charged = Ledger.charge(Ledger.send(reserved.ledger, reserved.id, 40), reserved.id, 25)
 * Ledger.available(Ledger.settle(charged, reserved.id)) // => 75
 * ```
 *
 * @see {@link Credits} for the bounds and charges
 * @see `CreditLedger` of the client, which shares a ledger between fibers
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import type * as Account from "../account/Account.ts"
import { CreditBudgetExceeded, FallbackDeclined } from "../reason/Reason.ts"
import * as Problem from "../text/Problem.ts"
import * as CalendarDate from "../time/CalendarDate.ts"
import * as NewYork from "../time/NewYork.ts"
import * as Balance from "./ledgerBalance.ts"
import type { Ledger, Overrun } from "./ledgerBalance.ts"

/**
 * What a ledger holds, and what of it can be spent; its reservations with their requests in flight; and what the service says of the account.
 *
 * @since 0.1.0
 */
export {
  available,
  elsewhere,
  type Figures,
  type Ledger,
  type Open,
  type Overrun,
  type Reservation,
  reserved,
  type Standing
} from "./ledgerBalance.ts"

const none = /* @__PURE__ */ Balance.OpenReservations.of(/* @__PURE__ */ new Map())

/**
 * Opens a ledger with an allowance of credits that is never renewed. Without an allowance it only counts: the package sets no limit of
 * its own (clause 8.5-not-shown).
 *
 * @example
 * ```ts
 * import * as Ledger from "@effect-marketdata/core/Ledger"
 *
 * Ledger.available(Ledger.make(100)) // => 100
 * Ledger.available(Ledger.make()) // => Infinity
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (allowance = Infinity): Ledger => ({
  allowance: Balance.allowanceOf(allowance),
  window: "none",
  ends: Infinity,
  now: -Infinity,
  charged: 0,
  uncertain: 0,
  lost: 0,
  reservations: none,
  overruns: [],
  overdrawn: 0,
  follows: false,
  isTold: false,
  standing: undefined,
  unseen: 0,
  nextId: 1
})

/**
 * Opens a ledger whose allowance is full again in every window; it is 0 if `credits` is not an amount. `now` is the current time in epoch seconds. Throws
 * `ValueError` for what is not a window.
 *
 * A day goes from 9:30 to 9:30 in New York, a minute from second 0 to second 0. That days also begin on weekends and holidays is a named
 * assumption; if the service's figures say otherwise they hold, see `observe`. For two allowances, such as the account's and a budget of
 * your own, keep two ledgers and ask only what fits into both.
 *
 * @example
 * ```ts
 * import * as Ledger from "@effect-marketdata/core/Ledger"
 * import * as NewYork from "@effect-marketdata/core/NewYork"
 *
 * const friday = NewYork.at({ year: 2026, month: 11, day: 20 }, 12, 0)
 * const ledger = Ledger.makeRenewing({ credits: 100, window: "day", now: friday })
 * Ledger.available(ledger) // => 100
 * NewYork.format(ledger.ends) // => "2026-11-21 09:30:00 EST"
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeRenewing = (allowance: Account.Allowance & { readonly now: number }): Ledger => {
  // In `make` a missing allowance means no limit. Here it means 0: otherwise a misspelt option would be a budget without a limit.
  const { credits, now, window } = { ...allowance }
  return advance({ ...make(), allowance: Balance.allowanceOf(credits), window, ends: -Infinity }, now)
}

/**
 * Opens a ledger that follows the service: its allowance is what the figures of each reply say is left. When the service's window ends,
 * the allowance counts as full until the next reply. Before the first figure it is `allowance`, as in a budget, or unlimited if that is
 * left out.
 *
 * @example
 * ```ts
 * import * as Ledger from "@effect-marketdata/core/Ledger"
 *
 * // It knows nothing until the service has shown its figures.
 * Ledger.makeFollowing(100).charged // => 0
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeFollowing = (allowance?: number): Ledger => ({ ...make(allowance), follows: true })

/**
 * Returns the window that contains a time: its `start`, included, and its `end`, not included. All times are epoch seconds. A day begins
 * at 9:30 in New York, also when clocks change; `"none"` and undefined are all time. Throws `ValueError` for what is not a window, as untyped code may
 * pass "week".
 *
 * @example
 * ```ts
 * import * as Ledger from "@effect-marketdata/core/Ledger"
 * import * as NewYork from "@effect-marketdata/core/NewYork"
 *
 * const noon = NewYork.at({ year: 2026, month: 11, day: 20 }, 12, 0)
 * NewYork.format(Ledger.windowAt("day", noon).start) // => "2026-11-20 09:30:00 EST"
 * ```
 *
 * @category getters
 * @since 0.1.0
 */
export const windowAt = (
  window: Account.Window | undefined,
  now: number
): { readonly start: number; readonly end: number } => {
  if (window === "minute") {
    const start = Math.floor(now / 60) * 60
    return { start, end: start + 60 }
  }
  if (window === "none" || window === undefined) return { start: -Infinity, end: Infinity }
  // A misspelt window would never end, and its allowance would never be full again.
  Problem.expect(window === "day", "window", window, `"day", "minute" or "none"`, `"day"`)
  const opening = (days: number) => NewYork.at(CalendarDate.addDays(NewYork.dateOf(now), days), 9, 30)
  const today = opening(0)
  return now < today ? { start: opening(-1), end: today } : { start: today, end: opening(1) }
}

/**
 * Moves the ledger to the time `now`, in epoch seconds. When its window is over, the next one begins with the full allowance. Charged and
 * uncertain credits stay in the old window; reservations, requests in flight and their overruns move to the new one. An earlier time
 * changes nothing, and neither does a value that is not epoch seconds: milliseconds, a string, a `Date`.
 *
 * @example
 * ```ts
 * import * as Ledger from "@effect-marketdata/core/Ledger"
 * import * as NewYork from "@effect-marketdata/core/NewYork"
 *
 * const friday = NewYork.at({ year: 2026, month: 11, day: 20 }, 12, 0)
 * const ledger = Ledger.makeRenewing({ credits: 100, window: "day", now: friday })
 * Ledger.available(Ledger.advance(ledger, friday + 86_400)) // => 100
 * ```
 *
 * @category transitions
 * @since 0.1.0
 */
export const advance = (self: Ledger, now: number): Ledger => steps.advance(self, now).ledger

/**
 * Reserves credits for a query that may cost up to `bound`. Under an allowance the bound must be finite and available. A ledger that
 * follows the service needs only one credit that is left, as the service does. Returns the new ledger and the number of the reservation,
 * or fails with `CreditBudgetExceeded`.
 *
 * `ceiling` is the most that the caller consented to for all requests of the query together, retries included. A bound above it fails
 * with `FallbackDeclined`.
 *
 * @example
 * ```ts
 * import * as Ledger from "@effect-marketdata/core/Ledger"
 * import * as Result from "effect/Result"
 *
 * const { id, ledger } = Result.getOrThrow(Ledger.reserve(Ledger.make(100), 40))
 * Ledger.available(ledger) // => 60
 * Ledger.reserved(ledger) // => 40
 * const refused = Ledger.reserve(ledger, 61)
 * Result.isFailure(refused) && refused.failure._tag // => "CreditBudgetExceeded"
 * ```
 *
 * @category transitions
 * @since 0.1.0
 */
export const reserve = (
  self: Ledger,
  bound: number,
  ceiling = Infinity
): Result.Result<{ readonly ledger: Ledger; readonly id: number }, CreditBudgetExceeded | FallbackDeclined> => {
  const { ledger, value } = steps.reserve(self, bound, ceiling)
  return Result.map(value, (id) => ({ ledger, id }))
}

/**
 * Extends a reservation to make room for another request of up to `bound`, such as a retry after a lost reply. Fails with
 * `FallbackDeclined` if that could exceed the ceiling, and with `CreditBudgetExceeded` if the difference is not available.
 *
 * @example
 * ```ts
 * import * as Ledger from "@effect-marketdata/core/Ledger"
 * import * as Result from "effect/Result"
 *
 * const { id, ledger } = Result.getOrThrow(Ledger.reserve(Ledger.make(100), 40))
 * const lost = Ledger.markLost(Ledger.send(ledger, id, 40), id)
 * Result.map(Ledger.extend(lost, id, 40), Ledger.available) // => Result.succeed(20)
 * ```
 *
 * @category transitions
 * @since 0.1.0
 */
export const extend = (
  self: Ledger,
  id: number,
  bound: number
): Result.Result<Ledger, CreditBudgetExceeded | FallbackDeclined> => {
  const { ledger, value } = steps.extend(self, id, bound)
  return Result.map(value, () => ledger)
}

/**
 * Records that a request of up to `bound` credits is about to be sent. Requests of one query that are in flight together need different
 * `request` numbers: a second request with the same number replaces the first, which then counts as lost. A request with a higher bound
 * than what is reserved is an overrun, so call `extend` first.
 *
 * @example
 * ```ts
 * import * as Ledger from "@effect-marketdata/core/Ledger"
 * import * as Result from "effect/Result"
 *
 * const { id, ledger } = Result.getOrThrow(Ledger.reserve(Ledger.make(100), 40))
 * Ledger.available(Ledger.settle(Ledger.charge(Ledger.send(ledger, id, 40), id, 40), id)) // => 60
 * ```
 *
 * @category transitions
 * @since 0.1.0
 */
export const send = (self: Ledger, id: number, bound: number, request = 0): Ledger =>
  steps.send(self, id, bound, request).ledger

/**
 * Records what a request in flight was charged, in credits. A charge above its bound is an overrun. `uncertain` credits count as spent,
 * like those of a lost request. A charge that is not a valid amount counts as lost. The options also take the service's figures.
 *
 * @example
 * ```ts
 * import * as Ledger from "@effect-marketdata/core/Ledger"
 * import * as Result from "effect/Result"
 *
 * const { id, ledger } = Result.getOrThrow(Ledger.reserve(Ledger.make(100), 40))
 * const charged = Ledger.charge(Ledger.send(ledger, id, 40), id, 25)
 * charged.charged // => 25
 * Ledger.available(Ledger.settle(charged, id)) // => 75
 * ```
 *
 * @category transitions
 * @since 0.1.0
 */
export const charge = (self: Ledger, id: number, credits: number, options?: ChargeOptions): Ledger =>
  steps.charge(self, id, credits, options).ledger

/**
 * Returns the credits that are gone with a reply, by the service's figures, and that no request of this ledger explains, including those
 * in flight and lost. Either another program uses the account, or an HTTP client repeats requests by itself. Call it before `charge`
 * records the reply. It is 0 if this cannot be known, as with the first figures of a window, or if a request has no bound.
 *
 * @category getters
 * @since 0.1.0
 */
export const unexplained = (self: Ledger, id: number, credits: number, options?: ChargeOptions): number => {
  const { figures, request = 0, uncertain = 0 } = { ...options }
  const known = Balance.known(self).standing
  const told = figures && Balance.read(self, figures)
  if (known === undefined || told === undefined || known.reset !== told.reset || self.lost > 0) return 0
  // What was lost may reach the service, and be charged, long after it was given up here.
  const ours = self.uncertain + self.unseen - known.seen
  const most = Math.ceil(credits) + Math.ceil(uncertain)
  const explained = most + ours + Balance.reservationsOf(self).inFlightBut(id, request)
  return Math.max(0, known.remaining - told.remaining - explained)
}

/**
 * Records that a request in flight was lost and may have been charged: its bound counts as spent for the rest of the window. If it has no
 * bound, everything left of the reservation counts as spent, and the ledger counts the request in `lost`.
 *
 * @example
 * ```ts
 * import * as Ledger from "@effect-marketdata/core/Ledger"
 * import * as Result from "effect/Result"
 *
 * const { id, ledger } = Result.getOrThrow(Ledger.reserve(Ledger.make(100), 40))
 * const lost = Ledger.settle(Ledger.markLost(Ledger.send(ledger, id, 40), id), id)
 * lost.uncertain // => 40
 * Ledger.available(lost) // => 60
 * ```
 *
 * @category transitions
 * @since 0.1.0
 */
export const markLost = (self: Ledger, id: number, request = 0): Ledger => steps.markLost(self, id, request).ledger

/**
 * Closes a reservation: credits that were not used are available again, and requests still in flight count as lost. Closing it twice
 * changes nothing.
 *
 * @example
 * ```ts
 * import * as Ledger from "@effect-marketdata/core/Ledger"
 * import * as Result from "effect/Result"
 *
 * const { id, ledger } = Result.getOrThrow(Ledger.reserve(Ledger.make(100), 40))
 * // Nothing was sent: the whole reservation is free again.
 * Ledger.available(Ledger.settle(ledger, id)) // => 100
 * ```
 *
 * @category transitions
 * @since 0.1.0
 */
export const settle = (self: Ledger, id: number): Ledger => steps.settle(self, id).ledger

/**
 * Returns the ledger with another reservation under this number, or with none if it is undefined: for reservations that another program has changed. What
 * was charged stays as it is. The time that it takes does not depend on the number of reservations.
 *
 * @example
 * ```ts
 * import * as Ledger from "@effect-marketdata/core/Ledger"
 * import * as Result from "effect/Result"
 *
 * const { id, ledger } = Result.getOrThrow(Ledger.reserve(Ledger.make(100), 40))
 * Ledger.available(Ledger.withReservation(ledger, id, undefined)) // => 100
 * ```
 *
 * @category transitions
 * @since 0.1.0
 */
export const withReservation = (self: Ledger, id: number, reservation: Balance.Reservation | undefined): Ledger => ({
  ...Balance.known(self),
  reservations: Balance.reservationsOf(self).with(id, reservation)
})

/**
 * Takes over the service's figures from another place than a charge, such as the account page. Their order does not matter: within a
 * window the service's balance only falls, so the lowest figure is the latest, and a later reset means a later window. It ignores figures
 * without balance or reset, figures of callers without a token, whose limit is 0, and figures of a window that is over or lasts longer
 * than a month.
 *
 * @example
 * ```ts
 * import * as Ledger from "@effect-marketdata/core/Ledger"
 *
 * const hour = 3600
 * const ledger = Ledger.makeRenewing({ credits: 100, window: "day", now: 1795185000 })
 * const observed = Ledger.observe(ledger, { limit: 100, remaining: 30, reset: ledger.now + hour })
 * Ledger.available(observed) // => 30
 * Ledger.elsewhere(observed) // => 70
 * ```
 *
 * @category transitions
 * @since 0.1.0
 */
export const observe = (self: Ledger, figures: Balance.Figures): Ledger =>
  takeOn(self, Balance.read(Balance.known(self), figures)).ledger

/**
 * What can happen in a ledger, by the number of the reservation and that of its request. Amounts are credits.
 *
 * - `Reserved`, `Extended`: credits were set aside; the reservation is for up to `bound`
 * - `Refused`: the allowance or the ceiling did not cover a query, or another attempt of a query with a reservation
 * - `Sent`: a request is about to be sent that may cost up to `bound`
 * - `Charged`, `Lost`: what a request was charged, and what it may have been
 * - `Overran`: a request was charged more than its bound
 * - `Reconciled`: the service's figures changed what is known of the account; `elsewhere` is what this ledger did not record of them
 * - `Settled`: a reservation was closed: `used` of it was charged or is uncertain, and `released` is available again
 * - `Renewed`: a new window began
 *
 * @category models
 * @since 0.1.0
 */
export type Happening =
  | { readonly _tag: "Reserved"; readonly reservation: number; readonly bound: number }
  | { readonly _tag: "Extended"; readonly reservation: number; readonly bound: number; readonly credits: number }
  | { readonly _tag: "Refused"; readonly reservation: number | undefined; readonly reason: Refusal }
  | OfRequest & { readonly _tag: "Sent"; readonly bound: number }
  | OfRequest & { readonly _tag: "Charged"; readonly credits: number; readonly uncertain: number }
  | OfRequest & { readonly _tag: "Lost"; readonly credits: number }
  | OfRequest & { readonly _tag: "Overran"; readonly bound: number; readonly charged: number }
  | OfRequest & { readonly _tag: "Reconciled"; readonly standing: Balance.Standing; readonly elsewhere: number }
  | { readonly _tag: "Settled"; readonly reservation: number; readonly used: number; readonly released: number }
  | { readonly _tag: "Renewed"; readonly allowance: number }

type OfRequest = Readonly<Record<"reservation" | "request", number>>

/** Why credits are not reserved. */
type Refusal = CreditBudgetExceeded | FallbackDeclined

/**
 * The result of a step: its value, the ledger after it, and what happened, in order.
 *
 * @category models
 * @since 0.1.0
 */
export interface Step<out A> {
  readonly value: A
  readonly ledger: Ledger
  readonly events: ReadonlyArray<Happening>
}

const step = (ledger: Ledger, ...events: ReadonlyArray<Happening>): Step<void> => ({ value: undefined, ledger, events })

/**
 * How many overruns a ledger lists, the latest ones. `overdrawn` counts all of them.
 *
 * @category constants
 * @since 0.1.0
 */
export const maxOverruns = 100

/**
 * Returns whether a value can be a charge: a number from 0 to `Number.MAX_SAFE_INTEGER`.
 *
 * @example
 * ```ts
 * import * as Ledger from "@effect-marketdata/core/Ledger"
 *
 * Ledger.isCharge(25) // => true
 * Ledger.isCharge(-1) // => false
 * ```
 *
 * @category guards
 * @since 0.1.0
 */
export const isCharge = (credits: number): boolean =>
  typeof credits === "number" && credits >= 0 && credits <= Number.MAX_SAFE_INTEGER

/**
 * The options of a charge.
 *
 * - `request`: the number of the request within the reservation, 0 by default
 * - `uncertain`: what it may have been charged in addition, in credits
 * - `figures`: the service's figures in the reply, if there were any
 *
 * @category models
 * @since 0.1.0
 */
export interface ChargeOptions {
  readonly request?: number | undefined
  readonly uncertain?: number | undefined
  readonly figures?: Balance.Figures | undefined
}

/**
 * The transitions with their events, for a history of the ledger: `charge` is `steps.charge` without its events.
 * `markLost`, and a charge that is not a valid amount, take the service's figures as `charge` does.
 *
 * @example
 * ```ts
 * import * as Ledger from "@effect-marketdata/core/Ledger"
 *
 * const { ledger } = Ledger.steps.reserve(Ledger.make(100), 40)
 * Ledger.steps.settle(Ledger.send(ledger, 1, 30), 1).events
 * // => [
 * //   { _tag: "Lost", reservation: 1, request: 0, credits: 30 },
 * //   { _tag: "Settled", reservation: 1, used: 30, released: 10 }
 * // ]
 * ```
 *
 * @category transitions
 * @since 0.1.0
 */
export const steps = {
  advance: (self: Ledger, now: number): Step<void> => {
    // NaN would begin a new window in each call, and milliseconds about one a minute.
    if (!(NewYork.isTime(now) && now > Balance.known(self).now)) return step(Balance.known(self))
    const standing = self.standing === undefined || now >= self.standing.reset ? undefined : self.standing
    const present = { ...self, now, standing }
    if (now < self.ends) return step(present)
    return step(renew(present, windowAt(self.window, now).end), { _tag: "Renewed", allowance: self.allowance })
  },

  reserve: (self: Ledger, bound: number, ceiling = Infinity): Step<Result.Result<number, Refusal>> => {
    const most = Balance.boundOf(bound)
    const allowed = Balance.allowanceOf(ceiling)
    const reservation = { bound: most, ceiling: allowed, used: 0, uncertain: 0, overdrawn: 0, open: new Map() }
    const reason = declination(reservation, most) ?? refusal(self, most, most, false)
    if (reason !== undefined) return refused(self, undefined, reason)
    const id = self.nextId
    const ledger = { ...withReservation(self, id, reservation), nextId: id + 1 }
    return { value: Result.succeed(id), ledger, events: [{ _tag: "Reserved", reservation: id, bound: most }] }
  },

  extend: (self: Ledger, id: number, bound: number): Step<Result.Result<void, Refusal>> => {
    const enough = { ...step(self), value: Result.void }
    const reservation = Balance.known(self).reservations.get(id)
    if (reservation === undefined) return enough
    const most = Balance.boundOf(bound)
    const taken = Balance.taken(reservation)
    const needed = taken + most
    const declined = declination(reservation, most)
    if (declined !== undefined) return refused(self, id, declined)
    if (needed <= reservation.bound) return enough
    const wasSent = reservation.used > 0 || reservation.open.size > 0
    const exceeded = refusal(self, most, needed - Math.max(reservation.bound, taken), wasSent)
    if (exceeded !== undefined) return refused(self, id, exceeded)
    const ledger = withReservation(self, id, { ...reservation, bound: needed })
    const credits = needed - reservation.bound
    return { value: Result.void, ledger, events: [{ _tag: "Extended", reservation: id, bound: needed, credits }] }
  },

  send: (self: Ledger, id: number, bound: number, request = 0): Step<void> => {
    // A request with the number of one in flight replaces it.
    const { events, ledger } = steps.markLost(self, id, request)
    const reservation = ledger.reservations.get(id)
    if (reservation === undefined) return step(ledger)
    const most = Balance.boundOf(bound)
    const left = Balance.room(reservation)
    const open = new Map(reservation.open).set(request, { bound: most, unseen: ledger.unseen })
    const sent: Happening = { _tag: "Sent", reservation: id, request, bound: most }
    if (most === Infinity || most <= left) {
      return step(withReservation(ledger, id, { ...reservation, open }), ...events, sent)
    }
    const extended = { ...reservation, open, bound: Balance.taken(reservation) + most }
    const over = overrun(ledger, extended, { reservation: id, request }, { id, bound: left, charged: most })
    return step(over.ledger, ...events, sent, ...over.events)
  },

  charge: (self: Ledger, id: number, credits: number, options?: ChargeOptions): Step<void> => {
    const { figures, request = 0, uncertain: besides = 0 } = { ...options }
    const reservation = Balance.known(self).reservations.get(id)
    if (reservation === undefined) return step(self)
    if (!isCharge(credits) || !isCharge(besides)) return steps.markLost(self, id, request, figures)
    const charged = Math.ceil(credits)
    const uncertain = Math.ceil(besides)
    const most = charged + uncertain
    const sent = reservation.open.get(request)
    const bound = sent === undefined ? Balance.room(reservation) : Balance.mostOf(reservation, sent)
    const standing = figures && Balance.read(self, figures, sent?.unseen)
    const { events, ledger: before } = takeOn(self, standing)
    const ledger = {
      ...before,
      charged: before.charged + charged,
      uncertain: before.uncertain + uncertain,
      // The service's figure includes the charge already.
      unseen: standing === undefined ? before.unseen + most : before.unseen
    }
    const closed = Balance.close(reservation, request, { charged, uncertain })
    const of = { reservation: id, request }
    const after = most > bound
      ? overrun(ledger, closed, of, { id, bound, charged: most })
      : step(withReservation(ledger, id, closed))
    const happened: Happening = { _tag: "Charged", ...of, credits: charged, uncertain }
    return step(after.ledger, ...events, happened, ...after.events, ...reconciled(self, after.ledger, of))
  },

  markLost: (self: Ledger, id: number, request = 0, figures?: Balance.Figures): Step<void> => {
    const reservation = Balance.known(self).reservations.get(id)
    const sent = reservation?.open.get(request)
    if (reservation === undefined || sent === undefined) return step(self)
    const most = Balance.mostOf(reservation, sent)
    const credits = most === Infinity ? 0 : most
    const after = {
      ...withReservation(self, id, Balance.close(reservation, request, { charged: 0, uncertain: credits })),
      uncertain: self.uncertain + credits,
      unseen: self.unseen + credits,
      lost: self.lost + (sent.bound === Infinity ? 1 : 0)
    }
    const of = { reservation: id, request }
    const { events, ledger } = takeOn(after, figures && Balance.read(after, figures))
    return step(ledger, { _tag: "Lost", ...of, credits }, ...events, ...reconciled(self, ledger, of))
  },

  settle: (self: Ledger, id: number): Step<void> => {
    const reservation = Balance.known(self).reservations.get(id)
    if (reservation === undefined) return step(self)
    const { events, ledger } = [...reservation.open.keys()].reduce((before, request) => {
      const { events, ledger } = steps.markLost(before.ledger, id, request)
      return step(ledger, ...before.events, ...events)
    }, step(self))
    const { bound, used } = ledger.reservations.get(id) ?? reservation
    const released = Math.max(0, bound - used)
    const settled = withReservation(ledger, id, undefined)
    return step(settled, ...events, { _tag: "Settled", reservation: id, used, released })
  }
}

const renew = (self: Ledger, ends: number): Ledger => ({
  ...self,
  ends,
  charged: 0,
  uncertain: 0,
  lost: 0,
  overruns: self.overruns.filter(({ id }) => self.reservations.has(id)),
  overdrawn: [...self.reservations.values()].reduce((sum, { overdrawn }) => sum + overdrawn, 0)
})

/** Refuses a request if it could exceed the ceiling, together with what earlier requests were charged, or may have been. */
const declination = (reservation: Balance.Reservation, bound: number): FallbackDeclined | undefined => {
  const { ceiling, uncertain, used } = reservation
  const taken = Balance.taken(reservation)
  if (bound === 0 || taken + bound <= ceiling) return undefined
  const open = taken - used
  return new FallbackDeclined({ price: finite(bound), ceiling, charged: used - uncertain, uncertain: open + uncertain })
}

/** What reasons say of a number: nothing, if there is no bound. */
const finite = (value: number): number | undefined => Number.isFinite(value) ? value : undefined

/** Why the allowance does not cover a request. */
const refusal = (self: Ledger, bound: number, needed: number, wasSent: boolean): CreditBudgetExceeded | undefined => {
  // A ledger that only counts is not limited by the service's figures either.
  const limit = Balance.known(self).follows ? Balance.available(self) : self.allowance
  if (limit === Infinity) return undefined
  const left = Balance.available(self)
  const refuse = (cause: CreditBudgetExceeded["cause"]) =>
    new CreditBudgetExceeded({ cause, bound: finite(bound), available: left, renews: finite(self.ends), wasSent })
  if (self.isTold) return needed > 0 && left <= 0 ? refuse("Insufficient") : undefined
  if (self.allowance === 0 && bound > 0) return refuse("NoAllowance")
  if (bound === Infinity) return refuse("Unbounded")
  return needed > left ? refuse("Insufficient") : undefined
}

const refused = (ledger: Ledger, reservation: number | undefined, reason: Refusal) => ({
  ...step(ledger, { _tag: "Refused", reservation, reason }),
  value: Result.fail(reason)
})

/** Takes over a standing. A ledger that follows the service also takes its allowance and its window, even against its own clock. */
const takeOn = (self: Ledger, told: Balance.Standing | undefined): Step<void> => {
  if (told === undefined) return step(self)
  const standing = Balance.later(self.standing, told)
  if (!self.follows) return step({ ...self, standing })
  const isOver = self.ends < standing.reset && self.ends !== Infinity
  const present = isOver ? renew(self, standing.reset) : self
  const allowance = standing.limit ?? self.allowance
  const ledger = { ...present, standing, isTold: true, ends: standing.reset, allowance }
  return isOver ? step(ledger, { _tag: "Renewed", allowance }) : step(ledger)
}

/** What the service's figures changed. */
const reconciled = (before: Ledger, after: Ledger, of: OfRequest): ReadonlyArray<Happening> => {
  const { standing } = after
  return standing !== undefined && Balance.isNews(standing, before.standing)
    ? [{ _tag: "Reconciled", ...of, standing, elsewhere: Balance.elsewhere(after) }]
    : []
}

const overrun = (self: Ledger, reservation: Balance.Reservation, of: OfRequest, entry: Overrun): Step<void> => {
  const { bound, charged, id } = entry
  const credits = charged - bound
  const ledger = {
    ...withReservation(self, id, { ...reservation, overdrawn: reservation.overdrawn + credits }),
    overruns: [...self.overruns, entry].slice(-maxOverruns),
    overdrawn: self.overdrawn + credits
  }
  return step(ledger, { _tag: "Overran", ...of, bound, charged })
}
