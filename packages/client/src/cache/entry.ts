/**
 * The file of an entry: a magic number, a signature, the length of the head, the head as JSON, and the concatenated bytes of the replies, compressed if
 * the platform can do that. The signature is an HMAC of the file's name and the head, with the secret of the cache; the head has a hash of the bytes. So an
 * entry answers only the query that it was kept for. What the head declares is checked before it is used.
 */
import * as Effect from "effect/Effect"
import * as Hex from "effect/encoding/Hex"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { joined, type Source } from "./folder.ts"
import { type Found, HeadsFromJson, type KeptReply } from "./store.ts"

const magic = new TextEncoder().encode("kept reply 2\n\0\0\0")
const signatureBytes = 32
const start = magic.length + signatureBytes + 4

/** The most bytes of a head: it names the tickers of a query, and nothing else that is long. */
const mostHeadBytes = 1_048_576

const Head = Schema.fromJsonString(
  Schema.Struct({
    coding: Schema.Literals(["zstd", "none"]),
    length: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)),
    hash: Schema.String,
    replies: HeadsFromJson
  })
)
type Head = typeof Head.Type

/** Bytes that the platform's cryptography computes. */
const computed = (compute: (subtle: SubtleCrypto) => Promise<ArrayBuffer>): Effect.Effect<Uint8Array> =>
  Effect.map(Effect.promise(() => compute(globalThis.crypto.subtle)), (bytes) => new Uint8Array(bytes))

const hash = (bytes: Uint8Array) => computed((subtle) => subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>))

/** The name of the file for a key: a hash, which does not reveal the key. */
export const nameOf = (key: string): Effect.Effect<string> =>
  Effect.map(hash(new TextEncoder().encode(key)), (bytes) => `${Hex.encode(bytes)}.reply`)

/** What an entry is signed with, and the name of its file. */
export interface Seal {
  readonly key: CryptoKey
  readonly name: string
}

const algorithm = { name: "HMAC", hash: "SHA-256" }

/** The key of a cache, by its secret. */
export const keyOf = (secret: Uint8Array): Effect.Effect<CryptoKey> =>
  Effect.promise(() =>
    globalThis.crypto.subtle.importKey("raw", secret as Uint8Array<ArrayBuffer>, algorithm, false, ["sign"])
  )

/** Signs the head of an entry. */
export const signature = ({ key, name }: Seal, head: Uint8Array): Effect.Effect<Uint8Array> =>
  computed((subtle) => subtle.sign(algorithm.name, key, joined([new TextEncoder().encode(name), head])))

/** Writes an entry. */
export const encode = Effect.fnUntraced(function*(seal: Seal, replies: ReadonlyArray<KeptReply>) {
  const whole = joined(replies.map(({ bytes }) => bytes))
  const compressed = yield* compress(whole)
  const packed = compressed ?? whole
  const coding: Head["coding"] = compressed === undefined ? "none" : "zstd"
  const heads = replies.map(({ bytes, ...reply }) => ({ ...reply, length: bytes.length }))
  const written = { coding, length: packed.length, hash: Hex.encode(yield* hash(packed)), replies: heads }
  const head = new TextEncoder().encode(Schema.encodeSync(Head)(written))
  const size = new Uint8Array(4)
  new DataView(size.buffer).setUint32(0, head.length)
  return joined([magic, yield* signature(seal, head), size, head, packed])
})

/** Reads the head of an entry; undefined where it is damaged, or of another file. */
const headOf = Effect.fnUntraced(function*({ read, size }: Source, seal: Seal) {
  const first = yield* read(start)
  if (first.length < start || !isEqual(first.subarray(0, magic.length), magic)) return undefined
  const length = new DataView(first.buffer, first.byteOffset).getUint32(start - 4)
  if (length > Math.min(mostHeadBytes, size - start)) return undefined
  const bytes = yield* read(length)
  if (!isEqual(first.subarray(magic.length, start - 4), yield* signature(seal, bytes))) return undefined
  const head = Option.getOrUndefined(Schema.decodeOption(Head)(new TextDecoder().decode(bytes)))
  return head?.length === size - start - length ? head : undefined
})

