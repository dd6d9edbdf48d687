/** The reservations of a ledger, by the place where it is kept. */
import type * as Ledger from "@effect-marketdata/core/Ledger"
import type { GuardUnavailable } from "@effect-marketdata/core/Reason"
import * as Effect from "effect/Effect"
import type { Fence } from "./IpGuard.ts"
import type { Charge, OfReservation, Purpose } from "./ledgerSteps.ts"
import * as Steps from "./ledgerSteps.ts"
import type { LedgerStore } from "./LedgerStore.ts"

/**
 * The reservation of a query. All amounts are credits. Requests of one query that are in flight together need different numbers. Every
 * step is atomic, and in memory none of them waits. A step of a ledger in a database waits for the database; `send` fails with
 * `LedgerUnavailable` if the request cannot be written down before it is sent, and the other steps are written later.
 *
 * @category models
 * @since 0.1.0
 */
export interface Reservation {
  /**
   * Marks a request as sent that may cost up to `bound`; makes room for it where an earlier one was lost, up to what was consented to. Fails
   * with `AlreadySent` where another run of the same claim was sent, and with `GuardUnavailable` where the `fence` of the guard says that the
   * request may no longer be sent.
   */
  readonly send: (
    bound: number,
    request: number,
    fence?: Fence
  ) => Effect.Effect<void, Steps.SendFailure>
  /**
   * Records what a request in flight was charged, and where the account stands by the service's figures. Gives the credits that are gone by
   * them and that no request of this ledger explains: see core's `Ledger.unexplained`. `isLast` says that the query sends no more: then the step
   * may close the reservation too.
   */
  readonly charge: (
    charge: Charge,
    request: number,
    figures?: Ledger.Figures,
    isLast?: boolean
  ) => Effect.Effect<number>
  /** Records that a request in flight may have been charged, and nobody can tell; where the account stands may be known all the same. */
  readonly lose: (request: number, figures?: Ledger.Figures) => Effect.Effect<void>
  /** Closes the reservation; the rest is free again. Closing it twice changes nothing. */
  readonly settle: Effect.Effect<void>
}

/** The reservation that a ledger has made. */
export const made = (store: LedgerStore, of: OfReservation): Reservation => ({
  send: (bound, request, fence) =>
    Effect.flatMap(
      store.take(
        Steps.timed((ledger, first, refused?: GuardUnavailable) =>
          Steps.send(ledger, { ...of, request }, bound, first, refused)
        ),
        of.claim?.key,
        fence
      ),
      Effect.fromResult
    ),
  charge: (charge, request, figures, isLast) =>
    store.record(
      Steps.timed((ledger, isAgain) => {
        const ofRequest = { ...of, request }
        // A charge that was written already has closed its request.
        const charged = isAgain && !Steps.isOpen(ledger, ofRequest)
          ? { value: 0, ledger, events: [] }
          : Steps.charge(ledger, ofRequest, charge, figures)
        if (store.joins !== true || isLast !== true) return charged
        const settled = Steps.settle(charged.ledger, of)
        return { value: charged.value, ledger: settled.ledger, events: [...charged.events, ...settled.events] }
      }),
      0
    ),
  lose: (request, figures) =>
    store.record(Steps.timed((ledger) => Steps.lose(ledger, { ...of, request }, figures)), undefined),
  settle: store.record(Steps.timed((ledger) => Steps.settle(ledger, of)), undefined)
})
/** A reservation that is made with the first request that is marked. */
export const pending = (
  store: LedgerStore,
  bound: number,
  purpose: Purpose,
  ceiling: number | undefined
): Reservation => {
  let own: Reservation | undefined
  let isSettled = false
  return {
    send: (most, request, fence) =>
      own !== undefined ? own.send(most, request, fence) : Effect.flatMap(
        store.take(
          Steps.timed((ledger, first, refused?: GuardUnavailable) =>
            Steps.begin(ledger, { bound, ceiling, purpose }, { number: request, bound: most }, first, refused)
          ),
          purpose.claim?.key,
          fence
        ),
        ({ reservation, sent }) => {
          if (reservation !== undefined) own = made(store, { reservation, ...purpose })
          return Effect.fromResult(sent)
        }
      ),
    charge: (charge, request, figures, isLast) =>
      Effect.suspend(() => {
        isSettled ||= isLast === true
        return own === undefined ? Effect.succeed(0) : own.charge(charge, request, figures, isLast)
      }),
    lose: (request, figures) => Effect.suspend(() => own === undefined ? Effect.void : own.lose(request, figures)),
    settle: Effect.suspend(() => own === undefined || isSettled ? Effect.void : own.settle)
  }
}
