/** The token appears in the header of requests, or in the query where it was asked to go there, and nowhere else. */
import { MarketData, Policies, RetryPolicy } from "@effect-marketdata/client"
import type { CacheFallback } from "@effect-marketdata/client/CacheFallback"
import { MarketDataError } from "@effect-marketdata/client/MarketDataError"
import { type Answer, DataMode } from "@effect-marketdata/core"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Cause, Effect, Exit, Fiber, Layer, Logger, Metric, Redacted, References, Tracer } from "effect"
import { FetchHttpClient, Headers, HttpClient, HttpClientError, UrlParams } from "effect/http"
import * as TestClock from "effect/testing/TestClock"
import { inspect } from "node:util"
import * as Http from "../../cli/src/call/http.ts"
import { isFull } from "../../core/test/support/depth.ts"
import { assert, describe, it } from "../../core/test/support/it.ts"
import { clientOf, passing, tracerOf } from "./support/clients.ts"
import { chainBody, pricesBody, replying, type Script } from "./support/scripted.ts"
import * as Wire from "./support/wire.ts"

/** A token that is easy to find, also encoded: in a query it is written otherwise. */
const marker = "Zq7+marked/secret=Zq7"
const traces = ["Zq7", encodeURIComponent(marker)]

/** A value as JSON; nothing for what goes in circles, which nobody can write as JSON. */
const json = (value: unknown): string => {
  try {
    return JSON.stringify(value, (_, part: unknown) => typeof part === "bigint" ? String(part) : part) ?? ""
  } catch {
    return ""
  }
}

/** Everything that anybody could print of a value. */
const printed = (value: unknown): string =>
  [
    inspect(value, { depth: 20, maxArrayLength: null, maxStringLength: null, getters: true }),
    String(value),
    json(value),
    ...(value instanceof Error ? [value.message, value.stack ?? ""] : [])
  ].join("\n")

/** What was seen of a program: logs, spans and whatever else a test hands in. */
const witness = () => {
  const spans: Array<Tracer.NativeSpan> = []
  const seen: Array<string> = []
  const see = (value: unknown): void => void seen.push(printed(value))
  const layer = Layer.mergeAll(
    Logger.layer([
      // No logger prints the fiber, which holds whatever the runtime does just now.
      Logger.make((options) => see({ ...options, fiber: undefined })),
      ...[Logger.formatStructured, Logger.formatLogFmt, Logger.formatJson].map((format) =>
        Logger.make((options) => see(format.log(options)))
      )
    ]),
    Layer.succeed(References.MinimumLogLevel, "Trace"),
    Layer.succeed(Tracer.Tracer, tracerOf(spans))
  )
  const everything = Effect.map(Metric.snapshot, (metrics) => {
    see(metrics)
    for (const span of spans) {
      see(span)
      see([...span.attributes])
      if (span.status._tag === "Ended") see(span.status.exit)
    }
    return seen.join("\n")
  })
  return { everything, layer, see, spans }
}

const seeExit = (see: (value: unknown) => void, exit: Exit.Exit<unknown, unknown>): void => {
  see(exit)
  if (Exit.isSuccess(exit)) return see(exit.value)
  see(exit.cause)
  see(Cause.pretty(exit.cause))
  for (const reason of exit.cause.reasons) {
    if (reason._tag !== "Fail") continue
    see(reason.error)
    if (!(reason.error instanceof MarketDataError)) continue
    see(reason.error.reason)
    see(reason.error.trace)
  }
}

/** All that is seen of a query, for which five minutes pass, and of what comes of it. */
const shown = Effect.fnUntraced(
  function*<A, E, R>(ask: Effect.Effect<A, E, R>, client: Layer.Layer<R>) {
    const { everything, layer, see } = witness()
    return yield* Effect.gen(function*() {
      seeExit(see, yield* passing(Effect.exit(ask), "5 minutes"))
      return yield* everything
    }).pipe(Effect.provide(Layer.merge(client, layer)))
  }
)

/** Bodies that tell the token back, as proxies, gateways and debugging servers do. */
const echoes = [
  `{"s":"error","errmsg":"Token ${marker} is unknown"}`,
  `{"s":"error","errmsg":"GET /v1/?symbols=A&token=${encodeURIComponent(marker)}"}`,
  `<html><pre>Authorization: Bearer ${marker}</pre></html>`,
  marker
] as const

const replies: ReadonlyArray<Script> = [
  { status: 200, body: pricesBody(["A"]) },
  { status: 203, body: pricesBody(["A"]) },
  { status: 204 },
  { status: 302, headers: { location: "https://elsewhere.test/" } },
  ...[400, 402, 403, 404, 413, 429, 500, 502, 503].map((status) => ({ status, body: echoes[0] })),
  ...[200, 401].flatMap((status) => echoes.map((body) => ({ status, body }))),
  { status: 200, body: `{"s":"ok","symbol":["A"],"mid":["${marker}"]}` },
  { status: 200, body: `{"s":"ok","symbol":["A"],"${marker}":1,"${marker}":1}` },
  { fails: "ECONNREFUSED" },
  { fails: "ECONNRESET" },
  { hangs: true }
]

