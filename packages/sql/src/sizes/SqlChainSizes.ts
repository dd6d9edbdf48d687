/**
 * Sizes of option chains in a database: a size that one program saw bounds the prices of all programs, now and later.
 *
 * `layerSqlite` keeps them in a file, with the SQLite that Node 22.13 and newer contain; it may be the file of a `SqlLedger`. `layer` takes any
 * `SqlClient` for SQLite or PostgreSQL. The layer creates and migrates its tables when it is built.
 *
 * If the database fails later, no size is known, and no query fails. The failure is logged at the level `Debug`.
 *
 * @example
 * ```ts
 * import * as MarketData from "@effect-marketdata/client/MarketData"
 * import * as SqlChainSizes from "@effect-marketdata/sql/SqlChainSizes"
 * import * as Layer from "effect/Layer"
 *
 * export const client = MarketData.layerConfig.pipe(
 *   Layer.provide(SqlChainSizes.layerSqlite({ filename: "credits.db" }))
 * )
 * ```
 *
 * @see `ChainSizes` of the client for what sizes do
 * @see {@link SqlLedger} for the ledger of credits
 * @since 0.1.0
 */
import * as ChainSizes from "@effect-marketdata/client/ChainSizes"
import * as ChainSize from "@effect-marketdata/core/ChainSize"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type * as SqlClient from "effect/sql/SqlClient"
import { type DatabaseError, layerFromSql, quietly } from "../database/DatabaseError.ts"
import { migrated } from "../database/migrations.ts"
import * as Sqlite from "../database/Sqlite.ts"
import * as Transaction from "../database/transaction.ts"

/**
 * How many sizes are kept, of all services and chains together: the most recently seen ones, 10,000 if left out.
 *
 * @category models
 * @since 0.1.0
 */
export interface Options {
  readonly maxSizes?: number | undefined
}

/**
 * Makes a store of sizes in the database of the program.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (options: Options = {}): Effect.Effect<ChainSizes.Store, DatabaseError, SqlClient.SqlClient> =>
  Effect.map(migrated, (sql) => store(sql, options?.maxSizes))

/**
 * Sizes in the database of the program.
 *
 * @example
 * ```ts
 * import * as SqlChainSizes from "@effect-marketdata/sql/SqlChainSizes"
 * import * as SqlLedger from "@effect-marketdata/sql/SqlLedger"
 * import * as Sqlite from "@effect-marketdata/sql/Sqlite"
 * import * as Layer from "effect/Layer"
 *
 * // A budget and sizes in one database. For PostgreSQL, provide PgClient.layer of @effect/sql-pg instead.
 * export const kept = Layer.merge(
 *   SqlLedger.layer({ account: "main", allowance: 1000, window: "day" }),
 *   SqlChainSizes.layer()
 * ).pipe(Layer.provide(Sqlite.layer({ filename: "credits.db" })))
 * ```
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (options: Options = {}): Layer.Layer<ChainSizes.ChainSizes, DatabaseError, SqlClient.SqlClient> =>
  Layer.effect(ChainSizes.ChainSizes, make(options))

/**
 * Sizes in a file, with the SQLite that Node contains. On a Node older than 22.13 it fails with `Unusable`, which says so.
 *
 * @example
 * ```ts
 * import * as SqlChainSizes from "@effect-marketdata/sql/SqlChainSizes"
 *
 * export const sizes = SqlChainSizes.layerSqlite({ filename: "credits.db" })
 * ```
 *
 * @category layers
 * @since 0.1.0
 */
export const layerSqlite = (options: Options & Sqlite.Options): Layer.Layer<ChainSizes.ChainSizes, DatabaseError> =>
  Layer.provide(layer(options), layerFromSql(Sqlite.layer(options)))

const what = "sizes of chains"

/** How many sizes of a chain are looked at: those that were seen last tell most. */
const sizesOfChain = 32

/** A name that is longer does not fit into every database's index. */
const longestName = 1000

/** The rows of sizes, up to a number of them. What is not a number is the usual one. */
const store = (sql: SqlClient.SqlClient, maxSizes = 10_000): ChainSizes.Store => {
  const most = Math.min(Math.max(1, Math.floor(maxSizes) || 10_000), 1e9)
  return {
    find: ({ chain, service }) => {
      const rows = sql<{ readonly size: string }>`SELECT size FROM marketdata_chain_size
        WHERE service = ${service} AND chain = ${chain} ORDER BY seen DESC LIMIT ${sizesOfChain}`
      const read = Effect.map(
        Transaction.inTime(sql, rows),
        (rows) => rows.map(({ size }) => decode(size)).filter((size) => size !== undefined)
      )
      return quietly(read, [], what)
    },
    keep: ({ chain, service }, size) => {
      const name = ChainSize.nameOf(size)
      if (name.length > longestName) return Effect.void
      const row = { service, chain, name, seen: size.seenAt, size: JSON.stringify(size) }
      const write = Effect.gen(function*() {
        yield* sql`INSERT INTO marketdata_chain_size ${sql.insert(row)}
          ON CONFLICT (service, chain, name) DO UPDATE SET seen = excluded.seen, size = excluded.size
          WHERE excluded.seen >= marketdata_chain_size.seen`
        yield* sql`DELETE FROM marketdata_chain_size
          WHERE seen < (SELECT seen FROM marketdata_chain_size ORDER BY seen DESC LIMIT 1 OFFSET ${most - 1})`
      })
      return quietly(Transaction.run(sql, write), undefined, what)
    }
  }
}

/** A size as it was written; undefined where it can no longer be read. */
const decode = (text: string): ChainSize.ChainSize | undefined =>
  ChainSize.read(Result.getOrUndefined(Result.try(() => JSON.parse(text) as unknown)))
