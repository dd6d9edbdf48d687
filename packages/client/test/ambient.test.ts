/** The client over HTTP clients of the application's that do something by themselves: above all send a request again. */
import { MarketData, Policies, RetryPolicy } from "@effect-marketdata/client"
import { Answer, DataMode, Finding } from "@effect-marketdata/core"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Effect, Fiber, Layer, Logger, Metric, Option, References, Stream, Tracer } from "effect"
import { FetchHttpClient, HttpClient, HttpClientError, HttpClientRequest, HttpClientResponse } from "effect/http"
import * as TestClock from "effect/testing/TestClock"
import { assert, describe, it } from "../../core/test/support/it.ts"
import { balance, clientOf, passing, Requests, sent, tracerOf } from "./support/clients.ts"
import { pricesBody, replying, type Script, service } from "./support/scripted.ts"
import * as Wire from "./support/wire.ts"

const symbols = Array.from({ length: 10 }, (_, index) => `S${index}`)
const ok = pricesBody(symbols)
const ask = MarketData.stockPrices(symbols)
const answered: Script = { status: 200, body: ok }

const attempts = (count: number) =>
  Effect.provideService(RetryPolicy.RetryPolicy, RetryPolicy.make({ attempts: count, base: 0, cap: 0 }))

type Change = (client: HttpClient.HttpClient) => HttpClient.HttpClient

const again: Change = HttpClient.retryTransient({ times: 2 })

/** An HTTP client with something around it. */
const around = (layer: Layer.Layer<HttpClient.HttpClient>, change: Change): Layer.Layer<HttpClient.HttpClient> =>
  Layer.provide(Layer.effect(HttpClient.HttpClient, Effect.map(HttpClient.HttpClient, change)), layer)

/** A client's own limit of time, whose error it takes for one that passes. */
const giveUpAfterASecond = <A, R>(send: Effect.Effect<A, HttpClientError.HttpClientError, R>) =>
  Effect.timeoutOrElse(send, { duration: "1 second", orElse: () => Effect.fail("too late" as never) })

/** Nobody reads the warnings that a test expects. */
const quiet = Layer.succeed(References.MinimumLogLevel, "Error")

const sockets = [
  ["fetch", FetchHttpClient.layer],
  ["node:http", NodeHttpClient.layerNodeHttpOptions({ keepAlive: true })],
  ["undici", NodeHttpClient.layerUndici]
] as const

for (const [name, httpClient] of sockets) {
  const clients = (wire: Wire.Wire, change: Change) =>
    ({
      "around it": clientOf({ layer: around(httpClient, change) }, { baseUrl: wire.baseUrl }),
      transformClient: clientOf({ layer: httpClient }, { baseUrl: wire.baseUrl, transformClient: change })
    }) as const

  describe(`${name}, with retries of its own`, () => {
    for (const place of ["around it", "transformClient"] as const) {
      it.live(`sends what is lost once for each attempt of ours, and records each (${place})`, function*() {
        const wire = yield* Wire.serve((socket) => void socket.resetAndDestroy())
        const program = Effect.gen(function*() {
          const { reason, trace } = yield* Effect.flip(ask)
          assert.deepInclude(reason, { _tag: "TransportFailure", mayHaveBeenCharged: true } as typeof reason)
          assert.deepStrictEqual(trace.map(({ repeats, uncertain }) => [uncertain, repeats]), [[10, 1], [10, 1]])
          assert.deepInclude(yield* balance, { charged: 0, uncertain: 20 })
        })
        yield* Effect.provide(program.pipe(attempts(2)), clients(wire, again)[place])
        assert.strictEqual(wire.requests.length, 2)
      }, quiet)
    }

    it.live("reads what the application read before, to log it", function*() {
      const wire = yield* Wire.serve((socket, _, { target }) =>
        socket.end(target.includes("S0") ? Wire.reply(200, ok) : Wire.reply(403, `{"blockedIP":"192.0.2.1"}`))
      )
      const both = Effect.all([ask, Effect.flip(MarketData.stockPrices(["A"]))])
      const logs = clients(wire, HttpClient.tap(({ text }) => text)).transformClient
      const [{ data }, { reason }] = yield* Effect.provide(both, logs)
      assert.deepStrictEqual([data.length, reason._tag], [10, "AddressBlocked"])
    }, quiet)

    it.live("sends nothing again while a reply is read: what was sent is lost", function*() {
      const resumes: Change = HttpClient.transform((send) =>
        Effect.map(send, (response) => {
          const again = Stream.unwrap(Effect.map(send, ({ stream }) => stream))
          return Object.create(response, { stream: { value: Stream.catch(response.stream, () => again) } })
        })
      )
      const half = Wire.reply(200, ok.slice(0, 30), { "content-length": 1000 })
      const wire = yield* Wire.serve((socket) => socket.write(half, () => socket.resetAndDestroy()))
      const failing = Effect.flip(attempts(1)(ask))
      const { reason, trace } = yield* Effect.provide(failing, clients(wire, resumes).transformClient)
      assert.deepInclude(reason, { _tag: "TransportFailure", mayHaveBeenCharged: true } as typeof reason)
      // What fetch brings is read from fetch itself.
      assert.deepStrictEqual([trace[0]?.repeats, wire.requests.length], [name === "fetch" ? 0 : 1, 1])
    }, quiet)
  })
}

