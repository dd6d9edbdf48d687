import type * as Answer from "@effect-marketdata/core/Answer"
import * as Query from "@effect-marketdata/core/Query"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { Budget } from "../account/CreditLedger.ts"
import { CacheFallback } from "../policy/CacheFallback.ts"
import type { MarketDataError } from "../error/MarketDataError.ts"
import * as Policies from "../policy/Policies.ts"
import { type Flight, type Flights, policiesOf } from "./asking.ts"

type Asked<Data> = Effect.Effect<Answer.Answer<Data>, MarketDataError, CacheFallback>

/**
 * Lets queries that ask the same on the same terms share one call, where the policy says so, or a kept reply would answer the second one. The call belongs to none of them: it goes on
 * as long as one waits for it, and when the last one leaves it is interrupted, and its ledgers are settled.
 */
export const coalesce = <Data>(
  flights: Flights,
  query: Query.Query<Data>,
  isKept: boolean,
  ask: Asked<Data>
): Asked<Data> =>
  Effect.withFiber((fiber) =>
    isKept || fiber.getRef(Policies.Coalesce)
      ? Effect.uninterruptibleMask((restore) => share(restore, flights, query, ask))
      : ask
  )

/** Joins the call that is under way, or begins it. */
const share = Effect.fnUntraced(function*<Data>(
  restore: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>,
  flights: Flights,
  query: Query.Query<Data>,
  ask: Asked<Data>
) {
  const terms = termsOf(yield* Effect.context<CacheFallback>())
  const key = keyOf(query)
  const present = flights.get(key)
  if (present !== undefined && !isSame(present.terms, terms)) return yield* restore(ask)
  const flight = present ?? { terms, fiber: yield* Effect.forkDetach(ask), waiting: 0 }
  flights.set(key, flight)
  flight.waiting++
  const answer = yield* Effect.onExit(restore(Fiber.join(flight.fiber)), () => leave(flights, key, flight))
  // What asks the same, down to its columns, is answered with the same data.
  return answer as Answer.Answer<Data>
})

/** One waits less; nobody joins a call that is over, or that nobody waits for. */
const leave = (flights: Flights, key: string, flight: Flight): Effect.Effect<void> =>
  Effect.suspend(() => {
    flight.waiting--
    const isOver = flight.fiber.pollUnsafe() !== undefined
    if ((isOver || flight.waiting === 0) && flights.get(key) === flight) flights.delete(key)
    return flight.waiting === 0 ? Fiber.interrupt(flight.fiber) : Effect.void
  })

/** All that is asked: the target does not tell a mode of ours from the service's, nor what is assumed. */
const keyOf = (query: Query.Query): string =>
  JSON.stringify([Query.target(query), query.mode?._tag ?? null, query.assume])

/** All that decides how it is asked, besides the client. A claim does not: who joins a call sends nothing, and claims nothing. */
export const termsOf = (context: Context.Context<never>): ReadonlyArray<unknown> => {
  const { claim: _, ...terms } = policiesOf(context)
  return [...Object.values(terms), Context.get(context, Budget), Context.getOrUndefined(context, CacheFallback)]
}

const isSame = (one: ReadonlyArray<unknown>, other: ReadonlyArray<unknown>): boolean =>
  one.every((term, index) => Object.is(term, other[index]))
