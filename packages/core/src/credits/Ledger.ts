/**
 * The ledger of credits, as a pure state machine: what may be spent, what is reserved for queries under way, what was charged, and
 * what may have been charged without anybody telling. Every step is one function from ledger to ledger, and none of them can fail on an
 * invalid number, a reservation that is closed, or a clock that goes back.
 *
 * A query is reserved whole before its first request. Each request is marked sent with its own bound, and then either charged or
 * left open; settling the reservation releases what was not used, and records an open request as uncertain.
 *
 * Credits are whole: of any other amount, a part counts as one, so that no rounding can promise what is not there.
 *
 * At every moment `available + charged + uncertain + reserved + elsewhere` is the allowance. Of a budget, only a recorded overrun or another
 * program on the account can make `available` negative.
 *
 * An allowance may be one of a window, and is whole again in the next. What a request is charged counts in the window in which the charge
 * was recorded, also where the reservation was made in the one before; what is reserved goes along.
 *
 * A ledger may instead follow the service: its allowance is then whatever the figures of the latest reply say. The service serves a request,
 * whatever it costs, as long as a credit is left, and goes below nothing; so does such a ledger.
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
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import type * as Account from "../account/Account.ts"
import * as AllowanceWindow from "../account/allowanceWindow.ts"
import * as Reservations from "./reservation.ts"
import * as ServiceFigures from "./serviceFigures.ts"
import { CreditBudgetExceeded, FallbackDeclined } from "../reason/Reason.ts"
import type { Figures, Ledger, Overrun, Reservation, Standing } from "./ledgerState.ts"

/**
 * A ledger, and what it is made of: reservations, overruns, and the figures of the service.
 *
 * @since 0.1.0
 */
export type { Figures, Ledger, Open, Overrun, Reservation, Standing } from "./ledgerState.ts"
/**
 * The number of overruns that a ledger keeps: the latest. All of them count in `overdrawn`.
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
 * Opens a ledger with an allowance of credits that is never renewed; without one it only counts. No limit is built in: what an account
 * may spend is for the caller to say (clause 8.5-not-shown).
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
 * Opens a ledger whose allowance is whole again in every window. `now` is the time in epoch seconds.
 *
 * A day goes from 9:30 to 9:30 in New York, a minute from second 0 on. That days begin on weekends and holidays too is a named
 * assumption; where the service says otherwise its figures hold, see `observe`. A caller with several allowances, such as the account's and
 * a budget of their own, keeps a ledger of each, and asks only what fits into all of them.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeRenewing = (
  { credits, now, window }: Account.Allowance & { readonly now: number }
): Ledger => advance({ ...make(credits), window, ends: -Infinity }, now)

/**
 * Opens a ledger whose allowance is the account's: what the service's figures say is left, reply by reply, and nothing else. Once the service's
 * window is over its allowance counts as whole again, until the next reply tells. Before the first figure the allowance is what the caller
 * says, as in any budget, or without end.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeFollowing = (allowance?: number): Ledger => ({ ...make(allowance), follows: true })

/**
 * Returns the window of an allowance that a time lies in, from its start to before its end. Times are epoch seconds; a day begins
 * at 9:30 in New York, also on the days on which clocks change.
 *
 * @category getters
 * @since 0.1.0
 */
export const windowAt: (window: Account.Window, now: number) => { readonly start: number; readonly end: number } =
  AllowanceWindow.of

/**
 * Tells the ledger the time, in epoch seconds. Where its window is over, the next begins with the whole allowance: what was charged or
 * uncertain stays behind, and reservations go along with what is in flight and their overruns. A time that is past changes nothing.
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
  overdrawn: Reservations.sum(self.reservations, ({ overdrawn }) => overdrawn)
})

/**
 * Returns the credits that are set aside and not used yet.
 *
 * @category getters
 * @since 0.1.0
 */
export const reserved = (self: Ledger): number => {
  const isBounded = [...self.reservations.values()].every(({ bound }) => bound !== Infinity)
  return isBounded ? Reservations.sum(self.reservations, Reservations.outstanding) : Infinity
}

/** What the allowance leaves. Reservations without end take away nothing, here as below: there is no figure for them. */
const ofAllowance = (self: Ledger): number =>
  self.allowance === Infinity
    ? Infinity
    : self.allowance - self.charged - self.uncertain - Reservations.sum(self.reservations, Reservations.outstanding)

/** What the service leaves, less what it cannot know of yet. */
const ofStanding = (self: Ledger): number => {
  const { reservations, standing, unseen } = self
  return standing === undefined
    ? Infinity
    : standing.remaining - (unseen - standing.seen) - Reservations.sum(reservations, Reservations.outstanding)
}

