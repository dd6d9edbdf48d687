/** The events of a ledger: those of core's `Ledger`, with their query and their claim. */
import type * as Ledger from "@effect-marketdata/core/Ledger"
import type * as Query from "@effect-marketdata/core/Query"
import type * as Reason from "@effect-marketdata/core/Reason"
import type { Claim } from "../policy/Claim.ts"

/**
 * The charge of a request, in credits: what counts, what it may have been charged in addition, what the service reported, and what was
 * computed. A `Charge` of core's `Credits` is one.
 *
 * @category models
 * @since 0.1.0
 */
export interface Charge {
  readonly credits: number
  readonly uncertain?: number | undefined
  readonly reported?: number | undefined
  readonly computed?: number | undefined
}

/**
 * The number and the time of an event.
 *
 * - `number`: the events of a ledger count from 1; a gap means that the reader was too slow for the history
 * - `time`: when it happened, in epoch seconds; never earlier than the event before
 * - `available`: the credits that could still be reserved afterwards
 *
 * @category models
 * @since 0.1.0
 */
export interface Moment {
  readonly number: number
  readonly time: number
  readonly available: number
}

/**
 * What a reservation is for: its query if the caller of `reserve` named one, and its claim if the call has one.
 *
 * @category models
 * @since 0.1.0
 */
export interface Purpose {
  readonly query: Query.Query | undefined
  readonly claim?: Claim
}

/**
 * The reservation that an event is about, and what it is for.
 *
 * @category models
 * @since 0.1.0
 */
export interface OfReservation extends Purpose {
  readonly reservation: number
}

/**
 * Which request of a reservation an event is about: its number among those of the query.
 *
 * @category models
 * @since 0.1.0
 */
export interface OfRequest extends OfReservation {
  readonly request: number
}

/**
 * Why a request cannot be marked as sent.
 *
 * @category errors
 * @since 0.1.0
 */
export type SendFailure =
  | Reason.CreditBudgetExceeded
  | Reason.FallbackDeclined
  | Reason.LedgerUnavailable
  | Reason.GuardUnavailable
  | Reason.AlreadySent

/** The fields that an event has in core's ledger. */
type Told<Tag> = Extract<Ledger.Happening, { readonly _tag: Tag }>

/**
 * Credits were reserved for a query that may cost up to `bound`.
 *
 * @category models
 * @since 0.1.0
 */
export interface Reserved extends Told<"Reserved">, OfReservation {}

/**
 * A reservation grew by `credits` to `bound`, to make room for another attempt after a lost one.
 *
 * @category models
 * @since 0.1.0
 */
export interface Extended extends Told<"Extended">, OfReservation {}

/**
 * The allowance or the ceiling did not cover a query, or another attempt of a query with a reservation. Nothing was sent.
 *
 * @category models
 * @since 0.1.0
 */
export interface Refused extends Told<"Refused"> {
  readonly query: Query.Query | undefined
}

/**
 * A request is about to be sent that may cost up to `bound`.
 *
 * @category models
 * @since 0.1.0
 */
export interface Sent extends Told<"Sent">, OfRequest {}

/**
 * A request was charged `credits`: the service's figure if it reported one, otherwise the computed charge. Both are given, so that a
 * difference shows. `uncertain` is what it may have been charged in addition, if the reply does not tell.
 *
 * @category models
 * @since 0.1.0
 */
export interface Charged extends Told<"Charged">, OfRequest {
  readonly reported: number | undefined
  readonly computed: number | undefined
}

/**
 * A request may have been charged, which is not known. `credits`, the most it may have cost, count as spent.
 *
 * @category models
 * @since 0.1.0
 */
export interface Lost extends Told<"Lost">, OfRequest {}

/**
 * A request was charged more than its bound.
 *
 * @category models
 * @since 0.1.0
 */
export interface Overran extends Told<"Overran">, OfRequest {}

/**
 * The service's figures changed what is known of the account: what is left of its window, and until when. `elsewhere` are the credits of
 * the allowance that are gone by the figures, and that this ledger did not record.
 *
 * @category models
 * @since 0.1.0
 */
export interface Reconciled extends Told<"Reconciled">, OfRequest {}

/**
 * A reservation was closed: `used` credits were charged or are uncertain, and `released` credits are available again.
 *
 * @category models
 * @since 0.1.0
 */
export interface Settled extends Told<"Settled">, OfReservation {}

/**
 * A new window began, with the full allowance.
 *
 * @category models
 * @since 0.1.0
 */
export interface Renewed extends Told<"Renewed"> {}

/**
 * What can happen in a ledger.
 *
 * @category models
 * @since 0.1.0
 */
export type Happening =
  | Reserved
  | Extended
  | Refused
  | Sent
  | Charged
  | Lost
  | Overran
  | Reconciled
  | Settled
  | Renewed

/**
 * What happened in a ledger, and when.
 *
 * @category models
 * @since 0.1.0
 */
export type Event = Moment & Happening
