import * as Ledger from "@effect-marketdata/core/Ledger"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Event } from "./ledgerEvents.ts"
import * as History from "./ledgerHistory.ts"
import type * as Steps from "./ledgerSteps.ts"
import * as LedgerStore from "./LedgerStore.ts"

/** How many events a history has if no length is given. */
const defaultHistory = 1000

/** How many claims are remembered: those whose first request was sent last. */
const mostClaims = 10_000

/** Remembers what was sent first under the key of each claim. */
const makeClaims = () => {
  const claims = new Map<string, Steps.FirstSent>()
  return {
    first: (key: string | undefined) => key === undefined ? undefined : claims.get(key),
    add: (events: ReadonlyArray<Event>): void => {
      for (const event of events) {
        if (event._tag !== "Sent" || event.claim === undefined || claims.has(event.claim.key)) continue
        claims.set(event.claim.key, { run: event.claim.run, time: event.time })
        if (claims.size > mostClaims) claims.delete(claims.keys().next().value!)
      }
    }
  }
}

/** Keeps a ledger in memory: a step is one synchronous function, so that nothing comes between what it reads, writes and tells. */
export const make = (
  open: (now: number) => Ledger.Ledger,
  length = defaultHistory
): Effect.Effect<LedgerStore.LedgerStore> =>
  Effect.map(Clock.currentTimeMillis, (millis) => {
    let current = open(millis / 1000)
    const history = History.make<Event>(length)
    const claims = makeClaims()
    const take = <A>(
      step: (ledger: Ledger.Ledger, now: number, first: Steps.FirstSent | undefined) => LedgerStore.Step<A>,
      key?: string
    ): Effect.Effect<A> =>
      Effect.clockWith((clock) => {
        const taken = step(current, clock.currentTimeMillisUnsafe() / 1000, claims.first(key))
        current = taken.ledger
        if (taken.events.length > 0) {
          const events = LedgerStore.events(taken.ledger, taken.events, history.count() + 1)
          history.append(events)
          claims.add(events)
        }
        return Effect.succeed(taken.value)
      })
    return {
      take,
      record: (step) => take((ledger, now) => step(ledger, now, false)),
      history: history.values,
      readings: history.readings
    }
  })
