/** What a client tells of its queries and requests while they run: their spans, metrics and logs, which `Telemetry` documents. */
import * as Answer from "@effect-marketdata/core/Answer"
import * as ChainSize from "@effect-marketdata/core/ChainSize"
import * as Credits from "@effect-marketdata/core/Credits"
import * as DataMode from "@effect-marketdata/core/DataMode"
import * as HttpRequest from "@effect-marketdata/core/HttpRequest"
import * as Query from "@effect-marketdata/core/Query"
import type * as Reason from "@effect-marketdata/core/Reason"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as LogLevel from "effect/LogLevel"
import * as Metric from "effect/Metric"
import * as References from "effect/References"
import * as Result from "effect/Result"
import * as Tracer from "effect/Tracer"
import { isMiss } from "../call/call.ts"
import type { MarketDataError } from "../error/MarketDataError.ts"
import type { Lost, Outgoing, Received } from "../sending/transport.ts"
import type { Where } from "../sending/wire.ts"
import * as Telemetry from "./Telemetry.ts"

/** Attributes of a span, as `Telemetry.spans` documents them; undefined ones are left out. */
type Told<Of extends keyof typeof Telemetry.spans> = {
  readonly [Name in keyof typeof Telemetry.spans[Of]["attributes"]]?: string | number | undefined
}

const annotate = <Of extends keyof typeof Telemetry.spans>(span: Tracer.Span, attributes: Told<Of>): void => {
  for (const name in attributes) {
    const value = attributes[name]
    if (value !== undefined && value !== Infinity) span.attribute(name, value)
  }
}

/** Ends a span before `Effect.useSpan` does, where what the program's tracer throws would end the call. */
const end = (span: Tracer.Span, context: Context.Context<never>, exit: Exit.Exit<unknown, unknown>): void => {
  const isTimed = Context.get(context, References.TracerTimingEnabled)
  span.end(isTimed ? Context.get(context, Clock.Clock).currentTimeNanosUnsafe() : 0n, exit)
}

/**
 * Runs an effect within a span, as `Effect.withParentSpan` does, but with one change of the context: after each change Effect looks up ten references
 * again.
 */
