/** Events that are older than a ledger keeps them are removed by the programs themselves, and claims with them. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Transaction from "../database/transaction.ts"
import type { Owner } from "./leases.ts"

/** How many of the oldest events are looked at in one step: nobody waits long for it. */
const page = 500

/** How often a program looks for old events. */
const pause = "1 hour"

/** What an event says of its reservation; a text that cannot be read says nothing. */
const reservationOf = (event: string): unknown => {
  try {
    return JSON.parse(event).reservation
  } catch {
    return undefined
  }
}

/** Removes events from before a time, but none of a reservation that is open; gives how many. */
const step = Effect.fnUntraced(function*(
  sql: SqlClient,
  { account, budget }: Owner,
  before: number
): Effect.fn.Return<number, SqlError> {
  const old = yield* sql<{ readonly number: unknown; readonly event: string }>`
    SELECT number, event FROM (
      SELECT number, time, event FROM marketdata_event WHERE account = ${account} AND budget = ${budget}
      ORDER BY number LIMIT ${page}) AS oldest
    WHERE time < ${before} ORDER BY number`
  if (old.length === 0) return 0
  const leases = yield* sql<{ readonly reservation: unknown }>`SELECT reservation FROM marketdata_lease
    WHERE account = ${account} AND budget = ${budget}`
  const open = new Set(leases.map(({ reservation }) => Number(reservation)))
  const numbers = old.filter(({ event }) => !open.has(Number(reservationOf(event)))).map(({ number }) => Number(number))
  if (numbers.length === 0) return 0
  yield* Transaction.run(
    sql,
    sql`DELETE FROM marketdata_event WHERE account = ${account} AND budget = ${budget} AND ${sql.in("number", numbers)}`
  )
  return numbers.length
})

/** Removes what is older than `keep` seconds now, and from time to time while a scope is open. What cannot be removed now is removed another time. */
export const forever = (sql: SqlClient, owner: Owner, keep: number): Effect.Effect<void> => {
  const once: Effect.Effect<void, SqlError> = Effect.flatMap(
    Clock.currentTimeMillis,
    (millis) => step(sql, owner, millis / 1000 - keep)
  ).pipe(
    Effect.flatMap((removed) => removed === 0 ? Effect.void : once)
  )
  const quietly = Effect.catch(once, (error) => Effect.logDebug("old events could not be removed", error.message))
  return keep === Infinity ? Effect.void : Effect.forever(Effect.andThen(quietly, Effect.sleep(pause)))
}