it.effect("reads a reply where fetch has no streams, as in React Native", function*() {
  const answer = () => Promise.resolve(Object.defineProperty(new Response(ok), "body", { value: undefined }))
  const { data } = yield* Effect.provideService(ask, FetchHttpClient.Fetch, answer)
  assert.strictEqual(data.length, 10)
}, clientOf({ layer: FetchHttpClient.layer }))

/** The scripted service behind an HTTP client of the application's. */
const behind = (http: ReturnType<typeof replying>, change: Change, options: Parameters<typeof clientOf>[1] = {}) =>
  clientOf({ requests: http.requests, layer: around(http.layer, change) }, options)

describe("an HTTP client that sends a request again by itself", () => {
  const moved = (request: HttpClientRequest.HttpClientRequest) =>
    HttpClientRequest.setUrl(request, request.url.replace("service", "x"))
  const ways: ReadonlyArray<readonly [string, Change]> = [
    ["after what passes", again],
    ["when it takes long", HttpClient.transform((send) => Effect.retry(send.pipe(giveUpAfterASecond), { times: 3 }))],
    ["always", HttpClient.transform((send) => Effect.andThen(Effect.exit(send), send))],
    ["beside the first", HttpClient.transform((send) => Effect.race(send, Effect.delay(send, "1 second")))],
    ["in a client around it", (own) => HttpClient.make((request) => Effect.retry(own.execute(request), { times: 2 }))],
    ["whatever breaks", HttpClient.transform((send) => Effect.catchCause(send, () => send))],
    [
      "whatever breaks, a refusal included",
      HttpClient.transform((send) => Effect.catchCause(send, () => Effect.catchCause(send, () => send)))
    ],
    [
      "at another address",
      (own) => HttpClient.transform(own, (send, request) => Effect.catch(send, () => own.execute(moved(request))))
    ]
  ]
  for (const [way, change] of ways) {
    it.effect(`sends it once for each attempt of ours (${way})`, function*() {
      const { reason, trace } = yield* passing(Effect.flip(ask).pipe(attempts(2)))
      assert.strictEqual(yield* sent, 2)
      assert.deepInclude(reason, { _tag: "TransportFailure", mayHaveBeenCharged: true } as typeof reason)
      for (const { repeats, uncertain } of trace) assert.deepStrictEqual([repeats > 0, uncertain], [true, 10])
      assert.deepInclude(yield* balance, { charged: 0, uncertain: 20, reserved: 0 })
    }, behind(service({ fails: "ECONNRESET" }), change, { given: quiet }))
  }

  const inventing: Change = HttpClient.transform((send, request) =>
    Effect.andThen(
      send,
      Effect.catchCause(send, () =>
        Effect.succeed(HttpClientResponse.fromWeb(request, new Response(ok, { status: 200 }))))
    )
  )
  const absent: Script = { status: 404, body: `{"s":"no_data","errmsg":"Symbol not found."}` }
  it.effect("is given no answer of its own making in place of what the request brought", function*() {
    assert.deepStrictEqual([(yield* Effect.flip(ask)).reason._tag, yield* sent], ["NotFound", 1])
  }, behind(service(absent, answered), inventing, { given: quiet }))

  const twice: Change = HttpClient.transform((send) => Effect.andThen(send, send))
  const dear: Script = { ...answered, headers: { "x-api-ratelimit-consumed": "7" } }
  it.effect("may take a second answer for a better one: the first is what was paid for", function*() {
    const { credits, data, trace } = yield* ask
    assert.deepStrictEqual([data.length, credits.charged, trace.length, trace[0]?.repeats], [10, 7, 1, 1])
    assert.deepInclude(yield* balance, { charged: 7, uncertain: 0, reserved: 0 })
  }, behind(service(dear, answered), twice, { given: quiet }))

  const beside: Change = HttpClient.transform((send) => Effect.race(send, Effect.delay(send, "1 second")))
  it.effect("sends no second request beside one that takes long", function*() {
    const { credits, trace } = yield* passing(ask)
    assert.deepStrictEqual([credits.charged, trace.length, trace[0]?.repeats, yield* sent], [7, 1, 1, 1])
  }, behind(service({ ...dear, after: "2 seconds" }), beside, { given: quiet }))

  it.effect("is told of: in the trace, in a span, a metric and a warning", () => {
    const http = service({ status: 503 }, answered)
    const warnings: Array<unknown> = []
    const spans: Array<Tracer.NativeSpan> = []
    return Effect.gen(function*() {
      const { trace } = yield* ask.pipe(attempts(2))
      assert.deepStrictEqual(trace.map(({ repeats }) => repeats), [1, 0])
      assert.include(Answer.formatAttempt(trace[0]!), "1 more of the HTTP client's own refused")
      const sent = spans.filter(({ kind }) => kind === "client")
      assert.deepStrictEqual(sent.map(({ attributes }) => attributes.get("marketdata.repeats")), [1, undefined])
      assert.deepStrictEqual(warnings, ["HTTP client wanted to send a request again by itself, which was refused"])
      const metrics = yield* Metric.snapshot
      const repeats = metrics.filter(({ id }) => id === "marketdata.client.repeats").map(({ state }) => state)
      assert.deepInclude(repeats[0], { count: 1 } as typeof repeats[0])
    }).pipe(
      Effect.provide([
        behind(http, again),
        Logger.layer([Logger.make(({ message }) => void warnings.push(...[message].flat()))])
      ]),
      Effect.provideService(Tracer.Tracer, tracerOf(spans)),
      Effect.provideService(Metric.MetricRegistry, new Map())
    )
  })
})

