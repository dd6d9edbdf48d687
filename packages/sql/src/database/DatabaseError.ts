/**
 * Why a ledger, guard, cache or other state in a database cannot be opened or read.
 *
 * @example
 * ```ts
 * import * as SqlLedger from "@effect-marketdata/sql/SqlLedger"
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 *
 * const layer = SqlLedger.layerSqlite({ filename: "/no/such/folder/credits.db", account: "main", allowance: 1000 })
 * const opened = Effect.scoped(Layer.build(layer)).pipe(
 *   Effect.as("opened"),
 *   Effect.catchReason("DatabaseError", "Unusable", (reason) => Effect.succeed(reason.message))
 * )
 *
 * await Effect.runPromise(opened)
 * // => "the database cannot be used: /no/such/folder/credits.db: unable to open database file"
 * ```
 *
 * @see {@link SqlLedger} for the ledger in a database
 * @since 0.1.0
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { isSqlError, SqlError, type SqlErrorReason } from "effect/sql/SqlError"

/**
 * An option cannot be used. `problem` says which, what is wrong with it, and gives an example.
 *
 * @category errors
 * @since 0.1.0
 */
export class InvalidOption extends Data.TaggedError("InvalidOption")<{ readonly problem: string }> {
  override get message(): string {
    return this.problem
  }
}

/**
 * The database was written by a newer version of this package: it has the schema `found`, and this version knows schemas up to `known`.
 *
 * @category errors
 * @since 0.1.0
 */
export class NewerSchema extends Data.TaggedError("NewerSchema")<{ readonly found: number; readonly known: number }> {
  override get message(): string {
    return `the database has schema version ${this.found}, and this version of @effect-marketdata/sql knows versions up to ` +
      `${this.known}. Use a newer version of the package, or another database`
  }
}

/**
 * The ledger in the database is of another kind than the one that was asked for: its allowance is renewed in another window, or one of them
 * follows the service.
 *
 * @category errors
 * @since 0.1.0
 */
export class OtherKind extends Data.TaggedError("OtherKind")<{
  readonly ledger: string
  readonly found: string
  readonly asked: string
}> {
  override get message(): string {
    return `${this.ledger} is ${this.found} in the database, and was opened as ${this.asked}. Open it as it is, or give the ` +
      `new one another name, e.g. budget: "daily"`
  }
}

/**
 * The database cannot be opened, read or written. `detail` says what was wrong.
 *
 * @category errors
 * @since 0.1.0
 */
export class Unusable extends Data.TaggedError("Unusable")<{ readonly detail: string }> {
  override get message(): string {
    return `the database cannot be used: ${this.detail}`
  }
}

/**
 * Why a database cannot be used. Handle its `reason` with `Effect.catchReason` or `Effect.unwrapReason`.
 *
 * @category errors
 * @since 0.1.0
 */
export class DatabaseError extends Data.TaggedError("DatabaseError")<{
  readonly reason: InvalidOption | NewerSchema | OtherKind | Unusable
}> {
  override get message(): string {
    return this.reason.message
  }
}

/**
 * Makes an error of SQL that does not come from a database.
 *
 * @internal
 */
export const failure = (
  Reason: new (
    of: { readonly message: string; readonly operation: string; readonly cause: undefined }
  ) => SqlErrorReason,
  operation: string,
  message: string
): SqlError => new SqlError({ reason: new Reason({ message, operation, cause: undefined }) })

/**
 * What was wrong, in the words of the database.
 *
 * @internal
 */
export const detailOf = ({ message, reason }: SqlError): string => {
  const { cause } = reason
  const words = cause instanceof Error ? cause.message : ""
  const said = reason.message ?? message
  return words === "" || said.includes(words) ? said : `${said}: ${words}`
}

/**
 * The error of a database that cannot be used.
 *
 * @internal
 */
export const unusable = (detail: string): DatabaseError => new DatabaseError({ reason: new Unusable({ detail }) })

/**
 * A failure of the database as an error of this package.
 *
 * @internal
 */
export const fromSql = (error: SqlError): DatabaseError => unusable(detailOf(error))

/**
 * A layer of a database, which fails with an error of this package.
 *
 * @internal
 */
export const layerFromSql = <A, R>(self: Layer.Layer<A, SqlError, R>): Layer.Layer<A, DatabaseError, R> =>
  Layer.catchTag(self, "SqlError", (error) => Layer.unwrap(Effect.fail(fromSql(error))))

/**
 * Returns `otherwise` if the database fails, so that no query fails because of it; the failure is logged at the level `Debug`.
 *
 * @internal
 */
export const quietly = <A, B>(self: Effect.Effect<A, unknown>, otherwise: B, what: string): Effect.Effect<A | B> =>
  self.pipe(
    Effect.catchDefect(Effect.fail),
    Effect.catch((error) => {
      const why = isSqlError(error) ? detailOf(error) : "the database's client broke"
      return Effect.as(Effect.logDebug(`${what} cannot be read or written`, why), otherwise)
    })
  )
