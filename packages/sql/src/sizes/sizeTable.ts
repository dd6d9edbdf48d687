import type * as ChainSizes from "@effect-marketdata/client/ChainSizes"
import * as ChainSize from "@effect-marketdata/core/ChainSize"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { SqlClient } from "effect/sql/SqlClient"
import { quietly } from "../database/failed.ts"
import * as Transaction from "../database/transaction.ts"

const what = "sizes of chains"

/** How many sizes of a chain are looked at: those that were seen last tell most. */
const sizesOfChain = 32

/** A name that is longer does not fit into every database's index. */
const longestName = 1000

/** The rows of sizes, up to a number of them. What is no number is the usual one. */
export const store = (sql: SqlClient, maxSizes = 10_000): ChainSizes.Store => {
  const most = Math.min(Math.max(1, Math.floor(maxSizes) || 10_000), 1e9)
  return {
    find: ({ chain, service }) =>
      quietly(
        Effect.map(
          Transaction.inTime(
            sql,
            sql<{ readonly size: string }>`SELECT size FROM marketdata_chain_size
            WHERE service = ${service} AND chain = ${chain} ORDER BY seen DESC LIMIT ${sizesOfChain}`
          ),
          (rows) => rows.map(({ size }) => decode(size)).filter((size) => size !== undefined)
        ),
        [],
        what
      ),
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
