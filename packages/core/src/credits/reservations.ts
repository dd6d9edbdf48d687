/** The reservations of a ledger: what each may still cost, and what all of them come to. */
import * as HashMap from "effect/HashMap"
import * as Option from "effect/Option"

/**
 * A request in flight: the most it may cost, and how much had been charged without a figure from the service when it was sent.
 *
 * @category models
 * @since 0.1.0
 */
export interface Open {
  readonly bound: number
  readonly unseen: number
}

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

/** What the requests in flight may cost together, but for those without a bound: there is no figure for them. */
const inFlight = ({ open }: Reservation): number => {
  let total = 0
  for (const { bound } of open.values()) if (bound !== Infinity) total += bound
  return total
}

/** What was used, and what the requests in flight may add to it. */
export const taken = (reservation: Reservation): number => reservation.used + inFlight(reservation)

/** What another request of the query may cost without costing more than was reserved. */
export const room = (reservation: Reservation): number => Math.max(0, reservation.bound - taken(reservation))

/** The most that a request in flight may cost: its bound, or all that is left of the reservation. */
export const mostOf = (reservation: Reservation, sent: Open): number =>
  sent.bound === Infinity ? room(reservation) : sent.bound

/** The reservation without a request that was in flight, with what it was charged, or may have been. */
export const close = (
  reservation: Reservation,
  request: number,
  { charged, uncertain }: { readonly charged: number; readonly uncertain: number }
): Reservation => {
  const open = new Map(reservation.open)
  open.delete(request)
  return {
    ...reservation,
    used: reservation.used + charged + uncertain,
    uncertain: reservation.uncertain + uncertain,
    open
  }
}

/** What reservations come to: what has no bound is counted, and the rest added up. */
interface Sums {
  readonly outstanding: number
  readonly endless: number
  readonly inFlight: number
  readonly endlessInFlight: number
}

const nothing: Sums = { outstanding: 0, endless: 0, inFlight: 0, endlessInFlight: 0 }

/** Adds a reservation to the sums, or takes it away. What is set aside in it and not used yet is outstanding. */
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

/** Beyond, what was added cannot be taken away again without a rest. */
const isExact = ({ inFlight, outstanding }: Sums): boolean =>
  Number.isSafeInteger(outstanding) && Number.isSafeInteger(inFlight)

/**
 * The open reservations of a ledger by id, listed in the order in which they were made, since ids grow. A ledger is a value, so that each
 * step makes another one: a step takes the same time however many are open, because their sums are kept.
 */
export class OpenReservations implements ReadonlyMap<number, Reservation> {
  private readonly byId: HashMap.HashMap<number, Reservation>
  private readonly sums: Sums

  private constructor(byId: HashMap.HashMap<number, Reservation>, sums: Sums) {
    this.byId = byId
    this.sums = sums
  }

  /** Takes over reservations from any map. */
  static of(reservations: ReadonlyMap<number, Reservation>): OpenReservations {
    if (reservations instanceof OpenReservations) return reservations
    return OpenReservations.summed(HashMap.fromIterable(reservations))
  }

  private static summed(byId: HashMap.HashMap<number, Reservation>): OpenReservations {
    return new OpenReservations(byId, HashMap.reduce(byId, nothing, (sums, one) => add(sums, one, 1)))
  }

  /** What is set aside in all of them and not used yet. Reservations without end take away nothing: there is no figure for them. */
  get outstanding(): number {
    return this.sums.outstanding
  }

  get isBounded(): boolean {
    return this.sums.endless === 0
  }

  /** What all requests in flight may cost together, but one; without end where one of them has no bound. */
  inFlightBut(id: number, request: number): number {
    const own = this.get(id)?.open.get(request)?.bound ?? 0
    const isEndless = own === Infinity
    return this.sums.endlessInFlight > (isEndless ? 1 : 0) ? Infinity : this.sums.inFlight - (isEndless ? 0 : own)
  }

  /** The same with another reservation under an id. */
  with(id: number, reservation: Reservation): OpenReservations {
    return this.changed(id, HashMap.set(this.byId, id, reservation), reservation)
  }

  /** The same without a reservation. */
  without(id: number): OpenReservations {
    return this.changed(id, HashMap.remove(this.byId, id), undefined)
  }

  private changed(
    id: number,
    byId: HashMap.HashMap<number, Reservation>,
    reservation: Reservation | undefined
  ): OpenReservations {
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

  /** They are seldom listed. */
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
