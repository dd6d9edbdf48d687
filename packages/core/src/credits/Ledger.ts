/**
 * The ledger of credits, as a pure state machine: what may be spent, what is reserved for queries in progress, what was charged, and what
 * may have been charged. Each step is a function from ledger to ledger. A step with an invalid number, a closed reservation or an earlier
 * time never throws.
 *
 * A query reserves its bound before its first request. `send` records each request with its own bound, and `charge` or `lose` records its
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
import * as AllowanceWindow from "../account/allowanceWindow.ts"
import { OpenReservations } from "./openReservations.ts"
import * as Reservations from "./reservation.ts"
import * as ServiceFigures from "./serviceFigures.ts"
import { CreditBudgetExceeded, FallbackDeclined } from "../reason/Reason.ts"
import type { Figures, Ledger, Overrun, Reservation, Standing } from "./ledgerState.ts"

/**
 * The ledger and its parts: reservations, overruns, and the figures of the service.
 *
 * @since 0.1.0
 */
export type { Figures, Ledger, Open, Overrun, Reservation, Standing } from "./ledgerState.ts"
/**
 * How many overruns a ledger lists, the latest ones. `overdrawn` counts all of them.
 *
 * @category constants
 * @since 0.1.0
 */
export const maxOverruns = 100

/** What a request may cost, in whole credits; without end where it is not an amount, or more than can be counted. */
const boundOf = (credits: number): number =>
  credits <= Number.MAX_SAFE_INTEGER ? Math.max(0, Math.ceil(credits)) : Infinity

/** What may be spent, in whole credits; nothing where it is not an amount, without end where it is more than can be counted. */
const allowanceOf = (credits: number): number =>
  credits > Number.MAX_SAFE_INTEGER ? Infinity : Math.max(0, Math.floor(credits) || 0)

/**
 * Opens a ledger with an allowance of credits that is never renewed. Without an allowance it only counts: the package sets no limit of
 * its own (clause 8.5-not-shown).
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (allowance = Infinity): Ledger => ({
  allowance: allowanceOf(allowance),
  window: "none",
  ends: Infinity,
  now: -Infinity,
  charged: 0,
  uncertain: 0,
  lost: 0,
  reservations: new Map(),
  overruns: [],
  overdrawn: 0,
  follows: false,
  isTold: false,
  standing: undefined,
  unseen: 0,
  nextId: 1
})

/**
 * Opens a ledger whose allowance is full again in every window. `now` is the current time in epoch seconds.
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
export const makeRenewing = (
  { credits, now, window }: Account.Allowance & { readonly now: number }
): Ledger => advance({ ...make(credits), window, ends: -Infinity }, now)

/**
 * Opens a ledger that follows the service: its allowance is what the figures of each reply say is left. When the service's window ends,
 * the allowance counts as full until the next reply. Before the first figure it is `allowance`, as in a budget, or unlimited if that is
 * left out.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeFollowing = (allowance?: number): Ledger => ({ ...make(allowance), follows: true })

/**
 * Returns the window that contains a time: its `start`, included, and its `end`, not included. All times are epoch seconds. A day begins
 * at 9:30 in New York, also when clocks change.
 *
 * @category getters
 * @since 0.1.0
 */
export const windowAt: (window: Account.Window, now: number) => { readonly start: number; readonly end: number } =
  AllowanceWindow.of

/**
 * Moves the ledger to the time `now`, in epoch seconds. When its window is over, the next one begins with the full allowance. Charged and
 * uncertain credits stay in the old window; reservations, requests in flight and their overruns move to the new one. An earlier time
 * changes nothing.
 *
 * @category transitions
 * @since 0.1.0
 */
export const advance = (self: Ledger, now: number): Ledger => {
  if (!(now > self.now) || now === Infinity) return self
  const standing = self.standing === undefined || now >= self.standing.reset ? undefined : self.standing
  const present = { ...self, now, standing }
  return now < self.ends ? present : renew(present, windowAt(self.window, now).end)
}

const renew = (self: Ledger, ends: number): Ledger => ({
  ...self,
  ends,
  charged: 0,
  uncertain: 0,
  lost: 0,
  overruns: self.overruns.filter(({ id }) => self.reservations.has(id)),
  overdrawn: Reservations.sum(self.reservations.values(), ({ overdrawn }) => overdrawn)
})

/**
 * Returns the credits that are reserved and not used yet.
 *
 * @category getters
 * @since 0.1.0
 */
export const reserved = (self: Ledger): number => {
  const { isBounded, outstanding } = OpenReservations.of(self.reservations)
  return isBounded ? outstanding : Infinity
}

/** What the allowance leaves. Reservations without end take away nothing, here as below: there is no figure for them. */
const ofAllowance = (self: Ledger): number =>
  self.allowance === Infinity
    ? Infinity
    : self.allowance - self.charged - self.uncertain - OpenReservations.of(self.reservations).outstanding