describe("an HTTP client that is more than one", () => {
  const twice: Change = (client) => {
    const inner = HttpClient.make((request) => client.execute(HttpClientRequest.setHeader(request, "x-inner", "1")))
    return HttpClient.make((request) => inner.execute(HttpClientRequest.setHeader(request, "x-outer", "1")))
  }

  it.effect("is a client around another one: what it sends in there is no second request", function*() {
    const { trace } = yield* ask
    assert.deepStrictEqual([trace.length, trace[0]?.repeats, yield* sent], [1, 0, 1])
    assert.deepInclude((yield* Requests)[0]?.headers, { "x-inner": "1", "x-outer": "1" })
  }, behind(service(answered), twice))

  it.effect("fetches a token elsewhere, as often as it wants to", () => {
    const http = replying((url, index) =>
      url.hostname !== "tokens.test" ? answered : index === 0 ? { status: 503 } : { status: 200, body: "fresh" }
    )
    const refreshing: Change = (client) =>
      HttpClient.mapRequestEffect(
        client,
        (request) =>
          again(client).get("https://tokens.test/v1/token/?for=stocks").pipe(
            Effect.flatMap(({ text }) => text),
            Effect.map((token) => HttpClientRequest.setHeader(request, "x-token", token))
          )
      )
    return Effect.gen(function*() {
      const { trace } = yield* ask
      const hosts = http.requests.map(({ url }) => new URL(url).hostname)
      assert.deepStrictEqual(hosts, ["tokens.test", "tokens.test", "service.test"])
      assert.deepStrictEqual([http.requests[2]?.headers["x-token"], trace[0]?.repeats], ["fresh", 0])
    }).pipe(Effect.provide(behind(http, refreshing)))
  })

  // At the same path, and with the same parameters.
  for (const target of ["/v1/stocks/prices/?for=stocks", `/v1/token/?symbols=${symbols.join(",")}`]) {
    const leave: Change = (client) =>
      HttpClient.transform(client, (send) => Effect.andThen(again(client).get(`https://leave.test${target}`), send))
    it.effect(`asks for leave at ${target.slice(0, 20)} before each request, as often as it wants to`, function*() {
      const { trace } = yield* ask
      assert.deepStrictEqual([trace.length, trace[0]?.repeats, yield* sent], [1, 0, 3])
    }, behind(service({ status: 503 }, answered), leave))
  }

  const gateway: Change = (client) =>
    again(HttpClient.mapRequest(client, (request) =>
      HttpClientRequest.setUrlParam(
        HttpClientRequest.setUrl(request, request.url.replace("https://service.test", "https://gateway.test/to")),
        "tenant",
        "us"
      )))

  it.effect("sends by a gateway of its own, and once", function*() {
    const { trace } = yield* ask.pipe(attempts(2))
    assert.deepStrictEqual(trace.map(({ repeats, status }) => [status, repeats]), [[503, 1], [200, 0]])
    assert.deepStrictEqual((yield* Requests).map(({ url }) => new URL(url).hostname), ["gateway.test", "gateway.test"])
  }, behind(service({ status: 503 }, answered), gateway, { given: quiet }))
})

