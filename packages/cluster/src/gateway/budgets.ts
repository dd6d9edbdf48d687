/** What a caller may spend: each call is reserved in the caller's own ledger with all that it may cost, besides that of the account. */
import type { CreditLedger } from "@effect-marketdata/client/CreditLedger"
import * as Claim from "@effect-marketdata/client/Claim"
import { MarketDataError } from "@effect-marketdata/client/MarketDataError"
import * as Answer from "@effect-marketdata/core/Answer"
import * as Query from "@effect-marketdata/core/Query"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Terms from "../wire/terms.ts"

/** The ledgers of callers, by their names. */
export type Budgets = Readonly<Record<string, CreditLedger["Service"]>>

/** A call has one entry, however many requests it takes. */
const entry = 1

/** What a call has cost; undefined where nobody can tell, because it was interrupted. */
const costOf = (exit: Exit.Exit<Answer.Answer<unknown>, MarketDataError>): Answer.Spent | undefined =>
  Exit.match(exit, {
    onSuccess: ({ credits }) => credits,
    onFailure: () =>
      Option.getOrUndefined(Option.map(
        Exit.findErrorOption(exit),
        ({ reason, trace }) => reason._tag === "Incomplete" ? reason.answered.credits : Answer.spent(trace)
      ))
  })

/** Makes a call that is held to the budget of its caller, if that has one. */
export const within = (
  budget: CreditLedger["Service"] | undefined,
  { ceiling, query }: { readonly query: Query.Query; readonly ceiling: number | undefined }
) =>
<R>(call: Effect.Effect<Answer.Answer<unknown>, MarketDataError, R>): Effect.Effect<
  Answer.Answer<unknown>,
  MarketDataError,
  R
> => {
  if (budget === undefined) return call
  const bound = Terms.costOf(query, ceiling ?? 0).max
  // The claim is the account's: what runs again costs the caller nothing.
  const reserved = Effect.gen(function*() {
    const reservation = yield* budget.reserve(bound, query)
    yield* Effect.onError(reservation.send(bound, entry), () => reservation.settle)
    return reservation
  }).pipe(
    Effect.provideService(Claim.Current, undefined),
    Effect.mapError((reason) => new MarketDataError({ query: Query.format(query), reason, trace: [] }))
  )
  return Effect.acquireUseRelease(reserved, () => call, ({ charge, lose, settle }, exit) => {
    const cost = costOf(exit)
    const told = cost === undefined
      ? lose(entry)
      : charge({ credits: cost.charged, uncertain: cost.uncertain }, entry)
    return Effect.andThen(told, settle)
  })
}
