/** Runners in processes of their own, beside a sandbox on a port. */
import * as Sqlite from "@effect-marketdata/sql/Sqlite"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import * as SqlClient from "effect/sql/SqlClient"
import { randomInt, randomUUID } from "node:crypto"
import { createServer } from "node:net"
import { join } from "node:path"
import * as Process from "../../../sql/test/crashes/process.ts"
import { folder } from "../../../sql/test/support/databases.ts"

/** Where the database of a cluster is: a file, or a schema on a server. */
export type Place = { readonly filename: string } | { readonly url: string; readonly schema: string }

/** What a runner is told. */
export type Setting = Place & {
  readonly baseUrl: string
  readonly address: string
  readonly port: number
  readonly health: number
  readonly maxInFlight: number
}

export const database = (place: Place): Layer.Layer<SqlClient.SqlClient> =>
  Layer.orDie<SqlClient.SqlClient, unknown, never>(
    "filename" in place
      ? Sqlite.layer({ filename: place.filename, synchronous: "normal" })
      : PgClient.layer({ url: Redacted.make(place.url), startupParameters: { search_path: place.schema } })
  )

/** Where PostgreSQL is, for a user who may create schemas. */
const url = process.env["MARKETDATA_TEST_POSTGRES"]

const postgres = (url: string): Effect.Effect<Place, never, Scope.Scope> => {
  const command = (text: string) =>
    Effect.flatMap(SqlClient.SqlClient, (sql) => Effect.orDie(sql.unsafe(text))).pipe(
      Effect.provide(database({ url, schema: "public" }))
    )
  return Effect.map(
    Effect.acquireRelease(
      Effect.suspend(() => {
        const schema = `cluster_${randomUUID().replaceAll("-", "")}`
        return Effect.as(command(`CREATE SCHEMA ${schema}`), schema)
      }),
      (schema) => command(`DROP SCHEMA ${schema} CASCADE`)
    ),
    (schema) => ({ url, schema })
  )
}

/** The database that the tests run on: a file, or the server that continuous integration starts. */
export const places: ReadonlyArray<{ readonly name: string; readonly make: Effect.Effect<Place, never, Scope.Scope> }> =
  [
    url === undefined
      ? { name: "SQLite", make: Effect.map(folder, (path) => ({ filename: join(path, "cluster.db") })) }
      : { name: "PostgreSQL", make: postgres(url) }
  ]

/**
 * A free port, below those that a system chooses itself: between this check and its use, a connection of another program could get one of those.
 */
export const freePort: Effect.Effect<number> = Effect.callback<number, Error>((resume) => {
  const port = randomInt(20_000, 30_000)
  const server = createServer()
    .once("error", (error) => resume(Effect.fail(error)))
    .listen(port, "127.0.0.1", () => server.close(() => resume(Effect.succeed(port))))
}).pipe(Effect.retry({ times: 100 }), Effect.orDie)

/** A runner, for as long as a scope is open. */
export interface Runner {
  readonly port: number
  readonly health: string
  readonly end: (signal: "SIGTERM" | "SIGKILL") => Effect.Effect<void>
  /** Waits until it has ended, by itself or by a signal. */
  readonly ended: Effect.Effect<void>
}

export const start = (
  place: Place,
  options: Pick<Setting, "baseUrl" | "address" | "maxInFlight">
): Effect.Effect<Runner, never, Scope.Scope> =>
  Effect.gen(function*() {
    const setting: Setting = { ...place, ...options, port: yield* freePort, health: yield* freePort }
    const kill = ({ child, ended }: Process.Running, signal: NodeJS.Signals) =>
      Effect.andThen(Effect.sync(() => child.kill(signal)), Effect.promise(() => ended))
    const running = yield* Effect.acquireRelease(
      Effect.sync(() => Process.start(join(import.meta.dirname, "runnerProgram.ts"), setting, () => {})),
      (running) => kill(running, "SIGKILL")
    )
    return {
      port: setting.port,
      health: `http://127.0.0.1:${setting.health}`,
      end: (signal) => Effect.asVoid(kill(running, signal)),
      ended: Effect.asVoid(Effect.promise(() => running.ended))
    }
  })
