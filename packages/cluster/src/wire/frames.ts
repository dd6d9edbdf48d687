/**
 * The frames of connections for calls: each has its length, the number of the call, a kind, a text, and bytes of data.
 */

/**
 * What a frame says.
 *
 * - `Ask`: a call; `Stop`: nobody waits for it any more
 * - `Answer`: its answer; `Ended`: how it ended without an answer; `Refused`: the runner does not have the account
 * - `Ping`, `Pong`: whether the connection is alive, and that it is
 */
export const kinds = ["Ask", "Stop", "Answer", "Ended", "Refused", "Ping", "Pong"] as const

export type Kind = typeof kinds[number]

export interface Frame {
  readonly kind: Kind
  /** The number of the call, 64 bits with a sign. */
  readonly call: bigint
  readonly text: string
  readonly data: Uint8Array
}

/** The length of what follows, then the number of the call, the kind, and the length of the text. */
const [lengthBytes, headBytes] = [4, 8 + 1 + 4]

/** Up to this size, in bytes, data are copied behind their head, because sending two chunks takes longer. */
const small = 16_384

/** Writes a frame as one or two chunks: large data are not copied. */
export const write = (
  kind: Kind,
  call: bigint,
  text = "",
  data?: Uint8Array
): readonly [Uint8Array, ...ReadonlyArray<Uint8Array>] => {
  const [textBytes, dataBytes] = [Buffer.byteLength(text), data?.length ?? 0]
  const end = lengthBytes + headBytes + textBytes
  const isWhole = dataBytes <= small
  const head = Buffer.allocUnsafe(isWhole ? end + dataBytes : end)
  head.writeUInt32LE(headBytes + textBytes + dataBytes, 0)
  head.writeBigInt64LE(call, 4)
  head.writeUInt8(kinds.indexOf(kind), 12)
  head.writeUInt32LE(textBytes, 13)
  head.write(text, 17)
  if (data === undefined) return [head]
  if (!isWhole) return [head, data]
  head.set(data, end)
  return [head]
}

/** Reads a frame without its length. */
const read = (bytes: Buffer): Frame | undefined => {
  const kind = kinds[bytes.readUInt8(8)]
  const end = headBytes + bytes.readUInt32LE(9)
  if (kind === undefined || end > bytes.length) return undefined
  return {
    kind,
    call: bytes.readBigInt64LE(0),
    text: bytes.toString("utf8", headBytes, end),
    data: bytes.subarray(end)
  }
}

/**
 * Makes the reader of one connection. It takes what has arrived and returns the complete frames, or undefined if a frame is invalid or larger than `largest`;
 * then it must not be used any more.
 */
export const reader = (
  largest: number
): (chunks: ReadonlyArray<Uint8Array | string>) => ReadonlyArray<Frame> | undefined => {
  let arrived: Array<Buffer> = []
  let bytes = 0
  let needed = lengthBytes
  return (chunks) => {
    for (const chunk of chunks) {
      const buffer = typeof chunk === "string"
        ? Buffer.from(chunk)
        : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
      arrived.push(buffer)
      bytes += buffer.length
    }
    const frames: Array<Frame> = []
    if (bytes < needed) return frames
    const all = arrived.length === 1 ? arrived[0]! : Buffer.concat(arrived)
    let at = 0
    while (true) {
      needed = lengthBytes
      if (bytes - at < needed) break
      const length = all.readUInt32LE(at)
      if (length < headBytes || length > largest) return undefined
      needed = lengthBytes + length
      if (bytes - at < needed) break
      const frame = read(all.subarray(at + lengthBytes, at + needed))
      if (frame === undefined) return undefined
      frames.push(frame)
      at += needed
    }
    arrived = [all.subarray(at)]
    bytes -= at
    return frames
  }
}
