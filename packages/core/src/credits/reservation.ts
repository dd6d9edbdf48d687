import type { Open, Reservation } from "./ledgerState.ts"

/** Adds up what can be added up: where there is no bound, there is no figure. */
export const sum = <A>(values: Iterable<A>, creditsOf: (value: A) => number): number => {
  let total = 0
  for (const value of values) {
    const credits = creditsOf(value)
    if (credits !== Infinity) total += credits
  }
  return total
}

/** What the requests in flight may cost together. */
const inFlight = ({ open }: Reservation): number => sum(open.values(), ({ bound }) => bound)

/** A request of a reservation. */
export interface Sent {
  readonly id: number
  readonly request: number
}

/** What all requests in flight may cost together, but one; without end where one of them has no bound. */
export const others = (
  reservations: Iterable<readonly [id: number, reservation: Reservation]>,
  but: Sent | undefined
): number => {
  let total = 0
  for (const [id, { open }] of reservations) {
    for (const [request, { bound }] of open) if (id !== but?.id || request !== but.request) total += bound
  }
  return total
}

/** What is set aside and not used yet. */
export const outstanding = (reservation: Reservation): number =>
  Math.max(0, reservation.bound - reservation.used, inFlight(reservation))

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
