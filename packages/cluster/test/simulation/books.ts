/** What the ledger in the database says of each query, when all programs have ended. */
import * as SqlLedger from "@effect-marketdata/sql/SqlLedger"
import * as Effect from "effect/Effect"
import type { Database } from "./database.ts"
import type { Host } from "./network.ts"
import * as Programs from "./programs.ts"

/** Takes a step in each ledger, which closes what others left behind, and reads it: by the first day of what was asked. */
export const read = (database: Database, host: Host) =>
  Effect.gen(function*() {
    for (const budget of [{}, { budget: Programs.thrifty }]) {
      const ledger = yield* SqlLedger.make({ ...Programs.ledgerOptions, ...budget })
      const reservation = yield* ledger.reserve(0)
      yield* reservation.settle
    }
    const rows = database.rows<{ readonly query: string; readonly charged: number; readonly uncertain: number }>(
      "SELECT query, SUM(credits) AS charged, SUM(uncertain) AS uncertain FROM marketdata_event WHERE query IS NOT NULL AND budget = '' GROUP BY query"
    )
    return new Map(rows.map(({ query, ...spent }) => [/\d{4}-\d\d-\d\d/.exec(query)?.[0] ?? query, spent]))
  }).pipe(Effect.provide(database.layer(host, "pg")), Effect.orDie)

/** How many reservations are open. */
export const open = (database: Database): number =>
  database.rows<{ readonly count: number }>("SELECT COUNT(*) AS count FROM marketdata_lease")[0]?.count ?? 0
