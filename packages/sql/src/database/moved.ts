/** What moves from one place to another when the schema changes, and cannot be moved by a statement. */
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

interface Row {
  readonly account: string
  readonly budget: string
  readonly head: string
}

/** What can be read of a ledger as it was: a text that cannot be read is left for the program that opens the ledger. */
const read = (text: string): { readonly reservations?: unknown } | undefined => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** How many rows are written with one statement. */
const most = 500

/** Moves the reservations of ledgers, which were a part of the text of each, to the rows of their leases. One without a lease was left behind. */
export const reservations = Effect.fnUntraced(function*(sql: SqlClient): Effect.fn.Return<void, SqlError> {
  for (const { account, budget, head } of yield* sql<Row>`SELECT account, budget, head FROM marketdata_ledger`) {
    const { reservations, ...rest } = read(head) ?? {}
    if (!Array.isArray(reservations)) continue
    const rows = reservations.map(([reservation, ...state]) => ({
      account,
      budget,
      reservation,
      owner: "",
      asked_by: "",
      expires: 0,
      state: JSON.stringify(state)
    }))
    for (let from = 0; from < rows.length; from += most) {
      yield* sql`INSERT INTO marketdata_lease ${sql.insert(rows.slice(from, from + most) as never)}
        ON CONFLICT (account, budget, reservation) DO UPDATE SET state = excluded.state`
    }
    yield* sql`UPDATE marketdata_ledger SET head = ${
      JSON.stringify(rest)
    } WHERE account = ${account} AND budget = ${budget}`
  }
  yield* sql`DELETE FROM marketdata_lease WHERE state IS NULL`
})
