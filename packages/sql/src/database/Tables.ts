/**
 * The tables that the packages of this project keep in a database: for those packages, and for a program that creates the tables with a database
 * user that may, before others run with users that may not.
 *
 * @example
 * ```ts
 * import * as Sqlite from "@effect-marketdata/sql/Sqlite"
 * import * as Tables from "@effect-marketdata/sql/Tables"
 * import * as Effect from "effect/Effect"
 *
 * export const prepared = Tables.migrate.pipe(Effect.provide(Sqlite.layer({ filename: "credits.db" })))
 * ```
 *
 * @see {@link SqlLedger} which makes the tables by itself, as all that uses them does
 * @since 0.1.0
 */
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { type DatabaseError, fromSql } from "./DatabaseError.ts"
import * as Migrations from "./migrations.ts"
import * as Transaction from "./transaction.ts"

/**
 * Creates the tables, or migrates them. Several programs may do so at once. Fails with the reason `NewerSchema` if a newer version of the
 * packages made them.
 *
 * @example
 * ```ts
 * import * as Sqlite from "@effect-marketdata/sql/Sqlite"
 * import * as Tables from "@effect-marketdata/sql/Tables"
 * import * as Effect from "effect/Effect"
 *
 * await Effect.runPromise(Effect.provide(Tables.migrate, Sqlite.layer({ filename: ":memory:" })))
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const migrate: Effect.Effect<void, DatabaseError, SqlClient.SqlClient> = Effect.asVoid(Migrations.migrated)

/**
 * Fails with the reason `Unusable` where an effect fails with an error of SQL, or dies of one: the tables of others are often made that way.
 *
 * @example
 * ```ts
 * import * as Sqlite from "@effect-marketdata/sql/Sqlite"
 * import * as Tables from "@effect-marketdata/sql/Tables"
 * import * as Effect from "effect/Effect"
 * import * as SqlClient from "effect/sql/SqlClient"
 *
 * const made = Effect.orDie(Effect.flatMap(SqlClient.SqlClient, (sql) => sql`CREATE TABLE`))
 * const failed = Effect.flip(Tables.refail(made))
 * const { reason } = await Effect.runPromise(Effect.provide(failed, Sqlite.layer({ filename: ":memory:" })))
 * reason._tag // => "Unusable"
 * ```
 *
 * @category combinators
 * @since 0.1.0
 */
export const refail = <A, E, R>(
  effect: Effect.Effect<A, E | SqlError, R>
): Effect.Effect<A, Exclude<E, SqlError> | DatabaseError, R> =>
  Effect.mapError(Transaction.withoutDefects(effect), typed)

const typed = <E>(error: E | SqlError): Exclude<E, SqlError> | DatabaseError =>
  isSqlError(error) ? fromSql(error) : error as Exclude<E, SqlError>

/**
 * Runs statements in a transaction of their own, even if the caller is in one; on SQLite that case fails. SQLite takes the write lock at
 * once, so that what is read is still true when it is written.
 *
 * @example
 * ```ts
 * import * as Sqlite from "@effect-marketdata/sql/Sqlite"
 * import * as Tables from "@effect-marketdata/sql/Tables"
 * import * as Effect from "effect/Effect"
 * import * as SqlClient from "effect/sql/SqlClient"
 *
 * const program = Tables.transaction(Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT 1 AS one`))
 * const rows = await Effect.runPromise(Effect.provide(program, Sqlite.layer({ filename: ":memory:" })))
 * rows.length // => 1
 * ```
 *
 * @category combinators
 * @since 0.1.0
 */
export const transaction = <A, E, R>(
  effect: Effect.Effect<A, E | SqlError, R>
): Effect.Effect<A, Exclude<E, SqlError> | DatabaseError, R | SqlClient.SqlClient> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => Effect.mapError(Transaction.run(sql, effect), typed))

/**
 * Gives up what a server does not answer within a minute, by real time: a connection that died without a word would be waited for until the
 * system gives it up. It is for statements outside of `transaction`, which is given up after 8 seconds.
 *
 * @example
 * ```ts
 * import * as Sqlite from "@effect-marketdata/sql/Sqlite"
 * import * as Tables from "@effect-marketdata/sql/Tables"
 * import * as Effect from "effect/Effect"
 * import * as SqlClient from "effect/sql/SqlClient"
 *
 * const program = Tables.inTime(Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT 1 AS one`))
 * const rows = await Effect.runPromise(Effect.provide(program, Sqlite.layer({ filename: ":memory:" })))
 * rows.length // => 1
 * ```
 *
 * @category combinators
 * @since 0.1.0
 */
export const inTime = <A, E, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E | SqlError, R | SqlClient.SqlClient> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => Transaction.inTime(sql, effect, 60_000))

/**
 * Whether each statement of a transaction has a span of its own; false by default, and then the transaction has one.
 *
 * @category references
 * @since 0.1.0
 */
export const TracedStatements: Context.Reference<boolean> = Transaction.TracedStatements

/**
 * The time of the database, in epoch seconds: a server's own, since machines may have different clocks, or that of the one machine that a file of
 * SQLite is on.
 *
 * @example
 * ```ts
 * import * as Sqlite from "@effect-marketdata/sql/Sqlite"
 * import * as Tables from "@effect-marketdata/sql/Tables"
 * import * as Effect from "effect/Effect"
 *
 * const now = await Effect.runPromise(Effect.provide(Tables.now, Sqlite.layer({ filename: ":memory:" })))
 * now > 1_700_000_000 // => true
 * ```
 *
 * @category getters
 * @since 0.1.0
 */
export const now: Effect.Effect<number, DatabaseError, SqlClient.SqlClient> = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => Effect.mapError(Transaction.now(sql), fromSql)
)
