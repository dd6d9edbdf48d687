/**
 * Removes events that are older than a ledger keeps them, and claims with them; each program does so. Their age is measured against the newest event that is
 * a day older than the latest one, and not by a clock, so that a clock that was ahead for a while removes nothing.
 */
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Clocks } from "../database/clocks.ts"
import type { Owner } from "../database/options.ts"
import * as Transaction from "../database/transaction.ts"
import * as EventRow from "./eventRow.ts"

/** How many of the oldest events are checked in one step, so that others do not wait long. */
const page = 500

/** How often a program looks for old events. */
const pause = "1 hour"

/** How much older than the latest event an event must be to tell the time, in seconds. */
const latest = 86_400

/** Removes events that are `keep` seconds older than that time, but none of an open reservation. Returns how many it removed. */
const step = Effect.fnUntraced(function*(
  sql: SqlClient,
  { account, budget }: Owner,
  keep: number,
  check: Clocks["check"]
): Effect.fn.Return<number, SqlError | Effect.Error<Clocks["check"]>> {
  const read = <A>(rows: Effect.Effect<A, SqlError>) => Transaction.inTime(sql, rows)
  const [told] = yield* read(sql<{ readonly time: number }>`SELECT time FROM marketdata_event
    WHERE account = ${account} AND budget = ${budget} AND time <= (SELECT time FROM marketdata_event
      WHERE account = ${account} AND budget = ${budget} ORDER BY number DESC LIMIT 1) - ${latest}
    ORDER BY time DESC LIMIT 1`)
  if (told === undefined) return 0
  const old = yield* read(sql<{ readonly number: unknown; readonly event: string }>`
    SELECT number, event FROM (
      SELECT number, time, event FROM marketdata_event WHERE account = ${account} AND budget = ${budget}
      ORDER BY number LIMIT ${page}) AS oldest
    WHERE time < ${told.time - keep} ORDER BY number`)
  if (old.length === 0) return 0
  const leases = yield* read(sql<{ readonly reservation: unknown }>`SELECT reservation FROM marketdata_lease
    WHERE account = ${account} AND budget = ${budget}`)
  const open = new Set(leases.map(({ reservation }) => Number(reservation)))
  const numbers = old.flatMap(({ event, number }) =>
    open.has(Number(EventRow.reservationOf(event))) ? [] : Number(number)
  )
  if (numbers.length === 0) return 0
  yield* Transaction.run(
    sql,
    Effect.andThen(
      check,
      sql`DELETE FROM marketdata_event WHERE account = ${account} AND budget = ${budget} AND ${
        sql.in("number", numbers)
      }`
    )
  )
  return numbers.length
})

/**
 * Removes old events at once and then every hour. If they cannot be removed, or if `check` finds that clocks differ, they are removed another time.
 */
export const forever = (sql: SqlClient, owner: Owner, keep: number, check: Clocks["check"]): Effect.Effect<void> => {
  const once: Effect.Effect<void, Effect.Error<ReturnType<typeof step>>> = Effect.flatMap(
    step(sql, owner, keep, check),
    (removed) => removed === 0 ? Effect.void : once
  )
  const quietly = Effect.catch(once, (error) => Effect.logDebug("old events could not be removed", error.message))
  return keep === Infinity ? Effect.void : Effect.forever(Effect.andThen(quietly, Effect.sleep(pause)))
}
