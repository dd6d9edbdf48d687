import * as Ledger from "@effect-marketdata/core/Ledger"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Event } from "./ledgerEvents.ts"
import * as History from "./ledgerHistory.ts"
import * as LedgerStore from "./LedgerStore.ts"

/** How many events a history has if no length is given. */
const defaultHistory = 1000

/** Keeps a ledger in memory: a step is one synchronous function, so that nothing comes between what it reads, writes and tells. */
export const make = (
  open: (now: number) => Ledger.Ledger,
  length = defaultHistory
): Effect.Effect<LedgerStore.LedgerStore> =>
  Effect.map(Clock.currentTimeMillis, (millis) => {
    let current = open(millis / 1000)
    const history = History.make<Event>(length)
    const take = <A>(step: (ledger: Ledger.Ledger, now: number) => LedgerStore.Step<A>): Effect.Effect<A> =>
      Effect.clockWith((clock) => {
        const { events, ledger, value } = step(current, clock.currentTimeMillisUnsafe() / 1000)
        current = ledger
        if (events.length > 0) history.append(LedgerStore.events(ledger, events, history.count() + 1))
        return Effect.succeed(value)
      })
    return {
      take,
      record: (step) => take((ledger, now) => step(ledger, now, false)),
      history: history.values,
      readings: history.readings
    }
  })
