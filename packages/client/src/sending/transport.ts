import * as HttpRequest from "@effect-marketdata/core/HttpRequest"
import type * as Ledger from "@effect-marketdata/core/Ledger"
import * as Query from "@effect-marketdata/core/Query"
import { MalformedReply, ReplyTooLarge, TransportFailure } from "@effect-marketdata/core/Reason"
import * as Reply from "@effect-marketdata/core/Reply"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { memoize } from "effect/Function"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import type { Asking } from "../asking/asking.ts"
import * as Body from "./body.ts"
import type { Counted, Turns } from "../asking/pauses.ts"
import * as HttpFailure from "../error/HttpFailure.ts"
import * as Token from "../config/token.ts"
import { version } from "../config/version.ts"
import * as Wire from "./wire.ts"

/** One request on its way, signed: what is sent, with which token, and what watches it. */
export interface Outgoing<out Data> {
  readonly query: Query.Query<Data>
  readonly request: HttpRequest.HttpRequest
  readonly token: Redacted.Redacted | undefined
  readonly watch: Wire.Watch
}

/** What sends a request, to be run once, and the context in which that is watched. */
export interface Sending<out Data> {
  readonly context: Context.Context<Scope.Scope>
  readonly send: Effect.Effect<Received<Data>, TransportFailure, Scope.Scope>
  /** What the reply comes to if no more of it comes in time: what its status says, unless that promises data. */
  late: Effect.Effect<Received<Data>, TransportFailure> | undefined
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
export const sending = <Data>(asking: Asking, outgoing: Outgoing<Data>, where: Wire.Where): Sending<Data> => {
  const { caller, resources: { bytesInFlight, client } } = asking
  const { request, token, watch } = outgoing
  const scope = Scope.makeUnsafe()
  const counted = bytesInFlight.begin()
  const exchange = Effect.flatMap(
    Wire.once(client, watch, httpRequest(request, token), Token.scrub(token)),
    (response) => receive(asking, outgoing, response, counted, scope, sending)
  )
  const sending: Sending<Data> = {
    late: undefined,
    context: Wire.watching(caller, where, watch, scope),
    send: Effect.onExit(exchange, (exit) => {
      counted.end()
      // One that was read to its end has nothing left to close, and aborting it costs time.
      if (Exit.isSuccess(exit)) return Effect.void
      if (Exit.hasInterrupts(exit)) watch.hear(undefined)
      return Scope.close(scope, exit)
    })
  }
  return sending
}

/** Reads a response, as far as its reader wants to. */
const receive = <Data>(
  { caller, copies, resources: { maxReplyBytes, reread, turns }, terms: { buffers, figures, findings } }: Asking,
  { query, token, watch }: Outgoing<Data>,
  response: HttpClientResponse.HttpClientResponse,
  counted: Counted,
  scope: Scope.Closeable,
  sending: Sending<Data>
): Effect.Effect<Received<Data>, TransportFailure> => {
  const clean = Token.scrub(token)
  const strict = findings === "strict"
  const clock = Context.get(caller, Clock.Clock)
  const receivedAt = Math.floor(clock.currentTimeMillisUnsafe() / 1000)
  // To read a response's headers is to copy them all.
  const { headers, status } = response
  const head = Reply.head({ status, headers })
  watch.head = head
  // The tables of a list are joined into one that has memory of its own.
  const pool = head.read === "data" && !query.list ? buffers : undefined
  const recycled = pool?.take()
  const whole = Reply.reader(query, head, { strict, recycled })
  // The memory of a pooled call goes back to its pool: its table must not be shared with other answers, or be kept for the next reply.
  const compared = head.read === "data" && buffers === undefined ? reread(nameOf(query, strict), whole) : whole
  const copy = head.read === "data" ? copies?.begin(query, head, token) : undefined
  const reader = Body.metered(copy === undefined ? compared : copying(compared, copy), clock)
  const limit = limitOf(query, maxReplyBytes)
  // What only explains a status is never read as a whole.
  const most = head.read === "data" ? limit.bytes : Infinity
  const interpret = (end: Body.End): Effect.Effect<Received<Data>, TransportFailure> => {
    const held = reader.end()
    const cut = end === "read" ? Body.cutShort(headers, held) : undefined
    if (cut !== undefined) return Effect.fail(new TransportFailure({ detail: clean(cut), mayHaveBeenCharged: true }))
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
    if (outcome._tag === "Delivered") return Effect.succeed({ outcome: Reply.cleaned(query, outcome, clean), ...seen })
    if (recycled !== undefined) pool?.give(recycled)
    if (outcome._tag === "Empty" || outcome.reason._tag !== "MalformedReply") {
      return Effect.succeed({ outcome, ...seen })
    }
    const { charged, code, column, detail } = outcome.reason
    const reason = end === "tooLarge"
      ? new ReplyTooLarge({ limit: limit.bytes, unit: "bytes", configured: limit.isConfigured, charged })
      : code === "TooManyRows"
      ? new ReplyTooLarge({ limit: limit.rows, unit: "rows", configured: false, charged })
      : new MalformedReply({ ...outcome.reason, column: column && clean(column), detail: clean(detail) })
    return Effect.succeed({ outcome: { ...outcome, reason }, ...seen })
  }
  if (head.read !== "data") sending.late = Effect.suspend(() => interpret("read"))
  return Effect.matchCauseEffect(Body.read(response, headers, reader, most, counted, turns), {
    onFailure: (cause) => {
      const found = Cause.findError(cause)
      // A request may be wanted again while its response is read, too.
      if (Result.isFailure(found)) return Wire.ended(watch, found.failure)
      const error = found.success
      if (head.read !== "data" || error.reason._tag === "EmptyBodyError") return interpret("read")
      const failure = HttpFailure.failure(error, true, clean)
      return Body.isMiscoded(failure.detail) ? interpret("miscoded") : Effect.fail(failure)
    },
    onSuccess: (end) => {
      if (end !== "read") return Effect.flatMap(Scope.close(scope, Exit.void), () => interpret(end))
      return reader.advance() ? Effect.flatMap(finish(reader, turns), () => interpret(end)) : interpret(end)
    }
  })
}

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

/** The largest reply to a query that is taken: as large as its endpoint's can be, or less where the client is told so. */
export const limitOf = (query: Query.Query, configured = Infinity) => {
  const { maxReplyBytes, maxRows } = query.endpoint
  return { bytes: Math.min(maxReplyBytes, configured), rows: maxRows, isConfigured: configured < maxReplyBytes }
}
