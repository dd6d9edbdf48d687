/**
 * The steps of core's `Ledger` for the calls of a client: their events also have the query and the claim of the call. They are pure functions, the same
 * for a ledger in memory and in a database.
 */
import * as Ledger from "@effect-marketdata/core/Ledger"
import * as Reason from "@effect-marketdata/core/Reason"
import * as Result from "effect/Result"
import type { Charge, Happening, OfRequest, OfReservation, Purpose, SendFailure } from "./ledgerEvents.ts"

/**
 * A step that was taken: what it gives, the ledger after it, and what happened.
 *
 * @category models
 * @since 0.1.0
 */
export interface Step<out A> {
  readonly value: A
  readonly ledger: Ledger.Ledger
  readonly events: ReadonlyArray<Happening>
}

/**
 * The first request that was sent under the key of a claim: by which run, and when, in epoch seconds.
 *
 * @category models
 * @since 0.1.0
 */
export interface FirstSent {
  readonly run: string
  readonly time: number
}

const nothing = (ledger: Ledger.Ledger): Step<void> => ({ value: undefined, ledger, events: [] })

/** Adds the query and the claim to the events of a step, and to a charge the figures that it was made from. */
const about = <A>({ value, ledger, events }: Ledger.Step<A>, { claim, query }: Purpose, charge?: Charge): Step<A> => {
  if (events.length === 0) return { value, ledger, events: [] }
  const purpose = claim === undefined ? { query } : { query, claim }
  const figures = { reported: charge?.reported, computed: charge?.computed }
  return {
    value,
    ledger,
    events: events.map((event): Happening => {
      if (event._tag === "Renewed") return event
      // A refusal has no claim, because nothing was sent under it.
      if (event._tag === "Refused") return { ...event, query }
      return event._tag === "Charged" ? { ...event, ...purpose, ...figures } : { ...event, ...purpose }
    })
  }
}

/** Whether a request of a reservation is in flight. */
export const isOpen = (ledger: Ledger.Ledger, { request, reservation }: OfRequest): boolean =>
  ledger.reservations.get(reservation)?.open.has(request) === true

/**
 * Takes a step after `before`. The value is that of the later step; the events are those of both.
 *
 * @category transitions
 * @since 0.1.0
 */
export const both = <A>(before: Step<unknown>, take: (ledger: Ledger.Ledger) => Step<A>): Step<A> => {
  const taken = take(before.ledger)
  return before.events.length === 0 ? taken : { ...taken, events: [...before.events, ...taken.events] }
}

/** Moves the ledger to the time that the store tells, in epoch seconds, and takes a step with the other arguments of the store. */
export const timed =
  <A, Told extends ReadonlyArray<unknown>>(step: (ledger: Ledger.Ledger, ...told: Told) => Step<A>) =>
  (ledger: Ledger.Ledger, now: number, ...told: Told): Step<A> =>
    both(advance(ledger, now), (advanced) => step(advanced, ...told))

/** Moves the ledger to a time, in epoch seconds. */
export const advance = (ledger: Ledger.Ledger, now: number): Step<void> =>
  about(Ledger.steps.advance(ledger, now), { query: undefined })

/** Refuses to send for a claim if another run of the same call was sent. */
const alreadySent = ({ claim }: Purpose, first: FirstSent | undefined): Reason.AlreadySent | undefined =>
  claim === undefined || first === undefined || first.run === claim.run
    ? undefined
    : new Reason.AlreadySent({ key: claim.key, time: first.time })

/** A reservation that is asked for: the most that its query may cost, what the caller consented to, and what it is for. */
export interface Asked {
  readonly bound: number
  readonly ceiling: number | undefined
  readonly purpose: Purpose
}

/** Reserves credits for a query, and returns the number of the reservation. */
export const reserve = (
  ledger: Ledger.Ledger,
  { bound, ceiling, purpose }: Asked,
  first: FirstSent | undefined
): Step<Result.Result<number, Reason.CreditBudgetExceeded | Reason.FallbackDeclined | Reason.AlreadySent>> => {
  const refused = alreadySent(purpose, first)
  return refused === undefined
    ? about(Ledger.steps.reserve(ledger, bound, ceiling), purpose)
    : { ...nothing(ledger), value: Result.fail(refused) }
}

/** The refusal of a request whose reservation is closed, or lost because its lease was not renewed: no ledger would record it. */
const closed = () => new Reason.LedgerUnavailable({ detail: "the query's reservation is closed" })

type Marked = Result.Result<void, SendFailure>

/**
 * Marks a request as sent. If an earlier one was lost, the reservation first grows, up to the ceiling of the caller. Fails if another run of the same call
 * was sent since the reservation was made, or if the guard no longer admits the request (`held`).
 */
export const send =
  (of: OfRequest, bound: number) =>
  (ledger: Ledger.Ledger, first?: FirstSent, held?: Reason.GuardUnavailable): Step<Marked> => {
    const refused = held ?? alreadySent(of, first) ?? (ledger.reservations.has(of.reservation) ? undefined : closed())
    if (refused !== undefined) return { ...nothing(ledger), value: Result.fail(refused) }
    const extended = about(Ledger.steps.extend(ledger, of.reservation, bound), of)
    if (Result.isFailure(extended.value)) return extended
    const sent = both(extended, (ledger) => about(Ledger.steps.send(ledger, of.reservation, bound, of.request), of))
    return { ...sent, value: Result.void }
  }

/** The number of a reservation, if it was made, and whether its first request was marked. */
type Begun = Step<{ readonly reservation: number | undefined; readonly sent: Marked }>

/** Reserves credits and marks the first request as sent, in one step. */
export const begin =
  (asked: Asked, number: number, bound: number) =>
  (ledger: Ledger.Ledger, first?: FirstSent, held?: Reason.GuardUnavailable): Begun => {
    if (held !== undefined) return { ...nothing(ledger), value: { reservation: undefined, sent: Result.fail(held) } }
    const reserved = reserve(ledger, asked, first)
    if (Result.isFailure(reserved.value)) {
      return { ...reserved, value: { reservation: undefined, sent: Result.fail(reserved.value.failure) } }
    }
    const reservation = reserved.value.success
    const mark = send({ reservation, request: number, ...asked.purpose }, bound)
    const sent = both(reserved, (ledger) => mark(ledger, first))
    return { ...sent, value: { reservation, sent: sent.value } }
  }

/** Records what a request in flight was charged, with the service's figures, and returns the credits that no request of the ledger explains. */
export const charge = (ledger: Ledger.Ledger, of: OfRequest, charge: Charge, figures: Ledger.Figures | undefined) => {
  const options = { request: of.request, uncertain: charge.uncertain, figures }
  const taken = about(Ledger.steps.charge(ledger, of.reservation, charge.credits, options), of, charge)
  const isCharged = taken.events.some(({ _tag }) => _tag === "Charged")
  return { ...taken, value: isCharged ? Ledger.unexplained(ledger, of.reservation, charge.credits, options) : 0 }
}

/** Records that a request in flight may have been charged, with the service's figures if they are known. */
export const markLost = (ledger: Ledger.Ledger, of: OfRequest, figures?: Ledger.Figures): Step<void> =>
  about(Ledger.steps.markLost(ledger, of.reservation, of.request, figures), of)

/** Closes a reservation: requests in flight count as lost, and the rest is free again. */
export const settle = (ledger: Ledger.Ledger, of: OfReservation): Step<void> =>
  about(Ledger.steps.settle(ledger, of.reservation), of)