describe("an HTTP client that makes an error of a response", () => {
  const failing = (request: HttpClientRequest.HttpClientRequest, response: HttpClientResponse.HttpClientResponse) =>
    new HttpClientError.HttpClientError({
      reason: new HttpClientError.DecodeError({ request, response, cause: new Error("no JSON") })
    })
  const isOk = ({ status }: HttpClientResponse.HttpClientResponse) => status === 200
  const ways: ReadonlyArray<readonly [string, Change]> = [
    ["by its status", HttpClient.filterStatusOk],
    ["by a status of its choice", HttpClient.filterStatus((status) => status === 200)],
    [
      "by what it reads of it",
      HttpClient.transform((send, request) => Effect.filterOrFail(send, isOk, (got) => failing(request, got)))
    ],
    ["of another kind", HttpClient.transform((send) => Effect.filterOrFail(send, isOk, () => "not good" as never))]
  ]
  const statuses = [
    [204, "UnexpectedNoContent"],
    [400, "BadRequest"],
    [401, "Unauthorized"],
    [402, "PlanRequired"],
    [403, "Forbidden"],
    [404, "NotFound"],
    [429, "TooManyRequests"],
    [500, "ServerFault"]
  ] as const
  for (const [way, change] of ways) {
    it.effect(`fails for what the service said, and is asked no more often (${way})`, function*() {
      for (const [status, tag] of statuses) {
        const http = service({ status, body: `{"s":"error","errmsg":"why"}` })
        const { reason, trace } = yield* Effect.provide(Effect.flip(ask).pipe(attempts(1)), behind(http, change))
        assert.strictEqual(reason._tag, tag)
        assert.deepStrictEqual(trace.map((attempt) => [attempt.status, attempt.charge?.credits]), [[status, 0]])
      }
    })
  }

  it.effect("is overruled where cached data came with their own status", function*() {
    assert.strictEqual((yield* MarketData.stockPrices(symbols, { mode: DataMode.cached() })).provenance.status, 203)
  }, behind(service({ status: 203, body: ok }), ways[1]![1]))

  it.effect("is believed where data came that it could not use: they may have been charged, and what they said is recorded", function*() {
    const spoils: Change = HttpClient.transform((send, request) =>
      Effect.flatMap(send, (response) => Effect.fail(failing(request, response)))
    )
    for (const [headers, charged, uncertain] of [[{}, 0, 10], [{ "x-api-ratelimit-consumed": "7" }, 7, 0]] as const) {
      const http = service({ ...answered, headers })
      const program = Effect.gen(function*() {
        const { reason } = yield* Effect.flip(ask).pipe(attempts(1))
        assert.deepInclude(reason, { _tag: "TransportFailure", mayHaveBeenCharged: true } as typeof reason)
        assert.deepInclude(yield* balance, { charged, uncertain })
      })
      yield* Effect.provide(program, behind(http, spoils))
    }
  })

  const dawdles: Change = HttpClient.transform((send) => Effect.tap(send, () => Effect.sleep("1 hour")))

  it.effect("may give up with the response in its hands: what that said is recorded", function*() {
    const fiber = yield* Effect.forkChild(ask)
    yield* TestClock.adjust("1 second")
    yield* Fiber.interrupt(fiber)
    assert.deepInclude(yield* balance, { charged: 7, uncertain: 0, reserved: 0 })
  }, behind(service({ ...answered, headers: { "x-api-ratelimit-consumed": "7" } }), dawdles))

  it.effect("may keep a refusal and wait: the status counts when the time of the attempt is up", function*() {
    const fiber = yield* Effect.forkChild(Effect.flip(ask).pipe(attempts(1)))
    yield* TestClock.adjust("1 minute")
    const { reason, trace } = yield* Fiber.join(fiber)
    assert.deepStrictEqual([reason._tag, trace[0]?.status], ["TooManyRequests", 429])
    assert.deepInclude(yield* balance, { charged: 0, uncertain: 0, reserved: 0 })
  }, behind(service({ status: 429, headers: { "retry-after": "120" } }), dawdles))

  let turn = 0
  const stalled = HttpClientResponse.fromWeb(HttpClientRequest.get(""), new Response(new ReadableStream()))
  const guarded: Change = HttpClient.transform((send) =>
    [send, Effect.fail("open" as never), Effect.never, Effect.succeed(stalled)][turn++]!
  )
  it.effect(
    "may hold a request back or refuse it: it was not sent, if others were seen; a reply shows that it was",
    function*() {
      yield* ask
      const { trace } = yield* passing(Effect.flip(ask).pipe(attempts(3)))
      assert.deepStrictEqual(trace.map(({ reason }) => reason?.cost), ["none", "none", "possible"])
      assert.deepInclude(yield* balance, { charged: 10, uncertain: 10, reserved: 0 })
    },
    behind(service(answered), guarded)
  )

  it.effect("fails with words that hold no URL where it is an error of its own", () => {
    const http = service(answered)
    const error = new Error("could not reach https://user@proxy.test/?key=1")
    return Effect.gen(function*() {
      const { reason } = yield* Effect.flip(ask).pipe(attempts(1))
      assert.deepInclude(reason, { detail: "could not reach <url>", mayHaveBeenCharged: true } as typeof reason)
    }).pipe(Effect.provide(behind(http, HttpClient.transform(() => Effect.fail(error as never)))))
  })
})

