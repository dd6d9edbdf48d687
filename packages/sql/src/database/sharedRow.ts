/** What the programs of an account share in addition to ledgers: one text for each kind, which is read and written under a lock. */
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { type SqlError, UnknownError } from "effect/sql/SqlError"
import { failure } from "./DatabaseError.ts"
import * as Transaction from "./transaction.ts"

/** Which text of which account. */
export interface Place {
  readonly account: string
  readonly kind: "address" | "retries"
}

/** A text, and the time when it was read, in epoch seconds. */
export interface Present {
  readonly text: string
  readonly now: number
}

/** Inserts the row if it is missing, in a transaction of its own, so that others see it even while the caller is in a transaction. */
export const insert = (sql: SqlClient, { account, kind }: Place, text: string): Effect.Effect<void, SqlError> =>
  Effect.asVoid(
    Transaction.run(
      sql,
      sql`INSERT INTO marketdata_shared ${sql.insert({ account, kind, text })} ON CONFLICT DO NOTHING`
    )
  )

const missing = ({ account, kind }: Place) =>
  failure(UnknownError, "execute", `the row of ${kind} of the account "${account}" is no longer there`)

/** Reads the text without a lock, with the time of the database; undefined if nobody has written it. */
export const find = (sql: SqlClient, { account, kind }: Place): Effect.Effect<Present | undefined, SqlError> =>
  Effect.flatMap(Transaction.time(sql), (time) =>
    Effect.map(
      Transaction.inTime(
        sql,
        sql<Present>`SELECT text, ${time} AS now FROM marketdata_shared WHERE account = ${account} AND kind = ${kind}`
      ),
      ([row]) => row
    ))

/** Reads the text, and writes what a step makes of it, in one transaction. */
export const change = <A, E>(
  sql: SqlClient,
  place: Place,
  step: (present: Present) => Effect.Effect<{ readonly value: A; readonly text: string }, E>
): Effect.Effect<A, E | SqlError> =>
  Transaction.locking(
    sql,
    `marketdata.${place.kind}`,
    Effect.gen(function*() {
      const row = yield* Transaction.lock<{ readonly text: string }>(sql, {
        columns: sql`text`,
        table: sql`marketdata_shared`,
        where: sql`account = ${place.account} AND kind = ${place.kind}`
      })
      if (row === undefined) return yield* missing(place)
      const { text, value } = yield* step({ text: row.text, now: row.databaseTime })
      if (text !== row.text) {
        yield* sql`UPDATE marketdata_shared SET text = ${text}
          WHERE account = ${place.account} AND kind = ${place.kind}`
      }
      return value
    })
  )
