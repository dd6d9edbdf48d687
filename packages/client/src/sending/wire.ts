/**
 * What the application's HTTP client really sends. It may want to send a request again by itself, as `HttpClient.retryTransient` does, where no
 * consent, no budget and no ledger would know of it.
 *
 * Every client that is made with Effect's `HttpClient.make`, over fetch, undici, `node:http` or in memory, opens a span for each request that it is
 * about to send, and ends it with the outcome. A tracer that is there for one attempt of ours lets the first request through, and refuses the
 * next before anything is sent. What the first one brought is then what the attempt brought.
 */
import * as HttpRequest from "@effect-marketdata/core/HttpRequest"
import { TransportFailure } from "@effect-marketdata/core/Reason"
import * as Reply from "@effect-marketdata/core/Reply"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import { memoize } from "effect/Function"
import * as HttpClient from "effect/http/HttpClient"
import { isHttpClientError } from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Option from "effect/Option"
import * as References from "effect/References"
import * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import * as Tracer from "effect/Tracer"
import type { Resources } from "../asking/asking.ts"
import * as Token from "../config/token.ts"
import * as HttpFailure from "../error/HttpFailure.ts"
import { reference } from "../config/reference.ts"

type Request = HttpClientRequest.HttpClientRequest
type Response = HttpClientResponse.HttpClientResponse

/** Makes a client that can be watched, once of each client: where this was done for each request, its answer outlived it (decision 8). */
export const watchable = (client: HttpClient.HttpClient): Resources["client"] =>
  client.pipe(
    HttpClient.mapRequest((request) => current()?.prepare(request) ?? request),
    HttpClient.withScope
  )

/**
 * Has a client send a request once, in the context in which it is watched, and gives its response, whatever the client made of that. `clean` takes
 * secrets out of the words of a failure.
 */
export const once = (
  client: Resources["client"],
  watch: Watch,
  request: Request,
  clean: (text: string) => string
): Effect.Effect<Response, TransportFailure, Scope.Scope> => {
  const recover = (cause: Cause.Cause<unknown>): Effect.Effect<Response, TransportFailure> => {
    const found = Cause.findError(cause)
    if (Result.isFailure(found)) return ended(watch, found.failure)
    const error = found.success
    const response = responseOf(error, watch.first?.exit)
    return response !== undefined && (isStatusError(error) || !holdsData(response.status))
      ? Effect.succeed(response)
      : Effect.fail(HttpFailure.failure(error, response !== undefined || HttpFailure.mayHaveArrived(error), clean))
  }
  const settle = (exit: Exit.Exit<Response, unknown>): Effect.Effect<Response, TransportFailure> => {
    const brought = watch.repeats === 0 ? exit : watch.first?.exit ?? Exit.fail(givenUp())
    return Exit.isSuccess(brought) ? Effect.succeed(brought.value) : recover(brought.cause)
  }
  return Effect.matchCauseEffect(client.execute(request), {
    onFailure: (cause) => {
      watch.hear(Option.getOrUndefined(Cause.findErrorOption(cause)))
      return settle(Exit.failCause(cause))
    },
    onSuccess: (response) => settle(Exit.succeed(response))
  })
}

/** What a client that wanted to send a request again had not waited for. Made where it fails: the first value of a schema takes an import a millisecond. */
const givenUp = () => new TransportFailure({ detail: "the HTTP client gave the request up", mayHaveBeenCharged: true })

/** What a client broke off without an error: a request that it wanted to send again, if it did. */
export const ended = (watch: Watch, cause: Cause.Cause<never>): Effect.Effect<never, TransportFailure> =>
  watch.repeats > 0 ? Effect.fail(givenUp()) : Effect.failCause(cause)

/** The response that an error is about: a filter of statuses, or whatever else a client does with a response, makes an error of it. */
const responseOf = (error: unknown, first: Exit.Exit<Response, unknown> | undefined): Response | undefined => {
  if (!isHttpClientError(error)) return first !== undefined && Exit.isSuccess(first) ? first.value : undefined
  return "response" in error.reason ? error.reason.response : undefined
}

const isStatusError = (error: unknown): boolean => isHttpClientError(error) && error.reason._tag === "StatusCodeError"

/** Whether a response that something broke after has a body that is missed: any other says all by its status. */
const holdsData = (status: number): boolean => status === 200 || status === 203

/** Watches what a client sends for one attempt: `asked`, which is the request without its token. */
export class Watch {
  /** Whether the client was told to send. */
  isBegun = false
  /** The first request; its exit is undefined while it is under way. */
  first: Send | undefined
  /** How the reply began, also where it was not passed on because something broke after it. */
  head: Reply.Head | undefined
  /** How often the client wanted to send the request again. */
  repeats = 0
  private prepared: Request | undefined
  private readonly asked: HttpRequest.HttpRequest

  constructor(asked: HttpRequest.HttpRequest) {
    this.asked = asked
  }

