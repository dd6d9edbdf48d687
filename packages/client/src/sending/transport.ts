/** Sends a signed request, reads its response, and interprets it; reads a kept reply in the same way. */
import * as HttpRequest from "@effect-marketdata/core/HttpRequest"
import type * as Ledger from "@effect-marketdata/core/Ledger"
import * as Query from "@effect-marketdata/core/Query"
import { MalformedReply, ReplyTooLarge, type TimedOut, TransportFailure } from "@effect-marketdata/core/Reason"
import * as Reply from "@effect-marketdata/core/Reply"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { memoize } from "effect/Function"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type { HttpClientResponse } from "effect/http/HttpClientResponse"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import type { Call } from "../call/call.ts"
import type { Counted } from "../call/pauses.ts"
import { version } from "../config/version.ts"
import * as HttpFailure from "../error/HttpFailure.ts"
import * as Body from "./body.ts"
import * as Wire from "./wire.ts"

/**
 * A signed request to be sent for a call, with its token and what watches it: its number among those of the query, its bound, and how often it was sent
 * before.
 */
export interface Outgoing<out Data> {
  readonly call: Call
  readonly query: Query.Query<Data>
  readonly request: HttpRequest.HttpRequest
  readonly token: Redacted.Redacted | undefined
  readonly watch: Wire.Watch
  readonly number: number
  readonly bound: number
  readonly before: number
}

/** The sending of a request: an effect to be run once, and the context in which it is watched. */
export interface Sending<out Data> {
  readonly context: Context.Context<Scope.Scope>
  readonly send: Effect.Effect<Received<Data>, Lost, Scope.Scope>
  /** The response, once it is being read. */
  reading: Reading<Data> | undefined
}

/** Why no reply came, or not the whole of it. */
export type Lost = TransportFailure | TimedOut

/** A reply: its outcome, the service's figures of the account, and what was decoded. */
export interface Received<out Data> {
  readonly outcome: Reply.Delivered<Data> | Reply.Empty | Reply.Refused
  readonly figures: Ledger.Figures
  readonly decoded: Body.Intake<unknown>["decoded"]
}

/**
 * Sends a request once, and interprets its reply. Bytes go to the reader as they arrive, as long as it wants any. Fails with `TransportFailure` if the
 * request or the reply is lost; a status that is not a success counts even if its body is cut short, and so does JSON that is whole.
 *
 * If a reply is not read to its end, for whatever reason, its connection is closed. No content coding is requested: HTTP clients that can decode one, as
 * fetch does, request it themselves.
 */
export const sending = <Data>(outgoing: Outgoing<Data>, where: Wire.Where): Sending<Data> => {
  const { call: { caller, resources: { countReply } }, request, token, watch } = outgoing
  const scope = Scope.makeUnsafe()
  const counted = countReply()
  const received = (response: HttpClientResponse) =>
    receive(made.reading = begin(outgoing, response, counted), response, scope)
  const exchange = Wire.once(watch, httpRequest(request, token), received)
  const made: Sending<Data> = {
    reading: undefined,
    context: Wire.watching(caller, where, watch, scope),
    send: Effect.onExitPrimitive(exchange, (exit) => {
      counted.end()
      // A reply that was read to its end has nothing left to close, and aborting it would take time.
      if (Exit.isSuccess(exit)) return undefined
      if (Exit.hasInterrupts(exit)) made.reading ??= withheld(outgoing, counted)
      return Scope.close(scope, exit)
    })
  }
  return made
}