/** What an HTTP client may say of a request whose URL it knows; headers are in nobody's messages. */
const complaints: ReadonlyArray<Script> = [
  { fails: `cannot reach https://service.test/v1/stocks/prices/?token=${encodeURIComponent(marker)}` },
  { fails: `Invalid path /v1/stocks/prices/?token=${encodeURIComponent(marker)}` },
  { fails: `Invalid path with ${marker}` }
]

/** What an application may well do on the way. */
const talkative = (client: HttpClient.HttpClient): HttpClient.HttpClient =>
  client.pipe(
    HttpClient.tapRequest((request) => Effect.logTrace("request", request)),
    HttpClient.tapError((error) => Effect.logTrace("error", error.message, error.request)),
    HttpClient.tap((response) => Effect.logTrace("response", response))
  )

const prices = MarketData.stockPrices(["A"])
const twice = Effect.provideService(RetryPolicy.RetryPolicy, RetryPolicy.make({ attempts: 2, base: 0, cap: 0 }))
const queries: ReadonlyArray<
  Effect.Effect<Answer.Answer<unknown>, MarketDataError, MarketData.MarketData | CacheFallback>
> = [
  prices,
  MarketData.stockPrices(["A", "B", "C"]),
  MarketData.stockPrices(["A"], { mode: DataMode.cachedOrLive() }),
  MarketData.optionChain("SPX", { assume: { contracts: 5 } })
]

