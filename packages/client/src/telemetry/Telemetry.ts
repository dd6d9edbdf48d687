/**
 * The telemetry of the client, by name: spans and their attributes, metrics, and logs. Nothing has to be turned on: provide a tracer, an
 * exporter of metrics or a logger. None of it ever holds a token.
 *
 * Names about HTTP follow the OpenTelemetry semantic conventions; all others begin with `marketdata.`.
 *
 * @example
 * ```ts
 * import * as Telemetry from "@effect-marketdata/client/Telemetry"
 *
 * Telemetry.metrics.credits.name // => "marketdata.client.credits"
 * Telemetry.metrics.credits.attributes // => ["endpoint", "rule"]
 * ```
 *
 * @since 0.1.0
 */

/**
 * A span: its name and the names of its attributes. An attribute is set only if its value is known.
 *
 * @category models
 * @since 0.1.0
 */
export interface SpanInfo {
  readonly name: string
  readonly kind: "internal" | "client"
  readonly attributes: Readonly<Record<string, string>>
}

/**
 * The spans: one for each query, and inside it one for each of its requests. If callers share a call, its requests are in the span of the
 * first caller. The HTTP client's own spans are suppressed, because they would repeat these, and no trace headers are sent to the
 * service.
 *
 * @example
 * ```ts
 * import * as Telemetry from "@effect-marketdata/client/Telemetry"
 *
 * Telemetry.spans.query.name // => "MarketData.run"
 * ```
 *
 * @category constants
 * @since 0.1.0
 */
export const spans = {
  query: {
    name: "MarketData.run",
    kind: "internal",
    attributes: {
      "marketdata.endpoint": "the endpoint, as `Query` names it",
      "marketdata.subject": "what is asked about",
      "marketdata.mode": "the mode that was asked for; absent if the plan decides",
      "marketdata.symbols": "the number of symbols",
      "marketdata.credits.bound": "the most credits that it could cost; absent without a bound",
      "marketdata.credits.charged": "the credits that its requests were charged",
      "marketdata.credits.uncertain":
        "the most that its requests may have been charged in addition; absent if all charges are known, or without a bound",
      "marketdata.attempts": "the number of requests that were sent",
      "marketdata.findings": "the number of kinds of deviations in the data",
      "marketdata.source": "`provider`, `cache`, or `local` for a kept reply",
      "marketdata.size": "the size of a chain that gave the bound, with its age; absent if no size was needed",
      "marketdata.age": "how long ago a kept reply arrived, in seconds; absent if the service answered",
      "error.type": "the reason of a failure; absent for a cached miss"
    }
  },
  request: {
    name: "GET {url.template}",
    kind: "client",
    attributes: {
      "http.request.method": "`GET`",
      "http.request.resend_count": "how often this request was sent before for this query; absent the first time",
      "http.response.status_code": "the status of the reply",
      "server.address": "the host",
      "server.port": "the port, if the base URL has one",
      "url.full": "the URL, without the token",
      "url.template": "the path of the endpoint, its parameters in braces",
      "error.type": "the status from 400 on, or the reason of a failure; absent for a cached miss",
      "marketdata.endpoint": "the endpoint, as `Query` names it",
      "marketdata.mode": "the mode that was sent; absent if the plan decides",
      "marketdata.request": "the number of the request within the query, from 0",
      "marketdata.request_id": "the service's name for the request",
      "marketdata.credits.bound": "the most credits that it could cost; absent without a bound",
      "marketdata.credits.charged": "the credits that it was charged; absent if that is unknown",
      "marketdata.credits.uncertain":
        "the most that it may have been charged in addition; absent if the charge is known, or without a bound",
      "marketdata.credits.rule": "the clause of the contract that it is charged by",
      "marketdata.credits.elsewhere":
        "credits that others spent, according to the reply; absent if others spent nothing",
      "marketdata.repeats":
        "how often the HTTP client tried to send it again by itself, which was refused; absent if it did not",
      "marketdata.decode.bytes": "the bytes of the body, without its coding",
      "marketdata.decode.seconds": "how long decoding them took"
    }
  }
} as const satisfies Readonly<Record<string, SpanInfo>>

/**
 * A metric: a counter that only grows, or a histogram. `unit` is a UCUM unit, or a word in braces for what is counted.
 *
 * @category models
 * @since 0.1.0
 */
export interface MetricInfo {
  readonly name: string
  readonly kind: "counter" | "histogram"
  readonly unit: string
  readonly description: string
  readonly attributes: ReadonlyArray<string>
}

/** Metrics of a kind: their names within the client, units and attributes, and what they tell. */
const metric =
  <const Kind extends MetricInfo["kind"]>(kind: Kind) =>
  <const Name extends string, const Unit extends string, const Attributes extends ReadonlyArray<string>>(
    name: Name,
    unit: Unit,
    ...attributes: Attributes
  ) =>
  <const Description extends string>(description: Description) =>
    ({ name: `marketdata.client.${name}`, kind, unit, description, attributes }) as const

