/**
 * The last reply to each query, as bytes and as data. Outside trading hours, and from caches, the same reply often comes again. A reply
 * with the same bytes as the last one is only compared while it arrives, not decoded, and answers with the same table.
 *
 * Unstable: it is there for the packages of this repository, and a minor release may change it.
 *
 * @example
 * ```ts
 * import * as LastReplies from "@effect-marketdata/core/LastReplies"
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Reply from "@effect-marketdata/core/Reply"
 * import * as Result from "effect/Result"
 *
 * const query = Result.getOrThrow(Query.stockPrices(["AAPL"], { columns: ["symbol", "mid"] }))
 * const replies = LastReplies.make({ maxBytes: 1_000_000 })
 * const poll = () => {
 *   const reader = Reply.reader(query, Reply.head({ status: 200, headers: {} }), { strict: false })
 *   const same = LastReplies.reader(replies, Query.target(query), reader)
 *   same.push(new TextEncoder().encode(`{"s":"ok","symbol":["AAPL"],"mid":[270.1]}`))
 *   return same.end()
 * }
 * poll() === poll() // => true
 * ```
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import { grown } from "../columns/document.ts"
import * as TableContent from "../columns/tableContent.ts"
import * as Problem from "../text/Problem.ts"
import type * as Reply from "./Reply.ts"

/**
 * The last replies, by the names of their queries.
 *
 * @category models
 * @since 0.1.0
 */
export interface LastReplies {
  readonly take: (name: string) => Kept | undefined
  readonly keep: (name: string, kept: Kept) => void
  readonly begin: () => Bytes
}

/**
 * A reply: its bytes and its data.
 *
 * @category models
 * @since 0.1.0
 */
export interface Kept {
  readonly bytes: Bytes
  readonly body: Reply.Body<unknown>
}

/**
 * The options. At most `maxBytes` bytes of replies are kept in total, those of the latest replies. `isEqual` says whether two pieces of
 * equal length are equal. The default is a loop; on Node, Bun and Deno a function with `Buffer.compare` is faster.
 *
 * @category models
 * @since 0.1.0
 */
export interface Options {
  readonly maxBytes: number
  readonly isEqual?: ((a: Uint8Array, b: Uint8Array) => boolean) | undefined
}

const knownOptions = /* @__PURE__ */ Problem.guard("record of options", "{ maxBytes: 1_000_000 }", { maxBytes: 0 })

const isEqualByte = (a: Uint8Array, b: Uint8Array): boolean => {
  for (let index = 0; index < a.length; index++) if (a[index] !== b[index]) return false
  return true
}

/**
 * Creates an empty store.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (options: Options): LastReplies => {
  const { isEqual = isEqualByte, maxBytes } = knownOptions(options)
  // In the order in which they were read.
  const replies = new Map<string, Kept>()
  let held = 0
  const take = (name: string): Kept | undefined => {
    const kept = replies.get(name)
    replies.delete(name)
    held -= kept?.bytes.capacity ?? 0
    return kept
  }
  return {
    take,
    keep: (name, kept) => {
      take(name)
      replies.set(name, kept)
      held += kept.bytes.capacity
      // Finding the oldest entry of a map means to skip all deleted ones, so it is done only if needed.
      if (held <= maxBytes) return
      for (const oldest of replies.keys()) {
        if (held <= maxBytes) break
        take(oldest)
      }
    },
    begin: () => new Bytes(maxBytes, isEqual)
  }
}

const known = /* @__PURE__ */ Problem.guard("store", "what LastReplies.make returns", { take: make })

const knownReader = /* @__PURE__ */ Problem.guard("reader", "what Reply.reader returns", { push: make, end: make })

/** Whether the data is a table whose memory was moved, such as to a worker: its columns are empty. */
const isMoved = (body: Reply.Body<unknown>): boolean => {
  const made = "data" in body && Result.isSuccess(body.data) ? TableContent.find(body.data.success.value) : undefined
  const buffers = made === undefined ? [] : TableContent.buffers(TableContent.pack(made.spec, made.content))
  return buffers.some(({ byteLength }) => byteLength === 0)
}

/**
 * Returns a reader that works like `reader`, but first compares the reply with the last one to the query of this name. All replies to
 * queries of one name must be read in the same way.
 *
 * @category decoding
 * @since 0.1.0
 */
export const reader = <Data>(self: LastReplies, name: string, reader: Reply.Reader<Data>): Reply.Reader<Data> => {
  // The last reply is taken out of the store, because it is overwritten from where the new one differs.
  knownReader(reader)
  const last = known(self).take(name)
  const bytes = last?.bytes ?? self.begin()
  let isSame = last !== undefined
  let length = 0
  /** The replies differ: the bytes that were equal so far are read now. */
  const differ = (): boolean => {
    isSame = false
    return length === 0 || reader.push(bytes.upTo(length))
  }
  return {
    push: (piece) => {
      if (isSame && bytes.holds(piece, length)) {
        length += piece.length
        return true
      }
      const goesOn = !isSame || differ()
      bytes.write(piece, length)
      length += piece.length
      return goesOn && reader.push(piece)
    },
    advance: () => !isSame && reader.advance !== undefined && reader.advance(),
    end: () => {
      if (isSame && last !== undefined && length === bytes.length && !isMoved(last.body)) {
        self.keep(name, last)
        // It was read as the reply to a query of the same name.
        return last.body as Reply.Body<Data>
      }
      if (isSame) differ()
      const body = reader.end()
      bytes.end(length)
      if (bytes.isWhole && "data" in body && Result.isSuccess(body.data)) self.keep(name, { bytes, body })
      return body
    }
  }
}

/**
 * Bytes that are written in order, from any place on; beyond the most that may be kept they are dropped.
 *
 * @category models
 * @since 0.1.0
 */
export class Bytes {
  private readonly most: number
  private readonly isEqual: (a: Uint8Array, b: Uint8Array) => boolean
  private held = new Uint8Array(0)
  length = 0
  isWhole = true

  constructor(most: number, isEqual: (a: Uint8Array, b: Uint8Array) => boolean) {
    this.most = most
    this.isEqual = isEqual
  }

  get capacity(): number {
    return this.held.length
  }

  upTo(length: number): Uint8Array {
    return this.held.subarray(0, length)
  }

  holds(piece: Uint8Array, at: number): boolean {
    return at + piece.length <= this.length && this.isEqual(this.held.subarray(at, at + piece.length), piece)
  }

  write(piece: Uint8Array, at: number): void {
    const needed = at + piece.length
    if (needed > this.most) this.isWhole = false
    if (!this.isWhole) return
    if (needed > this.held.length) {
      this.held = grown(this.held.subarray(0, at), Math.min(this.most, Math.max(needed, this.held.length * 2)))
    }
    this.held.set(piece, at)
  }

  end(length: number): void {
    this.length = length
    if (!this.isWhole) this.held = new Uint8Array(0)
  }
}
