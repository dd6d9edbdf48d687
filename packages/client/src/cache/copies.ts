import type * as Query from "@effect-marketdata/core/Query"
import type * as Reply from "@effect-marketdata/core/Reply"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { Copies } from "../asking/asking.ts"
import * as Token from "../config/token.ts"
import { joined } from "./folder.ts"
import type { KeptReply } from "./store.ts"

/** A reply that was copied while it was read. */
interface Copy {
  readonly head: Reply.Head
  readonly token: Redacted.Redacted | undefined
  readonly bytes: Uint8Array
}

/** The copies of the replies to one query. */
export interface Copying extends Copies {
  /** The last reply to a request; undefined where there was none, or it was too large. */
  readonly of: (query: Query.Query) => Copy | undefined
  /** Whether a token that was sent is in the name of the account or in what is to be kept of the replies: nothing that holds one is kept. */
  readonly holdsToken: (account: string | undefined, replies: ReadonlyArray<KeptReply>) => Effect.Effect<boolean>
}

/** Begins to copy the replies to a query, up to a number of bytes for all of them together. */
export const copying = (maxBytes: number): Copying => {
  const taken = new Map<Query.Query, Pick<Copy, "head" | "token"> & { pieces: Array<Uint8Array>; length: number }>()
  const total = (): number => [...taken.values()].reduce((sum, { length }) => sum + length, 0)
  const isTooLarge = (): boolean => total() > maxBytes
  return {
    begin: (query, head, token) => {
      const copy = { head, token, pieces: new Array<Uint8Array>(), length: 0 }
      taken.set(query, copy)
      return (bytes) => {
        copy.length += bytes.length
        // The bytes are their reader's, which may use them again.
        if (!isTooLarge()) copy.pieces.push(bytes.slice())
        else copy.pieces = []
      }
    },
    of: (query) => {
      const copy = taken.get(query)
      return copy === undefined || isTooLarge() ? undefined : { ...copy, bytes: joined(copy.pieces) }
    },
    holdsToken: Effect.fnUntraced(function*(account, replies) {
      const tokens = [...new Set([...taken.values()].flatMap(({ token }) => token ?? []))]
      const longest = Math.max(0, ...tokens.map((token) => Redacted.value(token).length))
      let searched = 0
      for (const text of textsOf(account, replies, longest * mostPerCharacter)) {
        // Each takes a third of a millisecond; a small reply has two.
        if (searched++ >= 2) yield* Effect.yieldNow
        if (tokens.some((token) => Token.scrub(token)(text) !== text)) return true
      }
      return false
    })
  }
}

/** How much of a reply is searched for a token at once. */
const pieceBytes = 65_536

/** The most characters that one of a token takes, in the ways in which it may be written. */
const mostPerCharacter = 32

/** All that is to be kept, in pieces that lie over each other by a number of bytes. */
const textsOf = function*(
  account: string | undefined,
  replies: ReadonlyArray<KeptReply>,
  overlap: number
): Generator<string> {
  const decoder = new TextDecoder()
  for (const { bytes, ...rest } of replies) {
    yield JSON.stringify([account, rest])
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      yield decoder.decode(bytes.subarray(at, at + pieceBytes + overlap))
    }
  }
}
