/** The ways in which a value leaves a program and comes back, each with the text or the bytes between. */
import { Effect, type Layer, Result, Schema } from "effect"
import * as RpcSerialization from "effect/rpc/RpcSerialization"

/** Sends a value away and reads it again. */
export type Wire = <A>(schema: Schema.Codec<A, Schema.Json>, value: A) => A

/** What `effect/rpc` does to a payload: its codec, in a message that it frames. */
const rpc = (layer: Layer.Layer<RpcSerialization.RpcSerialization>): Wire => {
  const serialization = Effect.runSync(Effect.provide(RpcSerialization.RpcSerialization, layer))
  return <A>(schema: Schema.Codec<A, Schema.Json>, value: A): A => {
    const codec: Schema.Codec<A, unknown> = serialization.codecFor(schema)
    const payload = Schema.encodeSync(codec)(value)
    const sent = serialization.makeUnsafe().encode({ _tag: "Request", id: "1", tag: "store", payload, headers: [] })
    const [message] = serialization.makeUnsafe().decode(sent!) as ReadonlyArray<{ readonly payload: unknown }>
    return Schema.decodeUnknownSync(codec)(message!.payload)
  }
}

/** Text of JSON, through a schema or by `JSON.stringify` alone; and what `effect/rpc` sends: JSON in lines, JSON-RPC, and binary. */
export const wires: Readonly<Record<string, Wire>> = {
  "JSON text": (schema, value) => {
    const codec = Schema.fromJsonString(schema)
    return Schema.decodeSync(codec)(Schema.encodeSync(codec)(value))
  },
  "JSON.stringify": (schema, value) => Schema.decodeUnknownSync(schema)(JSON.parse(JSON.stringify(value))),
  "RPC in lines of JSON": rpc(RpcSerialization.layerNdjson),
  "JSON-RPC": rpc(RpcSerialization.layerJsonRpc()),
  "RPC in binary": rpc(RpcSerialization.layerSchemaBinary())
}

/** Why a value is refused that came from a store; undefined where it is not. */
export const refusalOf = <A>(schema: Schema.Codec<A, Schema.Json>, stored: unknown): string | undefined => {
  const read = Schema.decodeUnknownResult(schema)(stored)
  return Result.isFailure(read) ? read.failure.message : undefined
}
