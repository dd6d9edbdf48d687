import * as DataMode from "@effect-marketdata/core/DataMode"
import type * as Finding from "@effect-marketdata/core/Finding"
import * as HttpRequest from "@effect-marketdata/core/HttpRequest"
import * as MaxAge from "@effect-marketdata/core/MaxAge"
import * as Query from "@effect-marketdata/core/Query"
import { InvalidQuery, type Reason } from "@effect-marketdata/core/Reason"
import type * as Reply from "@effect-marketdata/core/Reply"
import * as Reuse from "@effect-marketdata/core/Reuse"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Call from "../call/call.ts"
import { has, isFunction } from "../config/checked.ts"
import * as Rules from "../config/rules.ts"
import { steadyMillis } from "../config/steadyMillis.ts"
import * as Token from "../config/token.ts"
import * as Transport from "../sending/transport.ts"
import * as Observe from "../telemetry/observe.ts"
import { joined } from "./folder.ts"
import { type Found, type KeptReply, type Options, patience, refusedDirectory, type Store, within } from "./store.ts"

/**
 * Answers a query with the replies that were kept for it, if they still answer it; otherwise asks the service, and keeps its replies. A kept answer
 * reserves nothing and sends nothing.
 */
export const keeping = Effect.fnUntraced(function*(store: Store, options: Options & { readonly directory?: string }) {
  const writes = yield* backgroundWrites
  const { account, anew, directory } = options ?? {}
  const withMillis = steadyMillis()
  const clock = withMillis((millis) => Effect.succeed(Math.floor(millis / 1000)))
  const clients = new WeakMap<Call.Resources, number>()
  let known = 0
  /** Replies belong to the named account, or else to the client that received them. */
  const owner = (resources: Call.Resources): string | number => {
    if (account !== undefined) return account
    const number = clients.get(resources) ?? known++
    clients.set(resources, number)
    return number
  }
  const refusal = refusalOf(store, { account, anew, directory })
  const answer: Call.Keeping["answer"] = Effect.fnUntraced(function*<Data, R>(
    call: Call.Call,
    query: Query.Query<Data>,
    ask: Effect.Effect<Call.BatchResults<Data>, Reason, R>
  ) {
    const accept = yield* Effect.fromResult(acceptOf(call))
    if (refusal !== undefined) return yield* Effect.fail(refusal)
    const key = keyOf(owner(call.resources), call, query)
    const kept = yield* anew === true
      ? Effect.as(Observe.kept(query, "miss"), undefined)
      : find(call, query, key, { accept, now: yield* clock })
    if (kept !== undefined) return kept
    const copies = copying(store.maxBytes)
    call.copy = copies.begin
    const results = yield* ask
    // The clock must see the time at which these arrived.
    yield* clock
    const replies = whole(query, accept, results, copies)
    if (replies === undefined) return results
    const holdsToken = copies.holdsToken(account, replies)
    const work = Effect.flatMap(holdsToken, (holds) => holds ? Effect.void : store.keep(key, replies))
    return yield* Effect.as(writes.keep(key, replies, work), results)
  })
  const find = Effect.fnUntraced(function*<Data>(
    call: Call.Call,
    query: Query.Query<Data>,
    key: string,
    when: Reuse.When
  ): Effect.fn.Return<Call.BatchResults<Data> | undefined> {
    const written = writes.find(key)
    const found: Found = written === undefined
      ? yield* store.find(key, mostBytes(query, call.resources.options.maxReplyBytes, store.maxBytes))
      : { _tag: "Kept", replies: written }
    if (found._tag === "None") return yield* Effect.as(Observe.kept(query, "miss"), undefined)
    const replies = found._tag === "Kept" ? found.replies : []
    if (!replies.every((reply) => Reuse.answers(query, reply, when))) {
      // A reply from the future was kept while the clock was wrong.
      if (replies.some(({ receivedAt }) => !(receivedAt <= when.now))) yield* store.remove(key)
      return yield* Effect.as(Observe.kept(query, "expired"), undefined)
    }
    const results = yield* readAgain(call, query, replies)
    if (results === undefined) {
      call.damage = [damaged]
      yield* store.remove(key)
      return yield* Effect.as(Observe.kept(query, "damaged"), undefined)
    }
    call.age = when.now - Math.min(...replies.map(({ receivedAt }) => receivedAt))
    return yield* Effect.as(Observe.kept(query, "hit"), results)
  })
  const isPossible: Call.Keeping["isPossible"] = (query, call) => {
    const accept = acceptOf(call)
    return refusal !== undefined || Result.isFailure(accept) ||
      Reuse.isPossible(query, { now: call.startedAt / 1000, accept: accept.success })
  }
  return { isPossible, answer }
})

