import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as SqlClient from "effect/sql/SqlClient"
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

/** How long PostgreSQL waits for the lock of another process, and how long another process may hold one and do nothing. */
const limits = { lock: "5s", idle: "30s" }

/**
 * Runs statements in a transaction of their own, also where the caller is in one: what is recorded must stay, whatever becomes of the
 * caller's. SQLite takes the lock of a writer at once, so that what is read is still true when it is written. A connection that breaks is a
 * failure, also where it breaks while the transaction is undone.
 */
export const run = <A, E, R>(
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
        sql`SELECT set_config('lock_timeout', ${limits.lock}, true),
          set_config('idle_in_transaction_session_timeout', ${limits.idle}, true)`.pipe(
          Effect.andThen(effect),
          sql.withTransaction,
          Effect.updateContext((context: Context.Context<R>) =>
            Context.omit(sql.transactionService)(context) as Context.Context<R>
          )
        )
    })
  ).pipe(Effect.catchDefect((defect) => isSqlError(defect) ? Effect.fail(defect) : Effect.die(defect)))
