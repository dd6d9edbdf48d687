/** What a ledger holds, and what of it can still be spent. */
import type * as Account from "../account/Account.ts"
import * as Reservations from "./reservations.ts"
import type { Standing } from "./serviceFigures.ts"

/**
 * A bound that was too low: a request was charged more than its bound, or was sent for more than was reserved. `charged` is what it was
 * charged, or may be.
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
 * The ledger. All amounts are credits of the current window; `allowance` is `Infinity` without a budget.
 *
 * - `ends`: when the window ends and the allowance is full again, in epoch seconds; `now` is the latest known time
 * - `lost`: the number of requests without a bound that may have been charged; they may have cost more than `uncertain` says
 * - `overruns`: the latest overruns; `overdrawn` is the sum of all of them
 * - `follows`: whether the allowance is the service's figure, and not one that the caller gave; `isTold` is whether the service has given
 *   one yet
 * - `standing`: the service's latest figures; `unseen` counts, over all windows, what was recorded without a figure of the service
 *
 * @category models
 * @since 0.1.0
 */
export interface Ledger {
  readonly allowance: number
  readonly window: Account.Window
  readonly ends: number
  readonly now: number
  readonly charged: number
  readonly uncertain: number
  readonly lost: number
  readonly reservations: ReadonlyMap<number, Reservations.Reservation>
  readonly overruns: ReadonlyArray<Overrun>
  readonly overdrawn: number
  readonly follows: boolean
  readonly isTold: boolean
  readonly standing: Standing | undefined
  readonly unseen: number
  readonly nextId: number
}
/** What a request may cost, in whole credits; without end where it is not an amount, or more than can be counted. */
export const boundOf = (credits: number): number =>
  credits <= Number.MAX_SAFE_INTEGER ? Math.max(0, Math.ceil(credits)) : Infinity

/** What may be spent, in whole credits; nothing where it is not an amount, without end where it is more than can be counted. */
export const allowanceOf = (credits: number): number =>
  credits > Number.MAX_SAFE_INTEGER ? Infinity : Math.max(0, Math.floor(credits) || 0)

/** The reservations, with their sums. */
export const openOf = ({ reservations }: Pick<Ledger, "reservations">): Reservations.OpenReservations =>
  Reservations.OpenReservations.of(reservations)

/**
 * Returns the credits that are reserved and not used yet.
 *
 * @example
 * ```ts
 * import * as Ledger from "@effect-marketdata/core/Ledger"
 * import * as Result from "effect/Result"
 *
 * const { ledger } = Result.getOrThrow(Ledger.reserve(Ledger.make(100), 40))
 * Ledger.reserved(ledger) // => 40
 * ```
 *
 * @category getters
 * @since 0.1.0
 */
export const reserved = (self: Ledger): number => {
  const { isBounded, outstanding } = openOf(self)
  return isBounded ? outstanding : Infinity
}

/** What the allowance leaves. Reservations without end take away nothing, here as below: there is no figure for them. */
const ofAllowance = (self: Ledger): number =>
  self.allowance === Infinity
    ? Infinity
    : self.allowance - self.charged - self.uncertain - openOf(self).outstanding

/** What the service leaves, less what it cannot know of yet. */
const ofStanding = (self: Ledger): number => {
  const { standing, unseen } = self
  return standing === undefined
    ? Infinity
    : standing.remaining - (unseen - standing.seen) - openOf(self).outstanding
}

/**
 * Returns the credits that can still be reserved: the allowance minus what was charged, may have been charged or is reserved, and at most
 * what the service says is left. A ledger that follows the service goes by the service's figures alone, once it has any.
 *
 * @example
 * ```ts
 * import * as Ledger from "@effect-marketdata/core/Ledger"
 * import * as Result from "effect/Result"
 *
 * const { ledger } = Result.getOrThrow(Ledger.reserve(Ledger.make(100), 40))
 * Ledger.available(ledger) // => 60
 * ```
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
 * @example
 * ```ts
 * import * as Ledger from "@effect-marketdata/core/Ledger"
 *
 * Ledger.elsewhere(Ledger.make(100)) // => 0
 * ```
 *
 * @category getters
 * @since 0.1.0
 */
export const elsewhere = (self: Ledger): number => self.allowance === Infinity ? 0 : ofAllowance(self) - available(self)
