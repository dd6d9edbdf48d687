/** The state of a ledger. */
import type * as Account from "../account/Account.ts"

/**
 * A request in flight: the most it may cost, and how much had been charged without a figure from the service when it was sent.
 */
export interface Open {
  readonly bound: number
  readonly unseen: number
}

/**
 * The reservation of one query, in credits. `used` was charged or is uncertain, and `uncertain` is the second part of it. `open` lists
 * the requests in flight by number, and `overdrawn` is by how much they exceeded their bounds. `ceiling` is the most that the caller
 * consented to: a request that could exceed it is not sent.
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
 * A bound that was too low: a request was charged more than its bound, or was sent for more than was reserved. `charged` is what it was
 * charged, or may be.
 */
export interface Overrun {
  readonly id: number
  readonly bound: number
  readonly charged: number
}

/**
 * What the headers of a reply say about the account's credits: the allowance of the window, what is left of it (which may be negative),
 * and when it is full again, in epoch seconds. They are used only together.
 */
export interface Figures {
  readonly limit?: number | undefined
  readonly remaining?: number | undefined
  readonly reset?: number | undefined
}

/**
 * The latest figures of the service: the allowance of the window, what was left of it, until when they hold in epoch seconds, and how
 * many of the `unseen` credits they include.
 */
export interface Standing {
  readonly limit: number | undefined
  readonly remaining: number
  readonly reset: number
  readonly seen: number
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
