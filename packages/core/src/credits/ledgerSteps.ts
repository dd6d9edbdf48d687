/** The transitions of a ledger, each with what happened in it. */
import * as Result from "effect/Result"
import * as AllowanceWindow from "../account/allowanceWindow.ts"
import { CreditBudgetExceeded, FallbackDeclined } from "../reason/Reason.ts"
import * as Balance from "./ledgerBalance.ts"
import type { Ledger, Overrun } from "./ledgerBalance.ts"

/**
 * What can happen in a ledger, by the number of the reservation and that of its request. Amounts are credits.
 *
 * - `Reserved`, `Extended`: credits were set aside; the reservation is for up to `bound`
 * - `Refused`: the allowance or the ceiling did not cover a query, or another attempt of a query with a reservation
 * - `Sent`: a request is about to be sent that may cost up to `bound`
 * - `Charged`, `Lost`: what a request was charged, and what it may have been
 * - `Overran`: a request was charged more than its bound
 * - `Reconciled`: the service's figures changed what is known of the account; `elsewhere` is what this ledger did not record of them
 * - `Settled`: a reservation was closed, of which `used` was charged or is uncertain, and `released` is available again
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

interface OfRequest {
  readonly reservation: number
  readonly request: number
}

/** Why credits are not set aside. */
type Refusal = CreditBudgetExceeded | FallbackDeclined

