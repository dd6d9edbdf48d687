import type * as CreditLedger from "@effect-marketdata/client/CreditLedger"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import * as Stream from "effect/Stream"
import { DatabaseError, Unusable } from "../database/DatabaseError.ts"
import { fromSql } from "../database/failed.ts"
import { migrate } from "../database/migrations.ts"
import * as EventRow from "./eventRow.ts"
import * as Settings from "./settings.ts"

/**
 * An event in the history of a database: of which ledger, and by whom.
 *
 * @category models
 * @since 0.1.0
 */
export interface Entry {
  readonly account: string
  readonly budget: string | undefined
  readonly askedBy: string
  readonly event: CreditLedger.Event
}

/**
 * What one program spent on one query.
 *
 * - `asked`: the query in words; undefined if the ledger was not told it
 * - `requests`: how many of its requests were charged or lost
 * - `credits`: what they were charged; `uncertain` is what they may have been charged in addition, at most
 * - `first`, `last`: when the first and the last of these requests was recorded, in epoch seconds
 *
 * @category models
 * @since 0.1.0
 */
export interface Spending {
  readonly account: string
  readonly budget: string | undefined
  readonly askedBy: string
  readonly asked: string | undefined
  readonly requests: number
  readonly credits: number
  readonly uncertain: number
  readonly first: number
  readonly last: number
}

const conditions = (
  sql: SqlClient.SqlClient,
  { account, askedBy, budget, since, until }: Settings.Filter
): ReadonlyArray<Fragment> => [
  ...account === undefined ? [] : [sql`account = ${account}`],
  ...budget === undefined ? [] : [sql`budget = ${budget}`],
  ...askedBy === undefined ? [] : [sql`asked_by = ${askedBy}`],
  ...since === undefined ? [] : [sql`time >= ${since}`],
  ...until === undefined ? [] : [sql`time < ${until}`]
]

/** Opens the database as every ledger does, and checks the filter. */
const prepared = (filter: Settings.Filter): Effect.Effect<
  { readonly sql: SqlClient.SqlClient; readonly where: ReadonlyArray<Fragment> },
  DatabaseError,
  SqlClient.SqlClient
> =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const checked = yield* Settings.ofFilter(filter)
    yield* migrate
    return { sql, where: conditions(sql, checked) }
  })

const orFail = Effect.mapError((error: SqlError) => fromSql(error))

interface Row {
  readonly account: string
  readonly budget: string
  readonly asked_by: string
  readonly number: unknown
  readonly time: number
  readonly query: string | null
  readonly event: string
}

const entry = (row: Row): Effect.Effect<Entry, DatabaseError> =>
  Effect.mapBoth(EventRow.read(row), {
    onSuccess: (event) => ({
      account: row.account,
      budget: row.budget === "" ? undefined : row.budget,
      askedBy: row.asked_by,
      event
    }),
    onFailure: ({ message }) =>
      new DatabaseError({ reason: new Unusable({ detail: `event ${String(row.number)} cannot be read: ${message}` }) })
  })

/** How many events are read at once. */
const page = 500

/** The events of a database in the order of their times. */
export const history = (filter: Settings.Filter): Stream.Stream<Entry, DatabaseError, SqlClient.SqlClient> =>
  Stream.unwrap(
    Effect.map(prepared(filter), ({ sql, where }) =>
      Stream.paginate(undefined as Row | undefined, (last) => {
        const next = last === undefined
          ? []
          : [sql`(time, account, budget, number) > (${last.time}, ${last.account}, ${last.budget}, ${last.number})`]
        const rows = sql<Row>`SELECT account, budget, asked_by, number, time, query, event FROM marketdata_event
        WHERE ${sql.and([...where, ...next])} ORDER BY time, account, budget, number LIMIT ${page}`
        return Effect.flatMap(orFail(rows), (rows) =>
          Effect.map(
            Effect.forEach(rows, entry),
            (entries) => [entries, rows.length < page ? Option.none() : Arr.last(rows)] as const
          ))
      }))
  )

/** What was spent on one query, as a database counts: some of them give large numbers as texts. */
interface Totals {
  readonly account: string
  readonly budget: string
  readonly asked_by: string
  readonly asked: string | null
  readonly requests: unknown
  readonly credits: unknown
  readonly uncertain: unknown
  readonly first: unknown
  readonly last: unknown
}

/** What was spent, by whom and on what, the most first. */
export const spending = (
  filter: Settings.Filter
): Effect.Effect<ReadonlyArray<Spending>, DatabaseError, SqlClient.SqlClient> =>
  Effect.flatMap(prepared(filter), ({ sql, where }) =>
    Effect.map(
      orFail(
        sql<Totals>`SELECT account, budget, asked_by, asked,
        COUNT(*) AS requests, SUM(credits) AS credits, SUM(uncertain) AS uncertain, MIN(time) AS first, MAX(time) AS last
        FROM marketdata_event WHERE ${sql.and([sql`kind IN ('Charged', 'Lost')`, ...where])}
        GROUP BY account, budget, asked_by, asked
        ORDER BY SUM(credits) + SUM(uncertain) DESC, account, budget, asked_by, asked`
      ),
      Arr.map((row): Spending => ({
        account: row.account,
        budget: row.budget === "" ? undefined : row.budget,
        askedBy: row.asked_by,
        asked: row.asked ?? undefined,
        requests: Number(row.requests),
        credits: Number(row.credits),
        uncertain: Number(row.uncertain),
        first: Number(row.first),
        last: Number(row.last)
      }))
    ))
