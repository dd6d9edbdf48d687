/**
 * The steps of the ledger that core's `Ledger` knows, each with what it did told as events. Pure: wherever a ledger is kept, in memory or in
 * a table, these are its steps.
 */
import * as Ledger from "@effect-marketdata/core/Ledger"
import {
  AlreadySent,
  type CreditBudgetExceeded,
  type FallbackDeclined,
  LedgerUnavailable
} from "@effect-marketdata/core/Reason"
import * as Result from "effect/Result"
import type { Charge, Happening, OfRequest, OfReservation, Purpose } from "./ledgerEvents.ts"

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

const renewals = (before: Ledger.Ledger, after: Ledger.Ledger): ReadonlyArray<Happening> =>
  before.ends !== Infinity && before.ends !== after.ends ? [{ _tag: "Renewed", allowance: after.allowance }] : []

const overruns = (before: Ledger.Ledger, after: Ledger.Ledger, of: OfRequest): ReadonlyArray<Happening> => {
  const latest = after.overruns.at(-1)
  if (latest === undefined || before.overruns.includes(latest)) return []
  return [{ _tag: "Overran", ...of, bound: latest.bound, charged: latest.charged }]
}

const reconciliations = (before: Ledger.Ledger, after: Ledger.Ledger, of: OfRequest): ReadonlyArray<Happening> => {
  const { standing } = after
  const known = before.standing
  const isNews = standing !== undefined &&
    (standing.remaining !== known?.remaining || standing.reset !== known.reset || standing.limit !== known.limit)
  return isNews ? [{ _tag: "Reconciled", ...of, standing, elsewhere: Ledger.elsewhere(after) }] : []
}

const usedBy = (ledger: Ledger.Ledger, { reservation }: OfReservation): number =>
  ledger.reservations.get(reservation)?.used ?? 0

const uncertainOf = (ledger: Ledger.Ledger, { reservation }: OfReservation): number =>
  ledger.reservations.get(reservation)?.uncertain ?? 0

const extensions = (before: number, after: number, of: OfRequest): ReadonlyArray<Happening> => {
  if (after <= before) return []
  const { request: _, ...reservation } = of
  return [{ _tag: "Extended", ...reservation, bound: after, credits: after - before }]
}

/** Whether a request of a reservation is in flight. */
export const isOpen = (ledger: Ledger.Ledger, { request, reservation }: OfRequest): boolean =>
  ledger.reservations.get(reservation)?.open.has(request) === true

/** Tells the ledger the time, in epoch seconds, and takes a step with what else the store tells. */
export const timed =
  <A, Told>(step: (ledger: Ledger.Ledger, told: Told) => Step<A>) =>
  (ledger: Ledger.Ledger, now: number, told: Told): Step<A> => {
    const advanced = advance(ledger, now)
    const taken = step(advanced.ledger, told)
    if (advanced.events.length === 0) return taken
    return { ...taken, events: [...advanced.events, ...taken.events] }
  }

/** Tells the ledger the time, in epoch seconds. */
export const advance = (ledger: Ledger.Ledger, now: number): Step<void> => {
  const after = Ledger.advance(ledger, now)
  return { value: undefined, ledger: after, events: renewals(ledger, after) }
}

/** Why nothing is sent for a claim: another run of the same call was sent. */
const alreadySent = ({ claim }: Purpose, first: FirstSent | undefined): AlreadySent | undefined =>
  claim === undefined || first === undefined || first.run === claim.run
    ? undefined
    : new AlreadySent({ key: claim.key, time: first.time })

/** Sets credits aside for a query that may be sent, and gives the number of the reservation. */
export const reserve = (
  ledger: Ledger.Ledger,
  bound: number,
  purpose: Purpose,
  { ceiling, first }: { readonly ceiling: number | undefined; readonly first: FirstSent | undefined }
): Step<Result.Result<number, CreditBudgetExceeded | FallbackDeclined | AlreadySent>> => {
  const refused = alreadySent(purpose, first)
  if (refused !== undefined) return { ...nothing(ledger), value: Result.fail(refused) }
  const made = Ledger.reserve(ledger, bound, ceiling)
  if (Result.isFailure(made)) {
    const reason = made.failure
    const { query } = purpose
    return { value: Result.fail(reason), ledger, events: [{ _tag: "Refused", reservation: undefined, query, reason }] }
  }
  const { id } = made.success
  const { bound: reserved = 0 } = made.success.ledger.reservations.get(id) ?? {}
  return {
    value: Result.succeed(id),
    ledger: made.success.ledger,
    events: [{ _tag: "Reserved", reservation: id, ...purpose, bound: reserved }]
  }
}

