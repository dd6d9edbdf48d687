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
import * as Transaction from "../database/transaction.ts"
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
): Where => ({
  // By these an index finds events; the others are looked at one by one.
  found: [
    ...account === undefined ? [] : [sql`account = ${account}`],
    ...since === undefined ? [] : [sql`time >= ${since}`],
    ...until === undefined ? [] : [sql`time < ${until}`]
  ],
  kept: [
    ...budget === undefined ? [] : [sql`budget = ${budget}`],
    ...askedBy === undefined ? [] : [sql`asked_by = ${askedBy}`]
  ]
})

interface Where {
  readonly found: ReadonlyArray<Fragment>
  readonly kept: ReadonlyArray<Fragment>
}

/** Opens the database as every ledger does, and checks the filter. */
const prepared = (filter: Settings.Filter): Effect.Effect<
  { readonly sql: SqlClient.SqlClient; readonly where: Where },
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

interface Row extends EventRow.Row {
  readonly account: string
  readonly budget: string
  readonly asked_by: string
}

const read = (row: EventRow.Row): Effect.Effect<CreditLedger.Event, DatabaseError> =>
  Effect.mapError(
    EventRow.read(row),
    ({ message }) =>
      new DatabaseError({ reason: new Unusable({ detail: `event ${String(row.number)} cannot be read: ${message}` }) })
  )

const entry = (row: Row): Effect.Effect<Entry, DatabaseError> =>
  Effect.map(read(row), (event) => ({
    account: row.account,
    budget: row.budget === "" ? undefined : row.budget,
    askedBy: row.asked_by,
    event
  }))

/** How many events are looked at with one statement: the rest of the program waits for no more of them. */
const page = 500

/** Where an event is in the order of a database. */
interface Place {
  readonly time: number
  readonly account: string
  readonly budget: string
  readonly number: unknown
}

/**
 * What `read` makes of the events that conditions find, a page after the other in the order of their times. A page has as many events as are looked at, and
 * not as are wanted: where few of many are, nobody waits for a statement that looks for them.
 */
const paged = <A>(
  sql: SqlClient.SqlClient,
  { found, kept }: Where,
  size: number,
  read: (events: Fragment) => Effect.Effect<ReadonlyArray<A>, DatabaseError>
): Stream.Stream<A, DatabaseError> =>
  Stream.paginate(undefined as Place | undefined, (last) => {
    const of = (place: Place) => sql`(${place.time}, ${place.account}, ${place.budget}, ${place.number})`
    const order = sql.literal("(time, account, budget, number)")
    const rest = last === undefined ? found : [...found, sql`${order} > ${of(last)}`]
    const inOrder = sql`FROM marketdata_event WHERE ${sql.and(rest)} ORDER BY time, account, budget, number`
    const end = sql<Place>`SELECT time, account, budget, number ${inOrder} LIMIT 1 OFFSET ${size - 1}`
    return Effect.gen(function*() {
      const [next] = yield* orFail(Transaction.inTime(sql, end))
      const values = yield* read(sql`(SELECT * ${inOrder} LIMIT ${size}) AS page WHERE ${sql.and(kept)}`)
      yield* Effect.yieldNow
      return [values, next === undefined ? Option.none() : Option.some(next)] as const
    })
  })

/** The events of a database in the order of their times. */
export const history = (filter: Settings.Filter): Stream.Stream<Entry, DatabaseError, SqlClient.SqlClient> =>
  Stream.unwrap(
    Effect.map(prepared(filter), ({ sql, where }) =>
      paged(sql, where, page, (events) => {
        const rows = sql<Row>`SELECT account, budget, asked_by, ${sql.literal(EventRow.columns)} 
          FROM ${events} ORDER BY time, account, budget, number`
        return Effect.flatMap(orFail(Transaction.inTime(sql, rows)), Effect.forEach(entry))
      }))
  )

/**
 * What became of a call with a claim, see the client's `Claim`.
 *
 * - `run`: which run of the call was sent; `since` is when its first request was sent, in epoch seconds
 * - `state`: `"sent"` while the run may still be answered; `"uncertain"` if it is over, and nobody can tell what all of its requests were
 *   charged; `"charged"` if what each of them was charged is known
 * - `requests`: how many requests were sent
 * - `credits`: what they were charged; `uncertain` is what they may have been charged in addition, at most
 *
 * @category models
 * @since 0.1.0
 */
export interface Claimed {
  readonly key: string
  readonly run: string
  readonly since: number
  readonly state: "sent" | "uncertain" | "charged"
  readonly requests: number
  readonly credits: number
  readonly uncertain: number
}

