import type * as Query from "@effect-marketdata/core/Query"
import type * as Reply from "@effect-marketdata/core/Reply"
import * as Redacted from "effect/Redacted"
import type { Copies } from "../asking/asking.ts"
import * as Token from "../config/token.ts"

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
  /** Whether a token is in a reply or in the name of the account: nothing that holds one is kept. */
  readonly holdsToken: (account: string | undefined) => boolean
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
      return copy === undefined || isTooLarge() ? undefined : { ...copy, bytes: concat(copy.pieces, copy.length) }
    },
    holdsToken: (account = "") =>
      [...taken.values()].some(({ pieces, token }) =>
        token !== undefined && (account.includes(Redacted.value(token)) || isIn(token, pieces))
      )
  }
}

const concat = (pieces: ReadonlyArray<Uint8Array>, length: number): Uint8Array => {
  const bytes = new Uint8Array(length)
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.length
  }
  return bytes
}

/** A text of up to this length is searched for a token in all the ways in which one may be written; a longer one for the most common. */
const searched = 65_536

const isIn = (token: Redacted.Redacted, pieces: ReadonlyArray<Uint8Array>): boolean => {
  const decoder = new TextDecoder()
  const text = pieces.map((piece) => decoder.decode(piece, { stream: true })).join("") + decoder.decode()
  if (text.length <= searched) return Token.scrub(token)(text) !== text
  const value = Redacted.value(token)
  return [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)].some((form) => text.includes(form))
}
