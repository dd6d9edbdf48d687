/**
 * The ledger of credits in a database. What was spent outlives the program, and several programs share one budget.
 *
 * A request is recorded as sent before it is sent. If its program dies, the request counts as uncertain when the lease of its
 * reservation expires: nothing that may have been billed is forgotten. The rules are those of core's `Ledger`, as in memory.
 *
 * `layerSqlite` keeps it in a file, with the SQLite that Node 22.13 and newer contain. `layer` takes any `SqlClient` for SQLite or
 * PostgreSQL, such as that of `@effect/sql-pg`. The layer creates and migrates its tables when it is built.
 *
 * @example
 * ```ts
 * import * as MarketData from "@effect-marketdata/client/MarketData"
 * import * as SqlLedger from "@effect-marketdata/sql/SqlLedger"
 * import * as Effect from "effect/Effect"
 *
 * export const prices = MarketData.stockPrices(["AAPL"]).pipe(
 *   Effect.provide(MarketData.layer()),
 *   Effect.provide(SqlLedger.layerSqlite({ filename: "credits.db", account: "main", allowance: 1000, window: "day" }))
 * )
 * ```
 *
 * @see `CreditLedger` of the client for what a ledger does
 * @see {@link Sqlite} for the database that Node contains
 * @since 0.1.0
 */
import * as CreditLedger from "@effect-marketdata/client/CreditLedger"
import type * as Account from "@effect-marketdata/core/Account"
import * as Ledger from "@effect-marketdata/core/Ledger"
import * as Arr from "effect/Array"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import * as Stream from "effect/Stream"
import { type DatabaseError, fromSql, layerFromSql, unusable } from "../database/DatabaseError.ts"
import { migrated } from "../database/migrations.ts"
import * as Checked from "../database/options.ts"
import * as Sqlite from "../database/Sqlite.ts"
import * as Transaction from "../database/transaction.ts"
import * as EventRow from "./eventRow.ts"
import * as SqlStore from "./sqlStore.ts"

/**
 * Which ledger of a database, and who uses it.
 *
 * - `account`: a name for the account whose credits these are
 * - `budget`: a name for one of several ledgers of the account, none by default. Each has an allowance of its own
 * - `askedBy`: who spends, for the history; by default the host and the process id
 * - `lease`: how long a reservation holds when its program dies, from 1 second to 1 day; 60 seconds by default. A program renews it while it
 *   runs
 * - `history`: how many past events the ledger's `history` begins with, 1000 by default
 * - `keep`: how long events and their claims are kept: at least 1 day, 90 days by default, `Infinity` for ever. If programs differ, the shortest
 *   applies. What was spent does not depend on it, and events of open reservations are never removed
 *
 * @category models
 * @since 0.1.0
 */
export interface Options extends CreditLedger.HistoryOptions {
  readonly account: string
  readonly budget?: string | undefined
  readonly askedBy?: string | undefined
  readonly lease?: Duration.Input | undefined
  readonly keep?: Duration.Input | undefined
}

/**
 * A budget in a database. `allowance` and `window` are as in `CreditLedger.layerMemory`. What was spent is in the database, and the
 * allowance is that of the program: after a restart with a smaller one, less is left. The `window` of a ledger does not change.
 *
 * @category models
 * @since 0.1.0
 */
export interface BudgetOptions extends Options {
  readonly allowance: number
  readonly window?: Account.Window | undefined
}

