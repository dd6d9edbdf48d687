/**
 * Kept replies in a database, for all machines: what one of them has paid for, the others read, and a call that is repeated after its
 * answer was lost finds it there. The rules of freshness are those of the client's `ReplyCache`.
 *
 * If the database fails, nothing is kept, and the service is asked: no query fails. The failure is logged at the level `Debug`.
 *
 * @example
 * ```ts
 * import * as MarketData from "@effect-marketdata/client/MarketData"
 * import * as SqlLedger from "@effect-marketdata/sql/SqlLedger"
 * import * as SqlReplyCache from "@effect-marketdata/sql/SqlReplyCache"
 * import * as Sqlite from "@effect-marketdata/sql/Sqlite"
 * import * as Layer from "effect/Layer"
 *
 * // For machines, provide PgClient.layer of @effect/sql-pg in place of the file.
 * export const client = MarketData.layer().pipe(
 *   Layer.provide([SqlLedger.layer({ account: "main", allowance: 1000 }), SqlReplyCache.layer({ account: "main" })]),
 *   Layer.provide(Sqlite.layer({ filename: "credits.db" }))
 * )
 * ```
 *
 * @see `ReplyCache` of the client for what a cache does
 * @see {@link SqlLedger} for the ledger in the same database
 * @since 0.1.0
 */
import * as ReplyCache from "@effect-marketdata/client/ReplyCache"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as SqlClient from "effect/sql/SqlClient"
import type { DatabaseError } from "../database/DatabaseError.ts"
import { migrated } from "../database/migrations.ts"
import * as Checked from "../database/options.ts"
import * as ReplyTable from "./replyTable.ts"

/**
 * Whose replies are kept, and how many. The least recently used are evicted first.
 *
 * - `account`: the name of the account, see `ReplyCache.Options`: programs with the same name share replies
 * - `maxBytes`: the most bytes of all rows, as they are compressed; 256 MiB by default. All accounts of a database share it
 * - `maxEntries`: the most queries whose replies are kept, 10,000 by default
 * - `maxAge`: how long they are kept at most, 30 days by default
 *
 * @category models
 * @since 0.1.0
 */
export interface Options {
  readonly account: string
  readonly maxBytes?: number | undefined
  readonly maxEntries?: number | undefined
  readonly maxAge?: Duration.Input | undefined
}

const count = (option: string, value: number, example: string): Effect.Effect<number, DatabaseError> =>
  Number.isSafeInteger(value) && value >= 1
    ? Effect.succeed(value)
    : Effect.fail(Checked.refuse(option, value, { rule: "must be a positive integer", example }))

/**
 * Makes a store of replies in the database of the program, for `ReplyCache.make`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeStore = Effect.fnUntraced(function*(
  options: Omit<Options, "account"> = {}
): Effect.fn.Return<ReplyCache.Store, DatabaseError, SqlClient.SqlClient> {
  const { maxAge = "30 days", maxBytes = 268_435_456, maxEntries = 10_000 } = options ?? {}
  const limits = {
    maxBytes: yield* count("maxBytes", maxBytes, "268435456"),
    maxEntries: yield* count("maxEntries", maxEntries, "10000"),
    maxAge: yield* Checked.seconds("maxAge", maxAge, {
      least: 1,
      rule: "must be at least 1 second",
      example: "\"30 days\""
    })
  }
  return ReplyTable.store(yield* migrated, limits)
})

/**
 * A cache in the database of the program.
 *
 * @example
 * ```ts
 * import * as Sqlite from "@effect-marketdata/sql/Sqlite"
 * import * as SqlReplyCache from "@effect-marketdata/sql/SqlReplyCache"
 * import * as Layer from "effect/Layer"
 *
 * export const replies = SqlReplyCache.layer({ account: "main" }).pipe(
 *   Layer.provide(Sqlite.layer({ filename: "replies.db" }))
 * )
 * ```
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (options: Options): Layer.Layer<ReplyCache.ReplyCache, DatabaseError, SqlClient.SqlClient> =>
  Layer.effect(
    ReplyCache.ReplyCache,
    Effect.gen(function*() {
      const account = yield* Checked.named("account", ((options ?? {}) as Partial<Options>).account)
      return yield* ReplyCache.make(yield* makeStore(options), { account })
    })
  )
