/**
 * Who is connected: each machine names itself when it connects, and proves the name where runners have a secret. The proof is made of secret and name, so
 * that who has a proof can be no other, and cannot make one.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import { createHmac, timingSafeEqual } from "node:crypto"
import { hostname } from "node:os"
import type * as Protocol from "./Protocol.ts"

/** What a machine names itself by: a name, and its proof; an empty one proves nothing. */
export interface Identity {
  readonly name: string
  readonly proof: string
}

/** Makes the proof of a name. */
export const prove = (secret: Redacted.Redacted, name: string): string =>
  createHmac("sha256", Redacted.value(secret)).update(`effect-marketdata/cluster ${name}`).digest("base64url")

/** Whether a name is proven. It takes as long for a proof that is nearly right as for any other of its length. */
export const isProven = (secret: Redacted.Redacted | undefined, { name, proof }: Identity): boolean => {
  if (secret === undefined) return true
  const [right, given] = [Buffer.from(prove(secret, name)), Buffer.from(proof)]
  return right.length === given.length && timingSafeEqual(right, given)
}

/** A name that may be used, for accounts and callers: it is shown, logged and stored. */
export const isName = (value: unknown): value is string => typeof value === "string" && /^[^\p{C}]{1,100}$/u.test(value)

/** The name of a program that was given none. */
export const ownName = `${hostname()} ${process.pid}`.slice(0, 100)

/** A credential as text: the name, and behind the last dot its proof. */
export const format = ({ name, proof }: Identity): string => `${name}.${proof}`

/** Reads a credential; undefined where the line is something else. */
export const parse = (text: unknown): Identity | undefined => {
  const [, name, proof] = /^(.+)\.([\w-]{0,43})$/s.exec(String(text)) ?? []
  return proof !== undefined && isName(name) ? { name, proof } : undefined
}

type Call = typeof Protocol.Call.Type
type Reply = typeof Protocol.Reply.Type
type Failed = typeof Protocol.Failed.Type

/** The span in which a call is asked: its trace, its own id, and whether it is sampled. */
export type Trace = readonly [traceId: string, spanId: string, sampled: boolean]

/** Begins a call in this program. */
export type Begin = (call: Call, trace: Trace | undefined) => Fiber.Fiber<Reply, Failed>

/** Waits for a call that was begun, which ends where nobody waits for it any more. */
export const joined = <A, E>(begun: Fiber.Fiber<A, E>): Effect.Effect<A, E> =>
  Effect.onInterrupt(Fiber.join(begun), () => Effect.sync(() => begun.interruptUnsafe()))

/** Brings a call to its runner. */
export type Bring = (call: Call, trace: Trace) => Effect.Effect<Reply, Failed>

/**
 * What a program, and the gateway in it, know of its connections.
 *
 * - `name`: how this program names itself, and `proofOf` what it can prove of a name
 * - `isProven`: whether a name is that of who uses it
 * - `waiting`: how many bytes are still to be sent to a caller
 * - `here`: what begins calls about the accounts that this program has, and `known` what brings them straight to other runners that were found to have one:
 *   the cluster's messages take longer than all else of a small call
 * - `serves`: the account for which calls are let in from other programs; any is while it is undefined
 */
export class Connections extends Context.Service<Connections, {
  readonly name: string
  readonly proofOf: (name: string) => string
  readonly isProven: (identity: Identity) => boolean
  readonly waiting: (name: string) => number
  readonly here: Map<string, Begin>
  readonly known: Map<string, Bring>
  serves: string | undefined
}>()("@effect-marketdata/cluster/Connections") {}
