/** What the programs of an account share besides its ledgers: for each kind of it one text, which is read and written under a lock. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { type SqlError, SqlError as SqlFailure, UnknownError } from "effect/sql/SqlError"
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

/** Makes the row where there is none. */
export const insert = (sql: SqlClient, { account, kind }: Place, text: string): Effect.Effect<void, SqlError> =>
  Effect.asVoid(sql`INSERT INTO marketdata_shared ${sql.insert({ account, kind, text })} ON CONFLICT DO NOTHING`)

const missing = ({ account, kind }: Place) =>
  new SqlFailure({
    reason: new UnknownError({
      message: `the row of ${kind} of the account "${account}" is no longer there`,
      operation: "execute",
      cause: undefined
    })
  })

/**
 * Reads the text with the time. Machines may have different clocks: the time is the server's, after it waited for the lock; a file has the one clock
 * of its machine.
 */
const select = (
  sql: SqlClient,
  { account, kind }: Place,
  lock: "FOR UPDATE" | ""
): Effect.Effect<Present | undefined, SqlError> =>
  Effect.map(
    sql.onDialectOrElse({
      pg: () =>
        sql<Present>`SELECT text, EXTRACT(EPOCH FROM clock_timestamp())::float8 AS now FROM (
          SELECT text FROM marketdata_shared WHERE account = ${account} AND kind = ${kind} ${
          sql.literal(lock)
        }) AS locked`,
      orElse: () =>
        Effect.zipWith(
          sql<
            { readonly text: string }
          >`SELECT text FROM marketdata_shared WHERE account = ${account} AND kind = ${kind}`,
          Clock.currentTimeMillis,
          (rows, millis): ReadonlyArray<Present> => rows.map(({ text }) => ({ text, now: millis / 1000 }))
        )
    }),
    ([row]) => row
  )

/** Reads the text and no more; undefined if nobody has written it. */
export const find = (sql: SqlClient, place: Place): Effect.Effect<Present | undefined, SqlError> =>
  select(sql, place, "")

/** Reads the text, and writes what a step makes of it, with nothing in between. */
export const change = <A, E>(
  sql: SqlClient,
  place: Place,
  step: (present: Present) => Effect.Effect<{ readonly value: A; readonly text: string }, E>
): Effect.Effect<A, E | SqlError> =>
  Transaction.run(
    sql,
    Effect.gen(function*() {
      const present = yield* select(sql, place, "FOR UPDATE")
      if (present === undefined) return yield* missing(place)
      const { text, value } = yield* step(present)
      if (text !== present.text) {
        yield* sql`UPDATE marketdata_shared SET text = ${text}
          WHERE account = ${place.account} AND kind = ${place.kind}`
      }
      return value
    })
  )
