/**
 * The book of credits, as a pure state machine: what may be spent, what is reserved for questions under way, what was charged, and
 * what may have been charged without anybody telling. Every step is one function from book to book.
 *
 * A question is reserved whole before its first request. Each request is marked sent with its own bound, and then either charged or
 * left open; settling the reservation releases what was not used, and books an open request as uncertain.
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
import { CreditBudgetExceeded } from "./Reason.ts"

/**
 * What is set aside for one question. `used` was charged or became uncertain; `open` is the bound of the request in flight.
 *
 * @category models
 * @since 0.1.0
 */
export interface Reservation {
  readonly bound: number
  readonly used: number
  readonly open: number | undefined
}

/**
 * A charge above the bound under which its request was sent: the assumption behind the bound was false.
 *
 * @category models
 * @since 0.1.0
 */
export interface Overrun {
  readonly id: number
  readonly bound: number
  readonly charged: number
}

/**
 * The book. All amounts are credits; `allowance` is `Infinity` where no budget was set.
 *
 * @category models
 * @since 0.1.0
 */
export interface Ledger {
  readonly allowance: number
  readonly charged: number
  readonly uncertain: number
  readonly reservations: ReadonlyMap<number, Reservation>
  readonly overruns: ReadonlyArray<Overrun>
  readonly nextId: number
}

/**
 * Opens a book with an allowance of credits; without one it only counts.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (allowance = Infinity): Ledger => ({
  allowance,
  charged: 0,
  uncertain: 0,
  reservations: new Map(),
  overruns: [],
  nextId: 1
})

const outstanding = (reservation: Reservation): number =>
  Math.max(0, reservation.bound - reservation.used, reservation.open ?? 0)

/**
 * Returns the credits that are set aside and not used yet.
 *
 * @category getters
 * @since 0.1.0
 */
export const reserved = (self: Ledger): number => {
  let credits = 0
  for (const reservation of self.reservations.values()) credits += outstanding(reservation)
  return credits
}

/**
 * Returns the credits that may still be reserved: the allowance less what was charged, may have been charged, or is reserved.
 *
 * @category getters
 * @since 0.1.0
 */
export const available = (self: Ledger): number =>
  self.allowance === Infinity ? Infinity : self.allowance - self.charged - self.uncertain - reserved(self)

/**
 * Sets credits aside for a question that may cost up to `bound`. Under an allowance the bound must be finite and covered; fails with
 * `CreditBudgetExceeded` otherwise, and the book stays as it was.
 *
 * @category transitions
 * @since 0.1.0
 */
export const reserve = (
  self: Ledger,
  bound: number
): Result.Result<{ readonly ledger: Ledger; readonly id: number }, CreditBudgetExceeded> => {
  const exceeded = refusal(self, bound, bound)
  if (exceeded !== undefined) return Result.fail(exceeded)
  const id = self.nextId
  return Result.succeed({ ledger: { ...put(self, id, { bound, used: 0, open: undefined }), nextId: id + 1 }, id })
}

/**
 * Extends a reservation so that another request of up to `bound` fits in, as after one whose reply was lost. Fails with
 * `CreditBudgetExceeded` where the allowance does not cover the difference.
 *
 * @category transitions
 * @since 0.1.0
 */
export const extend = (self: Ledger, id: number, bound: number): Result.Result<Ledger, CreditBudgetExceeded> => {
  const reservation = self.reservations.get(id)
  if (reservation === undefined) return Result.succeed(self)
  const missing = reservation.used + bound - reservation.bound
  if (!(missing > 0)) return Result.succeed(self)
  const exceeded = refusal(self, bound, missing)
  if (exceeded !== undefined) return Result.fail(exceeded)
  return Result.succeed(put(self, id, { ...reservation, bound: reservation.bound + missing }))
}

const refusal = (self: Ledger, bound: number, needed: number): CreditBudgetExceeded | undefined => {
  if (self.allowance === Infinity) return undefined
  const left = available(self)
  if (bound === Infinity) return new CreditBudgetExceeded({ cause: "Unbounded", bound: undefined, available: left })
  return needed > left ? new CreditBudgetExceeded({ cause: "Insufficient", bound, available: left }) : undefined
}

/**
 * Records that a request which may cost up to `bound` is about to be sent.
 *
 * @category transitions
 * @since 0.1.0
 */
export const send = (self: Ledger, id: number, bound: number): Ledger =>
  update(self, id, (reservation) => ({ ...reservation, open: bound }))

/**
 * Records what the request in flight was charged; above its bound that is an overrun.
 *
 * @category transitions
 * @since 0.1.0
 */
export const charge = (self: Ledger, id: number, credits: number): Ledger => {
  const reservation = self.reservations.get(id)
  if (reservation === undefined) return self
  const bound = reservation.open ?? reservation.bound
  return {
    ...put(self, id, { ...reservation, used: reservation.used + credits, open: undefined }),
    charged: self.charged + credits,
    overruns: credits > bound ? [...self.overruns, { id, bound, charged: credits }] : self.overruns
  }
}

/**
 * Records that the request in flight was lost after it may have been charged: its bound counts as spent until somebody knows better.
 * A request without a bound adds nothing, since there is no honest figure to add.
 *
 * @category transitions
 * @since 0.1.0
 */
export const lose = (self: Ledger, id: number): Ledger => {
  const reservation = self.reservations.get(id)
  if (reservation?.open === undefined) return self
  const uncertain = Number.isFinite(reservation.open) ? reservation.open : 0
  return {
    ...put(self, id, { ...reservation, used: reservation.used + uncertain, open: undefined }),
    uncertain: self.uncertain + uncertain
  }
}

/**
 * Closes a reservation: what was not used is free again, and a request still in flight counts as lost. Closing twice changes nothing.
 *
 * @category transitions
 * @since 0.1.0
 */
export const settle = (self: Ledger, id: number): Ledger => {
  const lost = lose(self, id)
  const reservations = new Map(lost.reservations)
  reservations.delete(id)
  return { ...lost, reservations }
}

const put = (self: Ledger, id: number, reservation: Reservation): Ledger => ({
  ...self,
  reservations: new Map(self.reservations).set(id, reservation)
})

const update = (self: Ledger, id: number, change: (reservation: Reservation) => Reservation): Ledger => {
  const reservation = self.reservations.get(id)
  return reservation === undefined ? self : put(self, id, change(reservation))
}