/**
 * Returns the credits that may still be reserved: the allowance less what was charged, may have been charged, or is reserved, and no
 * more than what the service says is left. In a ledger that follows the service only what that says counts, once it has said anything.
 *
 * @category getters
 * @since 0.1.0
 */
export const available = (self: Ledger): number =>
  self.follows && self.standing !== undefined ? ofStanding(self) : Math.min(ofAllowance(self), ofStanding(self))

/**
 * Returns the credits of the allowance that are gone by the service's figures, and that the ledger knows nothing of: somebody else uses
 * the account, or used it before. 0 without an allowance; less than 0 in a ledger that follows the service, where that charged less than
 * the ledger has as uncertain.
 *
 * @category getters
 * @since 0.1.0
 */
export const elsewhere = (self: Ledger): number => self.allowance === Infinity ? 0 : ofAllowance(self) - available(self)

/**
 * Sets credits aside for a query that may cost up to `bound`. Under an allowance the bound must be finite and covered; a ledger that follows
 * the service needs a credit that is left, as the service does. Fails with `CreditBudgetExceeded` otherwise, and the ledger stays as it was.
 *
 * `ceiling` is what was consented to for all requests of the query together, also those that are sent again; a bound above it fails with
 * `FallbackDeclined`.
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
 * Extends a reservation so that another request of up to `bound` fits in, as after one whose reply was lost. Fails with
 * `FallbackDeclined` where that could pass what was consented to, and with `CreditBudgetExceeded` where the allowance does not cover the
 * difference.
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
    new CreditBudgetExceeded({ cause, bound: bound === Infinity ? undefined : bound, available: left, wasSent })
  if (self.isTold) return needed > 0 && left <= 0 ? refuse("Insufficient") : undefined
  if (self.allowance === 0 && bound > 0) return refuse("NoAllowance")
  if (bound === Infinity) return refuse("Unbounded")
  return needed > left ? refuse("Insufficient") : undefined
}

/**
 * Records that a request which may cost up to `bound` is about to be sent. Requests of one query that are in flight together have
 * numbers of their own; one that is sent under the number of another takes its place, and the other counts as lost. A request sent for
 * more than is reserved for it is an overrun at once: `extend` comes first.
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
 * Returns whether this may be what a request was charged: an amount that can be counted, 0 or more.
 *
 * @category guards
 * @since 0.1.0
 */
export const isCharge = (credits: number): boolean => credits >= 0 && credits <= Number.MAX_SAFE_INTEGER

/**
 * What is known of a charge besides its credits: which request of the reservation it is of, the first if left out; what it may have been charged
 * in addition, in credits; and the service's figures, where the reply had some.
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
 * Records what a request in flight was charged, with the service's figures where the reply had some; above its bound that is an overrun.
 * `uncertain` is what it may have been charged besides, where its reply does not tell: it counts as spent like the credits of a request that
 * was lost. A charge that is not an amount counts as lost.
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
 * Returns the credits that are gone with a reply by the service's figures, and that no request of this ledger explains, whatever those that are
 * in flight or were lost have cost: another program uses the account, or an HTTP client has sent requests again by itself. For a ledger that has
 * not charged the reply yet; 0 where that cannot be told, as with the first figures of a window, or where something has no bound.
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
  const explained = most + ours + Reservations.others(self.reservations, { id, request })
  return Math.max(0, known.remaining - told.remaining - explained)
}

/**
 * Records that a request in flight was lost after it may have been charged: its bound counts as spent for the rest of the window.
 * Without a bound there is no honest figure: all that is left of the reservation counts as spent, and the request counts in `lost`.
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
 * Closes a reservation: what was not used is free again, and requests still in flight count as lost. Closing twice changes nothing.
 *
 * @category transitions
 * @since 0.1.0
 */
export const settle = (self: Ledger, id: number): Ledger => {
  const reservation = self.reservations.get(id)
  if (reservation === undefined) return self
  const lost = [...reservation.open.keys()].reduce((ledger, request) => lose(ledger, id, request), self)
  const reservations = new Map(lost.reservations)
  reservations.delete(id)
  return { ...lost, reservations }
}

/**
 * Takes on the service's figures from elsewhere than a charge, such as the account's own page. The order in which figures come in does
 * not matter: within a window the service's balance only falls, so that the lowest figure is the latest, and a later reset is a later
 * window. Figures without balance or reset say nothing, nor do those of callers without a token, whose limit is 0, nor those of a window
 * that is over, or that would last for longer than a month.
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
  reservations: new Map(self.reservations).set(id, reservation)
})