const nest = <A, E, R>(span: Tracer.Span, self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.updateContext(self, (context: Context.Context<R>) => {
    const parent = Context.get(context, References.CurrentStackFrame)
    const frame = { name: span.name, stack: () => undefined, parent }
    return context.pipe(Context.add(Tracer.ParentSpan, span), Context.add(References.CurrentStackFrame, frame))
  })

/** Traces a query in a span, and counts its outcome in the metric registry of `context`. `call` has its requests, also where it is interrupted. */
export const query = <Data, R>(
  context: Context.Context<never>,
  query: Query.Query<Data>,
  ask: Effect.Effect<Answer.Answer<Data>, MarketDataError, R>,
  call: Pick<MarketDataError, "trace">
): Effect.Effect<Answer.Answer<Data>, MarketDataError, R> =>
  Effect.useSpan(Telemetry.spans.query.name, (span) => {
    annotate<"query">(span, {
      "marketdata.endpoint": query.endpoint.name,
      "marketdata.subject": query.subject,
      "marketdata.mode": query.mode?._tag,
      "marketdata.symbols": query.tickers.length
    })
    const count = (outcome: string): undefined => {
      measure(context, "queries", [query.endpoint.name, query.mode?._tag ?? "Default", outcome], 1)
    }
    return Effect.onExitPrimitive(nest(span, ask), (exit) => {
      try {
        if (Exit.isSuccess(exit)) {
          annotate(span, came(exit.value))
          end(span, context, exit)
          return count("Answered")
        }
        const found = Cause.findError(exit.cause)
        const { reason, trace } = Result.getOrElse(found, () => ({ reason: undefined, trace: call.trace }))
        const miss = reason !== undefined && isMiss(reason)
        annotate<"query">(span, {
          ...reason?._tag === "Incomplete" ? came(reason.answered) : {},
          "marketdata.credits.bound": Credits.bound(Credits.estimate(query)),
          ...spent(Answer.spent(trace)),
          "marketdata.attempts": trace.length,
          "error.type": miss ? undefined : reason?._tag
        })
        if (reason === undefined) return count(Cause.hasInterrupts(exit.cause) ? "Interrupted" : "Defect")
        const reasons = reason._tag === "Incomplete" ? reason.errors.map(({ reason }) => reason) : [reason]
        if (reasons.some(({ _tag }) => _tag === "CreditBudgetExceeded")) {
          measure(context, "refusals", [query.endpoint.name], 1)
        }
        // A cached miss is a success of the service, so the span ends as one.
        end(span, context, miss ? Exit.void : exit)
        return count(reason._tag === "NoCachedData" ? "Empty" : reason._tag)
      } catch {
        // As after a request.
        return undefined
      }
    })
  })

const came = ({ credits, findings, provenance, trace }: Answer.Answer<unknown>): Told<"query"> => ({
  "marketdata.credits.bound": Credits.bound(credits.estimate),
  "marketdata.size": ChainSize.assumedBy(credits.estimate),
  ...spent(credits),
  "marketdata.attempts": trace.length,
  "marketdata.findings": findings.length,
  "marketdata.source": provenance.source,
  "marketdata.age": provenance.age
})

const spent = ({ charged, uncertain }: Answer.Spent) => ({
  "marketdata.credits.charged": charged,
  "marketdata.credits.uncertain": uncertain === 0 ? undefined : uncertain
})

/** What the trace has of a request besides its target. */
export type Attempt = Omit<Answer.Attempt, "target">

/** The result of sending a request. */
export type Sent<Data> = Exit.Exit<Received<Data>, Lost>

/** Tells in the span and the metrics what was recorded of a request. Returns what writes the logs, if there are any. */
export type Tell = (attempt: Attempt) => Effect.Effect<void> | undefined

/** Sends a request within a span of its own, and records how that ended; `record` tells what it has recorded. */
export const request = <Data, A>(
  outgoing: Outgoing<Data>,
  send: (where: Where) => Effect.Effect<Received<Data>, Lost>,
  record: (exit: Sent<Data>, tell: Tell) => Effect.Effect<A>
): Effect.Effect<A> => {
  const template = templateOf(outgoing.query)
  return Effect.useSpan(`GET ${template}`, { kind: "client" }, (span) =>
    Effect.withFiber((fiber) => {
      const clock = fiber.getRef(Clock.Clock)
      const start = clock.monotonicTimeNanosUnsafe()
      annotate<"request">(span, { ...sent(outgoing), "url.template": template })
      const told = (exit: Sent<Data>) => {
        const nanos = clock.monotonicTimeNanosUnsafe() - start
        return record(exit, (attempt) => {
          const received = Exit.isSuccess(exit) ? exit.value : undefined
          try {
            annotate(span, cameBack(attempt, received))
            const failure = failureOf(attempt)
            end(span, fiber.context, failure === undefined ? Exit.void : Exit.fail(failure))
            count(fiber.context, outgoing, attempt, received)
            measure(fiber.context, "duration", [outgoing.query.endpoint.name], seconds(nanos))
          } catch {
            // If a tracer or a metric registry of the program throws, no reply is lost that was paid for.
          }
          return log(fiber, outgoing, attempt)
        })
      }
      return Effect.matchCauseEffect(send({ context: fiber.context, span }), {
        onFailure: (cause) => told(Exit.failCause(cause)),
        onSuccess: (received) => told(Exit.succeed(received))
      })
    }))
}

const sent = ({ before, bound, number, query, request }: Outgoing<unknown>): Told<"request"> => ({
  "http.request.method": "GET",
  "http.request.resend_count": before === 0 ? undefined : before,
  ...serverOf(request.origin),
  "url.full": HttpRequest.url(request),
  "marketdata.endpoint": query.endpoint.name,
  "marketdata.mode": query.mode && DataMode.parameter(query.mode),
  "marketdata.request": number,
  "marketdata.credits.bound": bound
})

const templateOf = (query: Query.Query): string => {
  const { listPath, path } = query.endpoint
  return query.list ? listPath ?? path : path
}

/** The origin that was parsed last, because all requests of a client have the same. */
let server: { readonly origin: string; readonly told: Told<"request"> } = { origin: "", told: {} }

/** The attributes for host and port of an origin, which is valid. */
const serverOf = (origin: string): Told<"request"> => {
  if (server.origin !== origin) {
    const [, host, port] = /^https?:\/\/(\[[^\]]*\]|[^:]*)(?::(\d+))?$/i.exec(origin) ?? []
    server = { origin, told: { "server.address": host, "server.port": port === undefined ? undefined : Number(port) } }
  }
  return server.told
}

