/** The databases that the tests run on: SQLite in a folder that ends with the test, or PostgreSQL where there is a server. */
import * as Sqlite from "@effect-marketdata/sql/Sqlite"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as SqlClient from "effect/sql/SqlClient"
import { randomUUID } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** A folder that ends with a scope. */
export const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "marketdata-sql-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

/** An empty database, to be opened as often as one likes while a scope is open. */
export interface Database {
  readonly open: Layer.Layer<SqlClient.SqlClient>
}

export interface Kind {
  readonly name: string
  readonly make: Effect.Effect<Database, never, import("effect/Scope").Scope>
}

/** What every machine has. */
export const sqlite: Kind = {
  name: "SQLite",
  make: Effect.map(folder, (path) => ({
    open: Layer.orDie(Layer.fresh(Sqlite.layer({ filename: join(path, "credits.db"), synchronous: "normal" })))
  }))
}

/** Where PostgreSQL is, for a user who may create schemas. */
const url = process.env["MARKETDATA_TEST_POSTGRES"]

const postgres = (url: string): Kind => {
  const connect = (searchPath: string) =>
    Layer.orDie(
      Layer.fresh(PgClient.layer({ url: Redacted.make(url), startupParameters: { search_path: searchPath } }))
    )
  const command = (text: string) =>
    Effect.flatMap(SqlClient.SqlClient, (sql) => Effect.orDie(sql.unsafe(text))).pipe(Effect.provide(connect("public")))
  return {
    name: "PostgreSQL",
    make: Effect.map(
      Effect.acquireRelease(
        Effect.suspend(() => {
          const schema = `test_${randomUUID().replaceAll("-", "")}`
          return Effect.as(command(`CREATE SCHEMA ${schema}`), schema)
        }),
        (schema) => command(`DROP SCHEMA ${schema} CASCADE`)
      ),
      (schema) => ({ open: connect(schema) })
    )
  }
}

/** The kind of database that the tests run on: of a file, which `npm test` needs no server for, or of the server that continuous integration starts. */
export const kinds: ReadonlyArray<Kind> = [url === undefined ? sqlite : postgres(url)]

/** One with a clock of its own. */
export const servers: ReadonlyArray<Kind> = kinds.filter((kind) => kind !== sqlite)

/** Lets a database answer, whatever clock the test goes by: a file does within a turn of the event loop, and a server takes a while. */
export const soon: Effect.Effect<void> = Effect.promise(() =>
  new Promise((resume) => url === undefined ? setImmediate(resume) : setTimeout(resume, 2))
)
