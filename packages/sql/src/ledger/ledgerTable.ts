/**
 * The rows of a ledger: read under a lock, and written with the events of a step. Only what other programs changed since the last step is read. Old events are
 * removed.
 */
import type * as CreditLedger from "@effect-marketdata/client/CreditLedger"
import type * as LedgerStore from "@effect-marketdata/client/LedgerStore"
import * as Ledger from "@effect-marketdata/core/Ledger"
import { LedgerUnavailable } from "@effect-marketdata/core/Reason"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Clocks } from "../database/clocks.ts"
import type { Owner } from "../database/options.ts"
import * as Transaction from "../database/transaction.ts"
import * as EventRow from "./eventRow.ts"
import * as Leases from "./leases.ts"
import * as State from "./ledgerState.ts"

/** A ledger as it was read: the text of its head, its value, and the number of its last event. */
export interface Stored {
  readonly head: string
  readonly ledger: Ledger.Ledger
  readonly count: number
}

/** The name of a ledger in messages. */
export const nameOf = ({ account, budget }: Owner): string =>
  budget === "" ? `the ledger "${account}"` : `the ledger "${account}" / "${budget}"`

/** Inserts the row of a ledger if it is missing. */
export const insert = (
  sql: SqlClient,
  { account, budget }: Owner,
  ledger: Ledger.Ledger
): Effect.Effect<void, SqlError> =>
  Effect.asVoid(
    sql`INSERT INTO marketdata_ledger ${
      sql.insert({ account, budget, head: State.encode(ledger), events: 0 })
    } ON CONFLICT DO NOTHING`
  )

/** A ledger as it was read. `isOther` says that it may not continue the one that was read before: a server that took over may have lost steps of it. */
interface Read extends Pick<Stored, "ledger"> {
  readonly isOther?: boolean
}

/** A locked ledger, the database's time in epoch seconds, and whether a lease of another program had expired when it was read. */
export interface Locked extends Stored, Read {
  readonly isOver: boolean
  readonly databaseTime: number
}

/** How many rows are read at once. */
const page = 500

/** After more events of other programs than this, all reservations are read again instead of the changed ones. */
const mostChanges = 500

type Reservations = Ledger.Ledger["reservations"]

const reading = (rows: Effect.Effect<ReadonlyArray<State.ReservationRow>, SqlError>) =>
  Effect.flatMap(rows, (rows) => Effect.fromResult(State.decodeReservations(rows)))

/** Reads all reservations, a page at a time, so that the rest of the program can run in between. */
const all = Effect.fnUntraced(function*(
  sql: SqlClient,
  { account, budget }: Owner
): Effect.fn.Return<Reservations, SqlError | string> {
  const reservations = new Map<number, Ledger.Reservation>()
  for (let last = -1, more = true; more;) {
    const found = yield* reading(sql`SELECT reservation, state FROM marketdata_lease
      WHERE account = ${account} AND budget = ${budget} AND reservation > ${last} ORDER BY reservation LIMIT ${page}`)
    for (const [id, reservation] of found) reservations.set(last = id, reservation)
    more = found.length === page
    if (more) yield* Effect.yieldNow
  }
  return reservations
})

/**
 * Reads the reservations that changed since `last`; undefined if there are too many events, if some were removed, or if the last event is another one
 * now: a server that took over may have lost it, and others have gone on without it.
 */
const changed = Effect.fnUntraced(function*(
  sql: SqlClient,
  { account, budget }: Owner,
  last: Stored,
  count: number
): Effect.fn.Return<Reservations | undefined, SqlError | string> {
  if (!(count > last.count && count - last.count <= mostChanges)) return undefined
  const events = yield* sql<{ readonly time: number; readonly event: string }>`SELECT time, event FROM marketdata_event
    WHERE account = ${account} AND budget = ${budget} AND number >= ${last.count} ORDER BY number`
  if (events.length <= count - last.count || events[0]?.time !== last.ledger.now) return undefined
  const ids = new Set(events.slice(1).flatMap(({ event }) => EventRow.reservationOf(event) ?? []))
  if (ids.size === 0) return last.ledger.reservations
  const found = new Map(
    yield* reading(sql`SELECT reservation, state FROM marketdata_lease
    WHERE account = ${account} AND budget = ${budget} AND ${sql.in("reservation", [...ids])}`)
  )
  return Array.from(ids).reduce((ledger, id) => Ledger.withReservation(ledger, id, found.get(id)), last.ledger)
    .reservations
})