const cameBack = (attempt: Attempt, received: Received<unknown> | undefined): Told<"request"> => ({
  "http.response.status_code": attempt.status,
  "error.type": errorOf(attempt),
  "marketdata.credits.charged": attempt.charge?.credits,
  "marketdata.credits.uncertain": attempt.uncertain === 0 ? undefined : attempt.uncertain,
  "marketdata.credits.rule": attempt.charge?.clause,
  "marketdata.credits.elsewhere": attempt.elsewhere === 0 ? undefined : attempt.elsewhere,
  "marketdata.repeats": attempt.repeats === 0 ? undefined : attempt.repeats,
  "marketdata.request_id": received?.outcome._tag === "Delivered" ? received.outcome.provenance.requestId : undefined,
  "marketdata.decode.bytes": received?.decoded.bytes,
  "marketdata.decode.seconds": received && seconds(received.decoded.nanos)
})

/** The failure of a request; a cached miss is not a failure. */
const failureOf = ({ reason }: Attempt) => reason === undefined || isMiss(reason) ? undefined : reason

const errorOf = (attempt: Attempt): string | undefined => {
  const { status } = attempt
  return status !== undefined && status >= 400 ? String(status) : failureOf(attempt)?._tag
}

const seconds = (nanos: bigint): number => Number(nanos) / 1e9

const count = (
  context: Context.Context<never>,
  { bound, query: { endpoint: { name: endpoint }, mode } }: Outgoing<unknown>,
  { charge, elsewhere, reason, repeats, status, uncertain }: Attempt,
  received: Received<unknown> | undefined
): void => {
  measure(context, "requests", [endpoint, status === undefined ? "none" : String(status)], 1)
  if (repeats > 0) measure(context, "repeats", [endpoint], repeats)
  if (elsewhere > 0) measure(context, "creditsElsewhere", [endpoint], elsewhere)
  if (charge !== undefined) {
    measure(context, "credits", [endpoint, charge.clause], charge.credits)
    if (charge.credits > bound) measure(context, "overruns", [endpoint], charge.credits - bound)
  }
  if (uncertain > 0) {
    measure(context, "uncertain", [endpoint], 1)
    // A counter cannot add an infinite number.
    if (uncertain !== Infinity) measure(context, "creditsUncertain", [endpoint], uncertain)
  }
  if (DataMode.isCached(mode) && (status === 203 || status === 204)) {
    measure(context, "cache", [endpoint, status === 203 ? "hit" : "miss"], 1)
  }
  if (reason?._tag === "AddressBlocked") measure(context, "blocks", [endpoint], 1)
  if (received === undefined) return
  measure(context, "decodedBytes", [endpoint], received.decoded.bytes)
  measure(context, "decodeTime", [endpoint], seconds(received.decoded.nanos))
  const { outcome } = received
  // The findings of a delivered reply include that about its charge.
  const findings = outcome._tag === "Delivered" ? outcome.findings : [charge?.finding ?? []].flat()
  for (const { code, count } of findings) measure(context, "findings", [endpoint, code], count)
}

const log = (fiber: Fiber.Fiber<unknown, unknown>, { bound, number, query }: Outgoing<unknown>, attempt: Attempt) => {
  const { charge, reason, repeats, status } = attempt
  const isOverrun = charge !== undefined && charge.credits > bound
  const isDisbelieved = charge?.reported !== undefined && charge.credits !== charge.reported
  const isBlock = reason?._tag === "AddressBlocked"
  // Nothing is formatted for logs that nobody reads.
  if (!isOverrun && !isDisbelieved && !isBlock && repeats === 0 && !isRead(fiber, "request")) return undefined
  const known = { "marketdata.credits.charged": charge?.credits, "marketdata.credits.rule": charge?.clause }
  const writes = [write("request", query, {
    "http.response.status_code": status,
    "marketdata.request": number,
    "marketdata.credits.charged": charge?.credits,
    "error.type": errorOf(attempt)
  })]
  if (repeats > 0) writes.push(write("repeat", query, { "marketdata.repeats": repeats }))
  if (isBlock) writes.push(write("block", query, { "http.response.status_code": status }))
  if (isOverrun) writes.push(write("overrun", query, { "marketdata.credits.bound": bound, ...known }))
  if (isDisbelieved) {
    writes.push(write("disbelieved", query, { "marketdata.credits.reported": charge.reported, ...known }))
  }
  return Effect.forEach(writes, (write) => write, { discard: true })
}

