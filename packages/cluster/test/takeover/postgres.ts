/** A PostgreSQL server of its own, which can be stopped: `.ci/postgres` in a temporary folder. */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { execFile } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import * as Database from "../../../sql/test/crashes/database.ts"
import { folder } from "../../../sql/test/support/databases.ts"

const call = (command: "start" | "stop", folder: string) =>
  Effect.promise(async () => {
    const { stdout } = await promisify(execFile)(join(import.meta.dirname, "../../../../.ci/postgres"), [
      command,
      folder
    ])
    return stdout.trim()
  })

export type Server = Effect.Success<typeof start>

/** Starts it. `restart` keeps its data and its URL; `cutAll` ends all its connections. */
export const start = Effect.gen(function*() {
  const path = yield* folder
  const url = yield* Effect.acquireRelease(call("start", path), () => call("stop", path))
  const cutAll = Effect.flatMap(
    SqlClient.SqlClient,
    (sql) =>
      sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename IS NOT NULL AND pid <> pg_backend_pid()`
  ).pipe(Effect.provide(Database.open(url)), Effect.orDie)
  return { url: new URL(url), stop: call("stop", path), restart: call("start", path), cutAll }
})
