/**
 * The identity of connected programs. A program sends its name when it connects and, if runners have a secret, a proof of the name. The proof is an HMAC of
 * the name with the secret, so that a program with a proof can use no other name.
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
