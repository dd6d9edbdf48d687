/** The databases that the tests run on: SQLite in a folder that ends with the test, or PostgreSQL where there is a server. */
import * as Sqlite from "@effect-marketdata/sql/Sqlite"
import * as PgClient from "@effect/sql-pg/PgClient"
import { Clock, Duration, Effect, Layer, ManagedRuntime, Redacted, String } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { SqlClient, Statement } from "effect/sql"
import * as TestClock from "effect/testing/TestClock"
import { randomUUID } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** A folder that ends with a scope. */
export const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "marketdata-sql-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

/**
 * An empty database, to be opened as often as one likes while a scope is open. `setServer` sets the clock of its server, where it has one, to epoch
 * milliseconds; it stands still then. Before that it is the machine's.
 */
export interface Database {
  readonly open: Layer.Layer<SqlClient.SqlClient>
  readonly setServer: (millis: number) => Effect.Effect<void>
}

export interface Kind {
  readonly name: string
  readonly make: Effect.Effect<Database, never, import("effect/Scope").Scope>
}

/** What every machine has. */
export const sqlite: Kind = {
  name: "SQLite",
  make: Effect.map(folder, (path) => ({
    open: Layer.orDie(Layer.fresh(Sqlite.layer({ filename: join(path, "credits.db"), synchronous: "normal" }))),
    setServer: () => Effect.void
  }))
}

/** Where PostgreSQL is, for a user who may create schemas. */
const url = process.env["MARKETDATA_TEST_POSTGRES"]

const connect = (url: string, search_path: string, more = {}) =>
  Layer.orDie(Layer.fresh(PgClient.layer({ url: Redacted.make(url), startupParameters: { search_path, ...more } })))

const postgres = (url: string, more?: Record<string, string>): Kind => {
  const command = (text: string) =>
    Effect.flatMap(SqlClient.SqlClient, (sql) => Effect.orDie(sql.unsafe(text))).pipe(
      Effect.provide(connect(url, "public"))
    )
  return {
    name: "PostgreSQL",
    make: Effect.map(
      Effect.acquireRelease(
        Effect.suspend(() => {
          const schema = `test_${randomUUID().replaceAll("-", "")}`
          // Found before PostgreSQL's own, since that is looked for last.
          const clock = `CREATE FUNCTION ${schema}.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS
            'SELECT COALESCE((SELECT to_timestamp(millis / 1000) FROM ${schema}.server_clock), pg_catalog.clock_timestamp())'`
          const table = `CREATE TABLE ${schema}.server_clock AS SELECT NULL::float8 AS millis`
          return Effect.as(Effect.forEach([`CREATE SCHEMA ${schema}`, table, clock], command), schema)
        }),
        (schema) => command(`DROP SCHEMA ${schema} CASCADE`)
      ),
      (schema) => ({
        open: connect(url, `${schema}, pg_catalog`, more),
        setServer: (millis) => Effect.asVoid(command(`UPDATE ${schema}.server_clock SET millis = ${millis}`))
      })
    )
  }
}

/** The kind of database that the tests run on: of a file, which `npm test` needs no server for, or of the server that continuous integration starts. */
export const kind: Kind = url === undefined ? sqlite : postgres(url)

/** All of it, and a server whose transactions are strict unless they say otherwise. */
export const strict: ReadonlyArray<Kind> = url === undefined
  ? [kind]
  : [kind, { ...postgres(url, { default_transaction_isolation: "serializable" }), name: "strict PostgreSQL" }]

/** One with a clock of its own. */
export const servers: ReadonlyArray<Kind> = kind === sqlite ? [] : [kind]

/** The same database for a program whose client gives rows their names in camel case, as many do. */
export const inCamelCase = ({ open, ...rest }: Database): Database => ({
  ...rest,
  open: Layer.effect(
    SqlClient.SqlClient,
    Effect.flatMap(SqlClient.SqlClient, (sql) =>
      SqlClient.make({
        acquirer: sql.reserve,
        compiler: sql.onDialectOrElse({
          sqlite: () => Statement.makeCompilerSqlite(String.camelToSnake),
          orElse: () => PgClient.makeCompiler(String.camelToSnake)
        }),
        spanAttributes: [],
        driver: sql.driver,
        transformRows: Statement.defaultTransforms(String.snakeToCamel).array
      }))
  ).pipe(Layer.provide([open, Reactivity.layer]))
})

/**
 * Lets a database answer, whatever clock the test goes by: a file does within a turn of the event loop. A server does in the time that it takes
 * for some small statements one after another, which is longer where the machine is busy.
 */
export const soon: Effect.Effect<void> = url === undefined
  ? Effect.promise(() => new Promise((resume) => setImmediate(resume)))
  : Effect.gen(function*() {
    const { runPromise } = (server ??= ManagedRuntime.make(connect(url, "public")))
    const small = Effect.flatMap(SqlClient.SqlClient, (sql) => Effect.orDie(sql`SELECT 1`))
    yield* Effect.promise(() => runPromise(Effect.repeat(small, { times: 7 })))
  })

/** A connection that all tests of a file have in common. */
let server: ManagedRuntime.ManagedRuntime<SqlClient.SqlClient, never> | undefined

/** Sets the clocks of the server and of the programs, in epoch milliseconds. The server's is first: programs that wake up ask it at once. */
export const setTime = ({ setServer }: Database, millis: number): Effect.Effect<void> =>
  Effect.andThen(setServer(millis), TestClock.setTime(millis))

/** Lets time go by, for the server and for the programs. */
export const pass = (database: Database, duration: Duration.Input): Effect.Effect<void> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => setTime(database, now + Duration.toMillis(duration)))