/**
 * Opens a ledger with an allowance of credits, until its scope closes.
 *
 * @example
 * ```ts
 * import * as SqlLedger from "@effect-marketdata/sql/SqlLedger"
 *
 * // A budget of its own for each desk of the account.
 * export const desk = SqlLedger.make({ account: "main", budget: "desk", allowance: 500, window: "day" })
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (
  options: BudgetOptions
): Effect.Effect<CreditLedger.CreditLedger["Service"], DatabaseError, SqlClient.SqlClient | Scope.Scope> => {
  // Callers without types may leave any of it out, and must not be given a ledger without a limit for it.
  const { allowance = 0, window = "none" } = (options ?? {}) as Partial<BudgetOptions>
  if (!["day", "minute", "none"].includes(window)) return Effect.fail(Checked.refuse("window", window, windows))
  return open(options, (now) => Ledger.makeRenewing({ credits: allowance, window, now }))
}

/**
 * Opens a ledger that only counts, until its scope closes.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeUnlimited = (
  options: Options
): Effect.Effect<CreditLedger.CreditLedger["Service"], DatabaseError, SqlClient.SqlClient | Scope.Scope> =>
  open(options, () => Ledger.make())

/**
 * Opens a ledger that follows the service, until its scope closes; see `CreditLedger.layerFromHeaders`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeFollowing = (
  options: Options & CreditLedger.FollowingOptions
): Effect.Effect<CreditLedger.CreditLedger["Service"], DatabaseError, SqlClient.SqlClient | Scope.Scope> =>
  open(options, (now) => Ledger.advance(Ledger.makeFollowing(options.allowance), now))

const windows = { rule: "must be \"day\", \"minute\" or \"none\"", example: "\"day\"" }

/** Reads which ledger of a database is meant. */
const named = Effect.fnUntraced(function*(ledger: Pick<NamedClaim, "account" | "budget">) {
  const { account, budget } = (ledger ?? {}) as Partial<typeof ledger>
  return {
    account: yield* Checked.named("account", account),
    budget: budget === undefined ? "" : yield* Checked.named("budget", budget)
  }
})

const days = { least: 86_400, rule: "must be at least 1 day, or Infinity", example: "\"90 days\"" }

const open = Effect.fnUntraced(function*(options: Options, ledger: (now: number) => Ledger.Ledger) {
  const { askedBy, history = 1000, keep = "90 days", lease = "60 seconds" } = (options ?? {}) as Partial<Options>
  const settings = {
    ...yield* named(options),
    ...yield* Checked.program(askedBy),
    lease: yield* Checked.lease(lease),
    keep: yield* Checked.seconds("keep", keep, days),
    history: Math.max(1, Math.floor(history) || 1),
    open: ledger
  }
  return CreditLedger.make(yield* SqlStore.make(yield* migrated, settings))
})

/**
 * A budget in the database of the program.
 *
 * @example
 * ```ts
 * import * as SqlLedger from "@effect-marketdata/sql/SqlLedger"
 * import * as Sqlite from "@effect-marketdata/sql/Sqlite"
 * import * as Layer from "effect/Layer"
 *
 * // Two budgets of one account in one database. For PostgreSQL, provide PgClient.layer of @effect/sql-pg instead.
 * const database = Sqlite.layer({ filename: "credits.db" })
 * const daily = { account: "main", allowance: 1000, window: "day" } as const
 * export const research = SqlLedger.layer({ ...daily, budget: "research" }).pipe(Layer.provide(database))
 * export const trading = SqlLedger.layer({ ...daily, budget: "trading" }).pipe(Layer.provide(database))
 * ```
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (
  options: BudgetOptions
): Layer.Layer<CreditLedger.CreditLedger, DatabaseError, SqlClient.SqlClient> =>
  Layer.effect(CreditLedger.CreditLedger, make(options))

/**
 * A ledger in the database of the program that only counts, and refuses nothing.
 *
 * @example
 * ```ts
 * import * as Sqlite from "@effect-marketdata/sql/Sqlite"
 * import * as SqlLedger from "@effect-marketdata/sql/SqlLedger"
 * import * as Layer from "effect/Layer"
 *
 * // It counts, and refuses nothing.
 * export const ledger = SqlLedger.layerUnlimited({ account: "main" }).pipe(
 *   Layer.provide(Sqlite.layer({ filename: "credits.db" }))
 * )
 * ```
 *
 * @category layers
 * @since 0.1.0
 */
export const layerUnlimited = (
  options: Options
): Layer.Layer<CreditLedger.CreditLedger, DatabaseError, SqlClient.SqlClient> =>
  Layer.effect(CreditLedger.CreditLedger, makeUnlimited(options))

/**
 * A ledger in the database of the program that follows the service, see `CreditLedger.layerFromHeaders`.
 *
 * @example
 * ```ts
 * import * as Sqlite from "@effect-marketdata/sql/Sqlite"
 * import * as SqlLedger from "@effect-marketdata/sql/SqlLedger"
 * import * as Layer from "effect/Layer"
 *
 * export const ledger = SqlLedger.layerFromHeaders({ account: "main" }).pipe(
 *   Layer.provide(Sqlite.layer({ filename: "credits.db" }))
 * )
 * ```
 *
 * @category layers
 * @since 0.1.0
 */
