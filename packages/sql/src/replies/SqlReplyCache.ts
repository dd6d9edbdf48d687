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
import * as Clock from "effect/Clock"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as SqlClient from "effect/sql/SqlClient"
import { createHash } from "node:crypto"
import { promisify } from "node:util"
import { constants, gunzip, gunzipSync, gzip, gzipSync } from "node:zlib"
import { type DatabaseError, quietly } from "../database/DatabaseError.ts"
import { migrated } from "../database/migrations.ts"
import * as Checked from "../database/options.ts"
import * as Transaction from "../database/transaction.ts"

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
  return store(yield* migrated, limits)
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

/** How long a row may have been used without that being written: a read is not a write then. In seconds. */
const fresh = 60

const what = "kept replies"

interface Row {
  readonly kept: number
  readonly used: number
  readonly now: number
  readonly entry: Uint8Array
}

/** The rows of replies, up to a number of bytes, of rows and of seconds. */
const store = (
  sql: SqlClient.SqlClient,
  { maxAge, maxBytes, maxEntries }: Readonly<Record<"maxAge" | "maxBytes" | "maxEntries", number>>
): ReplyCache.Store => {
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