describe("the application's tracer", () => {
  it.effect("sees the spans of its HTTP client in ours, and none of the sending itself", () => {
    const spans: Array<Tracer.NativeSpan> = []
    const http = service(answered)
    const inner: Change = (client) =>
      HttpClient.make((request) =>
        Effect.andThen(
          Effect.annotateCurrentSpan("gateway", "us"),
          client.execute(request)
        ).pipe(Effect.withSpan("inside"), Effect.tap(Effect.logInfo("sent")))
      )
    return Effect.gen(function*() {
      yield* ask
      assert.deepStrictEqual(spans.map(({ name }) => name), ["MarketData.run", "GET /v1/stocks/prices/", "inside"])
      assert.strictEqual(Option.getOrUndefined(spans[2]!.parent), spans[1])
      assert.deepStrictEqual([spans[2]!.attributes.get("gateway"), spans[2]!.traceId], ["us", spans[1]!.traceId])
      const { events } = spans[1]!
      assert.deepStrictEqual(events.map(([name]) => name), ["sent"])
      assert.isFalse(spans[1]!.attributes.has("http.request.header.accept"))
      for (const { headers } of http.requests) assert.notInclude(Object.keys(headers).join(), "trace")
    }).pipe(Effect.provide(behind(http, inner)), Effect.provideService(Tracer.Tracer, tracerOf(spans)))
  })

  const cases = [
    ["is off", Effect.provideService(References.TracerEnabled, false)],
    ["does not propagate", Effect.provideService(Tracer.DisablePropagation, true)]
  ] as const
  for (const [state, change] of cases) {
    it.effect(`need not see anything for a repeat to be refused (it ${state})`, () => {
      const spans: Array<Tracer.NativeSpan> = []
      const http = service({ status: 503 }, answered)
      const spanning: Change = (client) => again(HttpClient.transformResponse(client, Effect.withSpan("inside")))
      return Effect.gen(function*() {
        const { trace } = yield* ask.pipe(attempts(2))
        assert.deepStrictEqual(trace.map(({ repeats, status }) => [status, repeats]), [[503, 1], [200, 0]])
        assert.strictEqual(http.requests.length, 2)
        if (state === "is off") assert.deepStrictEqual(spans, [])
      }).pipe(
        change,
        Effect.provide(behind(http, spanning, { given: quiet })),
        Effect.provideService(Tracer.Tracer, tracerOf(spans))
      )
    })
  }
})