export const layerFromHeaders = (
  options: Options & CreditLedger.FollowingOptions
): Layer.Layer<CreditLedger.CreditLedger, DatabaseError, SqlClient.SqlClient> =>
  Layer.effect(CreditLedger.CreditLedger, makeFollowing(options))

/**
 * A budget in a file, with the SQLite that Node contains. On a Node older than 22.13 it fails with `Unusable`, which says so.
 *
 * @example
 * ```ts
 * import * as SqlLedger from "@effect-marketdata/sql/SqlLedger"
 *
 * export const ledger = SqlLedger.layerSqlite({
 *   filename: "credits.db",
 *   account: "main",
 *   allowance: 1_000,
 *   window: "day"
 * })
 * ```
 *
 * @category layers
 * @since 0.1.0
 */
export const layerSqlite = (
  options: BudgetOptions & Sqlite.Options
): Layer.Layer<CreditLedger.CreditLedger, DatabaseError> =>
  Layer.provide(layer(options), layerFromSql(Sqlite.layer(options)))

/**
 * Which events of a database: all of them by default.
 *
 * - `account`, `budget`, `askedBy`: the names that ledgers were opened with
 * - `since`, `until`: from when on and before when, in epoch seconds
 *
 * @category models
 * @since 0.1.0
 */
export interface Filter {
  readonly account?: string | undefined
  readonly budget?: string | undefined
  readonly askedBy?: string | undefined
  readonly since?: number | undefined
  readonly until?: number | undefined
}

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
 * - `asked`: the query in words; undefined if `reserve` was called without it
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

/** Which events are meant: by the conditions `found` an index finds them, and the others are looked at one by one. */
interface Where {
  readonly found: ReadonlyArray<Fragment>
  readonly kept: ReadonlyArray<Fragment>
}

const seconds = { rule: "must be a time in epoch seconds", example: "1795185000" }

/** Checks the filter, as callers without types may give it, and opens the database as every ledger does. */
const prepared = Effect.fnUntraced(function*(filter: Filter) {
  // A name in place of a filter would say nothing, and count the credits of all.
  if (filter && typeof filter !== "object") {
    return yield* Checked.refuse("filter", filter, { rule: "must be an object", example: "{ account: \"main\" }" })
  }
  const { account, askedBy, budget, since, until } = filter ?? {}
  for (const [option, name] of Object.entries({ account, budget, askedBy })) {
    if (name !== undefined) yield* Checked.named(option, name)
  }
  for (const [option, time] of Object.entries({ since, until })) {
    if (time !== undefined && !Number.isFinite(time)) return yield* Checked.refuse(option, time, seconds)
  }
  const sql = yield* migrated
  const where: Where = {
    found: [
      ...account === undefined ? [] : [sql`account = ${account}`],
      ...since === undefined ? [] : [sql`time >= ${since}`],
      ...until === undefined ? [] : [sql`time < ${until}`]
    ],
    kept: [
      ...budget === undefined ? [] : [sql`budget = ${budget}`],
      ...askedBy === undefined ? [] : [sql`asked_by = ${askedBy}`]
    ]
  }
  return { sql, where }
})

const inTime = <A>(sql: SqlClient.SqlClient, rows: Effect.Effect<A, SqlError>) =>
  Effect.mapError(Transaction.inTime(sql, rows), fromSql)

/** Of which ledger a row is, and by whom. */
type Whose = Readonly<Record<"account" | "budget" | "asked_by", string>>

const whose = ({ account, asked_by, budget }: Whose) => ({
  account,
  budget: budget === "" ? undefined : budget,
  askedBy: asked_by
})

const read = (row: EventRow.Row): Effect.Effect<CreditLedger.Event, DatabaseError> =>
  Effect.mapError(
    EventRow.read(row),
    ({ message }) => unusable(`event ${String(row.number)} cannot be read: ${message}`)
  )

