/**
 * SQLite as Node contains it, as a `SqlClient`: nothing is installed or compiled. It needs Node 22.13 or newer.
 *
 * Its transactions begin with `BEGIN IMMEDIATE`, so that two processes never read the same state and both write. It waits up to `lockTimeout` for
 * a lock of another process, without blocking the event loop. What is committed survives a crash of the
 * process and, unless `synchronous` is `"normal"`, of the machine.
 *
 * @example
 * ```ts
 * import * as Sqlite from "@effect-marketdata/sql/Sqlite"
 * import * as Effect from "effect/Effect"
 * import * as SqlClient from "effect/sql/SqlClient"
 *
 * const answer = Effect.flatMap(SqlClient.SqlClient, (sql) => sql<{ answer: number }>`SELECT 6 * 7 AS answer`)
 *
 * await Effect.runPromise(Effect.provide(answer, Sqlite.layer({ filename: ":memory:" }))) // => [{ answer: 42 }]
 * ```
 *
 * @see {@link SqlLedger} for a ledger in it
 * @since 0.1.0
 */
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Reactivity from "effect/reactivity/Reactivity"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Statement from "effect/sql/Statement"
import { seconds } from "./options.ts"
import * as Connection from "./sqliteConnection.ts"

/**
 * The options of a database.
 *
 * - `filename`: the file, which is made if it is missing; its folder must exist. `":memory:"` is a database that ends with the layer
 * - `lockTimeout`: how long opening, a statement or a transaction waits for other processes before it fails, 5 seconds by default
 * - `synchronous`: `"full"`, the default, waits for the disk at each commit. With `"normal"` a power failure may undo the last commits
 *
 * @category models
 * @since 0.1.0
 */
export interface Options {
  readonly filename: string
  readonly lockTimeout?: Duration.Input | undefined
  readonly synchronous?: "full" | "normal" | undefined
}

const anyTime = { least: 0, rule: "must be a duration", example: "\"5 seconds\"" }

/**
 * Opens a database for as long as a scope is open.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = Effect.fnUntraced(function*(
  options: Options
): Effect.fn.Return<SqlClient.SqlClient, SqlError, Scope.Scope | Reactivity.Reactivity> {
  const { filename, lockTimeout = "5 seconds", synchronous } = options ?? {}
  const wait = yield* Effect.mapError(seconds("lockTimeout", lockTimeout, anyTime), Connection.unopened)
  const mode = synchronous === "normal" ? "NORMAL" : "FULL"
  const opened = Connection.open({ filename, lockTimeout: wait * 1000, synchronous: mode })
  const connection = yield* Effect.acquireRelease(opened, ({ close }) => close)
  const acquirers = SqlClient.makeSqliteAcquirers({
    connection: Effect.succeed(connection),
    semaphore: yield* Semaphore.make(1),
    isTransaction: ({ isTransaction }) => isTransaction()
  })
  return yield* SqlClient.make({
    ...acquirers,
    driver: "sqlite-embedded",
    compiler: Statement.makeCompilerSqlite(),
    beginTransaction: "BEGIN IMMEDIATE",
    releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`,
    prepareTransactionControls: true,
    spanAttributes: [["db.system.name", "sqlite"]]
  })
})

/**
 * A database as the `SqlClient` of a program.
 *
 * @example
 * ```ts
 * import * as Sqlite from "@effect-marketdata/sql/Sqlite"
 * import * as Effect from "effect/Effect"
 * import * as SqlClient from "effect/sql/SqlClient"
 *
 * const program = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT 1 + 1 AS sum`)
 * const rows = await Effect.runPromise(Effect.provide(program, Sqlite.layer({ filename: ":memory:" })))
 * rows.length // => 1
 * ```
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (options: Options): Layer.Layer<SqlClient.SqlClient, SqlError> =>
  Layer.effect(SqlClient.SqlClient, make(options)).pipe(Layer.provide(Reactivity.layer))
