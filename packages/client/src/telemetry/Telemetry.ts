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
      "marketdata.mode": "the mode that was asked for; none where the plan decides",
      "marketdata.symbols": "the number of symbols",
      "marketdata.credits.bound": "the credits that it could cost at most; none where nothing bounds them",
      "marketdata.credits.charged": "the credits that its requests were charged",
      "marketdata.credits.uncertain":
        "those that requests may have been charged in addition; none where all is known, or nothing bounds them",
      "marketdata.attempts": "the number of requests that were sent",
      "marketdata.findings": "the number of kinds of deviations in the data",
      "marketdata.source": "`provider`, `cache`, or `local` for a kept reply",
      "marketdata.size": "the size of a chain that the bound goes by, with its age; none where it needs none",
      "marketdata.age": "how long ago a kept reply arrived, in seconds; none where the service answered",
      "error.type": "the reason of a failure; none for a cached miss"
    }
  },
  request: {
    name: "GET {url.template}",
    kind: "client",
    attributes: {
      "http.request.method": "`GET`",
      "http.request.resend_count": "how often the same was sent before for this query; none the first time",
      "http.response.status_code": "the status of the reply",
      "server.address": "the host",
      "server.port": "the port, where the base URL names one",
      "url.full": "the URL as it is without a token",
      "url.template": "the path of the endpoint, its parameters in braces",
      "error.type": "the status from 400 on, or the reason why there is no data; none for a cached miss",
      "marketdata.endpoint": "the endpoint, as `Query` names it",
      "marketdata.mode": "the mode that was sent; none where the plan decides",
      "marketdata.request": "which of the requests of the query, from 0",
      "marketdata.request_id": "the service's name for the request",
      "marketdata.credits.bound": "the credits that it could cost at most; none where nothing bounds them",
      "marketdata.credits.charged": "the credits that it was charged; none if that is unknown",
      "marketdata.credits.uncertain":
        "what it may have been charged in addition, at most; none if the charge is known, or without a bound",
      "marketdata.credits.rule": "the clause of the contract that it is charged by",
      "marketdata.credits.elsewhere":
        "the credits that are gone by the reply's figures, and that no request of this program explains; none where all are",
      "marketdata.repeats":
        "how often the HTTP client wanted to send it again by itself, which was refused; none where it did not",
      "marketdata.decode.bytes": "the bytes of the body, without its coding",
      "marketdata.decode.seconds": "the time in which they were decoded"
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
  queries: {
    name: "marketdata.client.queries",
    kind: "counter",
    unit: "{query}",
    description: "Queries by what came of them: Answered, Empty for a cached miss, or the reason of their failure",
    attributes: ["endpoint", "mode", "outcome"]
  },
  requests: {
    name: "marketdata.client.requests",
    kind: "counter",
    unit: "{request}",
    description: "Requests by the status of their replies; none where the reply was lost",
    attributes: ["endpoint", "status"]
  },
  duration: {
    name: "marketdata.client.request.duration",
    kind: "histogram",
    unit: "s",
    description: "The time from the sending of a request to the last byte of its reply",
    attributes: ["endpoint"]
  },
  credits: {
    name: "marketdata.client.credits",
    kind: "counter",
    unit: "{credit}",
    description: "Credits that requests were charged, by the clause of the contract",
    attributes: ["endpoint", "rule"]
  },
  uncertain: {
    name: "marketdata.client.requests.uncertain",
    kind: "counter",
    unit: "{request}",
    description: "Requests of which it is unknown what they were charged",
    attributes: ["endpoint"]
  },
  creditsUncertain: {
    name: "marketdata.client.credits.uncertain",
    kind: "counter",
    unit: "{credit}",
    description: "Credits that requests may have been charged, at most, if it is unknown",
    attributes: ["endpoint"]
  },
  creditsElsewhere: {
    name: "marketdata.client.credits.elsewhere",
    kind: "counter",
    unit: "{credit}",
    description: "Credits that are gone by the service's figures, and that no request of this program explains",
    attributes: ["endpoint"]
  },
  repeats: {
    name: "marketdata.client.repeats",
    kind: "counter",
    unit: "{request}",
    description: "Requests that the HTTP client wanted to send again by itself, which was refused",
    attributes: ["endpoint"]
  },
  overruns: {
    name: "marketdata.client.credits.overruns",
    kind: "counter",
    unit: "{credit}",
    description: "Credits that requests were charged beyond what they should have cost at most",
    attributes: ["endpoint"]
  },
  cache: {
    name: "marketdata.client.cache",
    kind: "counter",
    unit: "{request}",
    description: "Requests for cached data, by whether there were any: hit or miss",
    attributes: ["endpoint", "result"]
  },
  kept: {
    name: "marketdata.client.kept",
    kind: "counter",
    unit: "{query}",
    description: "Queries that a kept reply may answer, by whether one did: hit, miss, expired or damaged",
    attributes: ["endpoint", "result"]
  },
  retries: {
    name: "marketdata.client.retries",
    kind: "counter",
    unit: "{request}",
    description: "Requests that are sent again, by the reason",
    attributes: ["endpoint", "reason"]
  },
  decodedBytes: {
    name: "marketdata.client.decode.bytes",
    kind: "counter",
    unit: "By",
    description: "Bytes of bodies, without their coding",
    attributes: ["endpoint"]
  },
  decodeTime: {
    name: "marketdata.client.decode.duration",
    kind: "histogram",
    unit: "s",
    description: "The time in which the body of a reply was decoded",
    attributes: ["endpoint"]
  },
  findings: {
    name: "marketdata.client.findings",
    kind: "counter",
    unit: "{finding}",
    description: "Deviations in replies, by their code",
    attributes: ["endpoint", "code"]
  },
  refusals: {
    name: "marketdata.client.ledger.refusals",
    kind: "counter",
    unit: "{query}",
    description: "Queries that the budget did not cover",
    attributes: ["endpoint"]
  },
  holds: {
    name: "marketdata.client.ip.holds",
    kind: "counter",
    unit: "{request}",
    description: "Requests that were held back for a block of the address, by what they did: fail or wait",
    attributes: ["policy"]
  },
  blocks: {
    name: "marketdata.client.ip.blocks",
    kind: "counter",
    unit: "{request}",
    description: "Requests that the service refused for their address",
    attributes: ["endpoint"]
  }
} as const satisfies Readonly<Record<string, MetricInfo>>

/**
 * A log: its level, its message, and its annotations besides `marketdata.endpoint` and `marketdata.subject`.
 *
 * @category models
 * @since 0.1.0
 */
export interface LogInfo {
  readonly level: "Debug" | "Warn"
  readonly message: string
  readonly annotations: ReadonlyArray<string>
}

/**
 * The logs.
 *
 * @category constants
 * @since 0.1.0
 */
export const logs = {
  request: {
    level: "Debug",
    message: "request",
    annotations: ["http.response.status_code", "marketdata.request", "marketdata.credits.charged", "error.type"]
  },
  retry: {
    level: "Debug",
    message: "request is sent again",
    annotations: ["error.type", "marketdata.retry.milliseconds"]
  },
  repeat: {
    level: "Warn",
    message: "HTTP client wanted to send a request again by itself, which was refused",
    annotations: ["marketdata.repeats"]
  },
  overrun: {
    level: "Warn",
    message: "request was charged more than it should have cost",
    annotations: ["marketdata.credits.bound", "marketdata.credits.charged", "marketdata.credits.rule"]
  },
  disbelieved: {
    level: "Warn",
    message: "service reported a charge that is not recorded, because no price explains it",
    annotations: ["marketdata.credits.reported", "marketdata.credits.charged", "marketdata.credits.rule"]
  },
  block: {
    level: "Warn",
    message: "service refused the address of this machine",
    annotations: ["http.response.status_code"]
  },
  hold: {
    level: "Warn",
    message: "request is held back for a block of the address",
    annotations: ["marketdata.ip.policy"]
  },
  damaged: {
    level: "Warn",
    message: "kept reply was damaged and is removed; the service is asked",
    annotations: []
  }
} as const satisfies Readonly<Record<string, LogInfo>>