const entry = (row: EventRow.Row & Whose): Effect.Effect<Entry, DatabaseError> =>
  Effect.map(read(row), (event) => ({ ...whose(row), event }))

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
 * not as are wanted: where few of many are, nobody waits for a statement that looks for them. It ends with the event that was found as its last, whatever
 * was written or removed since: the next page begins behind that.
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
    const end = sql<Place>`SELECT time, account, budget, number FROM marketdata_event WHERE ${sql.and(rest)}
      ORDER BY time, account, budget, number LIMIT 1 OFFSET ${size - 1}`
    return Effect.gen(function*() {
      const [next] = yield* inTime(sql, end)
      const upTo = next === undefined ? rest : [...rest, sql`${order} <= ${of(next)}`]
      const values = yield* read(sql`marketdata_event WHERE ${sql.and([...upTo, ...kept])}`)
      yield* Effect.yieldNow
      return [values, next === undefined ? Option.none() : Option.some(next)] as const
    })
  })

/**
 * Reads what happened in the ledgers of a database, of all accounts and programs, the oldest first. It ends with what has happened until
 * now. To follow one ledger, use `CreditLedger.history`.
 *
 * @example
 * ```ts
 * import * as Sqlite from "@effect-marketdata/sql/Sqlite"
 * import * as SqlLedger from "@effect-marketdata/sql/SqlLedger"
 * import * as Effect from "effect/Effect"
 * import * as Stream from "effect/Stream"
 *
 * export const events = Stream.runCollect(SqlLedger.history({ account: "main", since: 1_795_185_000 })).pipe(
 *   Effect.provide(Sqlite.layer({ filename: "credits.db" }))
 * )
 * ```
 *
 * @category queries
 * @since 0.1.0
 */
export const history = (filter: Filter = {}): Stream.Stream<Entry, DatabaseError, SqlClient.SqlClient> =>
  Stream.unwrap(
    Effect.map(prepared(filter), ({ sql, where }) =>
      paged(sql, where, page, (events) => {
        const rows = sql<EventRow.Row & Whose>`SELECT account, budget, asked_by, ${sql.literal(EventRow.columns)} 
          FROM ${events} ORDER BY time, account, budget, number`
        return Effect.flatMap(inTime(sql, rows), Effect.forEach(entry))
      }))
  )

/**
 * The state of a call with a claim, see the client's `Claim`.
 *
 * - `run`: which run of the call was sent; `since` is when its first request was sent, in epoch seconds
 * - `state`: `"sent"` while the run may still be answered; `"uncertain"` if it is over, and the charge of at least one of its requests is
 *   unknown; `"charged"` if all charges are known
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

/**
 * Which claim of a database: that of a key, in the ledger of an account and, if it has one, a budget.
 *
 * @category models
 * @since 0.1.0
 */
