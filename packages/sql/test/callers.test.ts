import * as SqlLedger from "@effect-marketdata/sql/SqlLedger"
import { describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { type Kept, runAll, stages } from "../../client/test/support/thousandCallers.ts"
import { type Kind, kinds, soon } from "./support/databases.ts"

/** In a database of its own; virtual time goes on in steps, between which the database has time to answer. */
const keptIn = ({ make }: Kind): Kept => ({
  make: (allowance) =>
    Effect.gen(function*() {
      const { open } = yield* make
      const sql = Context.get(yield* Layer.build(open), SqlClient.SqlClient)
      const ledger = yield* SqlLedger.make({ account: "main", allowance }).pipe(
        Effect.provideService(SqlClient.SqlClient, sql)
      )
      const events = Stream.runCollect(Stream.map(SqlLedger.history(), ({ event }) => event)).pipe(
        Effect.provideService(SqlClient.SqlClient, sql),
        Effect.orDie
      )
      return { ledger, events }
    }).pipe(Effect.orDie),
  isInstant: false,
  adjust: (time) => {
    const steps = 10
    const step = Duration.millis(Duration.toMillis(time) / steps)
    return Effect.forEach(Array.from({ length: steps }), () => Effect.andThen(TestClock.adjust(step), soon), {
      discard: true
    })
  }
})

for (const kind of kinds) {
  const isEmbedded = kind.name === "SQLite"
  const seeds = 2
  // A server is so slow beside virtual time that nobody waits for a reply when it is interrupted.
  const where = isEmbedded ? stages : (["reserved"] as const)
  describe(`SqlLedger on ${kind.name}`, () => {
    it.effect(
      `never admits more than the budget of a thousand callers: ${seeds} seeds`,
      () => runAll(keptIn(kind), seeds, where)
    )
  })
}
