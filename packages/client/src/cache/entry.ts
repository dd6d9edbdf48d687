/**
 * The file of an entry: what it is, a checksum of all that follows, the length of a head, the head as JSON, and the bytes of the replies behind
 * each other, compressed where the platform can. A file of another version is in another folder, see `diskStore`.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Found, KeptReply } from "./store.ts"
import * as Zstd from "./zstd.ts"

const magic = new TextEncoder().encode("kept reply 1\n\0\0\0")
const digestBytes = 32
const start = magic.length + digestBytes + 4

const MaxAge = Schema.Union([
  Schema.Struct({ _tag: Schema.tag("Relative"), minutes: Schema.Finite }),
  Schema.Struct({ _tag: Schema.tag("Absolute"), epochSeconds: Schema.Finite })
])

/** What is known of a reply besides its bytes, and how many these are. What is undefined is null. */
const Part = Schema.Struct({
  endpoint: Schema.String,
  tickers: Schema.NullOr(Schema.Array(Schema.String)),
  sentMode: Schema.NullOr(Schema.Literals(["live", "delayed", "cached", "eod", "historical"])),
  maxAge: Schema.NullOr(MaxAge),
  receivedAt: Schema.Finite,
  updated: Schema.NullOr(Schema.Struct({ oldest: Schema.Finite, newest: Schema.Finite })),
  status: Schema.Literals([200, 203]),
  mediaType: Schema.NullOr(Schema.String),
  reported: Schema.NullOr(Schema.Finite),
  requestId: Schema.NullOr(Schema.String),
  length: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))
})

const Head = Schema.fromJsonString(
  Schema.Struct({ coding: Schema.Literals(["zstd", "none"]), replies: Schema.Array(Part) })
)

const digest = (bytes: Uint8Array): Effect.Effect<Uint8Array> =>
  Effect.map(
    Effect.promise(() => globalThis.crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>)),
    (digest) => new Uint8Array(digest)
  )

/** The name of what is kept under a key: nothing of the key can be read in it. */
export const nameOf = (key: string): Effect.Effect<string> =>
  Effect.map(
    digest(new TextEncoder().encode(key)),
    (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")
  )

/** Writes an entry. */
export const encode = (replies: ReadonlyArray<KeptReply>): Effect.Effect<Uint8Array> =>
  Effect.gen(function*() {
    const whole = joined(replies.map(({ bytes }) => bytes))
    const packed = yield* Zstd.compress(whole)
    const head = new TextEncoder().encode(JSON.stringify({
      coding: packed === undefined ? "none" : "zstd",
      replies: replies.map((reply) => ({
        endpoint: reply.endpoint,
        tickers: reply.tickers ?? null,
        sentMode: reply.sentMode ?? null,
        maxAge: reply.maxAge ?? null,
        receivedAt: reply.receivedAt,
        updated: reply.updated ?? null,
        status: reply.status,
        mediaType: reply.mediaType ?? null,
        reported: reply.reported ?? null,
        requestId: reply.requestId ?? null,
        length: reply.bytes.length
      }))
    }))
    const size = new Uint8Array(4)
    new DataView(size.buffer).setUint32(0, head.length)
    const content = joined([size, head, packed ?? whole])
    return joined([magic, yield* digest(content), content])
  })

/** Opens an entry: its head, and the bytes behind it; undefined where it is damaged. */
const opened = (
  file: Uint8Array
): Effect.Effect<{ readonly head: typeof Head.Type; readonly packed: Uint8Array } | undefined> =>
  Effect.gen(function*() {
    const content = file.subarray(magic.length + digestBytes)
    if (file.length < start || !isEqual(file.subarray(0, magic.length), magic)) return undefined
    if (!isEqual(file.subarray(magic.length, magic.length + digestBytes), yield* digest(content))) return undefined
    const end = 4 + new DataView(content.buffer, content.byteOffset).getUint32(0)
    const head = Schema.decodeOption(Head)(new TextDecoder().decode(content.subarray(4, end)))
    return Option.isNone(head) ? undefined : { head: head.value, packed: content.subarray(end) }
  })

/** Says of an entry which endpoint it is of, and when its first reply arrived; undefined where it is damaged. */
export const describe = (
  file: Uint8Array
): Effect.Effect<{ readonly endpoint: string; readonly receivedAt: number } | undefined> =>
  Effect.map(opened(file), (entry) => {
    const [first] = entry?.head.replies ?? []
    return first && { endpoint: first.endpoint, receivedAt: first.receivedAt }
  })

/** Reads an entry. Nothing is there for who cannot undo its coding: another program can. */
export const decode = (file: Uint8Array): Effect.Effect<Found> =>
  Effect.gen(function*() {
    const entry = yield* opened(file)
    if (entry === undefined) return damaged
    const { head: { coding, replies }, packed } = entry
    if (coding === "zstd" && !Zstd.isThere) return { _tag: "None" }
    const length = replies.reduce((sum, { length }) => sum + length, 0)
    const whole = coding === "zstd" ? yield* Zstd.decompress(packed, length) : packed
    if (whole?.length !== length) return damaged
    let at = 0
    return {
      _tag: "Kept",
      replies: replies.map(({ length, ...part }) => ({
        endpoint: part.endpoint,
        tickers: part.tickers ?? undefined,
        sentMode: part.sentMode ?? undefined,
        maxAge: part.maxAge ?? undefined,
        receivedAt: part.receivedAt,
        updated: part.updated ?? undefined,
        status: part.status,
        mediaType: part.mediaType ?? undefined,
        reported: part.reported ?? undefined,
        requestId: part.requestId ?? undefined,
        bytes: whole.subarray(at, at += length)
      }))
    }
  })

const damaged: Found = { _tag: "Damaged" }

const isEqual = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, index) => byte === other[index])

const joined = (pieces: ReadonlyArray<Uint8Array>): Uint8Array => {
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.length
  }
  return bytes
}