export interface NamedClaim {
  readonly account: string
  readonly budget?: string | undefined
  readonly key: string
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

/**
 * Returns the state of a call with a claim: whether it may still be answered, and what it was
 * charged. Undefined if nothing was sent under the key.
 *
 * @example
 * ```ts
 * import * as Claim from "@effect-marketdata/client/Claim"
 * import * as SqlLedger from "@effect-marketdata/sql/SqlLedger"
 * import * as Sqlite from "@effect-marketdata/sql/Sqlite"
 * import * as Effect from "effect/Effect"
 *
 * const program = Effect.gen(function*() {
 *   const ledger = yield* SqlLedger.make({ account: "main", allowance: 100 })
 *   const send = Effect.flatMap(ledger.reserve(40), (reservation) => reservation.send(40, 0))
 *   const sendAs = (run: string) => Effect.provideService(send, Claim.Current, { key: "SPX", run })
 *   yield* sendAs("first run")
 *   const refused = yield* Effect.flip(sendAs("second run"))
 *   const claimed = yield* SqlLedger.claimed({ account: "main", key: "SPX" })
 *   return [refused._tag, claimed?.run, claimed?.state, claimed?.uncertain]
 * })
 *
 * await Effect.runPromise(Effect.scoped(program).pipe(Effect.provide(Sqlite.layer({ filename: ":memory:" }))))
 * // => ["AlreadySent", "first run", "sent", 40]
 * ```
 *
 * @see `Claim` of the client for calls with a claim
 * @category queries
 * @since 0.1.0
 */
export const claimed = Effect.fnUntraced(function*(
  claim: NamedClaim
): Effect.fn.Return<Claimed | undefined, DatabaseError, SqlClient.SqlClient> {
  const { account, budget } = yield* named(claim)
  const key = yield* Checked.named("key", claim.key, 200)
  const sql = yield* migrated
  const time = yield* Transaction.time(sql)
  // One statement, so that no step comes between the events and the lease.
  const rows = yield* inTime(
    sql,
    sql<EventRow.Row & { readonly run: string; readonly remaining: number | null }>`
      SELECT ${sql.literal(EventRow.columns)}, (SELECT MAX(expires) - ${time} FROM marketdata_lease l
        WHERE l.account = e.account AND l.budget = e.budget AND l.claim = e.claim AND l.run = e.run) AS remaining
      FROM marketdata_event e WHERE account = ${account} AND budget = ${budget} AND claim = ${key}
      ORDER BY number`
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
interface Totals extends Whose, Readonly<Record<"requests" | "credits" | "uncertain" | "first" | "last", unknown>> {
  readonly asked: string | null
}

const spentOn = (row: Totals): Spending => ({
  ...whose(row),
  asked: row.asked ?? undefined,
  requests: Number(row.requests),
  credits: Number(row.credits),
  uncertain: Number(row.uncertain),
  first: Number(row.first),
  last: Number(row.last)
})

/** How many events are added up with one statement. */
const pageOfSums = 1000

/**
 * Returns what was spent in the ledgers of a database, by whom and on what: a row for each program and query, the most expensive first.
 *
 * @example
 * ```ts
 * import * as SqlLedger from "@effect-marketdata/sql/SqlLedger"
 * import * as Sqlite from "@effect-marketdata/sql/Sqlite"
 * import * as Effect from "effect/Effect"
 *
 * const program = Effect.gen(function*() {
 *   const ledger = yield* SqlLedger.make({ account: "main", allowance: 100, askedBy: "notebook" })
 *   const reservation = yield* ledger.reserve(40)
 *   yield* reservation.send(40, 0)
 *   yield* reservation.charge({ credits: 25 }, 0)
 *   yield* reservation.settle
 *   const [first] = yield* SqlLedger.spending({ account: "main" })
 *   return [first?.askedBy, first?.credits, first?.uncertain]
 * })
 *
 * await Effect.runPromise(Effect.scoped(program).pipe(Effect.provide(Sqlite.layer({ filename: ":memory:" }))))
 * // => ["notebook", 25, 0]
 * ```
 *
 * @category queries
 * @since 0.1.0
 */
export const spending = Effect.fnUntraced(function*(
  filter: Filter = {}
): Effect.fn.Return<ReadonlyArray<Spending>, DatabaseError, SqlClient.SqlClient> {
  const { sql, where } = yield* prepared(filter)
  const pages = paged(sql, where, pageOfSums, (events) => {
    const rows = sql<Totals>`SELECT account, budget, asked_by, asked,
        COUNT(*) AS requests, SUM(credits) AS credits, SUM(uncertain) AS uncertain, MIN(time) AS first, MAX(time) AS last
        FROM ${events} AND kind IN ('Charged', 'Lost') GROUP BY account, budget, asked_by, asked`
    return Effect.map(inTime(sql, rows), Arr.map(spentOn))
  })
  const sums = yield* Stream.runFold(pages, () => new Map<string, Spending>(), (sums, more) => {
    const key = JSON.stringify([more.account, more.budget, more.askedBy, more.asked])
    const sum = sums.get(key)
    if (sum === undefined) return sums.set(key, more)
    const [credits, uncertain] = [sum.credits + more.credits, sum.uncertain + more.uncertain]
    return sums.set(key, { ...sum, requests: sum.requests + more.requests, credits, uncertain, last: more.last })
  })
  const most = ({ credits, uncertain }: Spending): number => credits + uncertain
  const sorted = [...sums].toSorted(([key, one], [other, than]) => most(than) - most(one) || (key < other ? -1 : 1))
  return sorted.map(([, sum]) => sum)
})
