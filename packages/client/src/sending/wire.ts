/**
 * Watches what the application's HTTP client really sends. A client may repeat a request by itself, as `HttpClient.retryTransient` does, and no consent,
 * budget or ledger would know of it.
 *
 * Every client that is made with Effect's `HttpClient.make`, over fetch, undici, `node:http` or in memory, opens a span for each request that it is
 * about to send, and ends it with the outcome. So each attempt has a tracer of its own, which lets the first request through and refuses the next one
 * before it is sent. The outcome of the first request is then that of the attempt.
 */
import * as HttpRequest from "@effect-marketdata/core/HttpRequest"
import { TransportFailure } from "@effect-marketdata/core/Reason"
import * as Reply from "@effect-marketdata/core/Reply"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { memoize } from "effect/Function"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import { isHttpClientError } from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as References from "effect/References"
import * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import * as Tracer from "effect/Tracer"
import type { Resources } from "../call/call.ts"
import * as Token from "../config/token.ts"
import * as HttpFailure from "../error/HttpFailure.ts"
import { reference } from "../policy/Policies.ts"

type Request = HttpClientRequest.HttpClientRequest
type Response = HttpClientResponse.HttpClientResponse

/** Makes a client that can be watched. It is made once for each client: made for each request, it kept the answer in memory (decision 8). */
export const watchable = (client: HttpClient.HttpClient): Resources["client"] =>
  HttpClient.withScope(HttpClient.mapRequest(client, (request) => current()?.prepare(request) ?? request))

/**
 * Sends a request once, in the context in which it is watched, and hands its response on, even if the client turned that into an error.
 */
export const once = <A, E>(
  watch: Watch,
  request: Request,
  receive: (response: Response) => Effect.Effect<A, E>
): Effect.Effect<A, E | TransportFailure, Scope.Scope> => {
  const recover = (cause: Cause.Cause<unknown>): Effect.Effect<A, E | TransportFailure> => {
    const found = Cause.findError(cause)
    if (Result.isFailure(found)) return ended(watch, found.failure)
    const error = found.success
    const response = responseOf(error, watch.first?.exit)
    if (response !== undefined && (isStatusError(error) || !holdsData(response.status))) return receive(response)
    const mayHaveArrived = response !== undefined || watch.isBegun && HttpFailure.mayHaveArrived(error)
    return Effect.fail(HttpFailure.failure(error, mayHaveArrived, watch.clean))
  }
  const settle = (exit: Exit.Exit<Response, unknown>): Effect.Effect<A, E | TransportFailure> => {
    const brought = watch.repeats === 0 ? exit : watch.first?.exit ?? Exit.fail(givenUp())
    return Exit.isSuccess(brought) ? receive(brought.value) : recover(brought.cause)
  }
  return Effect.matchCauseEffect(watch.client.execute(request), {
    onFailure: (cause) => {
      watch.hear(Option.getOrUndefined(Cause.findErrorOption(cause)))
      return settle(Exit.failCause(cause))
    },
    onSuccess: (response) => settle(Exit.succeed(response))
  })
}

/** The failure of a client that repeated a request without waiting for the first one. It is made on demand: the first value of a schema takes a millisecond. */
const givenUp = () => new TransportFailure({ detail: "the HTTP client gave the request up", mayHaveBeenCharged: true })

/** The failure of a request that ended without a typed error: the client tried to repeat it, or else died or was interrupted. */
export const ended = (watch: Watch, cause: Cause.Cause<never>): Effect.Effect<never, TransportFailure> =>
  watch.repeats > 0 ? Effect.fail(givenUp()) : Effect.failCause(cause)

/** The response that an error of the client is about: a filter of statuses, for example, makes errors of responses. */
const responseOf = (error: unknown, first: Exit.Exit<Response, unknown> | undefined): Response | undefined => {
  if (!isHttpClientError(error)) return first !== undefined && Exit.isSuccess(first) ? first.value : undefined
  return "response" in error.reason ? error.reason.response : undefined
}

const isStatusError = (error: unknown): boolean => isHttpClientError(error) && error.reason._tag === "StatusCodeError"

