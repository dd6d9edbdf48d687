/**
 * SQLite as Node contains it, as a `SqlClient`: nothing is installed or compiled. It needs Node 22.13 or newer.
 *
 * Its transactions begin with `BEGIN IMMEDIATE`, so that two processes never read the same state and both write. It waits up to `lockTimeout` for
 * a lock of another process, without blocking the event loop. What is committed survives a crash of the process and, unless `synchronous` is `"normal"`, of
 * the machine.
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
import * as Clock from "effect/Clock"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Reactivity from "effect/reactivity/Reactivity"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import * as SqlClient from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import { classifySqliteError, ConnectionError, SqlError } from "effect/sql/SqlError"
import * as Statement from "effect/sql/Statement"
import * as Stream from "effect/Stream"
import { randomUUID } from "node:crypto"
import { existsSync, linkSync, rmSync, statSync } from "node:fs"
import { resolve } from "node:path"
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite"
import { failure } from "./DatabaseError.ts"
import { refuse, seconds } from "./options.ts"

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
  const wait = yield* Effect.mapError(seconds("lockTimeout", lockTimeout, anyTime), unopened)
  const mode = synchronous === "normal" ? "NORMAL" : "FULL"
  const opened = open({ filename, lockTimeout: wait * 1000, synchronous: mode })
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

/** The one connection to a file; it can say whether a transaction is open. */
interface SqliteConnection extends Connection {
  readonly isTransaction: () => boolean
  readonly close: Effect.Effect<void>
}

/** Checked options. The wait is in milliseconds. */
interface Opening {
  readonly filename: string
  readonly lockTimeout: number
  readonly synchronous: "FULL" | "NORMAL"
}

/** The module that Node contains. It is loaded on demand, so that an older Node can import this package. */
const sqlite = (): typeof import("node:sqlite") | undefined =>
  typeof process.getBuiltinModule === "function" ? process.getBuiltinModule("node:sqlite") : undefined

const failed = (cause: unknown, operation: string, filename: string): SqlError => {
  const { errcode, message } = cause as { readonly errcode?: unknown; readonly message?: unknown }
  // Node has the number in the field `errcode`.
  const numbered = Object.assign(new Error(String(message), { cause }), { errno: errcode })
  const which = hints[Number(errcode) & 255] ?? ""
  return new SqlError({
    reason: classifySqliteError(numbered, { message: `${filename}: ${String(message)}${which}`, operation })
  })
}

const unopened = ({ message }: { readonly message: string }) => failure(ConnectionError, "open", message)

const missing = unopened({
  message:
    `SQLite needs Node 22.13 or newer, and this is Node ${process.versions.node}: use a newer Node, or a PostgreSQL database`
})

/** SQLite treats an empty name as a temporary database: with a missing setting, what was spent would be forgotten. */
const named = { rule: "must name a file, or be \":memory:\", which ends with the program", example: "\"credits.db\"" }

const lost = (filename: string) =>
  failure(
    ConnectionError,
    "execute",
    `${filename} was removed or replaced while it was open: put back the file that was there, or begin the program again`
  )

/** How long a statement may block the program while it waits for another process, in milliseconds. */
const patience = 5

/** SQLite's error code for a database that another connection has locked. */
const busy = 5

/** What may be behind an error, by its code; 8 is that of a database that cannot be written. */
const hints: Readonly<Record<number, string>> = {
  [busy]: " by another program, perhaps a stopped one",
  8: ": it, its -wal, its -shm or their folder cannot be written"
}

/** How many statements are kept prepared. */
const mostPrepared = 100

