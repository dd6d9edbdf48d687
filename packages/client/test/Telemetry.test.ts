import { ChainSizes, IpGuard, MarketData, Policies, RetryPolicy, Telemetry } from "@effect-marketdata/client"
import * as CreditLedger from "@effect-marketdata/client/CreditLedger"
import { DataMode, NewYork } from "@effect-marketdata/core"
import { Faults, Sandbox } from "@effect-marketdata/sandbox"
import { Cause, Context, Effect, Exit, Fiber, Layer, Logger, Metric, Redacted, References, Tracer } from "effect"
import * as TestClock from "effect/testing/TestClock"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "../../core/test/support/it.ts"
import { clientOf, passing, tracerOf } from "./support/clients.ts"
import { chainBody, pricesBody, replying, service, symbolsOf } from "./support/scripted.ts"

const noon = NewYork.at({ year: 2026, month: 11, day: 20 }, 12, 0)
const token = "sandbox-paid"

/** Whatever can be told, remembered. */
const witness = () => {
  const spans: Array<Tracer.NativeSpan> = []
  const logs: Array<readonly [level: string, message: unknown, annotations: Readonly<Record<string, unknown>>]> = []
  const logger = Logger.make(({ fiber, logLevel, message }) => {
    const [text] = Array.isArray(message) ? message : [message]
    logs.push([logLevel, text, fiber.getRef(References.CurrentLogAnnotations)])
  })
  const registry: Metric.MetricRegistry = new Map()
  const layer = Layer.mergeAll(
    Layer.succeed(Tracer.Tracer, tracerOf(spans)),
    Layer.succeed(Metric.MetricRegistry, registry),
    Layer.succeed(References.MinimumLogLevel, "Debug"),
    Logger.layer([logger])
  )
  /** The series of the metrics, each with its count: of the histograms that of their observations. */
  const counted = Effect.map(Metric.snapshot, (snapshots) =>
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
  const warnings = () => logs.filter(([level]) => level === "Warn")
  return { spans, logs, warnings, layer, counted, attributes }
}

class Seen extends Context.Service<Seen, ReturnType<typeof witness>>()("test/Seen") {}

/** Whoever asks is watched. */
const watched = <A, E, R>(client: Layer.Layer<A, E, R>) =>
  Layer.merge(
    client,
    Layer.unwrap(Effect.sync(() => {
      const seen = witness()
      return Layer.merge(seen.layer, Layer.succeed(Seen, seen))
    }))
  )

/** A client over a service, watched. */
const watching = (...given: Parameters<typeof clientOf>) => watched(clientOf(...given))

const impatient = RetryPolicy.layer({ attempts: 2, base: 0, cap: 0 })

/** The sandbox at noon, watched, in this process, where things go wrong by a script. */
const sandbox = (faults: ReadonlyArray<Faults.Fault> = [], options?: Sandbox.Options, allowance = 10) =>
  MarketData.layer({ baseUrl: "https://sandbox.test:8443", token: Redacted.make(token) }).pipe(
    Layer.provideMerge(CreditLedger.layerMemory({ allowance })),
    Layer.provide(Sandbox.layerHttpClient),
    Layer.provide(Layer.provideMerge(Faults.layer({ faults }), Sandbox.layer(options))),
    Layer.merge([impatient, Layer.effectDiscard(TestClock.setTime(noon * 1000))]),
    watched
  )

const query = Telemetry.spans.query.name
const quote = "GET /v1/stocks/quotes/{symbol}/"
const ask = MarketData.stockQuote("AAPL", { mode: DataMode.cached(), columns: ["symbol", "last"] })

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
  readonly faults?: ReadonlyArray<Faults.Fault>
  readonly options?: Sandbox.Options
  readonly allowance?: number
  readonly query: object
  readonly requests: ReadonlyArray<object>
  readonly metrics: Readonly<Record<string, number>>
  readonly logs?: ReadonlyArray<string>
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
const lost = { ...sent, "marketdata.credits.uncertain": 1, "error.type": "TransportFailure" }
const replied = (status: number, rule: string, bytes: number) => ({
  ...sent,
  "http.response.status_code": status,
  "marketdata.credits.charged": 0,
  "marketdata.credits.rule": rule,
  ...decoded(bytes)
})
const delivered = { ...replied(203, "", 44), ...charged, "marketdata.request_id": "366a1963" }

/** The metrics of an answer from the cache, and of so many replies that were read. */
const hit = {
  "queries stockQuotes Cached Answered": 1,
  "requests stockQuotes 203": 1,
  "credits stockQuotes 8.2-cost-quotes": 1,
  "cache stockQuotes hit": 1
}
const read = (bytes: number, replies = 1) => ({
  "request.duration stockQuotes": replies,
  "decode.bytes stockQuotes": bytes,
  "decode.duration stockQuotes": replies
})
const retried = ["request", "request is sent again", "request"]

const cases: Readonly<Record<string, Case>> = {
  "an answer from the cache": {
    query: { ...answered, "marketdata.attempts": 1 },
    requests: [delivered],
    metrics: { ...hit, ...read(44) }
  },
  "a cached miss": {
    options: { cold: ["AAPL"] },
    query: { ...failed, "marketdata.attempts": 1 },
    requests: [replied(204, "7.1-204", 0)],
    metrics: {
      "queries stockQuotes Cached Empty": 1,
      "requests stockQuotes 204": 1,
      "credits stockQuotes 7.1-204": 0,
      "cache stockQuotes miss": 1,
      ...read(0)
    }
  },
  "a retry": {
    faults: [status(503)],
    query: { ...answered, "marketdata.attempts": 2 },
    requests: [
      { ...replied(503, "7.1-charge-not-stated", 72), "error.type": "503" },
      { ...delivered, "http.request.resend_count": 1 }
    ],
    metrics: {
      ...hit,
      ...read(116, 2),
      "requests stockQuotes 503": 1,
      "retries stockQuotes ServerFault": 1,
      "credits stockQuotes 7.1-charge-not-stated": 0
    },
    logs: retried
  },
  "replies that are lost": {
    faults: [{ kind: { _tag: "Reset" } }],
    query: { ...failed, "marketdata.attempts": 2, "marketdata.credits.uncertain": 2, "error.type": "TransportFailure" },
    requests: [lost, { ...lost, "http.request.resend_count": 1 }],
    metrics: {
      "queries stockQuotes Cached TransportFailure": 1,
      "requests stockQuotes none": 2,
      "requests.uncertain stockQuotes": 2,
      "credits.uncertain stockQuotes": 2,
      "request.duration stockQuotes": 2,
      "retries stockQuotes TransportFailure": 1
    },
    logs: retried
  },
  "a budget that does not cover it": {
    allowance: 0,
    query: { ...failed, "marketdata.attempts": 0, "error.type": "CreditBudgetExceeded" },
    requests: [],
    metrics: { "queries stockQuotes Cached CreditBudgetExceeded": 1, "ledger.refusals stockQuotes": 1 },
    logs: []
  },
  "deviations": {
    faults: [{ kind: { _tag: "ExtraField" } }],
    query: { ...answered, "marketdata.attempts": 1, "marketdata.findings": 1 },
    requests: [{ ...delivered, ...decoded(56) }],
    metrics: { ...hit, ...read(56), "findings stockQuotes UnknownField": 1 }
  }
}

const ok = { status: 200, body: pricesBody(["A"]) }

describe("of a query and its requests", () => {
  for (const [name, { allowance, faults, logs = ["request"], metrics, options, ...told }] of Object.entries(cases)) {
    it.effect(`tells of ${name}`, function*() {
      const seen = yield* Seen
      yield* Effect.exit(ask)
      assert.deepStrictEqual(seen.attributes(query), [{ ...asked, ...told.query }])
      assert.deepStrictEqual(seen.attributes(quote), told.requests)
      assert.deepStrictEqual(yield* seen.counted, metrics)
      assert.deepStrictEqual(seen.logs.map(([level, message]) => [level, message]), logs.map((text) => ["Debug", text]))
    }, sandbox(faults, options, allowance))
  }

  it.effect("tells which request belongs to which query, and how each ended", function*() {
    const { spans } = yield* Seen
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
  }, sandbox([status(503)]))

  const withoutB = replying((url) => {
    const asked = symbolsOf(url)
    return asked.includes("B") ? { status: 204 } : { status: 203, body: pricesBody(asked) }
  })
  it.effect("[7.2-success-set] shows no error where nothing but a cached miss is wrong", function*() {
    const seen = yield* Seen
    const { reason } = yield* Effect.flip(MarketData.stockPrices(["A", "B"], { mode: DataMode.cached() }))
    assert.strictEqual(reason._tag, "Incomplete")
    assert.isTrue(seen.spans.every(({ status }) => status._tag === "Ended" && Exit.isSuccess(status.exit)))
  }, watching(withoutB, { maxSymbols: 1 }))

  it.effect("tells of a query that was interrupted, and of its request", function*() {
    const seen = yield* Seen
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
    const spent = { "marketdata.credits.charged": 0, "marketdata.credits.uncertain": 1, "marketdata.attempts": 1 }
    assert.deepInclude(seen.attributes(query)[0], spent)
  }, watching(service({ hangs: true })))

  const refusingC = replying((url) => {
    const asked = symbolsOf(url)
    return asked.includes("C") ? { status: 401 } : { status: 200, body: pricesBody(asked) }
  })
  it.effect("numbers the requests of a query, and says what came where some are missing", function*() {
    const seen = yield* Seen
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
  }, watching(refusingC, { maxSymbols: 2 }))

  it.effect("takes the time from the clock, and the waiting for bytes from that of decoding", function*() {
    yield* passing(MarketData.stockPrices(["A"]), "2 seconds")
    const sums = (yield* Metric.snapshot).flatMap(({ id, state, type }) =>
      type === "Histogram" ? [[id, state.count, state.sum]] : []
    )
    assert.deepStrictEqual(sums, [
      ["marketdata.client.decode.duration", 1, 0],
      ["marketdata.client.request.duration", 1, 2]
    ])
  }, watching(service({ ...ok, after: "2 seconds" })))
})

it.effect("tells the size that a bound goes by", function*() {
  const seen = yield* Seen
  const live = MarketData.optionChain("AAPL", { expiration: "all", mode: "live" })
  yield* live
  yield* live
  const told = seen.attributes(query).map((all) => [all["marketdata.credits.bound"], all["marketdata.size"]])
  assert.deepStrictEqual(told, [[undefined, undefined], [4, "3 contracts, seen just now"]])
}, watching(service({ status: 200, body: chainBody(3) }), { under: ChainSizes.layerMemory() }))

describe("warnings", () => {
  const dear = service({ ...ok, status: 203, headers: { "x-api-ratelimit-consumed": "5" } })
  it.effect("tell of a charge that is more than it should have been", function*() {
    const seen = yield* Seen
    yield* MarketData.stockPrices(["A"], { mode: DataMode.cached() })
    assert.deepStrictEqual(seen.warnings(), [["Warn", Telemetry.logs.overrun.message, {
      "marketdata.endpoint": "stockPrices",
      "marketdata.subject": "A",
      "marketdata.credits.bound": 1,
      "marketdata.credits.charged": 5,
      "marketdata.credits.rule": "8.2-cost-quotes"
    }]])
    assert.deepInclude(yield* seen.counted, { "credits.overruns stockPrices": 4 })
  }, watching(dear))

  const blocking = service({ status: 403, body: `{"s":"error","errmsg":"blocked","blockedIP":"1.2.3.4"}` })
  it.effect("tell of a block of the address, and of what it holds back", function*() {
    const seen = yield* Seen
    yield* Effect.exit(MarketData.stockPrices(["A"]))
    yield* Effect.exit(MarketData.stockPrices(["B"]))
    const of = (subject: string) => ({ "marketdata.endpoint": "stockPrices", "marketdata.subject": subject })
    const blocked = { ...of("A"), "http.response.status_code": 403 }
    const held = { ...of("B"), "marketdata.ip.policy": "fail" }
    const { block, hold } = Telemetry.logs
    assert.deepStrictEqual(seen.warnings(), [["Warn", block.message, blocked], ["Warn", hold.message, held]])
    assert.deepInclude(yield* seen.counted, { "ip.blocks stockPrices": 1, "ip.holds fail": 1 })
  }, watching(blocking))

  it.effect("count a request as held once, however often its guard is asked", () => {
    let asked = 0
    const under = Layer.succeed(IpGuard.IpGuard, {
      admit: Effect.sync((): IpGuard.Admission =>
        asked++ < 3 ? { _tag: "Held", until: undefined, over: Effect.void } : { _tag: "Send", leave: () => Effect.void }
      )
    })
    const given = Layer.succeed(Policies.IpRule, { whenHeld: "wait", heldBy: "addressBlock" })
    return Effect.gen(function*() {
      yield* MarketData.stockPrices(["A"])
      assert.strictEqual(asked, 4)
      assert.deepInclude(yield* (yield* Seen).counted, { "ip.holds wait": 1 })
    }).pipe(Effect.provide(watching(service(ok), { under, given })))
  })
})

it.effect("names the query in the printed cause of a failure", function*() {
  const refused = Effect.exit(Effect.withSpan(MarketData.stockPrices(["A"]), "theApplication"))
  const exit = yield* refused
  const lines = Exit.isFailure(exit) ? Cause.pretty(exit.cause).split("\n").map((line) => line.trim()) : []
  const at = (name: string) => lines.findIndex((line) => line.startsWith(`at ${name}`))
  assert.isAbove(at(Telemetry.spans.query.name), 0)
  assert.isAbove(at("theApplication"), at(Telemetry.spans.query.name))
}, clientOf(service({ status: 400, body: "no" })))

const troubled = service({ status: 400, body: "no" }, { fails: "ECONNRESET" }, { status: 503 }, { status: 204 }, ok)
it.effect("tells what it is documented to tell", function*() {
  const seen = yield* Seen
  for (let index = 0; index < 4; index++) yield* Effect.exit(MarketData.stockPrices(["A"]))
  assert.isAbove(seen.spans.length, 6)
  const documented = new Set<string>(
    Object.values(Telemetry.spans).flatMap(({ attributes }) => Object.keys(attributes))
  )
  for (const { attributes } of seen.spans) {
    for (const name of attributes.keys()) assert.isTrue(documented.has(name), name)
  }
}, watching(troubled, { given: impatient }))

it("is documented name by name, in the same words", () => {
  const guide = readFileSync(join(import.meta.dirname, "..", "..", "..", "docs", "guide", "telemetry.md"), "utf8")
  const names = [
    ...Object.values(Telemetry.spans).flatMap(({ attributes, name }) => [name, ...Object.entries(attributes).flat()]),
    ...Object.values(Telemetry.metrics).flatMap(({ description, name }) => [name, description]),
    ...Object.values(Telemetry.logs).map(({ message }) => message)
  ]
  assert.deepStrictEqual(names.filter((name) => !guide.includes(name)), [])
})
