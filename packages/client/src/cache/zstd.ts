import * as Effect from "effect/Effect"

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

const found = process?.getBuiltinModule?.("node:zlib")

const zlib = found?.zstdCompress === undefined ? undefined : found as Zlib

/** Whether this platform has zstd. */
export const isThere = zlib !== undefined

/** Runs a function of Node beside the program, which has other things to do. */
const beside = (run: (zlib: Zlib, done: Done) => void): Effect.Effect<Uint8Array | undefined> =>
  zlib === undefined ?
    Effect.succeed(undefined) :
    Effect.callback((resume) => run(zlib, (error, bytes) => resume(Effect.succeed(error ? undefined : bytes))))

/** Compresses bytes, as fast as zstd does; undefined where that is not possible. Where they say how many they are, they are undone without a copy. */
export const compress = (bytes: Uint8Array): Effect.Effect<Uint8Array | undefined> =>
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
export const decompress = (bytes: Uint8Array, most: number): Effect.Effect<Uint8Array | undefined> =>
  beside((zlib, done) =>
    zlib.zstdDecompress(bytes, { maxOutputLength: Math.max(1, most), chunkSize: Math.max(64, most + 1) }, done)
  )