/** Opens a file in the journal mode WAL, in which readers and a writer do not block each other. Setting it in a new file needs a lock. */
const open = (options: Opening): Effect.Effect<SqliteConnection, SqlError> =>
  Effect.suspend(() => {
    const module = sqlite()
    if (module === undefined) return Effect.fail(missing)
    const { filename } = options
    if (typeof filename !== "string" || filename === "") {
      return Effect.fail(unopened(refuse("filename", filename, named)))
    }
    const opened = Effect.try({
      try: () => {
        const use = (name: string) => {
          const database = new module.DatabaseSync(name, { timeout: patience })
          try {
            database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${options.synchronous}`)
            return database
          } catch (cause) {
            database.close()
            throw cause
          }
        }
        if (!findFile(options)) makeFile(filename, (name) => use(name).close())
        return connect(use(filename), options)
      },
      catch: (cause) => failed(cause, "open", options.filename)
    })
    return patiently(opened, options.lockTimeout)
  })

/**
 * Returns whether there is a file. Refuses an empty one: its content was lost. If it was made just now, another program is about to write into it, and it is
 * tried again.
 */
const findFile = ({ filename, lockTimeout }: Opening): boolean => {
  if (filename === ":memory:" || filename.startsWith("file:")) return true
  const found = statSync(filename, { throwIfNoEntry: false })
  if (found === undefined || found.size > 0 || !found.isFile()) return found !== undefined
  const isNew = Math.abs(Clock.Clock.defaultValue().currentTimeMillisUnsafe() - found.mtimeMs) < lockTimeout
  throw Object.assign(
    new Error("the file is empty: what was in it, if anything, is lost. Restore it, or remove it to begin a new one"),
    isNew ? { errcode: busy } : {}
  )
}

/**
 * Makes a file whole or not at all: on a full disk, or if the program is killed meanwhile, SQLite leaves an empty one, which is refused from then on. Where there
 * are no hard links, SQLite makes it, and beside the journal of an earlier file, which only SQLite knows to remove.
 */
const makeFile = (filename: string, make: (name: string) => void): void => {
  if (existsSync(`${filename}-wal`) || existsSync(`${filename}-journal`)) return
  const beside = `${filename}.${randomUUID().slice(0, 8)}`
  try {
    make(beside)
    linkSync(beside, filename)
  } catch (cause) {
    if ((cause as { readonly syscall?: unknown }).syscall !== "link") throw cause
  } finally {
    rmSync(beside, { force: true })
  }
}

/** Connections that end with the program: one that has lost a file would, at its close, write old pages and remove the log of others. */
const left = new Set<DatabaseSync>()

const connect = (database: DatabaseSync, { filename, lockTimeout }: Opening): SqliteConnection => {
  // SQLite treats a name that begins with "file:" as a URI, and some of these open a temporary database.
  const [main] = database.prepare("PRAGMA database_list").all()
  if (main?.["file"] === "" && filename !== ":memory:") throw refuse("filename", filename, named)
  // The program may change its working directory.
  const path = resolve(filename.startsWith("file:") ? String(main?.["file"]) : filename)
  const ends = filename === ":memory:" ? [] : ["", "-wal", "-shm"]
  const files = ends.map((end) => ({ end, isThere: sameFile(path + end) }))
  const gone = () => files.find(({ isThere }) => !isThere())
  const prepared = new Map<string, StatementSync>()
  const prepare = (sql: string): StatementSync => {
    const known = prepared.get(sql)
    if (known !== undefined) return known
    if (prepared.size >= mostPrepared) prepared.clear()
    const statement = database.prepare(sql)
    prepared.set(sql, statement)
    return statement
  }
  const run = <A>(
    sql: string,
    params: ReadonlyArray<unknown>,
    use: (statement: StatementSync, params: ReadonlyArray<SQLInputValue>) => A
  ): Effect.Effect<A, SqlError> =>
    patiently(
      Effect.withFiber((fiber) => {
        try {
          const missing = database.isTransaction ? undefined : gone()
          if (missing !== undefined) return Effect.fail(lost(`${filename}${missing.end}`))
          const statement = prepare(sql)
          statement.setReadBigInts(fiber.getRef(SqlClient.SafeIntegers))
          return Effect.succeed(use(statement, params.map(written)))
        } catch (cause) {
          return Effect.fail(failed(cause, "execute", filename))
        }
      }),
      lockTimeout
    )
  const rows = (sql: string, params: ReadonlyArray<unknown>): Effect.Effect<ReadonlyArray<object>, SqlError> =>
    run(sql, params, (statement, params) => {
      statement.setReturnArrays(false)
      // Node's rows have no prototype, which would show in every printed row.
      return statement.all(...params).map((row) => ({ ...row }))
    })
  const values = (sql: string, params: ReadonlyArray<unknown>) =>
    run(sql, params, (statement, params) => {
      statement.setReturnArrays(true)
      return statement.all(...params) as unknown as ReadonlyArray<ReadonlyArray<unknown>>
    })
  const execute: Connection["execute"] = (sql, params, transformRows) =>
    transformRows === undefined ? rows(sql, params) : Effect.map(rows(sql, params), transformRows)
  return {
    execute,
    executeUnprepared: execute,
    executeRaw: (sql, params) => run(sql, params, (statement, params) => statement.run(...params)),
    executeValues: values,
    executeValuesUnprepared: values,
    executeStream: (sql, params, transformRows) =>
      Stream.unwrap(Effect.map(execute(sql, params, transformRows), Stream.fromIterable)),
    isTransaction: () => database.isTransaction,
    close: Effect.sync(() => gone() === undefined ? database.close() : void left.add(database))
  }
}

/**
 * Whether an opened file still has its name. SQLite continues in a file that was removed or replaced, and the next program would find another ledger, in
 * which nothing is spent, or without its log one in which the latest is missing; without the index of the log each would write over what the other has
 * written. These two may be made later.
 */
const sameFile = (path: string): () => boolean => {
  let opened = statSync(path, { throwIfNoEntry: false })
  return () => {
    const found = statSync(path, { throwIfNoEntry: false })
    opened ??= found
    return found?.ino === opened?.ino && found?.dev === opened?.dev
  }
}

/** Converts a value to one that SQLite can store. */
const written = (value: unknown): SQLInputValue => {
  if (value === undefined) return null
  if (typeof value === "boolean") return value ? 1 : 0
  return value instanceof Date ? value.toISOString() : value as SQLInputValue
}

/**
 * Tries again until the lock of another process is free or the time is up. SQLite's own wait would block the whole program, and with it the transaction of
 * another connection in the same program. It waits by the machine's clock, because other processes do not use that of the program.
 */
const patiently = <A>(effect: Effect.Effect<A, SqlError>, lockTimeout: number): Effect.Effect<A, SqlError> => {
  const clock = Clock.Clock.defaultValue()
  const attempt = (until: number, count: number): Effect.Effect<A, SqlError> =>
    Effect.catch(effect, (error) =>
      error.reason._tag !== "LockTimeoutError" || clock.currentTimeMillisUnsafe() >= until
        ? Effect.fail(error)
        : Effect.andThen(
          Effect.provideService(Effect.sleep(1 + count % 7), Clock.Clock, clock),
          attempt(until, count + 1)
        ))
  return Effect.suspend(() => attempt(clock.currentTimeMillisUnsafe() + lockTimeout, 0))
}