/** Reads the endpoint of an entry and when its first reply arrived, and keeps nothing else of it; undefined if the entry is damaged. */
export const describe = (source: Source, seal: Seal) =>
  Effect.map(headOf(source, seal), (head) => {
    const reply = head?.replies[0]
    return reply && { endpoint: reply.endpoint, receivedAt: reply.receivedAt }
  })

const lengthOf = ({ replies }: Head): number => replies.reduce((sum, { length }) => sum + length, 0)

/** Reads an entry whose replies have at most `maxBytes`; undefined where it is damaged. */
export const read = Effect.fnUntraced(function*(source: Source, seal: Seal, maxBytes: number) {
  const head = yield* headOf(source, seal)
  // What does not compress is a few bytes larger than it was.
  if (head === undefined || lengthOf(head) > maxBytes || head.length > 2 * lengthOf(head) + 1024) return undefined
  return { head, packed: yield* source.read(head.length) }
})

/** An entry as it is on the disk. */
type Entry = NonNullable<Effect.Success<ReturnType<typeof read>>>

/** Unpacks an entry and checks its hash at the same time. A platform without zstd finds none, and leaves a compressed entry to other programs. */
export const unpack = Effect.fnUntraced(function*({ head, packed }: Entry): Effect.fn.Return<Found> {
  const { coding, replies } = head
  if (coding === "zstd" && zstd() === undefined) return { _tag: "None" }
  const length = lengthOf(head)
  const unpacking = coding === "zstd" ? decompress(packed, length) : Effect.succeed(packed)
  const [whole, digest] = yield* Effect.all([unpacking, hash(packed)], { concurrency: 2 })
  if (whole?.length !== length || Hex.encode(digest) !== head.hash) return damaged
  let at = 0
  const unpacked = replies.map(({ length, ...part }) => ({ ...part, bytes: whole.subarray(at, at += length) }))
  return { _tag: "Kept", replies: unpacked }
})

export const damaged: Found = { _tag: "Damaged" }

/** Whether two texts of bytes are the same. */
export const isEqual = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, index) => byte === other[index])

type Done = (error: unknown, bytes: Uint8Array) => void

/** What the module `node:zlib` of Node from 22.15 on, of Bun and of Deno has of zstd. */
interface Zlib {
  readonly zstdCompress: (bytes: Uint8Array, options: object, done: Done) => void
  readonly zstdDecompress: (bytes: Uint8Array, options: object, done: Done) => void
  readonly constants: Readonly<Record<"ZSTD_c_compressionLevel", number>>
}

const { process } = globalThis as {
  readonly process?: { readonly getBuiltinModule?: (name: string) => Partial<Zlib> | undefined }
}

/** What this platform has of zstd. Loaded where something is kept or read: most programs that import the client keep nothing. */
const zstd = (): Zlib | undefined => {
  const found = process?.getBuiltinModule?.("node:zlib")
  return found?.zstdCompress === undefined ? undefined : found as Zlib
}

/** Runs a function of `node:zlib` in its thread pool. */
const inThreadPool = (run: (zlib: Zlib, done: Done) => void): Effect.Effect<Uint8Array | undefined> =>
  Effect.suspend(() => {
    const zlib = zstd()
    return zlib === undefined
      ? Effect.succeed(undefined)
      : Effect.callback((resume) => run(zlib, (error, bytes) => resume(Effect.succeed(error ? undefined : bytes))))
  })

/** Compresses bytes with the fastest level of zstd; undefined if that is not possible. With the size in the frame they are decompressed without a copy. */
const compress = (bytes: Uint8Array): Effect.Effect<Uint8Array | undefined> =>
  inThreadPool((zlib, done) => {
    const params = { [zlib.constants.ZSTD_c_compressionLevel]: 1 }
    zlib.zstdCompress(bytes, { params, pledgedSrcSize: bytes.length }, done)
  })

/**
 * Decompresses bytes; undefined if that fails or gives more than `most` bytes. All at once, because each chunk is a round trip between two threads; the
 * chunk has room for one more byte, without which there would be a second one.
 */
const decompress = (bytes: Uint8Array, most: number): Effect.Effect<Uint8Array | undefined> =>
  inThreadPool((zlib, done) =>
    zlib.zstdDecompress(bytes, { maxOutputLength: Math.max(1, most), chunkSize: Math.max(64, most + 1) }, done)
  )
