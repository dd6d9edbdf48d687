/**
 * The book of credits as a service: questions reserve their bound before they are sent, and settle by what happened. The rules are
 * those of core's `Ledger`; this module only keeps the book where many fibers can use it.
 *
 * @example
 * ```ts
 * import * as CreditLedger from "@effect-marketdata/client/CreditLedger"
 * import * as Effect from "effect/Effect"
 *
 * const left = Effect.gen(function*() {
 *   const ledger = yield* CreditLedger.CreditLedger
 *   return (yield* ledger.balance).available
 * }).pipe(Effect.provide(CreditLedger.layerMemory({ allowance: 10_000 })))
 *
 * Effect.runSync(left) // => 10_000
 * ```
 *
 * @since 0.1.0
 */
import * as Ledger from "@effect-marketdata/core/Ledger"
import type { CreditBudgetExceeded } from "@effect-marketdata/core/Reason"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import * as Result from "effect/Result"

/**
 * What a question does with its reservation. All amounts are credits. Requests of one question that are in flight together have numbers of
 * their own.
 *
 * @category models
 * @since 0.1.0
 */
export interface Reservation {
  /** Marks a request as sent that may cost up to `bound`; makes room for it where an earlier one was lost. */
  readonly send: (bound: number, request: number) => Effect.Effect<void, CreditBudgetExceeded>
  /** Records what a request in flight was charged, and where the account stands by the service's figures. */
  readonly charge: (credits: number, request: number, figures?: Ledger.Figures) => Effect.Effect<void>
  /** Records that a request in flight may have been charged, and nobody can tell. */
  readonly lose: (request: number) => Effect.Effect<void>
  /** Closes the reservation; the rest is free again. */
  readonly settle: Effect.Effect<void>
}

/**
 * Where a budget stands. All amounts are credits; `allowance` and `available` are `Infinity` where no budget was set.
 *
 * @category models
 * @since 0.1.0
 */
export interface Balance {
  readonly allowance: number
  readonly available: number
  readonly charged: number
  readonly uncertain: number
  readonly reserved: number
  readonly overruns: ReadonlyArray<Ledger.Overrun>
}

/**
 * The book. `reserve` is one atomic step and never waits.
 *
 * @category services
 * @since 0.1.0
 */
export class CreditLedger extends Context.Service<CreditLedger, {
  readonly reserve: (bound: number) => Effect.Effect<Reservation, CreditBudgetExceeded>
  readonly balance: Effect.Effect<Balance>
}>()("@effect-marketdata/client/CreditLedger") {}

/**
 * Keeps a book in memory, with an allowance of credits or, without one, to count only.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeMemory = Effect.fnUntraced(function*(
  options: { readonly allowance?: number | undefined } = {}
): Effect.fn.Return<CreditLedger["Service"]> {
  const book = yield* Ref.make(Ledger.make(options.allowance))
  const attempt = <A>(
    step: (ledger: Ledger.Ledger) => Result.Result<readonly [A, Ledger.Ledger], CreditBudgetExceeded>
  ): Effect.Effect<A, CreditBudgetExceeded> =>
    Effect.flatMap(Clock.currentTimeMillis, (millis) =>
      Effect.flatMap(
        Ref.modify(book, (before) => {
          const ledger = Ledger.advance(before, millis / 1000)
          const stepped = step(ledger)
          const next = Result.isSuccess(stepped) ? stepped.success[1] : ledger
          return [Result.map(stepped, ([value]) => value), next] as const
        }),
        Effect.fromResult
      ))
  const update = (step: (ledger: Ledger.Ledger) => Ledger.Ledger): Effect.Effect<void> =>
    Effect.flatMap(
      Clock.currentTimeMillis,
      (millis) => Ref.update(book, (before) => step(Ledger.advance(before, millis / 1000)))
    )
  return {
    reserve: (bound) =>
      Effect.map(
        attempt((ledger) => Result.map(Ledger.reserve(ledger, bound), (reserved) => [reserved.id, reserved.ledger])),
        (id): Reservation => ({
          send: (bound, request) =>
            attempt((ledger) =>
              Result.map(
                Ledger.extend(ledger, id, bound),
                (extended) => [undefined, Ledger.send(extended, id, bound, request)]
              )
            ),
          charge: (credits, request, figures) =>
            update((ledger) => Ledger.charge(ledger, id, credits, { request, figures })),
          lose: (request) => update((ledger) => Ledger.lose(ledger, id, request)),
          settle: update((ledger) => Ledger.settle(ledger, id))
        })
      ),
    balance: Effect.map(Ref.get(book), (ledger) => {
      const available = Ledger.available(ledger)
      return {
        allowance: ledger.allowance,
        available,
        charged: ledger.charged,
        uncertain: ledger.uncertain,
        reserved: Ledger.reserved(ledger),
        overruns: ledger.overruns
      }
    })
  }
})

/**
 * A book in memory, with an allowance of credits or, without one, to count only.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerMemory = (
  options?: { readonly allowance?: number | undefined }
): Layer.Layer<CreditLedger> => Layer.effect(CreditLedger, makeMemory(options))
