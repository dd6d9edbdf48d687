/**
 * Replies as they are written in a row: a checksum, and compressed behind it the length of a head, the head as JSON, and the bytes of the replies. The
 * checksum covers the key too: a row that was copied under another key answers nothing.
 */
import * as ReplyCache from "@effect-marketdata/client/ReplyCache"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { createHash } from "node:crypto"
import { promisify } from "node:util"
import { constants, gunzip, gunzipSync, gzip, gzipSync } from "node:zlib"

const Heads = Schema.fromJsonString(ReplyCache.HeadsFromJson)

/** The most bytes of a head: it names the tickers of a query, and nothing else that is long. */
const mostHeadBytes = 1_048_576

const digestBytes = 32

const digest = (key: string, packed: Uint8Array): Buffer => createHash("sha256").update(key).update(packed).digest()

/** The name of what is kept under a key: nothing of the key can be read in it. */
export const nameOf = (key: string): string => createHash("sha256").update(key).digest("hex")

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
export const encode = (key: string, replies: ReadonlyArray<ReplyCache.KeptReply>): Effect.Effect<Uint8Array> =>
  Effect.suspend(() => {
    const parts = replies.map(({ bytes, ...part }) => ({ ...part, length: bytes.length }))
    const head = Buffer.from(Schema.encodeSync(Heads)(parts))
    const size = Buffer.alloc(4)
    size.writeUInt32BE(head.length)
    const whole = Buffer.concat([size, head, ...replies.map(({ bytes }) => bytes)])
    return Effect.map(compress(whole), (packed) => Buffer.concat([digest(key, packed), packed]))
  })

const damaged: ReplyCache.Found = { _tag: "Damaged" }

/** Reads replies of at most a number of bytes. */
export const decode = (key: string, entry: Uint8Array, maxBytes: number): Effect.Effect<ReplyCache.Found> =>
  Effect.gen(function*(): Effect.fn.Return<ReplyCache.Found> {
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
      replies: head.value.map(({ length, ...part }) => ({ ...part, bytes: whole.subarray(at, at += length) }))
    }
  })