/** Reads a response as far as its reader wants to, and then interprets it. */
const receive = <Data>(reading: Reading<Data>, response: HttpClientResponse, scope: Scope.Closeable) => {
  const { head, intake, watch } = reading
  return Effect.matchCauseEffect(Body.read(response, intake), {
    onFailure: (cause) => {
      const found = Cause.findError(cause)
      // The HTTP client may also try to repeat a request while its response is read.
      if (Result.isFailure(found)) return Wire.ended(watch, found.failure)
      const error = found.success
      if (error.reason._tag === "EmptyBodyError") return interpret(reading, "read")
      const failure = HttpFailure.failure(error, true, watch.clean)
      return Body.isMiscoded(failure.detail) ? interpret(reading, "miscoded") : interpret(reading, "read", failure)
    },
    onSuccess: (end) => {
      // After a 101 the connection is no longer HTTP, and would stay open.
      const isLeft = end !== "read" || head.status === 101
      if (isLeft) return Effect.flatMap(Scope.close(scope, Exit.void), () => interpret(reading, end))
      if (!intake.advance()) return interpret(reading, end)
      return Effect.flatMap(intake.finish(), () => interpret(reading, end))
    }
  })
}

/** Reads the head of a response, and makes what takes its body. */
const begin = <Data>(outgoing: Outgoing<Data>, response: HttpClientResponse, counted: Counted) => {
  const { call, query, token, watch } = outgoing
  const { caller, copy: copied, resources: { options, reread, turns }, terms: { buffers, figures, findings } } = call
  const strict = findings === "strict"
  const clock = Context.get(caller, Clock.Clock)
  const receivedAt = Math.floor(clock.currentTimeMillisUnsafe() / 1000)
  // Each access to the headers of a response copies them all.
  const { headers, status } = response
  const head = watch.head = Reply.head({ status, headers })
  // A reply is one, even if the client did not ask before it sent, as one with a cache of its own.
  watch.isBegun = true
  // The tables of a list are joined into a table with memory of its own.
  const pool = head.read === "data" && !query.list ? buffers : undefined
  const recycled = pool?.take()
  const whole = Reply.reader(query, head, { strict, recycled })
  // A pooled table returns its memory to the pool: it must neither be shared with other answers, nor be kept to compare the next reply with.
  const reader = head.read === "data" && buffers === undefined ? reread(nameOf(query, strict), whole) : whole
  const copy = head.read === "data" ? copied?.(query, head, token) : undefined
  const limit = limitOf(query, options.maxReplyBytes)
  // The reader of a body that only explains a status stops by itself.
  const maxBytes = head.read === "data" ? limit.bytes : Infinity
  const intake = new Body.Intake({ reader, copy, headers, maxBytes, counted, turns, clock })
  const request = { receivedAt, tokenSent: token !== undefined, assume: { figures } }
  return { query, request, watch, head, headers, limit, pool, recycled, intake }
}

type Reading<Data> = ReturnType<typeof begin<Data>>

/** The response that an HTTP client has not passed on, as one that waits for its `Retry-After` does. A status without data says enough without its body. */
const withheld = <Data>(outgoing: Outgoing<Data>, counted: Counted) => {
  const response = outgoing.watch.hear(undefined)
  return response === undefined || Wire.holdsData(response.status) ? undefined : begin(outgoing, response, counted)
}

/** The result if the time is up: what the status says or whole JSON, if that has arrived. */
export const late = <Data>({ reading }: Sending<Data>, timedOut: TimedOut): Effect.Effect<Received<Data>, Lost> =>
  reading === undefined ? Effect.fail(timedOut) : interpret(reading, "read", timedOut)

/**
 * Interprets a response whose body was read until `end`. If the rest was `lost`, data count only as JSON that is whole: asking again for these would be
 * charged again, and CSV does not show whether it is whole.
 */
const interpret = <Data>(reading: Reading<Data>, end: Body.End, lost?: Lost): Effect.Effect<Received<Data>, Lost> => {
  const { head, headers, intake, pool, query, recycled, request, watch: { clean } } = reading
  const held = intake.body()
  if (lost !== undefined && "data" in held && (query.format === "csv" || Result.isFailure(held.data))) {
    return Effect.fail(lost)
  }
  const cut = end === "read" ? Body.cutShort(headers, held) : undefined
  if (cut !== undefined) return Effect.fail(new TransportFailure({ detail: clean(cut), mayHaveBeenCharged: true }))
  const outcome = Reply.outcome(query, head, bodyOf(reading, held, end), request)
  const seen = { figures: head.rate, decoded: intake.decoded }
  if (outcome._tag === "Delivered") return Effect.succeed({ outcome: Reply.cleaned(query, outcome, clean), ...seen })
  if (recycled !== undefined) pool?.give(recycled)
  if (outcome._tag === "Empty" || outcome.reason._tag !== "MalformedReply") return Effect.succeed({ outcome, ...seen })
  return Effect.succeed({ outcome: { ...outcome, reason: unread(reading, outcome.reason, end) }, ...seen })
}

