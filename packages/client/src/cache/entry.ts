/**
 * The file of an entry: what it is, a signature, the length of a head, the head as JSON, and the bytes of the replies behind each other, compressed
 * where the platform can. The signature is an HMAC with the secret of the cache, of the name of the file and the head, which has a hash of what is behind
 * it: so an entry answers nothing but what was asked when it was kept. What the head declares is checked before anything is read by it.
 */
import * as Effect from "effect/Effect"
import * as Hex from "effect/encoding/Hex"
import * as Option from "effect/Option"
import type { PlatformError } from "effect/PlatformError"
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

const hash = (bytes: Uint8Array): Effect.Effect<Uint8Array> =>
  Effect.map(
    Effect.promise(() => globalThis.crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>)),
    (digest) => new Uint8Array(digest)
  )

/** The name of the file of what is kept under a key: nothing of the key can be read in it. */
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
  Effect.map(
    Effect.promise(() =>
      globalThis.crypto.subtle.sign(
        algorithm.name,
        key,
        joined([new TextEncoder().encode(name), head]) as Uint8Array<ArrayBuffer>
      )
    ),
    (signed) => new Uint8Array(signed)
  )

/** Writes an entry. */
export const encode = (seal: Seal, replies: ReadonlyArray<KeptReply>): Effect.Effect<Uint8Array> =>
  Effect.gen(function*() {
    const whole = joined(replies.map(({ bytes }) => bytes))
    const compressed = yield* compress(whole)
    const packed = compressed ?? whole
    const head = new TextEncoder().encode(
      Schema.encodeSync(Head)({
        coding: compressed === undefined ? "none" : "zstd",
        length: packed.length,
        hash: Hex.encode(yield* hash(packed)),
        replies: replies.map(({ bytes, ...reply }) => ({ ...reply, length: bytes.length }))
      })
    )
    const size = new Uint8Array(4)
    new DataView(size.buffer).setUint32(0, head.length)
    return joined([magic, yield* signature(seal, head), size, head, packed])
  })

/** Reads the head of an entry; undefined where it is damaged, or of another file. */
const headOf = ({ read, size }: Source, seal: Seal): Effect.Effect<typeof Head.Type | undefined, PlatformError> =>
  Effect.gen(function*() {
    const first = yield* read(start)
    if (first.length < start || !isEqual(first.subarray(0, magic.length), magic)) return undefined
    const length = new DataView(first.buffer, first.byteOffset).getUint32(start - 4)
    if (length > Math.min(mostHeadBytes, size - start)) return undefined
    const bytes = yield* read(length)
    if (!isEqual(first.subarray(magic.length, start - 4), yield* signature(seal, bytes))) return undefined
    const head = Option.getOrUndefined(Schema.decodeOption(Head)(new TextDecoder().decode(bytes)))
    return head?.length === size - start - length ? head : undefined
  })

/** Says of an entry which endpoint it is of, and when its first reply arrived; undefined where it is damaged. */
export const describe = (
  source: Source,
  seal: Seal
): Effect.Effect<{ readonly endpoint: string; readonly receivedAt: number } | undefined, PlatformError> =>
  Effect.map(headOf(source, seal), (head) => {
    const [first] = head?.replies ?? []
    return first && { endpoint: first.endpoint, receivedAt: first.receivedAt }
  })

/** An entry as it is on the disk. */
export interface Entry {
  readonly head: typeof Head.Type
  readonly packed: Uint8Array
}

const lengthOf = ({ replies }: typeof Head.Type): number => replies.reduce((sum, { length }) => sum + length, 0)

/** Reads an entry whose replies have at most `maxBytes`; undefined where it is damaged. */
export const read = (
  source: Source,
  seal: Seal,
  maxBytes: number
): Effect.Effect<Entry | undefined, PlatformError> =>
  Effect.gen(function*() {
    const head = yield* headOf(source, seal)
    // What does not compress is a few bytes larger than it was.
    if (head === undefined || lengthOf(head) > maxBytes || head.length > 2 * lengthOf(head) + 1024) return undefined
    return { head, packed: yield* source.read(head.length) }
  })

/** Unpacks an entry, and hashes it meanwhile: what takes longer begins first. Nothing is there for who cannot undo its coding: another program can. */
export const unpack = ({ head, packed }: Entry): Effect.Effect<Found> =>
  Effect.gen(function*() {
    const { coding, replies } = head
    if (coding === "zstd" && zstd() === undefined) return { _tag: "None" }
    const length = lengthOf(head)
    const [whole, digest] = yield* Effect.all(
      [coding === "zstd" ? decompress(packed, length) : Effect.succeed(packed), hash(packed)],
      { concurrency: 2 }
    )
    if (whole?.length !== length || Hex.encode(digest) !== head.hash) return damaged
    let at = 0
    return {
      _tag: "Kept",
      replies: replies.map(({ length, ...part }) => ({ ...part, bytes: whole.subarray(at, at += length) }))
    }
  })

export const damaged: Found = { _tag: "Damaged" }

const isEqual = (one: Uint8Array, other: Uint8Array): boolean =>
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

/** Runs a function of Node beside the program, which has other things to do. */
const beside = (run: (zlib: Zlib, done: Done) => void): Effect.Effect<Uint8Array | undefined> =>
  Effect.suspend(() => {
    const zlib = zstd()
    return zlib === undefined
      ? Effect.succeed(undefined)
      : Effect.callback((resume) => run(zlib, (error, bytes) => resume(Effect.succeed(error ? undefined : bytes))))
  })

/** Compresses bytes, as fast as zstd does; undefined where that is not possible. Where they say how many they are, they are undone without a copy. */
const compress = (bytes: Uint8Array): Effect.Effect<Uint8Array | undefined> =>
  beside((zlib, done) =>
    zlib.zstdCompress(
      bytes,
      { params: { [zlib.constants.ZSTD_c_compressionLevel]: 1 }, pledgedSrcSize: bytes.length },
      done
    )
  )

/**
 * Undoes it, where that gives at most a number of bytes; undefined where it does not. All at once, as each piece goes the way between two threads and
 * back; with room for a byte more, without which there would be a second piece.
 */
const decompress = (bytes: Uint8Array, most: number): Effect.Effect<Uint8Array | undefined> =>
  beside((zlib, done) =>
    zlib.zstdDecompress(bytes, { maxOutputLength: Math.max(1, most), chunkSize: Math.max(64, most + 1) }, done)
  )