/** What the service leaves, less what it cannot know of yet. */
const ofStanding = (self: Ledger): number => {
  const { reservations, standing, unseen } = self
  return standing === undefined
    ? Infinity
    : standing.remaining - (unseen - standing.seen) - OpenReservations.of(reservations).outstanding
}

/**
 * Returns the credits that can still be reserved: the allowance minus what was charged, may have been charged or is reserved, and at most
 * what the service says is left. A ledger that follows the service goes by the service's figures alone, once it has any.
 *
 * @category getters
 * @since 0.1.0
 */
export const available = (self: Ledger): number =>
  self.follows && self.standing !== undefined ? ofStanding(self) : Math.min(ofAllowance(self), ofStanding(self))

/**
 * Returns the credits of the allowance that are gone by the service's figures, and that this ledger did not record: another program uses
 * the account, or used it before. It is 0 without an allowance. In a ledger that follows the service it is negative if the service
 * charged less than the ledger records as uncertain.
 *
 * @category getters
 * @since 0.1.0
 */
export const elsewhere = (self: Ledger): number => self.allowance === Infinity ? 0 : ofAllowance(self) - available(self)

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
  const most = boundOf(bound)
  const reservation: Reservation = {
    bound: most,
    ceiling: allowanceOf(ceiling),
    used: 0,
    uncertain: 0,
    overdrawn: 0,
    open: new Map()
  }
  const refused = declination(reservation, most) ?? refusal(self, most, most, false)
  if (refused !== undefined) return Result.fail(refused)
  const id = self.nextId
  return Result.succeed({ ledger: { ...put(self, id, reservation), nextId: id + 1 }, id })
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
 * const lost = Ledger.lose(Ledger.send(ledger, id, 40), id)
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
  const reservation = self.reservations.get(id)
  if (reservation === undefined) return Result.succeed(self)
  const most = boundOf(bound)
  const taken = Reservations.taken(reservation)
  const needed = taken + most
  const declined = declination(reservation, most)
  if (declined !== undefined) return Result.fail(declined)
  if (needed <= reservation.bound) return Result.succeed(self)
  const wasSent = reservation.used > 0 || reservation.open.size > 0
  const exceeded = refusal(self, most, needed - Math.max(reservation.bound, taken), wasSent)
  if (exceeded !== undefined) return Result.fail(exceeded)
  return Result.succeed(put(self, id, { ...reservation, bound: needed }))
}

/** Whatever a request was charged or may have been counts against what was consented to, and so does what may be charged next. */
const declination = (reservation: Reservation, bound: number): FallbackDeclined | undefined => {
  const { ceiling, uncertain, used } = reservation
  const taken = Reservations.taken(reservation)
  if (bound === 0 || taken + bound <= ceiling) return undefined
  return new FallbackDeclined({
    price: bound === Infinity ? undefined : bound,
    ceiling,
    charged: used - uncertain,
    uncertain: taken - used + uncertain
  })
}

const refusal = (
  self: Ledger,
  bound: number,
  needed: number,
  wasSent: boolean
): CreditBudgetExceeded | undefined => {
  // Who only counts is not held to what the service says either.
  const limit = self.follows ? available(self) : self.allowance
  if (limit === Infinity) return undefined
  const left = available(self)
  const refuse = (cause: CreditBudgetExceeded["cause"]) =>
    new CreditBudgetExceeded({
      cause,
      bound: bound === Infinity ? undefined : bound,
      available: left,
      renews: self.ends === Infinity ? undefined : self.ends,
      wasSent
    })
  if (self.isTold) return needed > 0 && left <= 0 ? refuse("Insufficient") : undefined
  if (self.allowance === 0 && bound > 0) return refuse("NoAllowance")
  if (bound === Infinity) return refuse("Unbounded")
  return needed > left ? refuse("Insufficient") : undefined
}

/**
 * Records that a request of up to `bound` credits is about to be sent. Requests of one query that are in flight together need different
 * `request` numbers: a second request with the same number replaces the first, which then counts as lost. A request with a higher bound
 * than what is reserved is an overrun, so call `extend` first.
 *
 * @category transitions
 * @since 0.1.0
 */
export const send = (self: Ledger, id: number, bound: number, request = 0): Ledger => {
  const ledger = lose(self, id, request)
  const reservation = ledger.reservations.get(id)
  if (reservation === undefined) return ledger
  const most = boundOf(bound)
  const left = Reservations.room(reservation)
  const open = new Map(reservation.open).set(request, { bound: most, unseen: ledger.unseen })
  if (most === Infinity || most <= left) return put(ledger, id, { ...reservation, open })
  const extended = { ...reservation, open, bound: Reservations.taken(reservation) + most }
  return overrun(ledger, extended, { id, bound: left, charged: most })
}

/**
 * Returns whether a number can be a charge: a number from 0 to `Number.MAX_SAFE_INTEGER`.
 *
 * @category guards
 * @since 0.1.0
 */
