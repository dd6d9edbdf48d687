/** The state of a ledger: its reservations, the service's figures of the account, and what can still be spent. */
import * as HashMap from "effect/HashMap"
import * as Option from "effect/Option"
import type * as Account from "../account/Account.ts"
import { InvalidQuery } from "../reason/Reason.ts"

/**
 * A bound that was too low: a request was charged more than its bound, or was sent for more than was reserved. `charged` is what it was
 * charged, or may be.
 *
 * @category models
 * @since 0.1.0
 */
export interface Overrun extends Readonly<Record<"id" | "bound" | "charged", number>> {}

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
  readonly reservations: ReadonlyMap<number, Reservation>
  readonly overruns: ReadonlyArray<Overrun>
  readonly overdrawn: number
  readonly follows: boolean
  readonly isTold: boolean
  readonly standing: Standing | undefined
  readonly unseen: number
  readonly nextId: number
}

/** Returns a ledger unchanged. Throws `InvalidQuery` for any other value, such as the `Result` of `reserve` from untyped code. */
export const known = (self: Ledger): Ledger => {
  if (typeof (self as Partial<Ledger> | null | undefined)?.allowance === "number") return self
  throw InvalidQuery.of("ledger", self, { rule: "must be a ledger", example: "Ledger.make(10_000)" })
}

/**
 * What a request may cost, in whole credits; `Infinity` if it is not an amount, or above `Number.MAX_SAFE_INTEGER`. Null, which untyped callers use for an
 * unknown amount, would compare as 0, but is not free.
 */
export const boundOf = (credits: number): number =>
  typeof credits === "number" && credits <= Number.MAX_SAFE_INTEGER ? Math.max(0, Math.ceil(credits)) : Infinity

/** What may be spent, in whole credits; 0 if it is not an amount, `Infinity` above `Number.MAX_SAFE_INTEGER`. */
export const allowanceOf = (credits: number): number =>
  typeof credits === "number" && credits > 0 ? credits > Number.MAX_SAFE_INTEGER ? Infinity : Math.floor(credits) : 0

/** The reservations, with their sums. */
export const reservationsOf = ({ reservations }: Pick<Ledger, "reservations">): OpenReservations =>
  OpenReservations.of(reservations)

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
  const { isBounded, outstanding } = reservationsOf(known(self))
  return isBounded ? outstanding : Infinity
}

/** What is left of the allowance. Reservations without a bound take away nothing, here and below, because they have no figure. */
const ofAllowance = (self: Ledger): number =>
  self.allowance === Infinity
    ? Infinity
    : self.allowance - self.charged - self.uncertain - reservationsOf(self).outstanding