/** The most bytes that the replies to a query can have: it may have taken one request for each ticker. */
const mostBytes = (query: Query.Query, configured: number | undefined, maxBytes: number): number =>
  Math.min(maxBytes, Transport.limitOf(query, configured).bytes * Math.max(1, query.tickers.length))

const damaged: Finding.Finding = { code: "DamagedReply", column: undefined, count: 1, examples: [] }

const isStore = /* @__PURE__ */ has({ find: isFunction, keep: isFunction, remove: isFunction })

/** Says what is wrong with a store or the options of a cache, if anything is: untyped callers may give any values. */
const refusalOf = (store: Store, { account, anew, directory }: Record<"account" | "anew" | "directory", unknown>) => {
  if (!isStore(store)) return InvalidQuery.of("store", store, Rules.store)
  const { maxBytes } = store
  if (!(Number.isSafeInteger(maxBytes) && maxBytes >= 1)) return InvalidQuery.of("maxBytes", maxBytes, Rules.bytes)
  // On a disk it must be named: the numbers of clients are those of one process.
  const isLeftOut = account === undefined && directory === undefined
  const isNamed = typeof account === "string" && /^[^\p{C}]{1,100}$/u.test(account)
  if (!isNamed && !isLeftOut) return InvalidQuery.of("account", account, Rules.account)
  // Any text would be true, and ask and pay for what is kept.
  if (!(anew === undefined || typeof anew === "boolean")) return InvalidQuery.of("anew", anew, Rules.anew)
  return directory === undefined ? undefined : refusedDirectory(directory)
}

const acceptOf = ({ terms: { acceptAge } }: Call.Call): Result.Result<MaxAge.MaxAge | undefined, InvalidQuery> =>
  acceptAge === undefined
    ? Result.succeed(undefined)
    : Result.mapError(MaxAge.parse(acceptAge), (error) => InvalidQuery.of("AcceptAge", acceptAge, error))

/**
 * The key of a query: the service, the owner, and what is asked, but not how old the data may be, which is decided when a reply is found. The mode is
 * part of it, because the service answers each with other data, and so is whether there is a token, because callers without one see other data.
 */
const keyOf = (owner: string | number, { resources, terms }: Call.Call, query: Query.Query): string => {
  const base = HttpRequest.parseBaseUrl(resources.baseUrl)
  const address = Result.isSuccess(base) ? [base.success.origin, base.success.path] : null
  const hasToken = resources.options.token !== undefined
  const target = Query.target({ ...query, mode: undefined, maxAge: undefined })
  return JSON.stringify([address, owner, hasToken, terms.findings, query.mode?._tag ?? null, target])
}

/** The replies to all requests of a query, if all were answered, and may answer the query again. */
const whole = (
  query: Query.Query,
  accept: MaxAge.MaxAge | undefined,
  results: Call.BatchResults<unknown>,
  copies: ReturnType<typeof copying>
): ReadonlyArray<KeptReply> | undefined => {
  const replies: Array<KeptReply> = []
  for (const answered of results) {
    const { query: part, result } = answered
    const copy = copies.of(part)
    if (Result.isFailure(result) || copy === undefined) return undefined
    if (Call.rowsAtLimit(answered, query) !== undefined) return undefined
    const { provenance: { receivedAt, requestId, sentMode, status, updated } } = result.success
    const { bytes, head: { mediaType, reported } } = copy
    const asked = { endpoint: part.endpoint.name, tickers: part.list ? part.tickers : undefined, maxAge: part.maxAge }
    const came = { bytes, mediaType, receivedAt, reported, requestId, sentMode, status, updated }
    const reply: KeptReply = { ...asked, ...came }
    if (!Reuse.answers(query, reply, { now: receivedAt, accept })) return undefined
    replies.push(reply)
  }
  return replies
}

/** Whether replies are complete: one, or those about all tickers of the list. */
const isWhole = ({ list, tickers }: Query.Query, replies: ReadonlyArray<KeptReply>): boolean =>
  list
    ? replies.flatMap((reply) => reply.tickers ?? []).join() === tickers.join()
    : replies.length === 1 && replies[0]!.tickers === undefined

/** Decodes kept replies as when they arrived; undefined if one of them cannot be decoded. */
const readAgain = Effect.fnUntraced(function*<Data>(
  call: Call.Call,
  query: Query.Query<Data>,
  replies: ReadonlyArray<KeptReply>
): Effect.fn.Return<Call.BatchResults<Data> | undefined> {
  if (!isWhole(query, replies)) return undefined
  const results: Array<Call.BatchResult<Data>> = []
  for (const reply of replies) {
    const part = partOf(query, reply)
    const delivered = yield* Transport.replay(call, part, headOf(reply), reply)
    if (delivered === undefined) return undefined
    results.push({ query: part, result: Result.succeed(delivered) })
  }
  return results
})

