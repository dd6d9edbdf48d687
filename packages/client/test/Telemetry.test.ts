import * as ChainSizes from "@effect-marketdata/client/ChainSizes"
import * as CreditLedger from "@effect-marketdata/client/CreditLedger"
import * as IpGuard from "@effect-marketdata/client/IpGuard"
import * as MarketData from "@effect-marketdata/client/MarketData"
import * as Policies from "@effect-marketdata/client/Policies"
import * as RetryPolicy from "@effect-marketdata/client/RetryPolicy"
import * as Telemetry from "@effect-marketdata/client/Telemetry"
import { DataMode, NewYork } from "@effect-marketdata/core"
import { Faults, Sandbox } from "@effect-marketdata/sandbox"
import { assert, describe, it } from "../../core/test/support/it.ts"
import { Cause, Effect, Exit, Fiber, Layer, Logger, Metric, Redacted, References, Tracer } from "effect"
import * as TestClock from "effect/testing/TestClock"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { clientOf, passing } from "./support/clients.ts"
import { chainBody, pricesBody, replying, service, symbolsOf } from "./support/scripted.ts"

const noon = NewYork.at({ year: 2026, month: 11, day: 20 }, 12, 0)
const token = "sandbox-paid"

/** Whatever can be told, remembered. */
const witness = () => {
  const spans: Array<Tracer.NativeSpan> = []
  const logs: Array<readonly [level: string, message: unknown, annotations: Readonly<Record<string, unknown>>]> = []
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    }
  })
  const logger = Logger.make(({ fiber, logLevel, message }) => {
    const [text] = Array.isArray(message) ? message : [message]
    logs.push([logLevel, text, fiber.getRef(References.CurrentLogAnnotations)])
  })
  const registry: Metric.MetricRegistry = new Map()
  const watch = <A, E, R>(self: Effect.Effect<A, E, R>) =>
    self.pipe(
      Effect.withTracer(tracer),
      Effect.provideService(Metric.MetricRegistry, registry),
      Effect.provideService(References.MinimumLogLevel, "Debug"),
      Effect.provide(Logger.layer([logger]))
    )
  /** The series of the metrics, each with its count: of the histograms that of their observations. */
  const snapshots = Effect.provideService(Metric.snapshot, Metric.MetricRegistry, registry)
  const counted = Effect.map(snapshots, (snapshots) =>
    Object.fromEntries(
      snapshots.map(({ attributes, id, state }) => {
        const { unit: _, ...named } = attributes ?? {}
        return [
          `${id.replace("marketdata.client.", "")} ${Object.values(named).join(" ")}`,
          "count" in state ? state.count : state
        ]
      })
    ))
  const attributes = (name: string) =>
    spans.filter((span) => span.name === name).map((span) => Object.fromEntries(span.attributes))
  return { spans, logs, watch, snapshots, counted, attributes }
}

/** The sandbox at noon, in this process, where things go wrong by a script. */
const sandbox = (faults: ReadonlyArray<Faults.Fault> = [], options?: Sandbox.Options, allowance = 10) =>
  MarketData.layer({ baseUrl: "https://sandbox.test:8443", token: Redacted.make(token) }).pipe(
    Layer.provideMerge(CreditLedger.layerMemory({ allowance })),
    Layer.provide(Sandbox.layerHttpClient),
    Layer.provide(Layer.provideMerge(Faults.layer({ faults }), Sandbox.layer(options)))
  )

const atNoon = <A, E, R>(self: Effect.Effect<A, E, R>) => Effect.andThen(TestClock.setTime(noon * 1000), self)
const query = Telemetry.spans.query.name
const quote = "GET /v1/stocks/quotes/{symbol}/"
const ask = MarketData.stockQuote("AAPL", { mode: DataMode.cached(), columns: ["symbol", "last"] })
const impatient = Effect.provideService(RetryPolicy.RetryPolicy, RetryPolicy.make({ attempts: 2, base: 0, cap: 0 }))

