/** The rows of replies, up to a number of bytes, of rows and of seconds. */
import * as ReplyCache from "@effect-marketdata/client/ReplyCache"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { quietly } from "../database/failed.ts"
import * as Transaction from "../database/transaction.ts"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { createHash } from "node:crypto"
import { promisify } from "node:util"
import { constants, gunzip, gunzipSync, gzip, gzipSync } from "node:zlib"

/** What is kept at most. */
export interface Limits {
  readonly maxBytes: number
  readonly maxEntries: number
  readonly maxAge: number
}

/** How long a row may have been used without that being written: a read is not a write then. In seconds. */
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
    const [name, asked] = [nameOf(key), yield* Clock.currentTimeMillis]
    const time = yield* Transaction.time(sql)
    const found = sql<Row>`SELECT kept, used, ${time} AS now, entry FROM marketdata_reply
      WHERE key = ${name} AND size <= ${maxBytes}`
    const [row] = yield* Transaction.inTime(sql, found)
    if (row === undefined || row.kept <= row.now - maxAge) return undefined
    if (Math.abs(row.now - row.used) >= fresh) {
      // What was paid for answers also where that cannot be written: the database is locked, or may only be read.
      const use = Transaction.run(sql, sql`UPDATE marketdata_reply SET used = ${row.now} WHERE key = ${name}`)
      yield* quietly(use, undefined, what)
    }
    // As long ago as the database says, by the clock of this machine.
    return { ...row, kept: Math.floor(asked / 1000 - (row.now - row.kept)) }
  })
  const keep = Effect.fnUntraced(function*(key: string, replies: ReadonlyArray<ReplyCache.KeptReply>) {
    const [name, entry] = [nameOf(key), yield* encode(key, replies)]
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
        (row) => row === undefined ? Effect.succeed({ _tag: "None" }) : decode(key, row, Math.min(most, maxBytes))
      ),
    keep: (key, replies) => quietly(keep(key, replies), undefined, what),
    remove: (key) => quietly(Transaction.run(sql, Effect.asVoid(remove(nameOf(key)))), undefined, what)
  }
}

const Heads = Schema.fromJsonString(ReplyCache.HeadsFromJson)

/** The most bytes of a head: it names the tickers of a query, and nothing else that is long. */
const mostHeadBytes = 1_048_576

const digestBytes = 32

const digest = (key: string, packed: Uint8Array): Buffer => createHash("sha256").update(key).update(packed).digest()

/** The name of what is kept under a key: nothing of the key can be read in it. */
const nameOf = (key: string): string => createHash("sha256").update(key).digest("hex")

/** Bytes up to this number are compressed, and expanded, at once, without a way to another thread and back. */
const small = 16_384

const compress = (whole: Uint8Array): Effect.Effect<Uint8Array> => {
  const options = { level: constants.Z_BEST_SPEED }
  return whole.length <= small
    ? Effect.sync(() => gzipSync(whole, options))
    : Effect.promise(() => promisify(gzip)(whole, options))
}

const expand = (packed: Uint8Array, maxOutputLength: number): Effect.Effect<Buffer | undefined> =>
  packed.length <= small
    ? Effect.orElseSucceed(Effect.try(() => gunzipSync(packed, { maxOutputLength })), () => undefined)
    : Effect.promise(() => promisify(gunzip)(packed, { maxOutputLength }).catch(() => undefined))

/** Writes replies, compressed as fast as can be. */
const encode = (key: string, replies: ReadonlyArray<ReplyCache.KeptReply>): Effect.Effect<Uint8Array> =>
  Effect.suspend(() => {
    const parts = replies.map(({ bytes, ...part }) => ({ ...part, length: bytes.length }))
    const head = Buffer.from(Schema.encodeSync(Heads)(parts))
    const size = Buffer.alloc(4)
    size.writeUInt32BE(head.length)
    const whole = Buffer.concat([size, head, ...replies.map(({ bytes }) => bytes)])
    return Effect.map(compress(whole), (packed) => Buffer.concat([digest(key, packed), packed]))
  })

const damaged: ReplyCache.Found = { _tag: "Damaged" }

/** Reads replies of at most a number of bytes, and by the clock of this machine from a row that was kept then. */
const decode = Effect.fnUntraced(
  function*(key: string, { entry, kept }: Row, maxBytes: number): Effect.fn.Return<ReplyCache.Found> {
    const packed = entry.subarray(digestBytes)
    if (!digest(key, packed).equals(entry.subarray(0, digestBytes))) return damaged
    const maxOutputLength = Math.min(maxBytes + mostHeadBytes, 0x7fff_ffff)
    const whole = yield* expand(packed, maxOutputLength)
    if (whole === undefined || whole.length < 4) return damaged
    let at = 4 + whole.readUInt32BE()
    const head = Schema.decodeOption(Heads)(whole.subarray(4, at).toString())
    if (Option.isNone(head) || head.value.reduce((sum, { length }) => sum + length, at) !== whole.length) return damaged
    return {
      _tag: "Kept",
      replies: head.value.map(({ length, receivedAt, updated, ...part }) => {
        // None is younger than its row: the clock of the machine that kept it was ahead, or that of this one is behind.
        const late = Math.max(0, receivedAt - kept)
        const before = updated && { oldest: updated.oldest - late, newest: updated.newest - late }
        const bytes = whole.subarray(at, at += length)
        return { ...part, receivedAt: receivedAt - late, updated: before, bytes }
      })
    }
  }
)