type Logs = typeof Telemetry.logs

const isRead = (fiber: Fiber.Fiber<unknown, unknown>, name: keyof Logs): boolean =>
  !LogLevel.isGreaterThan(fiber.getRef(References.MinimumLogLevel), Telemetry.logs[name].level)

/** Writes a log, with the annotations that `Telemetry.logs` documents. If a logger of the program throws, no reply is lost that was paid for. */
const write = <Name extends keyof Logs>(
  name: Name,
  { endpoint, subject }: Query.Query,
  annotations: { readonly [Annotation in Logs[Name]["annotations"][number]]: string | number | undefined }
): Effect.Effect<void> =>
  Effect.withFiber((fiber) => {
    const { level, message } = Telemetry.logs[name]
    if (!isRead(fiber, name)) return Effect.void
    return Effect.annotateLogs(Effect.ignoreCause(Effect.logWithLevel(level)(message)), {
      "marketdata.endpoint": endpoint.name,
      "marketdata.subject": subject,
      ...Object.fromEntries(Object.entries(annotations).filter(([, value]) => value !== undefined))
    })
  })

/** Counts and logs a retry. */
export const retry = (query: Query.Query, reason: Reason.Reason, milliseconds: number): Effect.Effect<void> =>
  Effect.withFiber((fiber) => {
    measure(fiber.context, "retries", [query.endpoint.name, reason._tag], 1)
    return write("retry", query, { "error.type": reason._tag, "marketdata.retry.milliseconds": milliseconds })
  })

/** Counts whether a kept reply answered a query. */
export const kept = (query: Query.Query, result: "hit" | "miss" | "expired" | "damaged"): Effect.Effect<void> =>
  Effect.withFiber((fiber) => {
    measure(fiber.context, "kept", [query.endpoint.name, result], 1)
    return result === "damaged" ? write("damaged", query, {}) : Effect.void
  })

/** Counts and logs that a request is held back because of a block of the address. */
export const hold = (query: Query.Query, policy: "fail" | "wait"): Effect.Effect<void> =>
  Effect.withFiber((fiber) => {
    measure(fiber.context, "holds", [policy], 1)
    return write("hold", query, { "marketdata.ip.policy": policy })
  })

type Metrics = typeof Telemetry.metrics

/** A value for each attribute, in their order. */
type Values<Attributes extends ReadonlyArray<string>> = { readonly [Index in keyof Attributes]: string }

/** The buckets of histograms: from 0.1 ms to 100 s, four to each power of ten. */
const boundaries: ReadonlyArray<number> = /* @__PURE__ */ Array.from({ length: 25 }, (_, at) => 1e-4 * 10 ** (at / 4))

type Series = Metric.Metric<number, unknown>

/** Series by their first value, then by the second and third, if any: joining the values to a key would take longer than counting. */
class Place {
  series: Series | undefined
  private readonly places = new Map<string, Place>()

  at(value: string): Place {
    let place = this.places.get(value)
    if (place === undefined) this.places.set(value, place = new Place())
    return place
  }
}

/** All series so far, by metric and values: making one takes longer than counting in it. */
const allSeries = new Place()

const seriesOf = (name: keyof Metrics, values: ReadonlyArray<string>): Series => {
  let place = allSeries.at(name)
  for (const value of values) place = place.at(value)
  return place.series ??= makeSeries(Telemetry.metrics[name], values)
}

const makeSeries = (info: Telemetry.MetricInfo, values: ReadonlyArray<string>): Series => {
  const { description, kind, name, unit } = info
  const attributes = {
    // Effect's exporters take the unit from here; what is only counted has none.
    ...(unit.startsWith("{") ? {} : { unit }),
    ...Object.fromEntries(info.attributes.map((attribute, at) => [attribute, values[at] ?? ""]))
  }
  return kind === "counter"
    ? Metric.counter(name, { description, attributes, incremental: true })
    : Metric.histogram(name, { description, attributes, boundaries })
}

/** Adds to a counter or a histogram, in the metric registry of a context. */
const measure = <N extends keyof Metrics>(
  context: Context.Context<never>,
  name: N,
  values: Values<Metrics[N]["attributes"]>,
  amount: number
): void => seriesOf(name, values).updateUnsafe(amount, context)