/** What is left by the service's figures, minus what they cannot include yet. */
const ofStanding = (self: Ledger): number => {
  const { standing, unseen } = self
  if (standing === undefined) return Infinity
  return standing.remaining - (unseen - standing.seen) - reservationsOf(self).outstanding
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
  known(self).follows && self.standing !== undefined ? ofStanding(self) : Math.min(ofAllowance(self), ofStanding(self))

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
export const elsewhere = (self: Ledger): number =>
  known(self).allowance === Infinity ? 0 : ofAllowance(self) - available(self)

/**
 * What the headers of a reply say about the account's credits: the allowance of the window, what is left of it (which may be negative),
 * and when it is full again, in epoch seconds. They are used only together.
 *
 * @category models
 * @since 0.1.0
 */
export interface Figures extends Partial<Readonly<Record<"limit" | "remaining" | "reset", number | undefined>>> {}

/**
 * The latest figures of the service: the allowance of the window, what was left of it, until when they hold in epoch seconds, and how
 * many of the `unseen` credits they include.
 *
 * @category models
 * @since 0.1.0
 */
export interface Standing {
  readonly limit: number | undefined
  readonly remaining: number
  readonly reset: number
  readonly seen: number
}

/** No window of credits is longer than a month. A reset that is further away is wrong, and would outlast all later ones. */
const longestWindow = 31 * 86_400

/**
 * Reads the service's figures of the account; undefined if they are incomplete or out of date. They include `unseen`, the credits that had been recorded
 * before their request was sent.
 */
export const read = (
  { now, standing, unseen: recorded }: Pick<Ledger, "now" | "standing" | "unseen">,
  figures: Figures,
  unseen = standing?.seen ?? recorded
): Standing | undefined => {
  const { limit, remaining, reset } = { ...figures }
  if (limit === 0 || remaining === undefined || reset === undefined) return undefined
  const isPresent = reset > now && (reset <= now + longestWindow || now === -Infinity)
  if (!Number.isFinite(remaining) || !Number.isFinite(reset) || !isPresent) return undefined
  // Figures from another place than a reply include as much as the ones before: less would count charges twice, more would forget some.
  return { limit, remaining: Math.floor(remaining), reset, seen: unseen }
}

/** The later of two standings. Within a window that is the one with the lower balance; it includes all that either of them does. */
export const later = (before: Standing | undefined, told: Standing): Standing => {
  if (before === undefined || told.reset > before.reset) return told
  if (told.reset < before.reset) return before
  const [earlier, latest] = told.remaining < before.remaining ? [before, told] : [told, before]
  return { ...latest, limit: latest.limit ?? earlier.limit, seen: Math.max(before.seen, told.seen) }
}

/** Whether a standing differs from another one. */
export const isNews = (standing: Standing, before: Standing | undefined): boolean =>
  standing.remaining !== before?.remaining || standing.reset !== before.reset || standing.limit !== before.limit

/**
 * A request in flight: the most it may cost, and how much had been charged without a figure from the service when it was sent.
 *
 * @category models
 * @since 0.1.0
 */
export interface Open extends Readonly<Record<"bound" | "unseen", number>> {}

/**
 * The reservation of one query, in credits. `used` was charged or is uncertain, and `uncertain` is the second part of it. `open` lists
 * the requests in flight by number, and `overdrawn` is by how much they exceeded their bounds. `ceiling` is the most that the caller
 * consented to: a request that could exceed it is not sent.
 *
 * @category models
 * @since 0.1.0
 */
export interface Reservation {
  readonly bound: number
  readonly ceiling: number
  readonly used: number
  readonly uncertain: number
  readonly overdrawn: number
  readonly open: ReadonlyMap<number, Open>
}

/** What the requests in flight may cost together, without those that have no bound. */
const inFlight = ({ open }: Reservation): number => {
  let total = 0
  for (const { bound } of open.values()) if (bound !== Infinity) total += bound
  return total
}

/** What was used, and what the requests in flight may still cost. */
export const taken = (reservation: Reservation): number => reservation.used + inFlight(reservation)

/** What another request may cost within the reservation. */
export const room = (reservation: Reservation): number => Math.max(0, reservation.bound - taken(reservation))

/** The most that a request in flight may cost: its bound, or all that is left of the reservation. */
export const mostOf = (reservation: Reservation, sent: Open): number =>
  sent.bound === Infinity ? room(reservation) : sent.bound

/** The reservation after a request in flight has ended, with what it was charged, or may have been. */
export const close = (
  reservation: Reservation,
  request: number,
  { charged, uncertain }: { readonly charged: number; readonly uncertain: number }
): Reservation => {
  const open = new Map(reservation.open)
  open.delete(request)
  const used = reservation.used + charged + uncertain
  return { ...reservation, used, uncertain: reservation.uncertain + uncertain, open }
}

/** The sums of reservations. Those without a bound, and requests without one, are counted instead. */
interface Sums extends Readonly<Record<"outstanding" | "endless" | "inFlight" | "endlessInFlight", number>> {}

const nothing: Sums = { outstanding: 0, endless: 0, inFlight: 0, endlessInFlight: 0 }

/** Adds a reservation to the sums, or subtracts it. What is reserved and not used yet is `outstanding`. */
const add = (sums: Sums, reservation: Reservation | undefined, sign: 1 | -1): Sums => {
  if (reservation === undefined) return sums
  const { bound, open, used } = reservation
  const sent = inFlight(reservation)
  let endless = 0
  for (const { bound } of open.values()) if (bound === Infinity) endless++
  return {
    outstanding: sums.outstanding + (bound === Infinity ? 0 : sign * Math.max(0, bound - used, sent)),
    endless: sums.endless + (bound === Infinity ? sign : 0),
    inFlight: sums.inFlight + sign * sent,
    endlessInFlight: sums.endlessInFlight + sign * endless
  }
}

/** Whether sums are exact. Larger numbers are rounded, and could not be subtracted again. */
const isExact = ({ inFlight, outstanding }: Sums): boolean =>
  Number.isSafeInteger(outstanding) && Number.isSafeInteger(inFlight)

/**
 * The open reservations of a ledger by id, in the order in which they were made. A ledger is an immutable value, and their sums are kept, so that a step takes
 * the same time however many reservations are open.
 */
export class OpenReservations implements ReadonlyMap<number, Reservation> {
  private readonly byId: HashMap.HashMap<number, Reservation>
  private readonly sums: Sums

  private constructor(byId: HashMap.HashMap<number, Reservation>, sums: Sums) {
    this.byId = byId
    this.sums = sums
  }

  /** Makes them of any map. */
  static of(reservations: ReadonlyMap<number, Reservation>): OpenReservations {
    if (reservations instanceof OpenReservations) return reservations
    return OpenReservations.summed(HashMap.fromIterable(reservations))
  }

  private static summed(byId: HashMap.HashMap<number, Reservation>): OpenReservations {
    return new OpenReservations(byId, HashMap.reduce(byId, nothing, (sums, one) => add(sums, one, 1)))
  }

  /** What is reserved in all of them and not used yet, without those that have no bound. */
  get outstanding(): number {
    return this.sums.outstanding
  }

  get isBounded(): boolean {
    return this.sums.endless === 0
  }

  /** What all requests in flight but one may cost together; `Infinity` if one of them has no bound. */
  inFlightBut(id: number, request: number): number {
    const own = this.get(id)?.open.get(request)?.bound ?? 0
    const isEndless = own === Infinity
    return this.sums.endlessInFlight > (isEndless ? 1 : 0) ? Infinity : this.sums.inFlight - (isEndless ? 0 : own)
  }

  /** Adds or replaces a reservation; undefined removes it. */
  with(id: number, reservation: Reservation | undefined): OpenReservations {
    const byId = reservation === undefined ? HashMap.remove(this.byId, id) : HashMap.set(this.byId, id, reservation)
    const sums = add(add(this.sums, this.get(id), -1), reservation, 1)
    return isExact(this.sums) && isExact(sums) ? new OpenReservations(byId, sums) : OpenReservations.summed(byId)
  }

  get size(): number {
    return HashMap.size(this.byId)
  }

  get(id: number): Reservation | undefined {
    return Option.getOrUndefined(HashMap.get(this.byId, id))
  }

  has(id: number): boolean {
    return HashMap.has(this.byId, id)
  }

  /** Sorted on demand, because they are seldom listed. */
  private inOrder(): ReadonlyMap<number, Reservation> {
    return new Map([...this.byId].toSorted(([one], [other]) => one - other))
  }

  forEach(each: (value: Reservation, id: number, map: ReadonlyMap<number, Reservation>) => void): void {
    for (const [id, reservation] of this) each(reservation, id, this)
  }

  entries(): MapIterator<[number, Reservation]> {
    return this.inOrder().entries()
  }

  keys(): MapIterator<number> {
    return this.inOrder().keys()
  }

  values(): MapIterator<Reservation> {
    return this.inOrder().values()
  }

  [Symbol.iterator](): MapIterator<[number, Reservation]> {
    return this.entries()
  }
}