  /** Remembers a response that came but was not passed on: the client made an error of it, or was interrupted. */
  hear(error: unknown): void {
    const response = responseOf(error, this.first?.exit)
    if (response !== undefined) this.head = Reply.head(response)
  }

  /** Takes the request as the client is about to send it, and hands it on. */
  prepare(request: Request): Request {
    return this.prepared = request
  }

  /** Whether a request of the client's is the one that is watched, or the same again. */
  isOurs(sent: Request): boolean {
    const { asked, prepared } = this
    return sent === prepared || sent.method === "GET" &&
        (isSame(sent, HttpClientRequest.get(HttpRequest.url(asked))) ||
          prepared !== undefined && isSame(sent, prepared))
  }

  /** Begins to send, once. */
  begin(options: SpanOptions): Send {
    const { first } = this
    // A client that is made around another one is inside of its own span when that sends.
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

/** Where an attempt is made: what is around it, and its span. */
export interface Where {
  readonly context: Context.Context<never>
  readonly span: Tracer.AnySpan
}

/** The context of a call, in which a client is watched, and the attempt: what watches it, its scope, and the span and the frame that it has. */
export const watching = (
  caller: Context.Context<never>,
  { context, span }: Where,
  watch: Watch,
  scope: Scope.Scope
): Context.Context<Scope.Scope> =>
  watchedIn(caller).pipe(
    Context.add(Tracer.ParentSpan, span),
    Context.add(References.CurrentStackFrame, Context.get(context, References.CurrentStackFrame)),
    Context.add(Scope.Scope, scope),
    Context.add(Current, watch)
  )

/**
 * Has a client open a span for what it sends, whatever the application says of spans, tell nothing else of it, and follow no redirect: that could
 * carry the token to another origin. Other clients than fetch follow none by themselves. A fetch that keeps replies, as browsers and frameworks have,
 * is to ask the service: what it kept is old, and tells again of credits that were charged once. All of it in one map, and once for each context: to
 * copy what the application has in its own costs more than to decode a small reply.
 */
const watchedIn = /* @__PURE__ */ memoize((context: Context.Context<never>): Context.Context<never> => {
  const watched = Token.hidden(context).pipe(
    Context.add(FetchHttpClient.RequestInit, {
      cache: "no-store",
      ...Context.getOrUndefined(context, FetchHttpClient.RequestInit),
      redirect: "manual"
    }),
    unless(References.TracerEnabled, true),
    unless(Tracer.DisablePropagation, false),
    Context.add(HttpClient.SpanNameGenerator, () => spanName),
    Context.add(HttpClient.TracerHeaderFilter, () => false),
    Context.add(HttpClient.TracerPropagationEnabled, false),
    Context.add(HttpClient.TracerDisabledWhen, (sent) => current()?.isOurs(sent) !== true),
    Context.add(Tracer.Tracer, tracer(context))
  )
  return Context.makeUnsafe(watched.mapUnsafe)
})

/** Sets what is not so already. */
const unless = <A>(reference: Context.Reference<A>, value: A) => <R>(context: Context.Context<R>): Context.Context<R> =>
  Context.get(context, reference) === value ? context : Context.add(context, reference, value)

/** Ends what an HTTP client does by itself where it wants to send a request again: a defect, which no retry takes for a failure that passes. */
class SentAgain extends Error {
  override readonly name = "SentAgain"
  override readonly message =
    "the HTTP client wanted to send a request again by itself, which was refused: RetryPolicy says how often to ask again"
}

/** Whether one request asks what another does: the client may have put another address or path before it, and parameters of its own behind. */
const isSame = (sent: Request, asked: Request): boolean => {
  const [one, other] = [sent, asked].map((request) => Option.getOrUndefined(HttpClientRequest.toUrl(request)))
  return one !== undefined && other !== undefined && one.pathname.endsWith(other.pathname) &&
    [...other.searchParams].every(([name, value]) => one.searchParams.getAll(name).includes(value))
}

type SpanOptions = Parameters<Tracer.Tracer["span"]>[0]

const spanName = "@effect-marketdata/client/send"

/** The tracer that was there, for everything but the requests that are watched. */
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
      if (send !== undefined) within.set(span, send)
      return span
    },
    context: outer.context
  })
}

/** Spans of the application's that were opened while a request was sent, and by what sends it. */
const within = new WeakMap<Tracer.AnySpan, Send>()

/** The request inside of whose sending a span is. */
const around = (span: Option.Option<Tracer.AnySpan>): Send | undefined => {
  const inner = Option.getOrUndefined(span)
  return inner instanceof Send ? inner : inner && within.get(inner)
}

/** The span that the application knows of. */
const outermost = (span: Tracer.AnySpan): Option.Option<Tracer.AnySpan> =>
  span instanceof Send ? Option.flatMap(span.parent, outermost) : Option.some(span)

/**
 * A request that is sent. A caller that asks for its ids or tells it something means the span of ours around it; but what Effect tells of a request, such
 * as its whole URL, goes no further.
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
    // A refusal is ended twice, as an error and then with its response. What ends a client's request is a response.
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