describe("what is sent behind Effect's back", () => {
  const now = Date.UTC(2026, 10, 20, 18)
  const rate = (consumed: number, remaining: number) => ({
    "x-api-ratelimit-limit": "1000",
    "x-api-ratelimit-remaining": String(remaining),
    "x-api-ratelimit-reset": String(now / 1000 + 3600),
    "x-api-ratelimit-consumed": String(consumed)
  })
  const priced = (remaining: number): Script => ({ ...answered, headers: rate(10, remaining) })

  it.effect(
    "shows in the service's own figures: a finding says what is gone elsewhere, and so do trace and ledger",
    function*() {
      yield* TestClock.setTime(now)
      for (const _ of [1, 2]) {
        const { findings, trace } = yield* ask
        assert.deepStrictEqual([findings, trace[0]?.elsewhere], [[], 0])
      }
      const { findings, trace } = yield* ask
      const found = findings.map(Finding.format)
      assert.deepStrictEqual(found, ["SpentElsewhere: expected 0 credits, received 20 credits spent elsewhere"])
      assert.strictEqual(trace[0]?.elsewhere, 20)
      assert.include(Answer.formatAttempt(trace[0]!), "20 credits spent elsewhere")
      assert.strictEqual((yield* balance).elsewhere, 20)
    },
    clientOf(service(priced(990), priced(980), priced(950)), { allowance: 1000 })
  )

  it.effect("fails nothing, where findings are errors", function*() {
    yield* TestClock.setTime(now)
    yield* ask
    assert.deepStrictEqual((yield* ask).findings.map(({ code }) => code), ["SpentElsewhere"])
  }, clientOf(service(priced(990), priced(950)), { given: Layer.succeed(Policies.Findings, "strict") }))
})
