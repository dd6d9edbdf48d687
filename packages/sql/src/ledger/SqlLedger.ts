/**
 * The ledger of credits in a database. What was spent outlives the program, and several programs share one budget.
 *
 * A request is written down as sent before it is sent. If its program dies, the request counts as uncertain once the lease of its
 * reservation is over: nothing that may have been billed is forgotten. The rules are those of core's `Ledger`, as in memory.
 *
 * `layerSqlite` keeps it in a file, with the SQLite that Node 22.13 and newer contain. `layer` takes any `SqlClient` for SQLite or
 * PostgreSQL, such as that of `@effect/sql-pg`. Tables are made and brought up to date when the layer is built.
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
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as SqlClient from "effect/sql/SqlClient"
import type * as Stream from "effect/Stream"
import type { DatabaseError } from "../database/DatabaseError.ts"
import { migrate } from "../database/migrations.ts"
import type * as Sqlite from "../database/Sqlite.ts"
import * as SqliteClient from "../database/sqliteClient.ts"
import * as Queries from "./ledgerQueries.ts"
import * as Settings from "./settings.ts"
import * as SqlStore from "./sqlStore.ts"

/**
 * Which ledger of a database, and who uses it.
 *
 * - `account`: a name for the account whose credits these are
 * - `budget`: a name for one of several ledgers of the account, none by default. Each has an allowance of its own
 * - `askedBy`: who spends, for the history: the host and the number of the process by default
 * - `lease`: how long a reservation holds when its program dies, from 1 second to 1 day; 60 seconds by default. A program renews it while it
 *   runs
 * - `history`: with how many past events the ledger's `history` begins, 1000 by default
 * - `keep`: how long events are kept, and claims with them: at least 1 day, 90 days by default, `Infinity` for ever. Where programs differ the shortest
 *   holds. What was spent does not depend on it, and events of open reservations are never removed
 *
 * @category models
 * @since 0.1.0
 */
export interface Options extends CreditLedger.HistoryOptions, Settings.Named {}

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
 * Opens a ledger with an allowance of credits for as long as a scope is open.
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
  return open(options, (now) => Ledger.makeRenewing({ credits: allowance, window, now }))
}

/**
 * Opens a ledger that only counts for as long as a scope is open.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeUnlimited = (
  options: Options
): Effect.Effect<CreditLedger.CreditLedger["Service"], DatabaseError, SqlClient.SqlClient | Scope.Scope> =>
  open(options, () => Ledger.make())

/**
 * Opens a ledger that follows the service for as long as a scope is open, see `CreditLedger.layerFromHeaders`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeFollowing = (
  options: Options & CreditLedger.FollowingOptions
): Effect.Effect<CreditLedger.CreditLedger["Service"], DatabaseError, SqlClient.SqlClient | Scope.Scope> =>
  open(options, (now) => Ledger.advance(Ledger.makeFollowing(options.allowance), now))

const open = (
  options: Options,
  ledger: (now: number) => Ledger.Ledger
): Effect.Effect<CreditLedger.CreditLedger["Service"], DatabaseError, SqlClient.SqlClient | Scope.Scope> =>
  Effect.gen(function*() {
    const settings = yield* Settings.of(options)
    yield* migrate
    return CreditLedger.make(yield* SqlStore.make({ ...settings, open: ledger }))
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
): Layer.Layer<CreditLedger.CreditLedger, DatabaseError> => Layer.provide(layer(options), SqliteClient.layer(options))

/**
 * What the functions of the history give.
 *
 * @since 0.1.0
 */
export type { Claimed, Entry, Spending } from "./ledgerQueries.ts"

/**
 * Which events, or which claim, the functions of the history read.
 *
 * @since 0.1.0
 */
export type { Filter, NamedClaim } from "./settings.ts"

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
export const history = (
  filter: Settings.Filter = {}
): Stream.Stream<Queries.Entry, DatabaseError, SqlClient.SqlClient> => Queries.history(filter)

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
export const spending = (
  filter: Settings.Filter = {}
): Effect.Effect<ReadonlyArray<Queries.Spending>, DatabaseError, SqlClient.SqlClient> => Queries.spending(filter)

/**
 * Returns what became of a call with a claim: whether it may still be answered, and what it was
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
export const claimed = (
  claim: Settings.NamedClaim
): Effect.Effect<Queries.Claimed | undefined, DatabaseError, SqlClient.SqlClient> => Queries.claimed(claim)