export const isCharge = (credits: number): boolean => credits >= 0 && credits <= Number.MAX_SAFE_INTEGER

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
  readonly figures?: Figures | undefined
}

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
export const charge = (
  self: Ledger,
  id: number,
  credits: number,
  options: ChargeOptions = {}
): Ledger => {
  const { figures, request = 0, uncertain: besides = 0 } = options
  const reservation = self.reservations.get(id)
  if (reservation === undefined) return self
  if (!isCharge(credits) || !isCharge(besides)) return lose(self, id, request)
  const charged = Math.ceil(credits)
  const uncertain = Math.ceil(besides)
  const most = charged + uncertain
  const sent = reservation.open.get(request)
  const bound = sent === undefined ? Reservations.room(reservation) : Reservations.mostOf(reservation, sent)
  const standing = figures && ServiceFigures.read(self, figures, sent?.unseen)
  const told = takeOn(self, standing)
  const ledger = {
    ...told,
    charged: told.charged + charged,
    uncertain: told.uncertain + uncertain,
    // A figure of the service is taken after the charge, and holds it already.
    unseen: standing === undefined ? told.unseen + most : told.unseen
  }
  const closed = Reservations.close(reservation, request, { charged, uncertain })
  return most > bound ? overrun(ledger, closed, { id, bound, charged: most }) : put(ledger, id, closed)
}

/**
 * Returns the credits that are gone with a reply, by the service's figures, and that no request of this ledger explains, including those
 * in flight and lost. Either another program uses the account, or an HTTP client repeats requests by itself. Call it before `charge`
 * records the reply. It is 0 if this cannot be known, as with the first figures of a window, or if a request has no bound.
 *
 * @category getters
 * @since 0.1.0
 */
export const unexplained = (
  self: Ledger,
  id: number,
  credits: number,
  options: ChargeOptions = {}
): number => {
  const { figures, request = 0, uncertain = 0 } = options
  const known = self.standing
  const told = figures && ServiceFigures.read(self, figures)
  if (known === undefined || told === undefined || known.reset !== told.reset || self.lost > 0) return 0
  // What was lost may reach the service, and be charged, long after it was given up here.
  const ours = self.uncertain + self.unseen - known.seen
  const most = Math.ceil(credits) + Math.ceil(uncertain)
  const explained = most + ours + OpenReservations.of(self.reservations).inFlightBut({ id, request })
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
 * const lost = Ledger.settle(Ledger.lose(Ledger.send(ledger, id, 40), id), id)
 * lost.uncertain // => 40
 * Ledger.available(lost) // => 60
 * ```
 *
 * @category transitions
 * @since 0.1.0
 */
export const lose = (self: Ledger, id: number, request = 0): Ledger => {
  const reservation = self.reservations.get(id)
  const sent = reservation?.open.get(request)
  if (reservation === undefined || sent === undefined) return self
  const most = Reservations.mostOf(reservation, sent)
  const credits = most === Infinity ? 0 : most
  return {
    ...put(self, id, Reservations.close(reservation, request, { charged: 0, uncertain: credits })),
    uncertain: self.uncertain + credits,
    unseen: self.unseen + credits,
    lost: self.lost + (sent.bound === Infinity ? 1 : 0)
  }
}

/**
 * Closes a reservation: credits that were not used are available again, and requests still in flight count as lost. Closing it twice
 * changes nothing.
 *
 * @category transitions
 * @since 0.1.0
 */
export const settle = (self: Ledger, id: number): Ledger => {
  const reservation = self.reservations.get(id)
  if (reservation === undefined) return self
  const lost = [...reservation.open.keys()].reduce((ledger, request) => lose(ledger, id, request), self)
  return { ...lost, reservations: OpenReservations.of(lost.reservations).without(id) }
}

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
export const observe = (self: Ledger, figures: Figures): Ledger => takeOn(self, ServiceFigures.read(self, figures))

/** Takes on what the service told. A ledger that follows it has the account's allowance and window, whatever its own clock says. */
const takeOn = (self: Ledger, told: Standing | undefined): Ledger => {
  if (told === undefined) return self
  const standing = ServiceFigures.later(self.standing, told)
  if (!self.follows) return { ...self, standing }
  const present = self.ends < standing.reset && self.ends !== Infinity ? renew(self, standing.reset) : self
  return { ...present, standing, isTold: true, ends: standing.reset, allowance: standing.limit ?? self.allowance }
}

const overrun = (self: Ledger, reservation: Reservation, entry: Overrun): Ledger => {
  const credits = entry.charged - entry.bound
  return {
    ...put(self, entry.id, { ...reservation, overdrawn: reservation.overdrawn + credits }),
    overruns: [...self.overruns, entry].slice(-maxOverruns),
    overdrawn: self.overdrawn + credits
  }
}

const put = (self: Ledger, id: number, reservation: Reservation): Ledger => ({
  ...self,
  reservations: OpenReservations.of(self.reservations).with(id, reservation)
})