/** What is sent under no reservation would be in no ledger: its owner closed it, or did not renew its lease in time. */
const closed = new LedgerUnavailable({ detail: "the query's reservation is closed" })

/**
 * Marks a request as sent, and makes room for it where an earlier one was lost, up to what was consented to. Another run of the same call
 * may have been sent since the reservation was made.
 */
export const send = (
  ledger: Ledger.Ledger,
  of: OfRequest,
  bound: number,
  first: FirstSent | undefined
): Step<Result.Result<void, CreditBudgetExceeded | FallbackDeclined | LedgerUnavailable | AlreadySent>> => {
  const refused = alreadySent(of, first)
  if (refused !== undefined) return { ...nothing(ledger), value: Result.fail(refused) }
  const before = ledger.reservations.get(of.reservation)
  if (before === undefined) return { ...nothing(ledger), value: Result.fail(closed) }
  const extended = Ledger.extend(ledger, of.reservation, bound)
  if (Result.isFailure(extended)) {
    const { query, reservation } = of
    const reason = extended.failure
    return { value: Result.fail(reason), ledger, events: [{ _tag: "Refused", reservation, query, reason }] }
  }
  // A request that is sent under the number of one in flight takes its place.
  const room = lose(extended.success, of)
  const after = Ledger.send(room.ledger, of.reservation, bound, of.request)
  const grown = extended.success.reservations.get(of.reservation)?.bound ?? before.bound
  const sent = after.reservations.get(of.reservation)?.open.get(of.request)?.bound ?? bound
  return {
    value: Result.void,
    ledger: after,
    events: [
      ...extensions(before.bound, grown, of),
      ...room.events,
      { _tag: "Sent", ...of, bound: sent },
      ...overruns(room.ledger, after, of)
    ]
  }
}

/** Records what a request in flight was charged, with the service's figures, and gives what no request of the ledger explains of them. */
export const charge = (
  ledger: Ledger.Ledger,
  of: OfRequest,
  { computed, credits, reported, uncertain = 0 }: Charge,
  figures: Ledger.Figures | undefined
): Step<number> => {
  if (!Ledger.isCharge(credits)) return { ...lose(ledger, of, figures), value: 0 }
  const options = { request: of.request, uncertain, figures }
  const after = Ledger.charge(ledger, of.reservation, credits, options)
  if (after === ledger) return { ...nothing(ledger), value: 0 }
  const besides = uncertainOf(after, of) - uncertainOf(ledger, of)
  const charged = usedBy(after, of) - usedBy(ledger, of) - besides
  return {
    value: Ledger.unexplained(ledger, of.reservation, credits, options),
    ledger: after,
    events: [
      ...renewals(ledger, after),
      { _tag: "Charged", ...of, credits: charged, uncertain: besides, reported, computed },
      ...overruns(ledger, after, of),
      ...reconciliations(ledger, after, of)
    ]
  }
}

/** Records that a request in flight may have been charged, with the service's figures where there are any all the same. */
export const lose = (ledger: Ledger.Ledger, of: OfRequest, figures?: Ledger.Figures): Step<void> => {
  const lost = Ledger.lose(ledger, of.reservation, of.request)
  if (lost === ledger) return nothing(ledger)
  const after = figures === undefined ? lost : Ledger.observe(lost, figures)
  return {
    value: undefined,
    ledger: after,
    events: [
      { _tag: "Lost", ...of, credits: usedBy(lost, of) - usedBy(ledger, of) },
      ...renewals(lost, after),
      ...reconciliations(lost, after, of)
    ]
  }
}

/** Closes a reservation: requests in flight count as lost, and the rest is free again. */
export const settle = (ledger: Ledger.Ledger, of: OfReservation): Step<void> => {
  const open = ledger.reservations.get(of.reservation)?.open.keys() ?? []
  const lost = [...open].reduce((step, request) => {
    const next = lose(step.ledger, { ...of, request })
    return { ...next, events: [...step.events, ...next.events] }
  }, nothing(ledger))
  const reservation = lost.ledger.reservations.get(of.reservation)
  if (reservation === undefined) return lost
  const { bound, used } = reservation
  return {
    value: undefined,
    ledger: Ledger.settle(lost.ledger, of.reservation),
    events: [...lost.events, { _tag: "Settled", ...of, used, released: Math.max(0, bound - used) }]
  }
}