/** What became of the requests of one run, from its events in order; `holds` says whether a lease of the run is not over. */
const outcome = (events: ReadonlyArray<CreditLedger.Event>, holds: boolean): Omit<Claimed, "key" | "run" | "since"> => {
  const open = new Map<string, number>()
  let [requests, credits, uncertain, isLost] = [0, 0, 0, false]
  for (const event of events) {
    if (event._tag !== "Sent" && event._tag !== "Charged" && event._tag !== "Lost") continue
    const name = `${event.reservation} ${event.request}`
    if (event._tag === "Sent") {
      requests++
      open.set(name, event.bound)
      continue
    }
    open.delete(name)
    const besides = event._tag === "Lost" ? event.credits : event.uncertain
    credits += event._tag === "Lost" ? 0 : event.credits
    uncertain += besides
    isLost ||= event._tag === "Lost" || besides > 0
  }
  for (const bound of open.values()) uncertain += bound
  const state = open.size > 0 && holds ? "sent" : open.size > 0 || isLost ? "uncertain" : "charged"
  return { state, requests, credits, uncertain }
}

/** What became of a claim; undefined if nothing was sent under its key. */
export const claimed = (
  named: Settings.NamedClaim
): Effect.Effect<Claimed | undefined, DatabaseError, SqlClient.SqlClient> =>
  Effect.gen(function*() {
    const { account, budget, key } = yield* Settings.ofClaim(named)
    const { sql } = yield* prepared({})
    const time = yield* Transaction.time(sql)
    // One statement, so that no step comes between the events and the lease.
    const rows = yield* orFail(
      Transaction.inTime(
        sql,
        sql<EventRow.Row & { readonly run: string; readonly remaining: number | null }>`
      SELECT ${sql.literal(EventRow.columns)}, (SELECT MAX(expires) - ${time} FROM marketdata_lease l
        WHERE l.account = e.account AND l.budget = e.budget AND l.claim = e.claim AND l.run = e.run) AS remaining
      FROM marketdata_event e WHERE account = ${account} AND budget = ${budget} AND claim = ${key}
      ORDER BY number`
      )
    )
    const events = yield* Effect.forEach(rows, read)
    const [first] = events.filter(({ _tag }) => _tag === "Sent")
    const run = rows.find(({ number }) => Number(number) === first?.number)?.run
    if (first === undefined || run === undefined) return undefined
    // Other runs of the same call reserve before they learn that it was sent.
    const ofRun = events.filter((_, index) => rows[index]!.run === run)
    const remaining = rows.find((row) => row.run === run)?.remaining ?? 0
    return { key, run, since: first.time, ...outcome(ofRun, remaining > 0) }
  })

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

const spentOn = (row: Totals): Spending => ({
  account: row.account,
  budget: row.budget === "" ? undefined : row.budget,
  askedBy: row.asked_by,
  asked: row.asked ?? undefined,
  requests: Number(row.requests),
  credits: Number(row.credits),
  uncertain: Number(row.uncertain),
  first: Number(row.first),
  last: Number(row.last)
})

/** How many events are added up with one statement. */
const pageOfSums = 1000

/** What was spent, by whom and on what, the most first. The database adds up a page of events at a time. */
export const spending = (
  filter: Settings.Filter
): Effect.Effect<ReadonlyArray<Spending>, DatabaseError, SqlClient.SqlClient> =>
  Effect.gen(function*() {
    const { sql, where } = yield* prepared(filter)
    const pages = paged(sql, where, pageOfSums, (events) => {
      const rows = sql<Totals>`SELECT account, budget, asked_by, asked,
        COUNT(*) AS requests, SUM(credits) AS credits, SUM(uncertain) AS uncertain, MIN(time) AS first, MAX(time) AS last
        FROM ${events} AND kind IN ('Charged', 'Lost') GROUP BY account, budget, asked_by, asked`
      return Effect.map(orFail(Transaction.inTime(sql, rows)), Arr.map(spentOn))
    })
    const sums = new Map<string, Spending>()
    yield* Stream.runForEach(pages, (more) =>
      Effect.sync(() => {
        const key = JSON.stringify([more.account, more.budget, more.askedBy, more.asked])
        const sum = sums.get(key)
        sums.set(
          key,
          sum === undefined ? more : {
            ...sum,
            requests: sum.requests + more.requests,
            credits: sum.credits + more.credits,
            uncertain: sum.uncertain + more.uncertain,
            last: more.last
          }
        )
      }))
    const most = ({ credits, uncertain }: Spending): number => credits + uncertain
    return [...sums].toSorted(([key, one], [other, than]) => most(than) - most(one) || (key < other ? -1 : 1)).map((
      [, sum]
    ) => sum)
  })
