import * as HttpRequest from "@effect-marketdata/core/HttpRequest"
import type * as Ledger from "@effect-marketdata/core/Ledger"
import * as Query from "@effect-marketdata/core/Query"
import { MalformedReply, ReplyTooLarge, TransportFailure } from "@effect-marketdata/core/Reason"
import * as Reply from "@effect-marketdata/core/Reply"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { memoize } from "effect/Function"
import type { HttpClientError } from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import type * as Tracer from "effect/Tracer"
import type { Asking } from "../asking/asking.ts"
import * as Body from "./body.ts"
import type { Counted, Turns } from "../asking/pauses.ts"
import * as HttpFailure from "../error/HttpFailure.ts"
import * as Token from "../config/token.ts"
import { version } from "../config/version.ts"
import * as Wire from "./wire.ts"

/**
 * One request on its way, signed: what is sent, and with which token. `hear` is told how a reply begins, also where the rest of it is lost, and
 * `repeated` each time that the HTTP client wanted to send the request again by itself.
 */
export interface Outgoing<out Data> {
  readonly query: Query.Query<Data>
  readonly request: HttpRequest.HttpRequest
  readonly token: Redacted.Redacted | undefined
  readonly hear: (head: Reply.Head) => void
  readonly repeated: () => void
}

/** What came back: what the reply meant, and where the account stands by the service's figures. */
export interface Received<out Data> {
  readonly outcome: Reply.Delivered<Data> | Reply.Empty | Reply.Refused
  readonly figures: Ledger.Figures
  readonly decoded: Body.Decoded
}

/**
 * Sends one request, once, and says what its reply meant. Bytes go to the reader as they arrive, as long as it wants any. Fails with `TransportFailure` where request
 * or reply were lost; a status that is not a success counts even where its body was cut short.
 *
 * The connection of a reply that nobody reads to its end is closed, whatever kept it from being read.
 * No coding is asked for: clients that can undo one, as fetch does, ask for it by themselves.
 */
export const send = <Data>(
  asking: Asking,
  outgoing: Outgoing<Data>
): Effect.Effect<Received<Data>, TransportFailure, Tracer.ParentSpan> =>
  Effect.suspend(() => {
    const scope = Scope.makeUnsafe()
    const counted = asking.resources.bytesInFlight.begin()
    return Effect.onExit(sendIn(scope, asking, outgoing, counted), (exit) => {
      counted.end()
      // One that was read to its end has nothing left to close, and aborting it costs time.
      return Exit.isSuccess(exit) ? Effect.void : Scope.close(scope, exit)
    })
  })

const sendIn = Effect.fnUntraced(function*<Data>(
  scope: Scope.Closeable,
  { caller, copies, resources: { client, maxReplyBytes, reread, turns }, terms: { buffers, figures, findings } }:
    Asking,
  { hear, query, repeated, request, token }: Outgoing<Data>,
  counted: Counted
): Effect.fn.Return<Received<Data>, TransportFailure, Tracer.ParentSpan> {
  const clean = Token.scrub(token)
  const strict = findings === "strict"
  const response = yield* Wire.once(client, request, httpRequest(request, token), {
    scope,
    caller,
    hear: (response) => hear(Reply.head(response)),
    repeated,
    clean
  })
  const clock = yield* Clock.Clock
  const receivedAt = Math.floor(clock.currentTimeMillisUnsafe() / 1000)
  // To read a response's headers is to copy them all.
  const { headers, status } = response
  const head = Reply.head({ status, headers })
  hear(head)
  // The tables of a list are joined into one that has memory of its own.
  const pool = head.read === "data" && !query.list ? buffers : undefined
  const recycled = pool?.take()
  const whole = Reply.reader(query, head, { strict, recycled })
  const compared = head.read === "data" && pool === undefined ? reread(nameOf(query, strict), whole) : whole
  const copy = head.read === "data" ? copies?.begin(query, head, token) : undefined
  const reader = Body.metered(copy === undefined ? compared : copying(compared, copy), clock)
  const limit = limitOf(query, maxReplyBytes)
  // What only explains a status is never read as a whole.
  const most = head.read === "data" ? limit.bytes : Infinity
  const end = yield* Body.read(response, headers, reader, most, counted, turns).pipe(
    Effect.catch((error) =>
      head.read !== "data" || isEmpty(error)
        ? Effect.succeed("read" as const)
        : Effect.fail(HttpFailure.failure(error, true, clean))
    )
  )
  if (end !== "read") yield* Scope.close(scope, Exit.void)
  else if (reader.advance()) yield* finish(reader, turns)
  const held = reader.end()
  const cut = end === "read" ? Body.cutShort(headers, held) : undefined
  if (cut !== undefined) {
    return yield* Effect.fail(new TransportFailure({ detail: clean(cut), mayHaveBeenCharged: true }))
  }
  const body: Reply.Body<Data> = "text" in held
    ? { text: end === "undecoded" ? "" : clean(held.text) }
    : end === "read"
    ? { ...held, beginning: held.beginning && clean(held.beginning) }
    : { data: Result.fail(Body.unreadable(headers, end)) }
  const outcome = Reply.outcome(query, head, body, {
    receivedAt,
    tokenSent: token !== undefined,
    assume: { figures }
  })
  const seen = { figures: head.rate, decoded: reader.decoded() }
  if (outcome._tag === "Delivered") return { outcome: Reply.cleaned(query, outcome, clean), ...seen }
  if (recycled !== undefined) pool?.give(recycled)
  if (outcome._tag === "Empty" || outcome.reason._tag !== "MalformedReply") return { outcome, ...seen }
  const { body: words, charged, code, column, detail, index } = outcome.reason
  const reason = end === "tooLarge"
    ? new ReplyTooLarge({ limit: limit.bytes, unit: "bytes", configured: limit.isConfigured, charged })
    : code === "TooManyRows"
    ? new ReplyTooLarge({ limit: limit.rows, unit: "rows", configured: false, charged })
    : new MalformedReply({
      code,
      column: column && clean(column),
      index,
      detail: clean(detail),
      body: words,
      charged
    })
  return { outcome: { ...outcome, reason }, ...seen }
})