const read = Effect.fnUntraced(function*(
  sql: SqlClient,
  owner: Owner,
  { count, head }: Pick<Stored, "count" | "head">,
  last: Stored | undefined
): Effect.fn.Return<Read, SqlError | string> {
  if (last?.head === head && last.count === count) return last
  const since = last === undefined ? undefined : yield* changed(sql, owner, last, count)
  const ledger = yield* Effect.fromResult(State.decode(head, since ?? (yield* all(sql, owner))))
  // If steps were lost, the numbers of their reservations are not given again.
  const nextId = Math.max(ledger.nextId, last?.ledger.nextId ?? 0)
  return { ledger: { ...ledger, nextId }, isOther: last !== undefined && since === undefined }
})

/** Reads a ledger and locks it until the transaction ends. What has not changed since `last` is not read again. */
export const lock = Effect.fnUntraced(function*(
  sql: SqlClient,
  owner: Owner,
  last: Stored | undefined
): Effect.fn.Return<Locked, SqlError | LedgerUnavailable> {
  const unreadable = (why: string) =>
    new LedgerUnavailable({ detail: `${nameOf(owner)} cannot be read from the database: ${why}` })
  const time = yield* Transaction.time(sql)
  const row = yield* Transaction.lock<{ readonly head: string; readonly events: unknown; readonly over: unknown }>(
    sql,
    {
      columns:
        sql`head, events, (SELECT COUNT(*) FROM (SELECT 1 AS found FROM marketdata_lease l WHERE l.account = marketdata_ledger.account
        AND l.budget = marketdata_ledger.budget AND l.expires <= ${time} AND l.owner <> ${owner.owner} LIMIT 1) AS first) AS over`,
      table: sql`marketdata_ledger`,
      where: sql`account = ${owner.account} AND budget = ${owner.budget}`
    }
  )
  if (row === undefined) return yield* unreadable("it is no longer there")
  const { databaseTime, head } = row
  const count = Number(row.events)
  const written = yield* Effect.catchIf(
    read(sql, owner, { count, head }, last),
    (error) => typeof error === "string",
    (why) => Effect.fail(unreadable(why))
  )
  return { ...written, head, count, isOver: Number(row.over) > 0, databaseTime }
})

/**
 * The ledger in the window of a time, with what its events say was spent in it: a clock that was ahead has spent of a later window before. After it was
 * set back, that counts in the earlier window as well.
 */
export const inWindow = Effect.fnUntraced(function*(
  sql: SqlClient,
  { account, budget }: Owner,
  ledger: Ledger.Ledger,
  now: number
): Effect.fn.Return<Ledger.Ledger, SqlError> {
  const isBack = State.isBack(ledger, now)
  if (ledger.window === "none" || !isBack && now < ledger.ends) return isBack ? { ...ledger, now } : ledger
  const { end, start } = Ledger.windowAt(ledger.window, now)
  const until = isBack ? Number.MAX_VALUE : end
  const [sums] = yield* sql<{ readonly charged: unknown; readonly uncertain: unknown }>`SELECT SUM(credits) AS charged,
    SUM(uncertain) AS uncertain FROM marketdata_event
    WHERE account = ${account} AND budget = ${budget} AND time >= ${start} AND time < ${until}`
  const spent = { charged: Number(sums?.charged), uncertain: Number(sums?.uncertain) }
  const total = spent.charged + spent.uncertain
  if (!isBack) return total === 0 ? ledger : { ...Ledger.advance(ledger, now), ...spent }
  return { ...ledger, now, ends: end, ...total > ledger.charged + ledger.uncertain ? spent : {} }
})

