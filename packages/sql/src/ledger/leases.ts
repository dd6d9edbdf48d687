/**
 * Who holds which reservation, and until when. An owner renews its leases while it lives. A reservation whose lease is over belongs to a
 * process that is gone: the next step of anybody closes it. Times are the database's, see `Transaction.time`.
 */
import type * as CreditLedger from "@effect-marketdata/client/CreditLedger"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Statement } from "effect/sql/Statement"
import * as Transaction from "../database/transaction.ts"
import * as EventRow from "./eventRow.ts"

/** Which ledger of a database, and who uses it: an id that no other process has, and a name for people. */
export interface Owner {
  readonly account: string
  readonly budget: string
  readonly owner: string
  readonly askedBy: string
}

/** A reservation that somebody left behind. */
export interface Abandoned extends CreditLedger.OfReservation {
  readonly askedBy: string
}

/** The statements that keep the leases in step with what happened to reservations. */
export const follow = (
  sql: SqlClient,
  { account, askedBy, budget, owner }: Owner,
  events: ReadonlyArray<CreditLedger.Event>,
  expires: number
): ReadonlyArray<Statement<object>> =>
  events.flatMap((event) => {
    switch (event._tag) {
      case "Reserved": {
        const { reservation } = event
        const { query } = EventRow.writeQuery(event.query)
        const claim = EventRow.writeClaim(event.claim)
        return [
          sql`INSERT INTO marketdata_lease ${
            sql.insert({ account, budget, reservation, owner, asked_by: askedBy, query, ...claim, expires })
          }`
        ]
      }
      case "Settled":
        return [
          sql`DELETE FROM marketdata_lease
          WHERE account = ${account} AND budget = ${budget} AND reservation = ${event.reservation}`
        ]
      default:
        return []
    }
  })

/** Renews the leases of an owner for a number of seconds from now on. */
export const renew = (
  sql: SqlClient,
  { account, budget, owner }: Owner,
  seconds: number
): Effect.Effect<void, SqlError> =>
  Effect.flatMap(
    Transaction.time(sql),
    (time) =>
      Effect.asVoid(sql`UPDATE marketdata_lease SET expires = ${time} + ${seconds}
    WHERE account = ${account} AND budget = ${budget} AND owner = ${owner}`)
  )

interface Row extends EventRow.WrittenClaim {
  readonly reservation: unknown
  readonly asked_by: string
  readonly query: string | null
}

/** A query that cannot be read keeps no reservation open: it is for the history only. */
const abandoned = (row: Row): Effect.Effect<Abandoned> =>
  Effect.map(
    Effect.orElseSucceed(EventRow.readQuery(row.query), () => undefined),
    (query) => ({ reservation: Number(row.reservation), query, ...EventRow.readClaim(row), askedBy: row.asked_by })
  )

/** The reservations whose owners did not renew their leases. An owner that asks is alive, however late it is. */
export const expired = (
  sql: SqlClient,
  { account, budget, owner }: Owner,
  now: number
): Effect.Effect<ReadonlyArray<Abandoned>, SqlError> =>
  Effect.flatMap(
    sql<Row>`SELECT reservation, asked_by, query, claim, run FROM marketdata_lease
      WHERE account = ${account} AND budget = ${budget} AND expires <= ${now} AND owner <> ${owner}
      ORDER BY reservation`,
    (rows) => Effect.forEach(rows, abandoned)
  )

/** The reservations that an owner still holds. */
export const heldBy = (
  sql: SqlClient,
  { account, budget, owner }: Owner
): Effect.Effect<ReadonlyArray<Abandoned>, SqlError> =>
  Effect.flatMap(
    sql<Row>`SELECT reservation, asked_by, query, claim, run FROM marketdata_lease
      WHERE account = ${account} AND budget = ${budget} AND owner = ${owner} ORDER BY reservation`,
    (rows) => Effect.forEach(rows, abandoned)
  )
