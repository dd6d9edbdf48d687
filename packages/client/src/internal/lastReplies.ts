import * as LastReplies from "@effect-marketdata/core/LastReplies"
import type * as Reply from "@effect-marketdata/core/Reply"

/** Reads a reply to the question of a name, or finds that it is the last one. */
export type Rereading = <Data>(name: string, reader: Reply.Reader<Data>) => Reply.Reader<Data>

/** Keeps the last replies of a client. Without room for any, each is read as it comes. */
export const make = (maxBytes: number): Rereading => {
  if (maxBytes === 0) return (_, reader) => reader
  const replies = LastReplies.make({ maxBytes, isEqual })
  return (name, reader) => LastReplies.reader(replies, name, reader)
}

/** Node, Bun and Deno compare at the speed of memory. */
const { Buffer: platform } = globalThis as {
  readonly Buffer?: { readonly compare: (a: Uint8Array, b: Uint8Array) => number }
}

const isEqual = platform && ((a: Uint8Array, b: Uint8Array): boolean => platform.compare(a, b) === 0)