/**
 * A step that was taken: what it gives, the ledger after it, and what happened, in order.
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
 * Returns whether a number can be a charge: a number from 0 to `Number.MAX_SAFE_INTEGER`.
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
  readonly figures?: Balance.Figures | undefined
}

/**
 * The transitions, each with what happened in it: `charge` is `steps.charge` without its events. A history of a ledger is made of these.
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
    if (!(now > self.now) || now === Infinity) return step(self)
    const standing = self.standing === undefined || now >= self.standing.reset ? undefined : self.standing
    const present = { ...self, now, standing }
    if (now < self.ends) return step(present)
    return step(renew(present, AllowanceWindow.of(self.window, now).end), {
      _tag: "Renewed",
      allowance: self.allowance
    })
  },

  reserve: (self: Ledger, bound: number, ceiling = Infinity): Step<Result.Result<number, Refusal>> => {
    const most = Balance.boundOf(bound)
    const reservation: Balance.Reservation = {
      bound: most,
      ceiling: Balance.allowanceOf(ceiling),
      used: 0,
      uncertain: 0,
      overdrawn: 0,
      open: new Map()
    }
    const reason = declination(reservation, most) ?? refusal(self, most, most, false)
    if (reason !== undefined) return refused(self, undefined, reason)
    const id = self.nextId
    return {
      value: Result.succeed(id),
      ledger: { ...put(self, id, reservation), nextId: id + 1 },
      events: [{ _tag: "Reserved", reservation: id, bound: most }]
    }
  },

  extend: (self: Ledger, id: number, bound: number): Step<Result.Result<void, Refusal>> => {
    const enough = { ...step(self), value: Result.void }
    const reservation = self.reservations.get(id)
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
    return {
      value: Result.void,
      ledger: put(self, id, { ...reservation, bound: needed }),
      events: [{ _tag: "Extended", reservation: id, bound: needed, credits: needed - reservation.bound }]
    }
  },

  send: (self: Ledger, id: number, bound: number, request = 0): Step<void> => {
    // A request that is sent under the number of one in flight takes its place.
    const { events, ledger } = steps.markLost(self, id, request)
    const reservation = ledger.reservations.get(id)
    if (reservation === undefined) return step(ledger)
    const most = Balance.boundOf(bound)
    const left = Balance.room(reservation)
    const open = new Map(reservation.open).set(request, { bound: most, unseen: ledger.unseen })
    const sent: Happening = { _tag: "Sent", reservation: id, request, bound: most }
    if (most === Infinity || most <= left) return step(put(ledger, id, { ...reservation, open }), ...events, sent)
    const extended = { ...reservation, open, bound: Balance.taken(reservation) + most }
    const over = overrun(ledger, extended, { reservation: id, request }, { id, bound: left, charged: most })
    return step(over.ledger, ...events, sent, ...over.events)
  },

  charge: (self: Ledger, id: number, credits: number, options: ChargeOptions = {}): Step<void> => {
    const { figures, request = 0, uncertain: besides = 0 } = options
    const reservation = self.reservations.get(id)
    if (reservation === undefined) return step(self)
    if (!isCharge(credits) || !isCharge(besides)) return steps.markLost(self, id, request, figures)
    const charged = Math.ceil(credits)
    const uncertain = Math.ceil(besides)
    const most = charged + uncertain
    const sent = reservation.open.get(request)
    const bound = sent === undefined ? Balance.room(reservation) : Balance.mostOf(reservation, sent)
    const standing = figures && Balance.read(self, figures, sent?.unseen)
    const { events, ledger: told } = takeOn(self, standing)
    const ledger = {
      ...told,
      charged: told.charged + charged,
      uncertain: told.uncertain + uncertain,
      // A figure of the service is taken after the charge, and holds it already.
      unseen: standing === undefined ? told.unseen + most : told.unseen
    }
    const closed = Balance.close(reservation, request, { charged, uncertain })
    const of = { reservation: id, request }
    const after = most > bound
      ? overrun(ledger, closed, of, { id, bound, charged: most })
      : step(put(ledger, id, closed))
    return step(
      after.ledger,
      ...events,
      { _tag: "Charged", ...of, credits: charged, uncertain },
      ...after.events,
      ...reconciled(self, after.ledger, of)
    )
  },

  markLost: (self: Ledger, id: number, request = 0, figures?: Balance.Figures): Step<void> => {
    const reservation = self.reservations.get(id)
    const sent = reservation?.open.get(request)
    if (reservation === undefined || sent === undefined) return step(self)
    const most = Balance.mostOf(reservation, sent)
    const credits = most === Infinity ? 0 : most
    const lost = {
      ...put(self, id, Balance.close(reservation, request, { charged: 0, uncertain: credits })),
      uncertain: self.uncertain + credits,
      unseen: self.unseen + credits,
      lost: self.lost + (sent.bound === Infinity ? 1 : 0)
    }
    const of = { reservation: id, request }
    const { events, ledger } = takeOn(lost, figures && Balance.read(lost, figures))
    return step(ledger, { _tag: "Lost", ...of, credits }, ...events, ...reconciled(self, ledger, of))
  },

  settle: (self: Ledger, id: number): Step<void> => {
    const reservation = self.reservations.get(id)
    if (reservation === undefined) return step(self)
    const { events, ledger } = [...reservation.open.keys()].reduce((before, request) => {
      const { events, ledger } = steps.markLost(before.ledger, id, request)
      return step(ledger, ...before.events, ...events)
    }, step(self))
    const { bound, used } = ledger.reservations.get(id) ?? reservation
    return step(
      { ...ledger, reservations: Balance.openOf(ledger).without(id) },
      ...events,
      { _tag: "Settled", reservation: id, used, released: Math.max(0, bound - used) }
    )
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

/** Whatever a request was charged or may have been counts against what was consented to, and so does what may be charged next. */
const declination = (reservation: Balance.Reservation, bound: number): FallbackDeclined | undefined => {
  const { ceiling, uncertain, used } = reservation
  const taken = Balance.taken(reservation)
  if (bound === 0 || taken + bound <= ceiling) return undefined
  return new FallbackDeclined({
    price: bound === Infinity ? undefined : bound,
    ceiling,
    charged: used - uncertain,
    uncertain: taken - used + uncertain
  })
}

/** Why the allowance does not cover a request. */
const refusal = (
  self: Ledger,
  bound: number,
  needed: number,
  wasSent: boolean
): CreditBudgetExceeded | undefined => {
  // Who only counts is not held to what the service says either.
  const limit = self.follows ? Balance.available(self) : self.allowance
  if (limit === Infinity) return undefined
  const left = Balance.available(self)
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

const refused = (
  ledger: Ledger,
  reservation: number | undefined,
  reason: Refusal
): Step<Result.Result<never, Refusal>> => ({
  value: Result.fail(reason),
  ledger,
  events: [{ _tag: "Refused", reservation, reason }]
})

/** Takes on what the service told. A ledger that follows it has the account's allowance and window, whatever its own clock says. */
export const takeOn = (self: Ledger, told: Balance.Standing | undefined): Step<void> => {
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
    ...put(self, id, { ...reservation, overdrawn: reservation.overdrawn + credits }),
    overruns: [...self.overruns, entry].slice(-maxOverruns),
    overdrawn: self.overdrawn + credits
  }
  return step(ledger, { _tag: "Overran", ...of, bound, charged })
}

const put = (self: Ledger, id: number, reservation: Balance.Reservation): Ledger => ({
  ...self,
  reservations: Balance.openOf(self).with(id, reservation)
})
