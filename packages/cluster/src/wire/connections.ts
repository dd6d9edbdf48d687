/**
 * The connections of programs: who is at the other end, and the frames of calls. A program sends its name when it connects and, if runners have a secret, a
 * proof of the name. The proof is an HMAC of the name with the secret, so that a program with a proof can use no other name.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import { createHmac, timingSafeEqual } from "node:crypto"
import { hostname } from "node:os"
import type * as Protocol from "./Protocol.ts"

/** The name of a program and its proof, which is empty without a secret. */
export interface Identity {
  readonly name: string
  readonly proof: string
}

/** Makes the proof of a name. */
export const prove = (secret: Redacted.Redacted, name: string): string =>
  createHmac("sha256", Redacted.value(secret)).update(`effect-marketdata/cluster ${name}`).digest("base64url")

/** Whether a name is proven. The comparison takes the same time for all proofs of the right length. */
export const isProven = (secret: Redacted.Redacted | undefined, { name, proof }: Identity): boolean => {
  if (secret === undefined) return true
  const [right, given] = [Buffer.from(prove(secret, name)), Buffer.from(proof)]
  return right.length === given.length && timingSafeEqual(right, given)
}

/** Whether a value is a valid name of an account or a caller, which is shown, logged and stored. */
export const isName = (value: unknown): value is string => typeof value === "string" && /^[^\p{C}]{1,100}$/u.test(value)

/** The default name of a program. */
export const ownName = `${hostname()} ${process.pid}`.slice(0, 100)

/** Prints a credential: the name, a dot and the proof. */
export const format = ({ name, proof }: Identity): string => `${name}.${proof}`

/** Reads a credential; undefined for any other text. */
export const parse = (text: unknown): Identity | undefined => {
  const [, name, proof] = /^(.+)\.([\w-]{0,43})$/s.exec(String(text)) ?? []
  return proof !== undefined && isName(name) ? { name, proof } : undefined
}

type Call = typeof Protocol.Call.Type
type Reply = typeof Protocol.Reply.Type
type Failed = typeof Protocol.Failed.Type

/** The span of a caller: its trace id, its span id, and whether it is sampled. */
export type Trace = readonly [traceId: string, spanId: string, sampled: boolean]

/** Begins a call in this program. */
export type Begin = (call: Call, trace: Trace | undefined) => Fiber.Fiber<Reply, Failed>

/** Waits for a call, and interrupts the call if the waiting is interrupted. */
export const joined = <A, E>(begun: Fiber.Fiber<A, E>): Effect.Effect<A, E> =>
  Effect.onInterrupt(Fiber.join(begun), () => Effect.sync(() => begun.interruptUnsafe()))

/** Sends a call to its runner. */
export type Bring = (call: Call, trace: Trace) => Effect.Effect<Reply, Failed>

/**
 * The connections of a program.
 *
 * - `name`: the name of this program; `proofOf` returns its proof of a name
 * - `isProven`: whether the proof of a name is right
 * - `waiting`: how many bytes are queued for a caller
 * - `here`: begins calls about the accounts that this program has; `known` sends calls directly to the known runners of other accounts, because the
 *   cluster's messages take longer than the rest of a small call
 * - `handed`: how many calls were handed to a runner so far, which may have sent them
 * - `serves`: the only account for which other programs may call; any account if it is undefined
 */
export class Connections extends Context.Service<Connections, {
  readonly name: string
  readonly proofOf: (name: string) => string
  readonly isProven: (identity: Identity) => boolean
  readonly waiting: (name: string) => number
  readonly here: Map<string, Begin>
  readonly known: Map<string, Bring>
  handed: number
  serves: string | undefined
}>()("@effect-marketdata/cluster/Connections") {}

/**
 * What a frame says.
 *
 * - `Ask`: a call; `Stop`: its caller no longer waits for it
 * - `Answer`: its answer; `Ended`: how it ended without an answer; `Refused`: the runner does not have the account
 * - `Ping`, `Pong`: whether the connection is alive, and that it is
 */
export const frameKinds = ["Ask", "Stop", "Answer", "Ended", "Refused", "Ping", "Pong"] as const

type FrameKind = typeof frameKinds[number]

/** A frame: it has its length, the number of the call, a kind, a text, and bytes of data. */
export interface Frame {
  readonly kind: FrameKind
  /** The number of the call, 64 bits with a sign. */
  readonly call: bigint
  readonly text: string
  readonly data: Uint8Array
}

/** The length of what follows, then the number of the call, the kind, and the length of the text. */
const [lengthBytes, headBytes] = [4, 8 + 1 + 4]

/** Up to this size, in bytes, data are copied behind their head, because sending two chunks takes longer. */
const small = 16_384

type Chunks = readonly [Uint8Array, ...ReadonlyArray<Uint8Array>]

/** Writes a frame as one or two chunks: large data are not copied. */
export const writeFrame = (kind: FrameKind, call: bigint, text = "", data?: Uint8Array): Chunks => {
  const [textBytes, dataBytes] = [Buffer.byteLength(text), data?.length ?? 0]
  const end = lengthBytes + headBytes + textBytes
  const isWhole = dataBytes <= small
  const head = Buffer.allocUnsafe(isWhole ? end + dataBytes : end)
  head.writeUInt32LE(headBytes + textBytes + dataBytes, 0)
  head.writeBigInt64LE(call, 4)
  head.writeUInt8(frameKinds.indexOf(kind), 12)
  head.writeUInt32LE(textBytes, 13)
  head.write(text, 17)
  if (data === undefined) return [head]
  if (!isWhole) return [head, data]
  head.set(data, end)
  return [head]
}

/** Reads a frame without its length. */
const readFrame = (bytes: Buffer): Frame | undefined => {
  const kind = frameKinds[bytes.readUInt8(8)]
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
export const frameReader = (largest: number) => {
  let arrived: Array<Buffer> = []
  let bytes = 0
  let needed = lengthBytes
  return (chunks: ReadonlyArray<Uint8Array | string>): ReadonlyArray<Frame> | undefined => {
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
      const frame = readFrame(all.subarray(at + lengthBytes, at + needed))
      if (frame === undefined) return undefined
      frames.push(frame)
      at += needed
    }
    arrived = [all.subarray(at)]
    bytes -= at
    return frames
  }
}