/** What was read of a body, without the token; of a redirect, where it leads. */
const bodyOf = <Data>(reading: Reading<Data>, held: Reply.Body<Data>, end: Body.End): Reply.Body<Data> => {
  const { head: { status }, headers, watch: { clean } } = reading
  if ("text" in held) {
    const target = status >= 300 && status < 400 ? headers["location"] : undefined
    return { text: end === "undecoded" ? "" : clean(target === undefined ? held.text : `go to ${target}`) }
  }
  if (end !== "read") return { data: Result.fail(Body.unreadable(headers, end)) }
  return { ...held, beginning: held.beginning && clean(held.beginning) }
}

/** Why data were not read: a limit that they exceed, or what is wrong with them, without the token. */
const unread = ({ limit, watch: { clean } }: Reading<unknown>, reason: MalformedReply, end: Body.End) => {
  const { charged, code, column, detail } = reason
  const { bytes, configured, rows } = limit
  if (end === "tooLarge") return new ReplyTooLarge({ limit: bytes, unit: "bytes", configured, charged })
  if (code === "TooManyRows") return new ReplyTooLarge({ limit: rows, unit: "rows", configured: false, charged })
  return new MalformedReply({ ...reason, column: column && clean(column), detail: clean(detail) })
}

/** Reads a kept reply as if it arrived now. Returns undefined if it is not an answer to the query. */
export const replay = Effect.fnUntraced(function*<Data>(
  { resources: { turns }, terms: { buffers, figures, findings } }: Call,
  query: Query.Query<Data>,
  head: Reply.Head,
  { bytes, receivedAt }: { readonly bytes: Uint8Array; readonly receivedAt: number }
): Effect.fn.Return<Reply.Delivered<Data> | undefined> {
  const pool = query.list ? undefined : buffers
  const recycled = pool?.take()
  const reader = Reply.reader(query, head, { strict: findings === "strict", recycled })
  const intake = Body.ofKept(reader, turns, yield* Clock.Clock)
  yield* intake.whole(bytes)
  if (intake.advance()) yield* intake.finish()
  const outcome = Reply.outcome(query, head, intake.body(), { receivedAt, tokenSent: true, assume: { figures } })
  if (outcome._tag === "Delivered") return outcome
  if (recycled !== undefined) pool?.give(recycled)
  return undefined
})

/** Queries of one name are read in the same way. */
const nameOf = (query: Query.Query, strict: boolean): string => `${strict ? "strict " : ""}${Query.target(query)}`

/** The headers of every request. The name lets the service's support tell this library from others; browsers may send their own instead. */
const named = { accept: "application/json", "user-agent": `effect-marketdata/${version}` }

const anonymous = /* @__PURE__ */ HttpClientRequest.setHeaders(HttpClientRequest.empty, named)

/** The headers are put together once for each token. */
const authorized = /* @__PURE__ */ memoize((token: Redacted.Redacted) =>
  HttpClientRequest.setHeader(anonymous, "authorization", `Bearer ${Redacted.value(token)}`)
)

const httpRequest = (request: HttpRequest.HttpRequest, token: Redacted.Redacted | undefined) => {
  const isAnonymous = token === undefined || request.queryToken !== undefined
  return HttpClientRequest.setUrl(isAnonymous ? anonymous : authorized(token), HttpRequest.wireUrl(request))
}

/** The largest reply to a query that is read: the limit of its endpoint, or the lower one of the client. */
export const limitOf = (query: Query.Query, maxBytes = Infinity) => {
  const { maxReplyBytes, maxRows } = query.endpoint
  return { bytes: Math.min(maxReplyBytes, maxBytes), rows: maxRows, configured: maxBytes < maxReplyBytes }
}