const counter = /* @__PURE__ */ metric("counter")

const histogram = /* @__PURE__ */ metric("histogram")

/**
 * The metrics. `queries` and `refusals` count calls; the others count each request once, even if several calls share it.
 *
 * @example
 * ```ts
 * import * as Telemetry from "@effect-marketdata/client/Telemetry"
 *
 * Telemetry.metrics.queries.name // => "marketdata.client.queries"
 * ```
 *
 * @category constants
 * @since 0.1.0
 */
export const metrics = {
  queries: counter("queries", "{query}", "endpoint", "mode", "outcome")(
    "Queries by their outcome: Answered, Empty for a cached miss, the reason of their failure, Interrupted or Defect"
  ),
  requests: counter("requests", "{request}", "endpoint", "status")(
    "Requests by the status of their replies, or by none where one was lost"
  ),
  duration: histogram("request.duration", "s", "endpoint")(
    "The time from the sending of a request to the last byte of its reply"
  ),
  credits: counter("credits", "{credit}", "endpoint", "rule")(
    "Credits that requests were charged, by the clause of the contract"
  ),
  uncertain: counter("requests.uncertain", "{request}", "endpoint")("Requests whose charge is unknown"),
  creditsUncertain: counter("credits.uncertain", "{credit}", "endpoint")(
    "The most credits that requests with an unknown charge may have been charged"
  ),
  creditsElsewhere: counter("credits.elsewhere", "{credit}", "endpoint")(
    "Credits that are gone according to the service, and that no request of this program explains"
  ),
  repeats: counter("repeats", "{request}", "endpoint")(
    "Requests that the HTTP client tried to send again by itself, which was refused"
  ),
  overruns: counter("credits.overruns", "{credit}", "endpoint")(
    "Credits that requests were charged above the most that they should have cost"
  ),
  cache: counter("cache", "{request}", "endpoint", "result")("Requests for cached data, by result: hit or miss"),
  kept: counter("kept", "{query}", "endpoint", "result")(
    "Queries that a kept reply may answer, by result: hit, miss, expired or damaged"
  ),
  retries: counter("retries", "{request}", "endpoint", "reason")("Requests that were sent again, by the reason"),
  decodedBytes: counter("decode.bytes", "By", "endpoint")("Bytes of bodies, without their coding"),
  decodeTime: histogram("decode.duration", "s", "endpoint")("How long decoding the body of a reply took"),
  findings: counter("findings", "{finding}", "endpoint", "code")("Deviations in replies, by their code"),
  refusals: counter("ledger.refusals", "{query}", "endpoint")("Queries that the budget did not cover"),
  holds: counter("ip.holds", "{request}", "policy")(
    "Requests that were held back because the address is blocked, by policy: fail or wait"
  ),
  blocks: counter("ip.blocks", "{request}", "endpoint")("Requests that the service refused because of their address")
} as const satisfies Readonly<Record<string, MetricInfo>>

/**
 * A log: its level, its message, and its annotations in addition to `marketdata.endpoint` and `marketdata.subject`.
 *
 * @category models
 * @since 0.1.0
 */
export interface LogInfo {
  readonly level: "Debug" | "Warn"
  readonly message: string
  readonly annotations: ReadonlyArray<string>
}

/** Logs of a level: their messages and annotations. */
const log =
  <const Level extends LogInfo["level"]>(level: Level) =>
  <const Message extends string, const Annotations extends ReadonlyArray<string>>(
    message: Message,
    ...annotations: Annotations
  ) => ({ level, message, annotations }) as const

const debug = /* @__PURE__ */ log("Debug")

const warn = /* @__PURE__ */ log("Warn")

const recorded = ["marketdata.credits.charged", "marketdata.credits.rule"] as const

/**
 * The logs.
 *
 * @category constants
 * @since 0.1.0
 */
export const logs = {
  request: debug(
    "request",
    "http.response.status_code",
    "marketdata.request",
    "marketdata.credits.charged",
    "error.type"
  ),
  retry: debug("request is sent again", "error.type", "marketdata.retry.milliseconds"),
  repeat: warn("HTTP client wanted to send a request again by itself, which was refused", "marketdata.repeats"),
  overrun: warn("request was charged more than it should have cost", "marketdata.credits.bound", ...recorded),
  disbelieved: warn(
    "service reported a charge that is not recorded, because no price explains it",
    "marketdata.credits.reported",
    ...recorded
  ),
  block: warn("service refused the address of this machine", "http.response.status_code"),
  hold: warn("request is held back for a block of the address", "marketdata.ip.policy"),
  damaged: warn("kept reply was damaged and is removed; the service is asked")
} as const satisfies Readonly<Record<string, LogInfo>>