/** What every query of `ask` tells, and each of its requests. */
const asked = {
  "marketdata.endpoint": "stockQuotes",
  "marketdata.subject": "AAPL",
  "marketdata.mode": "Cached",
  "marketdata.symbols": 1
}
const sent = {
  "http.request.method": "GET",
  "server.address": "sandbox.test",
  "server.port": 8443,
  "url.full": "https://sandbox.test:8443/v1/stocks/quotes/AAPL/?columns=symbol,last&mode=cached",
  "marketdata.endpoint": "stockQuotes",
  "marketdata.mode": "cached",
  "marketdata.request": 0,
  "marketdata.credits.bound": 1,
  "url.template": "/v1/stocks/quotes/{symbol}/"
}
const status = (code: number): Faults.Fault => ({ count: 1, kind: { _tag: "Status", status: code } })

interface Case {
  readonly name: string
  readonly faults?: ReadonlyArray<Faults.Fault>
  readonly options?: Sandbox.Options
  readonly allowance?: number
  readonly query: object
  readonly requests: ReadonlyArray<object>
  readonly metrics: Readonly<Record<string, number>>
  readonly logs: ReadonlyArray<readonly [level: string, message: string]>
}

const decoded = (bytes: number) => ({ "marketdata.decode.bytes": bytes, "marketdata.decode.seconds": 0 })
const charged = { "marketdata.credits.charged": 1, "marketdata.credits.rule": "8.2-cost-quotes" }
const answered = {
  "marketdata.credits.bound": 1,
  "marketdata.credits.charged": 1,
  "marketdata.findings": 0,
  "marketdata.source": "cache"
}
const failed = { "marketdata.credits.bound": 1, "marketdata.credits.charged": 0 }
const free = { "marketdata.credits.charged": 0 }
const uncertain = { "marketdata.credits.uncertain": 1 }
const delivered = {
  ...sent,
  "http.response.status_code": 203,
  ...charged,
  "marketdata.request_id": "366a1963",
  ...decoded(44)
}

const cases: ReadonlyArray<Case> = [
  {
    name: "an answer from the cache",
    query: { ...answered, "marketdata.attempts": 1 },
    requests: [delivered],
    metrics: {
      "queries stockQuotes Cached Answered": 1,
      "requests stockQuotes 203": 1,
      "request.duration stockQuotes": 1,
      "credits stockQuotes 8.2-cost-quotes": 1,
      "cache stockQuotes hit": 1,
      "decode.bytes stockQuotes": 44,
      "decode.duration stockQuotes": 1
    },
    logs: [["Debug", "request"]]
  },
  {
    name: "a cached miss",
    options: { cold: ["AAPL"] },
    query: { ...failed, "marketdata.attempts": 1 },
    requests: [{
      ...sent,
      "http.response.status_code": 204,
      ...free,
      "marketdata.credits.rule": "7.1-204",
      ...decoded(0)
    }],
    metrics: {
      "queries stockQuotes Cached Empty": 1,
      "requests stockQuotes 204": 1,
      "request.duration stockQuotes": 1,
      "credits stockQuotes 7.1-204": 0,
      "cache stockQuotes miss": 1,
      "decode.bytes stockQuotes": 0,
      "decode.duration stockQuotes": 1
    },
    logs: [["Debug", "request"]]
  },
  {
    name: "a retry",
    faults: [status(503)],
    query: { ...answered, "marketdata.attempts": 2 },
    requests: [
      {
        ...sent,
        "http.response.status_code": 503,
        "error.type": "503",
        ...free,
        "marketdata.credits.rule": "7.1-charge-not-stated",
        ...decoded(72)
      },
      { ...delivered, "http.request.resend_count": 1 }
    ],
    metrics: {
      "queries stockQuotes Cached Answered": 1,
      "requests stockQuotes 503": 1,
      "requests stockQuotes 203": 1,
      "request.duration stockQuotes": 2,
      "retries stockQuotes ServerFault": 1,
      "credits stockQuotes 7.1-charge-not-stated": 0,
      "credits stockQuotes 8.2-cost-quotes": 1,
      "cache stockQuotes hit": 1,
      "decode.bytes stockQuotes": 116,
      "decode.duration stockQuotes": 2
    },
    logs: [["Debug", "request"], ["Debug", "request is sent again"], ["Debug", "request"]]
  },
  {
    name: "replies that are lost",
    faults: [{ kind: { _tag: "Reset" } }],
    query: { ...failed, "marketdata.attempts": 2, "marketdata.credits.uncertain": 2, "error.type": "TransportFailure" },
    requests: [
      { ...sent, ...uncertain, "error.type": "TransportFailure" },
      { ...sent, ...uncertain, "error.type": "TransportFailure", "http.request.resend_count": 1 }
    ],
    metrics: {
      "queries stockQuotes Cached TransportFailure": 1,
      "requests stockQuotes none": 2,
      "requests.uncertain stockQuotes": 2,
      "credits.uncertain stockQuotes": 2,
      "request.duration stockQuotes": 2,
      "retries stockQuotes TransportFailure": 1
    },
    logs: [["Debug", "request"], ["Debug", "request is sent again"], ["Debug", "request"]]
  },
  {
    name: "a budget that does not cover it",
    allowance: 0,
    query: { ...failed, "marketdata.attempts": 0, "error.type": "CreditBudgetExceeded" },
    requests: [],
    metrics: { "queries stockQuotes Cached CreditBudgetExceeded": 1, "ledger.refusals stockQuotes": 1 },
    logs: []
  },
  {
    name: "deviations",
    faults: [{ kind: { _tag: "ExtraField" } }],
    query: { ...answered, "marketdata.attempts": 1, "marketdata.findings": 1 },
    requests: [{ ...delivered, ...decoded(56) }],
    metrics: {
      "queries stockQuotes Cached Answered": 1,
      "requests stockQuotes 203": 1,
      "request.duration stockQuotes": 1,
      "credits stockQuotes 8.2-cost-quotes": 1,
      "cache stockQuotes hit": 1,
      "decode.bytes stockQuotes": 56,
      "decode.duration stockQuotes": 1,
      "findings stockQuotes UnknownField": 1
    },
    logs: [["Debug", "request"]]
  }
]