for (const tokenIn of ["header", "query"] as const) {
  describe(`a token in the ${tokenIn}`, () => {
    const token = Redacted.make(marker)

    /** Requests hold the token in one place. */
    const checkPlace = (url: string, headers: Readonly<Record<string, string | undefined>>): void => {
      const { authorization, ...others } = headers
      assert.strictEqual(authorization, tokenIn === "header" ? `Bearer ${marker}` : undefined)
      for (const value of Object.values(others)) for (const trace of traces) assert.notInclude(value, trace)
      assert.strictEqual(url.split(encodeURIComponent(marker)).length, tokenIn === "header" ? 1 : 2)
    }

    const checkNothing = (text: string): void => {
      for (const trace of traces) {
        const at = text.indexOf(trace)
        assert.strictEqual(at === -1 ? "" : text.slice(Math.max(0, at - 300), at + 100), "")
      }
    }

    for (const [index, reply] of [...replies, ...(tokenIn === "query" ? complaints : [])].entries()) {
      it.effect(`[5.4-header-default] stays secret whatever comes back (${index}: ${Object.values(reply)[0]})`, () => {
        const { everything, layer, see, spans } = witness()
        const http = replying(() => reply)
        const options = { baseUrl: "https://service.test", maxSymbols: 2, allowance: 1000, consent: 1000 }
        const client = clientOf(http, { ...options, token, tokenIn, transformClient: talkative })
        return Effect.gen(function*() {
          const context = yield* Layer.build(client)
          // What a client is made of is the same whatever comes back.
          if (index === 0) { for (const made of [client, context, { ...options, token }]) see(made) }
          for (const ask of queries) {
            const fiber = yield* ask.pipe(
              Effect.tapCause((cause) => Effect.logError("failed", cause)),
              Effect.tap((answer) => Effect.logTrace("answered", answer)),
              Effect.withSpan("application"),
              twice,
              Effect.provide(context),
              Effect.forkChild
            )
            yield* TestClock.adjust("5 minutes")
            if ("hangs" in reply) yield* Fiber.interrupt(fiber)
            seeExit(see, yield* Fiber.await(fiber))
          }
          assert.isAbove(spans.length, 0)
          assert.isAbove(http.requests.length, 0)
          checkNothing(yield* everything)
          for (const { headers, url } of http.requests) checkPlace(url, headers)
        }).pipe(Effect.provide(layer))
      })
    }

    it.effect("[5.4-header-default] stays secret in the name of a column that came back, also where findings are errors", function*() {
      const http = replying(() => ({ status: 200, body: `{"s":"ok","${marker}":[1],"symbol":["A"]}` }))
      const given = Layer.succeed(Policies.Findings, "strict")
      checkNothing(yield* shown(prices, clientOf(http, { token, tokenIn, given })))
    })

    it.effect("[5.4-header-default] stays secret where the application hides nothing", function*() {
      const http = replying(() => ({ status: 503, body: marker }))
      const inUrls = Layer.succeed(UrlParams.CurrentRedactedNames, [])
      const given = Layer.merge(Layer.succeed(Headers.CurrentRedactedNames, []), inUrls)
      checkNothing(yield* shown(twice(prices), clientOf(http, { token, tokenIn, transformClient: talkative, given })))
    })

    const cases = [
      ["fetch", FetchHttpClient.layer],
      ["node:http", NodeHttpClient.layerNodeHttp],
      ["undici", NodeHttpClient.layerUndici],
      ["what commands send with", Http.layer]
    ] as const
    for (const [name, httpClient] of cases) {
      it.live(`[5.4-header-default] stays secret on real sockets, with ${name}`, () => {
        const { everything, layer, see } = witness()
        const answers: ReadonlyArray<Wire.Answer> = [
          (socket) => socket.resetAndDestroy(),
          (socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 9000\r\n\r\n{"),
          (socket, _, { head }) => socket.end(Wire.reply(500, head)),
          (socket, _, { head }) => socket.end(Wire.reply(200, head)),
          (socket) => socket.end("nothing of HTTP")
        ]
        return Effect.gen(function*() {
          for (const answer of answers) {
            const wire = yield* Wire.serve(answer)
            const client = clientOf({ layer: httpClient }, { baseUrl: wire.baseUrl, token, tokenIn })
            seeExit(see, yield* Effect.exit(Effect.provide(twice(prices), client)))
            for (const { headers, target } of wire.requests) checkPlace(target, headers)
          }
          checkNothing(yield* everything)
        }).pipe(Effect.provide(layer))
      })
    }
  })
}

it.effect("[5.4-header-default] a token too short to be found in a text is not told with the address either", function*() {
  const short = "Zq7"
  const unreachable = HttpClient.make((request, url) => {
    const cause = new Error(`cannot reach ${url.href}`)
    const reason = new HttpClientError.TransportError({ request, cause })
    return Effect.fail(new HttpClientError.HttpClientError({ reason }))
  })
  const layer = Layer.succeed(HttpClient.HttpClient, unreachable)
  const text = yield* shown(twice(prices), clientOf({ layer }, { token: Redacted.make(short), tokenIn: "query" }))
  assert.include(text, "cannot reach")
  assert.notInclude(text, short)
})

it.effect("[5.4-header-default] stays secret among the headers that the service tells back", function*() {
  const body = JSON.stringify({ host: "service.test", authorization: `Bearer ${marker}`, "x-forwarded": marker })
  const client = clientOf(replying(() => ({ status: 200, body })), { token: Redacted.make(marker) })
  const text = yield* shown(MarketData.requestHeaders, client)
  assert.include(text, "service.test")
  for (const trace of traces) assert.notInclude(text, trace)
})

/** How services, gateways and error pages may write the token when they tell it back. */
const writings: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  "JSON with escaped slashes": (text) => text.replaceAll("/", "\\/"),
  "JSON in code units": (text) => text.replace(/./g, (c) => `\\u00${c.charCodeAt(0).toString(16)}`),
  "a URL in lower case": (text) => encodeURIComponent(text).toLowerCase(),
  "HTML": (text) => text.replace(/[^A-Za-z0-9]/g, (c) => `&#x${c.charCodeAt(0).toString(16)};`),
  base64: (text) => btoa(`user:${text}`),
  "two lines": (text) => `${text.slice(0, 9)}\\n${text.slice(9)}`,
  "a tag": (text) => `${text.slice(0, 9)}<wbr>${text.slice(9)}`,
  "upper case": (text) => text.toUpperCase()
}

/** Where a reply may hold it, the columns themselves aside. */
const positions: Readonly<Record<string, (text: string) => Script>> = {
  "the words of a refusal": (text) => ({ status: 401, body: `{"s":"error","errmsg":"Unknown: ${text}."}` }),
  "words that were cut off": (text) => ({ status: 401, body: `{"s":"error","errmsg":"Unknown: ${text}` }),
  "a page": (text) => ({ status: 502, headers: { "content-type": "text/html" }, body: `<html><p>${text}</p></html>` }),
  "the service's name for the request": (text) => ({
    status: 200,
    headers: { "x-request-id": text, "cf-ray": text },
    body: pricesBody(["A"])
  }),
  "a field that nobody knows": (text) => ({ status: 200, body: `{"s":"ok","${text}":[1],"symbol":["A"]}` }),
  "a value of the wrong kind": (text) => ({ status: 200, body: `{"s":"ok","symbol":["A"],"mid":["${text}"]}` })
}

describe("a token that a service tells back", () => {
  for (const [at, [where, reply]] of Object.entries(positions).entries()) {
    // By default each writing is in a third of the places, and each place has a third of the writings.
    const ways = Object.entries(writings).filter((_, way) => isFull || way % 3 === at % 3)
    for (const [how, write] of ways) {
      it.effect(`[5.4-header-default] stays secret in ${where}, written as ${how}`, function*() {
        const client = clientOf(replying(() => reply(write(marker))), { token: Redacted.make(marker) })
        const text = (yield* shown(twice(prices), client)).toLowerCase()
        for (const trace of [marker, write(marker), JSON.stringify(write(marker)).slice(1, -1)]) {
          assert.isFalse(text.includes(trace.toLowerCase()), trace)
        }
      })
    }
  }
})

it.effect("the witness sees what is not hidden", () => {
  const { everything, layer, see } = witness()
  return Effect.gen(function*() {
    yield* Effect.withSpan(Effect.logTrace("a line"), "a span", { attributes: { "an attribute": 1 } })
    see(new Error(chainBody(0)))
    const text = yield* everything
    for (const part of ["a line", "a span", "an attribute", "optionSymbol"]) assert.include(text, part)
  }).pipe(Effect.provide(layer))
})