/** Reads as another reader does, and hands on a copy of what it reads. */
const copying = <Data>(reader: Reply.Reader<Data>, copy: (bytes: Uint8Array) => void): Reply.Reader<Data> => ({
  ...reader,
  push: (bytes) => {
    copy(bytes)
    return reader.push(bytes)
  }
})

/** A reply that was kept: how it began, when it came, and its bytes. */
export interface Kept {
  readonly head: Reply.Head
  readonly receivedAt: number
  readonly bytes: Uint8Array
}

/** Reads a reply that was kept, as if it came now. It is undefined where it does not hold what was asked for. */
export const replay = Effect.fnUntraced(function*<Data>(
  { resources: { turns }, terms: { buffers, figures, findings } }: Asking,
  query: Query.Query<Data>,
  { bytes, head, receivedAt }: Kept
): Effect.fn.Return<Reply.Delivered<Data> | undefined> {
  const pool = query.list ? undefined : buffers
  const recycled = pool?.take()
  const reader = Body.metered(
    Reply.reader(query, head, { strict: findings === "strict", recycled }),
    yield* Clock.Clock
  )
  yield* Body.replay(bytes, reader, turns)
  if (reader.advance()) yield* finish(reader, turns)
  const outcome = Reply.outcome(query, head, reader.end(), { receivedAt, tokenSent: true, assume: { figures } })
  if (outcome._tag === "Delivered") return outcome
  if (recycled !== undefined) pool?.give(recycled)
  return undefined
})

/** Goes on with what is left to do after the last byte, each step in a turn of its own. */
const finish = (reader: Body.Metered<unknown>, turns: Turns): Effect.Effect<void> =>
  Effect.flatMap(turns.next, () => reader.advance() ? finish(reader, turns) : Effect.void)

/** Queries of one name are read in the same way. */
const nameOf = (query: Query.Query, strict: boolean): string => `${strict ? "strict " : ""}${Query.target(query)}`

/** Who asks, and for what: the service's support can tell this library from others. Browsers may send their own name instead. */
const named = { accept: "application/json", "user-agent": `effect-marketdata/${version}` }

const anonymous = /* @__PURE__ */ HttpClientRequest.setHeaders(HttpClientRequest.empty, named)

/** The headers are put together once for each token. */
const authorized = /* @__PURE__ */ memoize((token: Redacted.Redacted) =>
  HttpClientRequest.setHeader(anonymous, "authorization", `Bearer ${Redacted.value(token)}`)
)

const httpRequest = (request: HttpRequest.HttpRequest, token: Redacted.Redacted | undefined) =>
  HttpClientRequest.setUrl(
    token === undefined || request.queryToken !== undefined ? anonymous : authorized(token),
    HttpRequest.wireUrl(request)
  )

const isEmpty = (error: HttpClientError): boolean => error.reason._tag === "EmptyBodyError"

/** The largest reply to a query that is taken: as large as its endpoint's can be, or less where the client is told so. */
export const limitOf = (query: Query.Query, configured = Infinity) => {
  const { maxReplyBytes, maxRows } = query.endpoint
  return { bytes: Math.min(maxReplyBytes, configured), rows: maxRows, isConfigured: configured < maxReplyBytes }
}
