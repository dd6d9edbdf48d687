/**
 * Ways to cut bytes into pieces, for fast-check: a reply arrives as the network likes, and what it says must not depend on that.
 *
 * @example
 * ```ts
 * import * as Chunkings from "@effect-marketdata/testing/Chunkings"
 *
 * Chunkings.cut(new Uint8Array([1, 2, 3]), [2]) // => [new Uint8Array([1, 2]), new Uint8Array([3])]
 * ```
 *
 * @since 0.1.0
 */
import * as fc from "fast-check"

/**
 * Where bytes are cut: the lengths of the pieces, in order, and over again while bytes are left. Never empty.
 *
 * @category models
 * @since 0.1.0
 */
export type Chunking = ReadonlyArray<number>

/**
 * Lengths of pieces: byte by byte, a few bytes at a time, or as large as the network's packets; pieces without a byte among them, which a
 * stream may hold too. At least one piece is not empty. They shrink towards byte by byte.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const chunking: fc.Arbitrary<Chunking> = fc.array(
  fc.oneof(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 65_536 }), fc.constant(0)),
  { minLength: 1, maxLength: 8 }
).map((lengths) => lengths.some((length) => length > 0) ? lengths : [1])

/**
 * Cuts bytes into pieces; the pieces are copies, one after the other they are the bytes again.
 *
 * @example
 * ```ts
 * import * as Chunkings from "@effect-marketdata/testing/Chunkings"
 *
 * const bytes = new TextEncoder().encode("abcdef")
 * Chunkings.cut(bytes, [2, 3]).map(({ length }) => length) // => [ 2, 3, 1 ]
 * ```
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const cut = (bytes: Uint8Array, chunking: Chunking): ReadonlyArray<Uint8Array> => {
  const pieces: Array<Uint8Array> = []
  let at = 0
  for (let index = 0; at < bytes.length; index++) {
    const length = chunking[index % chunking.length] ?? bytes.length
    pieces.push(bytes.slice(at, at + length))
    at += length
  }
  return pieces
}
