import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as SqlClient from "effect/sql/SqlClient"
import type { Fragment, Statement } from "effect/sql/Statement"
import { isSqlError, LockTimeoutError, SqlError } from "effect/sql/SqlError"

/** A connection that is in the caller's transaction cannot begin another: to wait for it would be to wait forever. */
const within = new SqlError({
  reason: new LockTimeoutError({
    message:
      "the call is inside a transaction of the same SQLite client, which could still undo what is written now: ask outside of it, " +
      "or give the ledger a client of its own",
    operation: "transaction",
    cause: undefined
  })
})

/**
 * How long PostgreSQL waits for the lock of another process, and how long another process may hold one and do nothing: less, so that no program fails
 * because another one was cut off within a transaction.
 */
const limits = { lock: "5s", idle: "4s" }

/**
 * Runs statements in a transaction of their own, also where the caller is in one: what is recorded must stay, whatever becomes of the
 * caller's. SQLite takes the lock of a writer at once, so that what is read is still true when it is written. A connection that breaks is a
 * failure, also where it breaks while the transaction is undone. The first statement is `lock`.
 */
export const locking = <A, E, R>(
  sql: SqlClient.SqlClient,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E | SqlError, R> =>
  Effect.contextWith((context: Context.Context<R>) =>
    sql.onDialectOrElse({
      sqlite: () =>
        Option.isSome(Context.getOption(context as Context.Context<never>, sql.transactionService))
          ? Effect.fail(within)
          : Effect.provideService(sql.withTransaction(effect), SqlClient.BeginTransaction, "BEGIN IMMEDIATE"),
      orElse: () =>
        Effect.updateContext(
          sql.withTransaction(effect),
          (context: Context.Context<R>) => Context.omit(sql.transactionService)(context) as Context.Context<R>
        )
    })
  ).pipe(Effect.catchDefect((defect) => isSqlError(defect) ? Effect.fail(defect) : Effect.die(defect)))

const settings = `set_config('lock_timeout', '${limits.lock}', true) AS lock_timeout,
  set_config('idle_in_transaction_session_timeout', '${limits.idle}', true) AS idle_timeout`

/** Runs statements in a transaction of their own, whichever comes first. */
export const run = <A, E, R>(
  sql: SqlClient.SqlClient,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E | SqlError, R> =>
  locking(
    sql,
    sql.onDialectOrElse({
      sqlite: () => effect,
      orElse: () => Effect.andThen(sql.unsafe(`SELECT ${settings}`), effect)
    })
  )

/** The time of the database, in epoch seconds: a server's own, since machines may have different clocks, or that of the one machine that a file is on. */
export const time = (sql: SqlClient.SqlClient): Effect.Effect<Fragment> =>
  sql.onDialectOrElse({
    sqlite: () => Effect.map(Clock.currentTimeMillis, (millis) => sql`${millis / 1000}`),
    orElse: () => Effect.succeed(sql.literal("EXTRACT(EPOCH FROM clock_timestamp())::float8"))
  })

/** The same time as a number. */
export const now = (sql: SqlClient.SqlClient): Effect.Effect<number, SqlError> =>
  Effect.flatMap(
    time(sql),
    (time) => Effect.map(sql<{ now: unknown }>`SELECT ${time} AS now`, ([row]) => Number(row?.now))
  )

/**
 * Reads a row, and keeps everybody else from it until the transaction ends. The time is that of the database after the lock. How long a server
 * waits is set first, by the same statement.
 */
export const lock = <Row extends object>(
  sql: SqlClient.SqlClient,
  { columns, table, where }: { readonly columns: Fragment; readonly table: Fragment; readonly where: Fragment }
): Effect.Effect<(Row & { readonly databaseTime: number }) | undefined, SqlError> =>
  sql.onDialectOrElse({
    sqlite: () =>
      Effect.zipWith(
        sql<Row>`SELECT ${columns} FROM ${table} WHERE ${where}`,
        Clock.currentTimeMillis,
        ([row], millis) => row === undefined ? undefined : { ...row, databaseTime: millis / 1000 }
      ),
    orElse: () =>
      Effect.flatMap(time(sql), (time) =>
        Effect.map(
          sql<Row & { readonly database_time: number }>`SELECT locked.*, ${time} AS database_time
          FROM (SELECT ${sql.literal(settings)}) AS limits CROSS JOIN LATERAL (
            SELECT ${columns} FROM ${table}
            WHERE ${where} AND limits.lock_timeout IS NOT NULL FOR UPDATE) AS locked`,
          ([row]) => row === undefined ? undefined : { ...row, databaseTime: row.database_time }
        ))
  })

/** Runs statements that do not depend on each other: a server in one go. */
export const together = (
  sql: SqlClient.SqlClient,
  statements: Arr.NonEmptyReadonlyArray<Statement<object>>
): Effect.Effect<void, SqlError> =>
  sql.onDialectOrElse({
    sqlite: () => Effect.forEach(statements, (statement) => statement, { discard: true }),
    orElse: () => {
      const [last, ...others] = Arr.reverse(statements)
      const named = others.map((statement, index) => sql`${sql.literal(`step${index}`)} AS (${statement})`)
      return Effect.asVoid(named.length === 0 ? last : sql`WITH ${sql.csv(named)} ${last}`)
    }
  })
