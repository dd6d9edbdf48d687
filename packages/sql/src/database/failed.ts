import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { isSqlError, SqlError, type SqlErrorReason } from "effect/sql/SqlError"
import { DatabaseError, Unusable } from "./DatabaseError.ts"

/** Makes an error of SQL that does not come from a database. */
export const failure = (
  Reason: new (
    of: { readonly message: string; readonly operation: string; readonly cause: undefined }
  ) => SqlErrorReason,
  operation: string,
  message: string
): SqlError => new SqlError({ reason: new Reason({ message, operation, cause: undefined }) })

/** What was wrong, in the words of the database. */
export const detailOf = ({ message, reason }: SqlError): string => {
  const { cause } = reason
  const words = cause instanceof Error ? cause.message : ""
  const said = reason.message ?? message
  return words === "" || said.includes(words) ? said : `${said}: ${words}`
}

export const unusable = (detail: string): DatabaseError => new DatabaseError({ reason: new Unusable({ detail }) })

/** A failure of the database as an error of this package. */
export const fromSql = (error: SqlError): DatabaseError => unusable(detailOf(error))

/** A layer of a database, which fails with an error of this package. */
export const layerFromSql = <A, R>(self: Layer.Layer<A, SqlError, R>): Layer.Layer<A, DatabaseError, R> =>
  Layer.catchTag(self, "SqlError", (error) => Layer.unwrap(Effect.fail(fromSql(error))))

/** Returns `otherwise` if the database fails, so that no query fails because of it; the failure is logged at the level `Debug`. */
export const quietly = <A, B>(self: Effect.Effect<A, unknown>, otherwise: B, what: string): Effect.Effect<A | B> =>
  self.pipe(
    Effect.catchDefect(Effect.fail),
    Effect.catch((error) => {
      const why = isSqlError(error) ? detailOf(error) : "the database's client broke"
      return Effect.as(Effect.logDebug(`${what} cannot be read or written`, why), otherwise)
    })
  )
