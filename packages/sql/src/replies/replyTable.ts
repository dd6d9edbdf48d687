/** The rows of replies, up to a number of bytes, of rows and of seconds. */
import type * as ReplyCache from "@effect-marketdata/client/ReplyCache"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { quietly } from "../database/failed.ts"
import * as Transaction from "../database/transaction.ts"
import * as Entry from "./replyEntry.ts"

/** What is kept at most. */
export interface Limits {
  readonly maxBytes: number
  readonly maxEntries: number
  readonly maxAge: number
}

/** How long a row may have been used without that being written: a read is no write then. In seconds. */
const fresh = 60

const what = "kept replies"

interface Row {
  readonly kept: number
  readonly used: number
  readonly now: number
  readonly entry: Uint8Array
}

export const store = (sql: SqlClient, { maxAge, maxBytes, maxEntries }: Limits): ReplyCache.Store => {
  const remove = (name: string) => sql`DELETE FROM marketdata_reply WHERE key = ${name}`
  /** What is too old goes, and then what was used longest ago, until the rest is no more than may be kept. */
  const makeRoom = Effect.fnUntraced(function*(now: number) {
    yield* sql`DELETE FROM marketdata_reply WHERE kept <= ${now - maxAge}`
    const [all] = yield* sql<{ readonly entries: unknown; readonly bytes: unknown }>`SELECT COUNT(*) AS entries,
      SUM(size) AS bytes FROM marketdata_reply`
    if (Number(all?.entries) <= maxEntries && Number(all?.bytes) <= maxBytes) return
    yield* sql`DELETE FROM marketdata_reply WHERE key IN (SELECT key FROM (SELECT key,
      SUM(size) OVER (ORDER BY used DESC, key) AS bytes, ROW_NUMBER() OVER (ORDER BY used DESC, key) AS place
      FROM marketdata_reply) AS ranked WHERE bytes > ${maxBytes} OR place > ${maxEntries})`
  })
  const find = Effect.fnUntraced(function*(key: string) {
    const name = Entry.nameOf(key)
    const time = yield* Transaction.time(sql)
    const [row] = yield* Transaction.inTime(
      sql,
      sql<
        Row
      >`SELECT kept, used, ${time} AS now, entry FROM marketdata_reply WHERE key = ${name} AND size <= ${maxBytes}`
    )
    if (row === undefined || row.kept <= row.now - maxAge) return undefined
    if (Math.abs(row.now - row.used) >= fresh) {
      yield* Transaction.run(sql, sql`UPDATE marketdata_reply SET used = ${row.now} WHERE key = ${name}`)
    }
    return row.entry
  })
  const keep = Effect.fnUntraced(function*(key: string, replies: ReadonlyArray<ReplyCache.KeptReply>) {
    const [name, entry] = [Entry.nameOf(key), yield* Entry.encode(key, replies)]
    if (entry.length > maxBytes) return
    const now = yield* Transaction.now(sql)
    const row = { key: name, size: entry.length, kept: now, used: now, entry }
    yield* Transaction.run(
      sql,
      Effect.andThen(
        sql`INSERT INTO marketdata_reply ${sql.insert(row)} ON CONFLICT (key) DO UPDATE SET
          size = excluded.size, kept = excluded.kept, used = excluded.used, entry = excluded.entry`,
        makeRoom(now)
      )
    )
  })
  return {
    maxBytes,
    find: (key, most) =>
      Effect.flatMap(
        quietly(find(key), undefined, what),
        (entry) =>
          entry === undefined ? Effect.succeed({ _tag: "None" }) : Entry.decode(key, entry, Math.min(most, maxBytes))
      ),
    keep: (key, replies) => quietly(keep(key, replies), undefined, what),
    remove: (key) => quietly(Transaction.run(sql, Effect.asVoid(remove(Entry.nameOf(key)))), undefined, what)
  }
}
