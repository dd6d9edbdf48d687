/** The state of a ledger. */
import type * as Account from "../account/Account.ts"

/**
 * A request in flight: the most it may cost, and how much had been charged without a figure of the service when it was sent.
 */
export interface Open {
  readonly bound: number
  readonly unseen: number
}

/**
 * What is set aside for one query. `used` was charged or became uncertain, and `uncertain` is the part of it that did; `open` has the
 * requests in flight by their number; `overdrawn` is by how much they went over their bounds. `ceiling` is what was consented to: no request is
 * sent that could bring the whole above it.
 */
export interface Reservation {
  readonly bound: number
  readonly ceiling: number
  readonly used: number
  readonly uncertain: number
  readonly overdrawn: number
  readonly open: ReadonlyMap<number, Open>
}

/**
 * A bound that was false: a request was charged more than the bound under which it was sent, or was sent for more than was reserved
 * for it. `charged` is what it was, or may be, charged.
 */
export interface Overrun {
  readonly id: number
  readonly bound: number
  readonly charged: number
}

/**
 * What a reply's headers say of the account's credits: what is left of the window's allowance, less than nothing included, and when it
 * is whole again, in epoch seconds. Figures are only of use together.
 */
export interface Figures {
  readonly limit?: number | undefined
  readonly remaining?: number | undefined
  readonly reset?: number | undefined
}

/**
 * The latest that is known from the service's figures: the window's allowance, what was left of it, until when that holds, and the
 * `unseen` credits that are in it.
 */
export interface Standing {
  readonly limit: number | undefined
  readonly remaining: number
  readonly reset: number
  readonly seen: number
}

/**
 * The ledger. All amounts are credits, and of the present window; `allowance` is `Infinity` where no budget was set.
 *
 * - `ends`: when the window ends and the allowance is whole again, in epoch seconds; `now` is the latest time that was told
 * - `lost`: the requests that may have been charged, and had no bound: how much more than their reservation they add to `uncertain`
 *   nobody can say
 * - `overruns`: the latest bounds that were false; `overdrawn` is by how much all of them were
 * - `follows`: whether the allowance is the account's, by what the service says, and not one that the caller gave; `isTold` is whether the
 *   service has said it yet
 * - `standing`: what the service says; `unseen` counts, over all windows, what was recorded without a figure of the service
 */
export interface Ledger {
  readonly allowance: number
  readonly window: Account.Window
  readonly ends: number
  readonly now: number
  readonly charged: number
  readonly uncertain: number
  readonly lost: number
  readonly reservations: ReadonlyMap<number, Reservation>
  readonly overruns: ReadonlyArray<Overrun>
  readonly overdrawn: number
  readonly follows: boolean
  readonly isTold: boolean
  readonly standing: Standing | undefined
  readonly unseen: number
  readonly nextId: number
}