describe("Telemetry", () => {
  describe("of a query and its requests", () => {
    for (const { allowance, faults, logs, metrics, name, options, query: told, requests } of cases) {
      it.effect(`tells of ${name}`, () => {
        const seen = witness()
        return Effect.gen(function*() {
          yield* Effect.exit(ask)
          assert.deepStrictEqual(seen.attributes(query), [{ ...asked, ...told }])
          assert.deepStrictEqual(seen.attributes(quote), requests)
          assert.deepStrictEqual(yield* seen.counted, metrics)
          assert.deepStrictEqual<unknown>(seen.logs.map(([level, message]) => [level, message]), logs)
        }).pipe(seen.watch, impatient, atNoon, Effect.provide(sandbox(faults, options, allowance)))
      })
    }

    it.effect("tells which request belongs to which query, and how each ended", () => {
      const { spans, watch } = witness()
      return Effect.gen(function*() {
        yield* Effect.exit(ask)
        const ends = spans.map(({ kind, name, parent, status }) => [
          name,
          kind,
          parent._tag === "Some" && parent.value === spans[0],
          status._tag === "Ended" && Exit.isSuccess(status.exit)
        ])
        assert.deepStrictEqual(ends, [
          [query, "internal", false, true],
          [quote, "client", true, false],
          [quote, "client", true, true]
        ])
      }).pipe(watch, impatient, atNoon, Effect.provide(sandbox([status(503)])))
    })

    it.effect("[7.2-success-set] of an answer of which some is not cached, and nothing else is wrong, shows no error", () => {
      const seen = witness()
      const http = replying((url) => {
        const asked = symbolsOf(url)
        return asked.includes("B") ? { status: 204 } : { status: 203, body: pricesBody(asked) }
      })
      return Effect.gen(function*() {
        const { reason } = yield* Effect.flip(MarketData.stockPrices(["A", "B"], { mode: DataMode.cached() }))
        assert.strictEqual(reason._tag, "Incomplete")
        assert.isTrue(seen.spans.every(({ status }) => status._tag === "Ended" && Exit.isSuccess(status.exit)))
      }).pipe(seen.watch, Effect.provide(clientOf(http, { maxSymbols: 1 })))
    })

    it.effect("tells of a query that was interrupted, and of its request", () => {
      const seen = witness()
      return Effect.gen(function*() {
        const fiber = yield* Effect.forkChild(MarketData.stockPrices(["A"]), { startImmediately: true })
        yield* TestClock.adjust(0)
        yield* Fiber.interrupt(fiber)
        assert.deepStrictEqual(yield* seen.counted, {
          "queries stockPrices Default Interrupted": 1,
          "requests stockPrices none": 1,
          "requests.uncertain stockPrices": 1,
          "credits.uncertain stockPrices": 1,
          "request.duration stockPrices": 1
        })
        assert.deepStrictEqual(seen.spans.map(({ status }) => status._tag), ["Ended", "Ended"])
      }).pipe(seen.watch, Effect.provide(clientOf(service({ hangs: true }))))
    })

    it.effect("numbers the requests of a query, and says what came where some are missing", () => {
      const seen = witness()
      const http = replying((url) => {
        const asked = symbolsOf(url)
        return asked.includes("C") ? { status: 401 } : { status: 200, body: pricesBody(asked) }
      })
      return Effect.gen(function*() {
        yield* Effect.exit(MarketData.stockPrices(["A", "B", "C"]))
        const [told] = seen.attributes(query)
        assert.deepInclude(told, {
          "marketdata.subject": "A,B,C",
          "marketdata.symbols": 3,
          "marketdata.credits.bound": 3,
          "marketdata.credits.charged": 2,
          "marketdata.attempts": 2,
          "marketdata.source": "provider",
          "error.type": "Incomplete"
        })
        const requests = seen.attributes("GET /v1/stocks/prices/")
        assert.deepStrictEqual(
          requests.map((told) => [told["marketdata.request"], told["marketdata.credits.charged"], told["error.type"]]),
          [[0, 2, undefined], [1, 0, "401"]]
        )
      }).pipe(seen.watch, Effect.provide(clientOf(http, { maxSymbols: 2 })))
    })

    it.effect("takes the time from the clock, and the waiting for bytes from that of decoding", () => {
      const seen = witness()
      const http = service({ status: 200, body: pricesBody(["A"]), after: "2 seconds" })
      return Effect.gen(function*() {
        yield* passing(MarketData.stockPrices(["A"]), "2 seconds")
        const sums = (yield* seen.snapshots).flatMap(({ id, state, type }) =>
          type === "Histogram" ? [[id, state.count, state.sum]] : []
        )
        assert.deepStrictEqual(sums, [
          ["marketdata.client.decode.duration", 1, 0],
          ["marketdata.client.request.duration", 1, 2]
        ])
      }).pipe(seen.watch, Effect.provide(clientOf(http)))
    })
  })

  it.effect("tells the size that a bound goes by", () => {
    const seen = witness()
    const http = service({ status: 200, body: chainBody(3) })
    const live = MarketData.optionChain("AAPL", { expiration: "all", mode: "live" })
    return Effect.gen(function*() {
      yield* live
      yield* live
      const told = seen.attributes(query).map((all) => [all["marketdata.credits.bound"], all["marketdata.size"]])
      assert.deepStrictEqual(told, [[undefined, undefined], [4, "3 contracts, seen just now"]])
    }).pipe(seen.watch, Effect.provide(clientOf(http).pipe(Layer.provide(ChainSizes.layerMemory()))))
  })

  describe("warnings", () => {
    const warnings = ({ logs }: ReturnType<typeof witness>) => logs.filter(([level]) => level === "Warn")

    it.effect("tell of a charge that is more than it should have been", () => {
      const seen = witness()
      const headers = { "x-api-ratelimit-consumed": "5" }
      const http = service({ status: 203, body: pricesBody(["A"]), headers })
      return Effect.gen(function*() {
        yield* MarketData.stockPrices(["A"], { mode: DataMode.cached() })
        assert.deepStrictEqual(warnings(seen), [["Warn", Telemetry.logs.overrun.message, {
          "marketdata.endpoint": "stockPrices",
          "marketdata.subject": "A",
          "marketdata.credits.bound": 1,
          "marketdata.credits.charged": 5,
          "marketdata.credits.rule": "8.2-cost-quotes"
        }]])
        assert.deepInclude(yield* seen.counted, { "credits.overruns stockPrices": 4 })
      }).pipe(seen.watch, Effect.provide(clientOf(http)))
    })

    it.effect("tell of a block of the address, and of what it holds back", () => {
      const seen = witness()
      const http = service({
        status: 403,
        body: JSON.stringify({ s: "error", errmsg: "blocked", blockedIP: "1.2.3.4" })
      })
      return Effect.gen(function*() {
        yield* Effect.exit(MarketData.stockPrices(["A"]))
        yield* Effect.exit(MarketData.stockPrices(["B"]))
        assert.deepStrictEqual(warnings(seen), [
          ["Warn", Telemetry.logs.block.message, {
            "marketdata.endpoint": "stockPrices",
            "marketdata.subject": "A",
            "http.response.status_code": 403
          }],
          ["Warn", Telemetry.logs.hold.message, {
            "marketdata.endpoint": "stockPrices",
            "marketdata.subject": "B",
            "marketdata.ip.policy": "fail"
          }]
        ])
        assert.deepInclude(yield* seen.counted, { "ip.blocks stockPrices": 1, "ip.holds fail": 1 })
      }).pipe(seen.watch, Effect.provide(clientOf(http)))
    })

    it.effect("count a request as held once, however often its guard is asked", () => {
      const seen = witness()
      const { layer } = service({ status: 200, body: pricesBody(["A"]) })
      let asked = 0
      const guard = Layer.succeed(IpGuard.IpGuard, {
        admit: Effect.sync((): IpGuard.Admission =>
          asked++ < 3
            ? { _tag: "Held", until: undefined, over: Effect.void }
            : { _tag: "Send", leave: () => Effect.void }
        )
      })
      const client = MarketData.layer({ token: Redacted.make("a-token-for-tests") }).pipe(
        Layer.provide([guard, layer, Layer.fresh(CreditLedger.layerUnlimited)])
      )
      return Effect.gen(function*() {
        yield* MarketData.stockPrices(["A"])
        assert.strictEqual(asked, 4)
        assert.deepInclude(yield* seen.counted, { "ip.holds wait": 1 })
      }).pipe(
        seen.watch,
        Effect.provideService(Policies.IpRule, { whenHeld: "wait", heldBy: "addressBlock" }),
        Effect.provide(client)
      )
    })
  })

  it.effect("names the query in the printed cause of a failure", function*() {
    const refused = Effect.exit(Effect.withSpan(MarketData.stockPrices(["A"]), "theApplication"))
    const exit = yield* Effect.provide(refused, clientOf(replying(() => ({ status: 400, body: "no" }))))
    const lines = Exit.isFailure(exit) ? Cause.pretty(exit.cause).split("\n").map((line) => line.trim()) : []
    const at = (name: string) => lines.findIndex((line) => line.startsWith(`at ${name}`))
    assert.isAbove(at(Telemetry.spans.query.name), 0)
    assert.isAbove(at("theApplication"), at(Telemetry.spans.query.name))
  })

  it.effect("tells what it is documented to tell", () => {
    const seen = witness()
    const ok = { status: 200, body: pricesBody(["A"]) }
    const http = service({ status: 400, body: "no" }, { fails: "ECONNRESET" }, { status: 503 }, { status: 204 }, ok)
    return Effect.gen(function*() {
      for (let index = 0; index < 4; index++) yield* Effect.exit(MarketData.stockPrices(["A"]))
      assert.isAbove(seen.spans.length, 6)
      const documented = new Set<string>(
        Object.values(Telemetry.spans).flatMap(({ attributes }) => Object.keys(attributes))
      )
      for (const { attributes } of seen.spans) {
        for (const name of attributes.keys()) assert.isTrue(documented.has(name), name)
      }
    }).pipe(seen.watch, impatient, Effect.provide(clientOf(http)))
  })

  it("is documented name by name", () => {
    const guide = readFileSync(join(import.meta.dirname, "..", "..", "..", "docs", "guide", "telemetry.md"), "utf8")
    const names = [
      ...Object.values(Telemetry.spans).flatMap(({ attributes, name }) => [name, ...Object.keys(attributes)]),
      ...Object.values(Telemetry.metrics).map(({ name }) => name),
      ...Object.values(Telemetry.logs).map(({ message }) => message)
    ]
    assert.deepStrictEqual(names.filter((name) => !guide.includes(name)), [])
  })
})
