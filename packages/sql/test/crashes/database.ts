/** The database of a run: a file, or a PostgreSQL server by its URL. */
import * as Sqlite from "@effect-marketdata/sql/Sqlite"
import * as PgClient from "@effect/sql-pg/PgClient"
import { Layer, Redacted } from "effect"
import type * as SqlClient from "effect/sql/SqlClient"

export const isServer = (database: string): boolean => database.startsWith("postgres")

/** Opens it. Nothing waits for the disk: what is killed here is programs, and not the machine. */
export const open = (database: string): Layer.Layer<SqlClient.SqlClient> =>
  Layer.orDie(
    isServer(database)
      ? PgClient.layer({ url: Redacted.make(database), maxConnections: 2 })
      : Sqlite.layer({ filename: database, synchronous: "normal", lockTimeout: "30 seconds" })
  )