/** Whether the body of a response has data; any other status says enough without its body. */
export const holdsData = (status: number): boolean => status === 200 || status === 203

/**
 * The clients that are known to ask for a span before they send anything: what such a client holds back or refuses, as a rate limiter or an open circuit
 * breaker does, was not sent. A client that was never seen to ask may send as soon as it has a request.
 */
export const asking = new WeakSet<Resources["client"]>()

/** Watches what a client sends for one attempt. The request that was asked is compared without its token. */
export class Watch {
  /** Whether the client may have begun to send. */
  isBegun = false
  /** The first request; its exit is undefined while it is under way. */
  first: Send | undefined
  /** The head of the reply, even if the client then failed and did not pass the reply on. */
  head: Reply.Head | undefined
  /** How often the client tried to send the request again. */
  repeats = 0
  private prepared: Request | undefined
  private readonly asked: HttpRequest.HttpRequest
  readonly client: Resources["client"]
  /** Takes the token out of a text. */
  readonly clean: (text: string) => string

  constructor(asked: HttpRequest.HttpRequest, client: Resources["client"], token: Redacted.Redacted | undefined) {
    this.asked = asked
    this.client = client
    this.clean = Token.scrub(token)
  }

  /** Remembers a response that came but was not passed on: the client made an error of it, or was interrupted. Returns it. */
  hear(error: unknown): Response | undefined {
    const response = responseOf(error, this.first?.exit)
    if (response !== undefined) this.head = Reply.head(response)
    return response
  }

  /** Remembers the request as the client is about to send it, and returns it. */
  prepare(request: Request): Request {
    return this.prepared = request
  }

  /** Hears that the client sends a request, and returns whether it is the one that is watched, or the same again. */
  isOurs(sent: Request): boolean {
    asking.add(this.client)
    this.isBegun = true
    const { asked, prepared } = this
    return sent === prepared || sent.method === "GET" &&
        (isSame(sent, HttpClientRequest.get(HttpRequest.url(asked))) ||
          prepared !== undefined && isSame(sent, prepared))
  }

  /** Begins to send, once. */
  begin(options: SpanOptions): Send {
    const { first } = this
    // A client that wraps another one is still within its own span when the inner one sends.
    const isWithin = first?.exit === undefined && first === around(options.parent)
    if (first !== undefined && !isWithin) {
      this.repeats++
      throw new SentAgain()
    }
    return this.first = new Send(options)
  }
}

/** What watches the attempt of a fiber. */
const Current = /* @__PURE__ */ reference<Watch | undefined>("sending/Watch", () => undefined)

const current = (): Watch | undefined => Fiber.getCurrent()?.getRef(Current)

/** Where an attempt is made: its context and its span. */
export interface Where {
  readonly context: Context.Context<never>
  readonly span: Tracer.AnySpan
}

/** The context of an attempt: that of the call, prepared for watching, with the attempt's span, stack frame, scope and watch. */
export const watching = (caller: Context.Context<never>, { context, span }: Where, watch: Watch, scope: Scope.Scope) =>
  watchedIn(caller).pipe(
    Context.add(Tracer.ParentSpan, span),
    Context.add(References.CurrentStackFrame, Context.get(context, References.CurrentStackFrame)),
    Context.add(Scope.Scope, scope),
    Context.add(Current, watch)
  )

/**
 * The context of a call in which the HTTP client always opens a span for a request, whatever the application configured, and sends no trace headers. It
 * follows no redirects, because these could carry the token to another origin (only fetch follows them by default). Fetch uses no cache: a reply that a
 * browser or a framework kept is old, and states a charge that was recorded before. The context is made once for each context of a call, as a single
 * map: copying it for each request would take longer than decoding a small reply.
 */
const watchedIn = /* @__PURE__ */ memoize((context: Context.Context<never>): Context.Context<never> => {
  const watched = Token.hidden(context).pipe(
    Context.add(FetchHttpClient.RequestInit, {
      cache: "no-store",
      ...Context.getOrUndefined(context, FetchHttpClient.RequestInit),
      redirect: "manual"
    }),
    ensure(References.TracerEnabled, true),
    ensure(Tracer.DisablePropagation, false),
    Context.add(HttpClient.SpanNameGenerator, () => spanName),
    Context.add(HttpClient.TracerHeaderFilter, () => false),
    Context.add(HttpClient.TracerPropagationEnabled, false),
    Context.add(HttpClient.TracerDisabledWhen, (sent) => current()?.isOurs(sent) !== true),
    Context.add(Tracer.Tracer, tracer(context))
  )
  return Context.makeUnsafe(watched.mapUnsafe)
})

