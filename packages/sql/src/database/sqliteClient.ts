import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import type { DatabaseError } from "./DatabaseError.ts"
import { fromSql } from "./failed.ts"
import * as Sqlite from "./Sqlite.ts"

/** A file as the `SqlClient` of a layer of this package, whose errors it fails with. */
export const layer = (options: Sqlite.Options): Layer.Layer<SqlClient.SqlClient, DatabaseError> =>
  Layer.catchTag(
    Sqlite.layer(options),
    "SqlError",
    (error) => Layer.effect(SqlClient.SqlClient, Effect.fail(fromSql(error)))
  )
