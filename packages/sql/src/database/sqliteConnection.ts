import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { SafeIntegers } from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import { classifySqliteError, ConnectionError, SqlError } from "effect/sql/SqlError"
import * as Stream from "effect/Stream"
import { statSync } from "node:fs"
import { resolve } from "node:path"
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite"
import { failure } from "./failed.ts"
import { refuse } from "./options.ts"

/** The one connection to a file; it can say whether a transaction is open. */
export interface SqliteConnection extends Connection {
  readonly isTransaction: () => boolean
  readonly close: Effect.Effect<void>
}

interface Options {
  readonly filename: string
  readonly lockTimeout: number
  readonly synchronous: "FULL" | "NORMAL"
}

/** The module that Node contains, asked for at run time: an older Node shall be able to import this package. */
const sqlite = (): typeof import("node:sqlite") | undefined =>
  typeof process.getBuiltinModule === "function" ? process.getBuiltinModule("node:sqlite") : undefined

const failed = (cause: unknown, operation: string, about = ""): SqlError => {
  const { errcode, message } = cause as { readonly errcode?: unknown; readonly message?: unknown }
  // Node has the number under a name of its own.
  const numbered = Object.assign(new Error(String(message), { cause }), { errno: errcode })
  return new SqlError({ reason: classifySqliteError(numbered, { message: `${about}${String(message)}`, operation }) })
}

export const unopened = ({ message }: { readonly message: string }) => failure(ConnectionError, "open", message)

const missing = unopened({
  message:
    `SQLite needs Node 22.13 or newer, and this is Node ${process.versions.node}: use a newer Node, or a PostgreSQL database`
})

/** SQLite takes an empty name for a database that ends with its connection: a setting that is missing would forget what was spent. */
const named = { rule: "must name a file, or be \":memory:\", which ends with the program", example: "\"credits.db\"" }

const lost = (filename: string) =>
  failure(
    ConnectionError,
    "execute",
    `${filename} was removed or replaced while it was open: put back the file that was there, or begin the program again`
  )

/** How long a statement may hold up the program while it waits for another process, in milliseconds. */
const patience = 5

/** SQLite's number for what another program holds up. */
const busy = 5

/** How many statements are kept prepared. */
const mostPrepared = 100

/** Opens a file, in the journal mode in which readers and a writer do not hold each other up. A new file is given it, for which others must wait. */
export const open = (options: Options): Effect.Effect<SqliteConnection, SqlError> =>
  Effect.suspend(() => {
    const module = sqlite()
    if (module === undefined) return Effect.fail(missing)
    const { filename } = options
    if (typeof filename !== "string" || filename === "") {
      return Effect.fail(unopened(refuse("filename", filename, named)))
    }
    const opened = Effect.try({
      try: () => {
        refuseEmpty(options)
        const database = new module.DatabaseSync(options.filename, { timeout: patience })
        try {
          database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${options.synchronous}`)
          return connect(database, options)
        } catch (cause) {
          database.close()
          throw cause
        }
      },
      catch: (cause) => failed(cause, "open", `${options.filename}: `)
    })
    return patiently(opened, options.lockTimeout)
  })

/** An empty file is no new ledger: what was in it is gone. One that was made just now is another program's, which is about to write into it. */
const refuseEmpty = ({ filename, lockTimeout }: Options): void => {
  const found = filename === ":memory:" ? undefined : statSync(filename, { throwIfNoEntry: false })
  if (found === undefined || found.size > 0 || !found.isFile()) return
  const isNew = Math.abs(Clock.Clock.defaultValue().currentTimeMillisUnsafe() - found.mtimeMs) < lockTimeout
  throw Object.assign(
    new Error("the file is empty, so that what was in it is lost. Restore it, or remove it to begin a new one"),
    isNew ? { errcode: busy } : {}
  )
}

const connect = (database: DatabaseSync, { filename, lockTimeout }: Options): SqliteConnection => {
  // SQLite takes a name that begins with "file:" for a URI, and of some of them makes a database that ends with its connection.
  const [main] = database.prepare("PRAGMA database_list").all()
  if (main?.["file"] === "" && filename !== ":memory:") throw refuse("filename", filename, named)
  const isThere = sameFile(filename.startsWith("file:") ? String(main?.["file"]) : filename)
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
          if (!database.isTransaction && !isThere()) return Effect.fail(lost(filename))
          const statement = prepare(sql)
          statement.setReadBigInts(fiber.getRef(SafeIntegers))
          return Effect.succeed(use(statement, params.map(written)))
        } catch (cause) {
          return Effect.fail(failed(cause, "execute"))
        }
      }),
      lockTimeout
    )
  const rows = (sql: string, params: ReadonlyArray<unknown>): Effect.Effect<ReadonlyArray<object>, SqlError> =>
    run(sql, params, (statement, params) => {
      statement.setReturnArrays(false)
      // Node's rows have no prototype, which every print shows.
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
    close: Effect.sync(() => database.close())
  }
}

/**
 * Whether the file that was opened is still the one of its name. SQLite goes on in a file that was removed or replaced, and the next program would
 * find another ledger, in which nothing is spent. What is no file, as a database in memory, cannot be lost in this way.
 */
const sameFile = (filename: string): () => boolean => {
  // The program may go to another folder.
  const path = resolve(filename)
  const look = () => filename === ":memory:" ? undefined : statSync(path, { throwIfNoEntry: false })
  const opened = look()
  if (opened === undefined) return () => true
  return () => {
    const found = look()
    return found?.ino === opened.ino && found.dev === opened.dev
  }
}

/** A value as SQLite has it. */
const written = (value: unknown): SQLInputValue => {
  if (value === undefined) return null
  if (typeof value === "boolean") return value ? 1 : 0
  return value instanceof Date ? value.toISOString() : value as SQLInputValue
}

/**
 * Tries again until the lock of another process is free or the time is up. SQLite's own wait would hold up the whole program, and with it
 * the transaction of another connection in the same program. Other processes take real time, whatever clock the program goes by.
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