/** Sets a reference, unless it has this value already. */
const ensure = <A>(reference: Context.Reference<A>, value: A) => <R>(context: Context.Context<R>): Context.Context<R> =>
  Context.get(context, reference) === value ? context : Context.add(context, reference, value)

/** Ends the attempt of an HTTP client to repeat a request. It is thrown as a defect, which no retry of the client takes for a temporary failure. */
class SentAgain extends Error {
  override readonly name = "SentAgain"
  override readonly message =
    "the HTTP client wanted to send a request again by itself, which was refused: RetryPolicy says how often to ask again"
}

/** Whether a request is the one that was asked: the client may have changed its origin, prefixed its path, or added parameters. */
const isSame = (sent: Request, asked: Request): boolean => {
  const [one, other] = [sent, asked].map((request) => Option.getOrUndefined(HttpClientRequest.toUrl(request)))
  return one !== undefined && other !== undefined && one.pathname.endsWith(other.pathname) &&
    [...other.searchParams].every(([name, value]) => one.searchParams.getAll(name).includes(value))
}

type SpanOptions = Parameters<Tracer.Tracer["span"]>[0]

const spanName = "@effect-marketdata/client/send"

/** The tracer of the application, for all spans but those of watched requests. */
const tracer = (context: Context.Context<never>): Tracer.Tracer => {
  const outer = Context.get(context, Tracer.Tracer)
  const isEnabled = Context.get(context, References.TracerEnabled)
  return Tracer.make({
    span: (options) => {
      const watch = options.name === spanName ? current() : undefined
      if (watch !== undefined) return watch.begin(options)
      const outside = { ...options, parent: Option.flatMap(options.parent, outermost) }
      const span = isEnabled ? outer.span(outside) : new Tracer.NativeSpan({ ...outside, sampled: false })
      const send = around(options.parent)
      if (send !== undefined) sends.set(span, send)
      return span
    },
    context: outer.context
  })
}

/** The spans that the application opened while a request was sent, each with that request. */
const sends = new WeakMap<Tracer.AnySpan, Send>()

/** The request within whose sending a span was opened. */
const around = (span: Option.Option<Tracer.AnySpan>): Send | undefined => {
  const inner = Option.getOrUndefined(span)
  return inner instanceof Send ? inner : inner && sends.get(inner)
}

/** The innermost span that the application knows: spans of sent requests are skipped. */
const outermost = (span: Tracer.AnySpan): Option.Option<Tracer.AnySpan> =>
  span instanceof Send ? Option.flatMap(span.parent, outermost) : Option.some(span)

/**
 * The span of a sent request, which the application never sees. Its ids, events and links are those of our span around it; its attributes, such as the
 * whole URL, are dropped.
 */
class Send extends Tracer.NativeSpan {
  exit: Exit.Exit<Response, unknown> | undefined = undefined
  private get outer(): Tracer.AnySpan | undefined {
    return Option.getOrUndefined(outermost(this))
  }
  override get traceId(): string {
    return this.outer?.traceId ?? super.traceId
  }
  override get spanId(): string {
    return this.outer?.spanId ?? super.spanId
  }
  override end(_: bigint, exit: Exit.Exit<unknown, unknown>): void {
    // A filtered status ends the span twice, with an error and then with its response. The client ends it with a response at last.
    this.exit = exit as Exit.Exit<Response, unknown>
  }
  override attribute(): void {}
  override event(name: string, startTime: bigint, attributes?: Record<string, unknown>): void {
    if (this.outer?._tag === "Span") this.outer.event(name, startTime, attributes)
  }
  override addLinks(links: ReadonlyArray<Tracer.SpanLink>): void {
    if (this.outer?._tag === "Span") this.outer.addLinks(links)
  }
}