/** The first request that was sent under each key of a claim. Nobody sends another one while the ledger is locked. */
export const firstSent = (
  sql: SqlClient,
  { account, budget }: Owner,
  keys: ReadonlySet<string>
): Effect.Effect<Map<string, LedgerStore.FirstSent>, SqlError> =>
  keys.size === 0 ? Effect.sync(() => new Map()) : Effect.map(
    sql<LedgerStore.FirstSent & { readonly claim: string }>`SELECT claim, run, time FROM marketdata_event
      WHERE account = ${account} AND budget = ${budget} AND number IN (SELECT MIN(number) FROM marketdata_event
        WHERE account = ${account} AND budget = ${budget} AND ${
      sql.in("claim", [...keys])
    } AND kind = 'Sent' GROUP BY claim)`,
    (rows) => new Map(rows.map(({ claim, run, time }) => [claim, { run, time }]))
  )

/** How many events are written with one statement. */
const mostRows = 1000

/** A ledger after a step, its events, and when the leases of new reservations expire. */
export interface Written extends Pick<Stored, "ledger"> {
  readonly events: Arr.NonEmptyReadonlyArray<CreditLedger.Event>
  readonly expires: number
}

/** Writes a ledger after a step. Events of abandoned reservations are written under the name of their program. */
export const write = Effect.fnUntraced(function*(
  sql: SqlClient,
  owner: Owner,
  { events, expires, ledger }: Written,
  abandoned: ReadonlyArray<Leases.Abandoned>
): Effect.fn.Return<Stored, SqlError> {
  const { account, budget } = owner
  const head = State.encode(ledger)
  const count = Arr.lastNonEmpty(events).number
  const theirs = new Map(abandoned.map(({ askedBy, reservation }) => [reservation, askedBy]))
  const askedBy = (event: CreditLedger.Event): string => {
    const whose = "reservation" in event ? theirs.get(event.reservation ?? 0) : undefined
    return whose ?? owner.askedBy
  }
  const row = (event: CreditLedger.Event) => ({ account, budget, asked_by: askedBy(event), ...EventRow.write(event) })
  const inserts = Arr.map(
    Arr.chunksOf(events, mostRows),
    (events) => sql`INSERT INTO marketdata_event ${sql.insert(Arr.map(events, row))}`
  )
  // The number of values in a statement is limited.
  for (const insert of inserts.slice(1)) yield* insert
  yield* Transaction.together(
    sql,
    Arr.appendAll(Leases.follow(sql, owner, events, ledger, expires), [
      inserts[0],
      sql`UPDATE marketdata_ledger SET head = ${head}, events = ${count}
      WHERE account = ${account} AND budget = ${budget}`
    ])
  )
  return { head, ledger, count }
})

/** How often a program looks for old events. */
const pause = "1 hour"

/** How much older than the latest event an event must be to tell the time, in seconds. */
const latest = 86_400

/** Removes events of the oldest page that are more than `keep` seconds old, but none of an open reservation. Returns how many it removed. */
const prunePage = Effect.fnUntraced(function*(
  sql: SqlClient,
  { account, budget }: Owner,
  keep: number,
  check: Clocks["check"]
) {
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
  const remove = sql`DELETE FROM marketdata_event WHERE account = ${account} AND budget = ${budget} AND ${
    sql.in("number", numbers)
  }`
  yield* Transaction.run(sql, Effect.andThen(check, remove))
  return numbers.length
})

/**
 * Removes events that are older than a ledger keeps them, and claims with them, at once and then every hour; each program does so. Their age is measured
 * against the newest event that is a day older than the latest one, and not by a clock, so that a clock that was ahead for a while removes nothing. If they
 * cannot be removed, or if `check` finds that clocks differ, they are removed another time.
 */
export const prune = (sql: SqlClient, owner: Owner, keep: number, check: Clocks["check"]): Effect.Effect<void> => {
  const pages = Effect.repeat(prunePage(sql, owner, keep, check), { while: (removed) => removed > 0 })
  const quietly = Effect.catch(pages, (error) => Effect.logDebug("old events could not be removed", error.message))
  return keep === Infinity ? Effect.void : Effect.forever(Effect.andThen(quietly, Effect.sleep(pause)))
}
