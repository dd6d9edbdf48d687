/** Transactions, and single statements, of both databases: how they begin, how long they may wait, and what time the database has. */
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as SqlClient from "effect/sql/SqlClient"
import { isSqlError, LockTimeoutError, type SqlError, StatementTimeoutError, UnknownError } from "effect/sql/SqlError"
import type { Fragment, Statement } from "effect/sql/Statement"
import { failure } from "./DatabaseError.ts"

/** The failure of a call within a transaction of a client that has one connection: waiting for the connection would never end. */
export const within = failure(
  LockTimeoutError,
  "transaction",
  "the call is inside a transaction of the same SQLite client, which could still undo what is written now: ask outside of it, " +
    "or give the ledger a client of its own"
)

/** Whether a caller is in a transaction of a client that has one connection. */
export const isWithin = (sql: SqlClient.SqlClient, context: Context.Context<never>): boolean =>
  sql.onDialectOrElse({
    sqlite: () => Option.isSome(Context.getOption(context, sql.transactionService)),
    orElse: () => false
  })

const undone = failure(UnknownError, "commit", "the transaction was undone by the database")

/**
 * How long PostgreSQL waits for a lock, how long a transaction may be idle, and how long a statement may take. The idle time is shorter than the wait, so
 * that no program fails because another one was cut off within a transaction.
 */
const limits = { lock: "5s", idle: "4s", statement: "7s" }

/** How long a server may take for a statement or a whole transaction, in milliseconds, before it is given up and its connection dropped. */
const patience = 8000

const late = (milliseconds: number) =>
  failure(StatementTimeoutError, "execute", `the database has not answered within ${milliseconds / 1000} seconds`)

/**
 * Gives up an effect that a server does not answer in time, by the machine's clock: the operating system gives up a dead connection only after minutes. The
 * client drops a connection whose interrupted statement does not end. A file always answers at once.
 */
export const inTime = <A, E, R>(
  sql: SqlClient.SqlClient,
  effect: Effect.Effect<A, E, R>,
  milliseconds = patience
): Effect.Effect<A, E | SqlError, R> =>
  sql.onDialectOrElse({
    sqlite: (): Effect.Effect<A, E | SqlError, R> => effect,
    orElse: () =>
      Effect.raceFirst(
        effect,
        Effect.andThen(
          Effect.provideService(Effect.sleep(milliseconds), Clock.Clock, Clock.Clock.defaultValue()),
          Effect.fail(late(milliseconds))
        )
      )
  })

/** A transaction on a server which can be given up at any statement, BEGIN and COMMIT included. */
const onServer = <A, E, R>(
  sql: SqlClient.SqlClient,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E | SqlError, R> =>
  inTime(
    sql,
    Effect.scoped(Effect.flatMap(sql.reserve, (connection) => {
      const command = (text: string) => connection.executeRaw(text, [])
      const commit = Effect.flatMap(command("COMMIT"), (done) =>
        (done as { readonly command?: string } | undefined)?.command === "ROLLBACK" ? Effect.fail(undone) : Effect.void)
      const within = Effect.updateContext(effect, (context: Context.Context<R>) =>
        Context.add(context, sql.transactionService, [connection, 0]) as Context.Context<R>)
      const steps: Effect.Effect<A, E | SqlError, R> = Effect.andThen(
        // At this level a read after the lock sees what earlier transactions wrote, whatever level the database has by default.
        command("BEGIN ISOLATION LEVEL READ COMMITTED"),
        Effect.tap(within, commit)
      )
      // In a fiber of its own, which is not interrupted, and not in a promise, for which a simulated machine has no turn.
      const undo = Effect.callback<void>((resume) => {
        Effect.runFork(inTime(sql, command("ROLLBACK"))).addObserver(() =>
          resume(Effect.void)
        )
      })
      return Effect.onError(steps, () =>
        undo)
    }))
  )

/**
 * Whether each statement of a transaction has a span of its own, and not only the transaction: there are a dozen of them in a step of a ledger.
 *
 * @category references
 * @since 0.1.0
 */
export const TracedStatements = Context.Reference<boolean>("@effect-marketdata/sql/TracedStatements", {
  defaultValue: () => false
})

/**
 * Runs statements in a transaction of their own, even if the caller is in one: what is recorded must stay, even if the caller's transaction is rolled back.
 * SQLite takes the write lock at once, so that what is read is still true when it is written. A connection that breaks is a failure, even during the
 * rollback. The first statement must be `lock`.
 */
export const locking = <A, E, R>(
  sql: SqlClient.SqlClient,
  name: string,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E | SqlError, R> =>
  Effect.contextWith((context: Context.Context<R>) =>
    Effect.withSpan(
      Context.get(context as Context.Context<never>, TracedStatements)
        ? alone(sql, effect)
        : Effect.withTracerEnabled(alone(sql, effect), false),
      name,
      { kind: "client" }
    )
  )

/** Fails with the error of SQL that an effect dies of. */
export const withoutDefects = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError, R> =>
  Effect.catchDefect(effect, (defect) => isSqlError(defect) ? Effect.fail(defect) : Effect.die(defect))

const alone = <A, E, R>(sql: SqlClient.SqlClient, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError, R> =>
  withoutDefects(
    Effect.contextWith((context: Context.Context<R>) =>
      isWithin(sql, context as Context.Context<never>) ? Effect.fail(within) : sql.onDialectOrElse({
        sqlite: () => Effect.provideService(sql.withTransaction(effect), SqlClient.BeginTransaction, "BEGIN IMMEDIATE"),
        orElse: () => onServer(sql, effect)
      })
    )
  )

const settings = `set_config('lock_timeout', '${limits.lock}', true) AS lock_timeout,
  set_config('idle_in_transaction_session_timeout', '${limits.idle}', true) AS idle_timeout,
  set_config('statement_timeout', '${limits.statement}', true) AS statement_timeout`

/** The same for statements that do not begin with `lock`. */
export const run = <A, E, R>(
  sql: SqlClient.SqlClient,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E | SqlError, R> =>
  locking(
    sql,
    "marketdata.transaction",
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
    (time) => Effect.map(inTime(sql, sql<{ now: unknown }>`SELECT ${time} AS now`), ([row]) => Number(row?.now))
  )

/**
 * Reads a row and locks it until the transaction ends. `databaseTime` is the time after the lock was taken. The same statement first sets how long the
 * server waits.
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

/** Runs statements that do not depend on each other; a server runs them as one. */
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
