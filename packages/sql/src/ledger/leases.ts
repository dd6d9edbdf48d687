/**
 * The leases of reservations: who holds which, and until when. A process renews its leases as long as it runs. If a lease has expired, its process is gone,
 * and the next step of any process closes the reservation. Times are the database's, see `Transaction.time`.
 */
import type * as CreditLedger from "@effect-marketdata/client/CreditLedger"
import type * as Ledger from "@effect-marketdata/core/Ledger"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment, Statement } from "effect/sql/Statement"
import type { Owner } from "../database/options.ts"
import * as Transaction from "../database/transaction.ts"
import * as EventRow from "./eventRow.ts"
import * as State from "./ledgerState.ts"

/** A reservation whose process is gone. */
export interface Abandoned extends CreditLedger.OfReservation {
  readonly askedBy: string
}

/** The statements that update the rows of reservations after a step. */
export const follow = (
  sql: SqlClient,
  { account, askedBy, budget, owner }: Owner,
  events: ReadonlyArray<CreditLedger.Event>,
  { reservations }: Ledger.Ledger,
  expires: number
): ReadonlyArray<Statement<object>> => {
  const rows = new Map<number, Record<string, unknown>>()
  const closed = new Set<number>()
  for (const event of events) {
    if (!("reservation" in event) || event.reservation === undefined) continue
    const id = event.reservation
    const reservation = reservations.get(id)
    if (reservation === undefined) {
      closed.add(id)
    } else if (!rows.has(id) && event._tag !== "Refused") {
      const { query } = EventRow.writeQuery(event.query)
      const state = State.encodeReservation(reservation)
      const claim = EventRow.writeClaim(event.claim)
      rows.set(id, { account, budget, reservation: id, owner, asked_by: askedBy, query, ...claim, expires, state })
    }
  }
  const [first, ...others] = rows.values()
  const changes = first === undefined ? [] : [
    sql`INSERT INTO marketdata_lease ${sql.insert([first, ...others])}
      ON CONFLICT (account, budget, reservation) DO UPDATE SET state = excluded.state`
  ]
  return closed.size === 0 ? changes : [
    ...changes,
    sql`DELETE FROM marketdata_lease WHERE account = ${account} AND budget = ${budget} AND ${
      sql.in("reservation", [...closed])
    }`
  ]
}

/** How many rows are written with one statement, so that others do not wait long. */
const page = 500

/** Renews the leases of an owner for a number of seconds from now on, each page of them within `within`. */
export const renew = Effect.fnUntraced(function*<E>(
  sql: SqlClient,
  { account, budget, owner }: Owner,
  seconds: number,
  within: <A>(renewing: Effect.Effect<A, SqlError>) => Effect.Effect<A, E>
): Effect.fn.Return<void, E | SqlError> {
  const expires = (yield* Transaction.now(sql)) + seconds
  // Waiting for a row that a step has locked could deadlock with the step. Such a row is renewed the next time.
  const free = sql.literal(sql.onDialectOrElse({ sqlite: () => "", orElse: () => "FOR UPDATE SKIP LOCKED" }))
  const mine = sql`account = ${account} AND budget = ${budget} AND owner = ${owner} AND expires < ${expires}`
  for (let renewed = page; renewed === page;) {
    const rows = yield* within(
      sql`UPDATE marketdata_lease SET expires = ${expires} WHERE account = ${account} AND budget = ${budget} AND reservation IN
        (SELECT reservation FROM marketdata_lease WHERE ${mine} ORDER BY expires LIMIT ${page} ${free}) RETURNING reservation`
    )
    renewed = rows.length
    yield* Effect.yieldNow
  }
})

/** Shortens leases that end after `expires`: they were written while the clock was ahead. */
export const shorten = (sql: SqlClient, { account, budget }: Owner, expires: number): Effect.Effect<void, SqlError> =>
  Effect.asVoid(sql`UPDATE marketdata_lease SET expires = ${expires}
    WHERE account = ${account} AND budget = ${budget} AND expires > ${expires}`)

interface Row extends EventRow.WrittenClaim {
  readonly reservation: unknown
  readonly asked_by: string
  readonly query: string | null
}

/** Reads a row. A query that cannot be read is left out, because it is only needed for the history. */
const abandoned = (row: Row): Effect.Effect<Abandoned> =>
  Effect.map(
    Effect.orElseSucceed(EventRow.readQuery(row.query), () => undefined),
    (query) => ({ reservation: Number(row.reservation), query, ...EventRow.readClaim(row), askedBy: row.asked_by })
  )

/** The latest reservations that fulfil a condition, at most a page, in the order in which they were made. */
const some = (sql: SqlClient, where: Fragment): Effect.Effect<ReadonlyArray<Abandoned>, SqlError> =>
  Effect.flatMap(
    sql<Row>`SELECT reservation, asked_by, query, claim, run FROM marketdata_lease
      WHERE ${where} ORDER BY reservation DESC LIMIT ${page}`,
    (rows) => Effect.forEach(rows.toReversed(), abandoned)
  )

/** The expired reservations of other owners. The owner that asks is alive, however late it is. */
export const expired = (sql: SqlClient, { account, budget, owner }: Owner, now: number): ReturnType<typeof some> =>
  some(sql, sql`account = ${account} AND budget = ${budget} AND expires <= ${now} AND owner <> ${owner}`)

/** The numbers of all reservations that an owner holds. */
export const numbersOf = (
  sql: SqlClient,
  { account, budget, owner }: Owner
): Effect.Effect<ReadonlySet<number>, SqlError> =>
  Effect.map(
    sql<{ readonly reservation: unknown }>`SELECT reservation FROM marketdata_lease
      WHERE account = ${account} AND budget = ${budget} AND owner = ${owner}`,
    (rows) => new Set(rows.map(({ reservation }) => Number(reservation)))
  )

/** The reservations that an owner holds, at most a page. */
export const heldBy = (sql: SqlClient, { account, budget, owner }: Owner): ReturnType<typeof some> =>
  some(sql, sql`account = ${account} AND budget = ${budget} AND owner = ${owner}`)