/** The part of a query that a reply answered: its tickers, in the mode in which it was sent. */
const partOf = <Data>(query: Query.Query<Data>, { sentMode, tickers }: KeptReply): Query.Query<Data> => {
  const part = tickers === undefined ? query : { ...query, tickers }
  if (query.mode?._tag !== "CachedOrLive") return part
  return Query.withMode(part, sentMode === "live" ? DataMode.live : DataMode.cached(query.mode))
}

const headOf = ({ mediaType, reported, requestId, status }: KeptReply): Reply.Head => {
  const rate = { limit: undefined, remaining: undefined, reset: undefined, consumed: reported }
  return { status, read: "data", mediaType, rate, reported, retryAfter: undefined, requestId }
}

/** The most bytes of replies that wait to be written. Above it, a query waits for its own replies for `patience`; if they are not written by then, they are not kept. */
const mostWaiting = 67_108_864

/** How many turns the end of a program waits for replies that are still to be written: about half a second. */
const lastPatience = 450

/** Writes replies in the background, so that no answer waits for the store. Until they are written, `find` returns them. */
const backgroundWrites = Effect.gen(function*() {
  const waiting = new Map<string, ReadonlyArray<KeptReply>>()
  const fibers = new Set<Fiber.Fiber<void>>()
  let bytes = 0
  yield* Effect.addFinalizer(Effect.fnUntraced(function*() {
    yield* within(lastPatience, Fiber.awaitAll(fibers))
    for (const fiber of fibers) fiber.interruptUnsafe()
  }))
  return {
    find: (key: string) => waiting.get(key),
    keep: Effect.fnUntraced(function*(key: string, replies: ReadonlyArray<KeptReply>, work: Effect.Effect<void>) {
      const size = replies.reduce((sum, reply) => sum + reply.bytes.length, 0)
      const fiber = yield* Effect.forkDetach(work, { startImmediately: true })
      // From here on nothing can interrupt: what waits is always removed by the end of its fiber.
      waiting.set(key, replies)
      bytes += size
      fibers.add(fiber)
      fiber.addObserver(() => {
        fibers.delete(fiber)
        bytes -= size
        if (waiting.get(key) === replies) waiting.delete(key)
      })
      if (bytes <= mostWaiting) return
      yield* within(patience, Fiber.await(fiber))
      fiber.interruptUnsafe()
    })
  }
})

/** The copy of a reply, which is made while it is read. */
type Copied = { head: Reply.Head; token: Redacted.Redacted | undefined; pieces: Array<Uint8Array>; length: number }

/** Makes what copies the replies to a query, up to `maxBytes` bytes for all of them together. */
const copying = (maxBytes: number) => {
  const taken = new Map<Query.Query, Copied>()
  const isTooLarge = (): boolean => [...taken.values()].reduce((sum, { length }) => sum + length, 0) > maxBytes
  const begin: Call.Copy = (query, head, token) => {
    const copy: Copied = { head, token, pieces: [], length: 0 }
    taken.set(query, copy)
    return (bytes) => {
      copy.length += bytes.length
      // The HTTP client may reuse the memory of these bytes.
      if (!isTooLarge()) copy.pieces.push(bytes.slice())
      else copy.pieces = []
    }
  }
  return {
    begin,
    /** The last reply to a request; undefined if there was none, or if all copies together were too large. */
    of: (query: Query.Query) => {
      const copy = taken.get(query)
      return copy === undefined || isTooLarge() ? undefined : { head: copy.head, bytes: joined(copy.pieces) }
    },
    /** Whether a token that was sent occurs in the name of the account or in the replies: then they are not kept. */
    holdsToken: Effect.fnUntraced(function*(account: string | undefined, replies: ReadonlyArray<KeptReply>) {
      const tokens = [...new Set([...taken.values()].flatMap(({ token }) => token ?? []))]
      const longest = Math.max(0, ...tokens.map((token) => Redacted.value(token).length))
      let searched = 0
      for (const text of textsOf(account, replies, longest * mostPerCharacter)) {
        // A search takes a third of a millisecond; a small reply has two texts.
        if (searched++ >= 2) yield* Effect.yieldNow
        if (tokens.some((token) => Token.scrub(token)(text) !== text)) return true
      }
      return false
    })
  }
}

/** How many bytes of a reply are searched for a token at once. */
const pieceBytes = 65_536

/** The most characters that one character of a token takes in any of its encodings. */
const mostPerCharacter = 32

/** The texts of all that is to be kept, in pieces that overlap by a number of bytes. */
const textsOf = function*(account: string | undefined, replies: ReadonlyArray<KeptReply>, overlap: number) {
  const decoder = new TextDecoder()
  for (const { bytes, ...rest } of replies) {
    yield JSON.stringify([account, rest])
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      yield decoder.decode(bytes.subarray(at, at + pieceBytes + overlap))
    }
  }
}
