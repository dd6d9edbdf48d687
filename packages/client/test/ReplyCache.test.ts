import { CacheFallback, CreditLedger, MarketData, Policies, ReplyCache } from "@effect-marketdata/client"
import type { MarketDataConfig } from "@effect-marketdata/client/MarketDataConfig"
import { BufferPool, DataMode, Query } from "@effect-marketdata/core"
import { assert, describe, it } from "../../core/test/support/it.ts"
import { Clock, Context, Effect, Fiber, Layer, Metric, Redacted, Result } from "effect"
import * as TestClock from "effect/testing/TestClock"
import { balance, clientOf, sent } from "./support/clients.ts"
import { chainBody, pricesBody, replying, type Script, service, symbolsOf } from "./support/scripted.ts"

/** When the scripted quotes were taken, and some seconds. */
const quoted = 1_795_208_000

const at = (seconds: number) => TestClock.setTime(seconds * 1000)

const caching = (options: { readonly maxBytes?: number; readonly account?: string } = {}) =>
  ReplyCache.layerMemory({ maxBytes: 1_000_000, ...options })

/** A client with a cache over a service. */
const cached = (
  http: ReturnType<typeof replying>,
  options: Parameters<typeof clientOf>[1] = {},
  cache: Layer.Layer<ReplyCache.ReplyCache> = caching()
) => clientOf(http, options).pipe(Layer.provide(cache))

const chain = MarketData.optionChain("AAPL", { date: "2026-11-18", assume: { contracts: 9 } })
const within = (maxAge: "5 minutes" | "1 hour" = "5 minutes") =>
  MarketData.stockPrices(["A", "B"], { mode: DataMode.cached({ maxAge }) })

const prices = (status: 200 | 203 = 203) => replying((url): Script => ({ status, body: pricesBody(symbolsOf(url)) }))

describe("a client with a cache", () => {
  it.effect("answers a past day again for no credits and without a request, as it did then", () => {
    const headers = { "cf-ray": "a-ray", "x-api-ratelimit-consumed": "3", "content-type": "application/json" }
    const body = chainBody(3).replace("\"s\":\"ok\"", "\"s\":\"ok\",\"rho\":[1,2,3]")
    const http = service({ status: 203, body, headers })
    return Effect.gen(function*() {
      yield* at(quoted)
      const first = yield* chain
      yield* at(quoted + 86_400 * 365)
      const second = yield* chain
      assert.strictEqual(http.requests.length, 1)
      assert.deepStrictEqual(second.data.toJSON(), first.data.toJSON())
      assert.notStrictEqual(second.data, first.data)
      // The first was charged more than it could cost; the second was charged nothing.
      assert.deepStrictEqual(second.findings, first.findings.filter(({ code }) => code !== "Overrun"))
      assert.include(first.findings.map(({ code }) => code), "UnknownField")
      assert.deepStrictEqual(second.provenance, { ...first.provenance, source: "local", age: 86_400 * 365 })
      assert.strictEqual(first.provenance.source, "cache")
      assert.deepStrictEqual(second.credits, { ...first.credits, charged: 0, uncertain: 0 })
      assert.deepStrictEqual(second.trace, [])
      assert.deepInclude(yield* balance, { charged: 3, reserved: 0, available: 7 })
    }).pipe(Effect.provide(cached(http, { allowance: 10 })))
  })

  it.effect("reserves nothing for what it has: it answers where no credit is left", () => {
    const http = service({ status: 200, body: chainBody(3), headers: { "x-api-ratelimit-consumed": "9" } })
    return Effect.gen(function*() {
      yield* at(quoted)
      yield* chain
      assert.deepStrictEqual([(yield* balance).available, (yield* chain).provenance.source], [0, "local"])
      const other = yield* Effect.flip(MarketData.optionChain("MSFT", { date: "2026-11-18", assume: { contracts: 9 } }))
      assert.strictEqual(other.reason._tag, "CreditBudgetExceeded")
    }).pipe(Effect.provide(cached(http, { allowance: 9 })))
  })

  it.effect("answers cached and live parts together, and consents to nothing again", () => {
    const http = replying((url): Script => {
      const [symbols, mode] = [symbolsOf(url), url.searchParams.get("mode")]
      return mode === "cached" && symbols.includes("C") ? { status: 204 } : {
        status: mode === "cached" ? 203 : 200,
        body: pricesBody(symbols)
      }
    })
    const ask = MarketData.stockPrices(["A", "B", "C"], { mode: DataMode.cachedOrLive({ maxAge: "5 minutes" }) })
    return Effect.gen(function*() {
      yield* at(quoted)
      const first = yield* ask
      assert.deepStrictEqual([first.credits.charged, http.requests.length], [2, 3])
      yield* at(quoted + 200)
      const second = yield* Effect.provide(ask, CacheFallback.layerUpTo(0))
      assert.deepStrictEqual(second.data.toJSON(), first.data.toJSON())
      assert.deepStrictEqual(second.provenance, { ...first.provenance, source: "local", age: 200 })
      assert.strictEqual(http.requests.length, 3)
    }).pipe(Effect.provide(cached(http, { maxSymbols: 2, consent: 10 })))
  })

  it.effect("shares one call among callers that ask at once", function*() {
    yield* at(quoted)
    const fibers = yield* Effect.forEach([chain, chain, chain], (ask) => Effect.forkChild(ask))
    yield* TestClock.adjust("1 second")
    yield* Fiber.joinAll(fibers)
    assert.strictEqual(yield* sent, 1)
    // Live data are not kept, and each caller's are its own.
    const live = yield* Effect.forEach(
      [1, 2],
      () => Effect.forkChild(MarketData.optionChain("AAPL", { assume: { contracts: 9 } }))
    )
    yield* TestClock.adjust("1 second")
    yield* Fiber.joinAll(live)
    assert.strictEqual(yield* sent, 3)
  }, cached(replying((): Script => ({ status: 203, body: chainBody(3), after: "1 second" }))))

  it.effect("keeps no failure, no part of an answer and no miss", () => {
    const statuses = [404, 204, 503]
    const http = replying((url, index): Script => {
      const symbols = symbolsOf(url)
      return symbols.length === 0
        ? { status: statuses[index] ?? 203, body: chainBody(1) }
        : { status: symbols.includes("C") ? 404 : 203, body: pricesBody(symbols) }
    })
    return Effect.gen(function*() {
      yield* at(quoted)
      const any = MarketData.optionChain("AAPL", { mode: DataMode.cached() })
      for (const tag of ["NotFound", "NoCachedData"]) assert.strictEqual((yield* Effect.flip(any)).reason._tag, tag)
      const fiber = yield* Effect.forkChild(any)
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* Fiber.join(fiber)).provenance.source, "cache")
      const sent = http.requests.length
      const part = MarketData.stockPrices(["A", "B", "C"], { mode: DataMode.cached() })
      yield* Effect.flip(part)
      yield* Effect.flip(part)
      assert.strictEqual(http.requests.length, sent + 4)
    }).pipe(Effect.provide(cached(http, { maxSymbols: 2 })))
  })

  it.effect("asks as without a cache where it has nothing, and for what it may not keep", function*() {
    yield* at(quoted)
    const unsized = MarketData.stockPrices(["A"], { mode: DataMode.cached({ maxAge: "1 hour" }) })
    const answers = [yield* unsized, yield* unsized]
    assert.deepStrictEqual(answers.map(({ provenance: { source }, trace }) => [source, trace.length]), [
      ["cache", 1],
      ["cache", 1]
    ])
  }, cached(prices(), {}, caching({ maxBytes: 100 })))
})

describe("what a cache takes for the same", () => {
  const day = (columns?: ReadonlyArray<"strike" | "bid">) =>
    Result.getOrThrow(Query.optionChain("AAPL", { date: "2026-11-18", columns, assume: { contracts: 9 } }))

  it.effect("is what asks the same in the same mode and is read in the same way, whatever it assumes", () => {
    const http = replying((url) => ({
      status: 203,
      body: url.searchParams.get("format") === "csv" ? "strike,bid\n100,1\n" : chainBody(3)
    }))
    const other = Result.getOrThrow(Query.optionChain("AAPL", { date: "2026-11-18", assume: { contracts: 5 } }))
    return Effect.gen(function*() {
      yield* at(quoted)
      const sources = (
        ask: ReadonlyArray<
          Effect.Effect<{ readonly provenance: { readonly source: string } }, unknown, MarketData.MarketData>
        >
      ) => Effect.forEach(ask, (ask) => Effect.map(ask, ({ provenance }) => provenance.source))
      const asks = [
        MarketData.run(day()),
        MarketData.run(Query.withMode(day(), DataMode.delayed)),
        Effect.provideService(MarketData.run(day()), Policies.Findings, "strict"),
        MarketData.run(Query.asCsv(day()))
      ]
      assert.deepStrictEqual(yield* sources(asks), ["cache", "cache", "cache", "cache"])
      assert.deepStrictEqual(yield* sources([...asks, MarketData.run(other)]), [
        "local",
        "local",
        "local",
        "local",
        "local"
      ])
      assert.strictEqual(http.requests.length, 4)
    }).pipe(Effect.provide(cached(http)))
  })

  /** A client of its own over a service, with a cache that others share. */
  const clientWith = (
    http: ReturnType<typeof replying>,
    cache: Context.Context<ReplyCache.ReplyCache>,
    options: MarketDataConfig
  ) =>
    Layer.fresh(MarketData.layer({ baseUrl: "https://service.test", ...options })).pipe(
      Layer.provide(CreditLedger.layerUnlimited),
      Layer.provide(http.layer),
      Layer.provide(Layer.succeedContext(cache))
    )
  const sourceOf = (
    http: ReturnType<typeof replying>,
    cache: Context.Context<ReplyCache.ReplyCache>,
    options: MarketDataConfig
  ) => Effect.map(Effect.provide(chain, clientWith(http, cache, options)), ({ provenance }) => provenance.source)
  const tokens = ["token-of-one-account", "token-of-another-account"].map((token) => ({ token: Redacted.make(token) }))

  it.effect("is each client's own where no account is named", () => {
    const http = service({ status: 203, body: chainBody(3) })
    return Effect.scoped(Effect.gen(function*() {
      yield* at(quoted)
      const cache = yield* Layer.build(caching())
      for (const options of tokens) assert.strictEqual(yield* sourceOf(http, cache, options), "cache")
      assert.strictEqual(http.requests.length, 2)
    }))
  })

  it.effect("is the account's where one is named, of one service, and with a token or without", () => {
    const http = service({ status: 203, body: chainBody(3) })
    return Effect.scoped(Effect.gen(function*() {
      yield* at(quoted)
      const [desk, other] = [
        yield* Layer.build(caching({ account: "desk" })),
        yield* Layer.build(caching({ account: "other" }))
      ]
      const [one] = tokens
      assert.strictEqual(yield* sourceOf(http, desk, one!), "cache")
      assert.strictEqual(yield* sourceOf(http, desk, one!), "local")
      assert.strictEqual(yield* sourceOf(http, desk, { ...one, baseUrl: "https://service.test/" }), "local")
      assert.strictEqual(yield* sourceOf(http, desk, {}), "cache")
      assert.strictEqual(yield* sourceOf(http, desk, { ...one, baseUrl: "https://other.test" }), "cache")
      assert.strictEqual(yield* sourceOf(http, other, one!), "cache")
    }))
  })

  it.effect("is nothing whose name or bytes hold a token", () => {
    const secret = "a-secret-token-of-mine"
    const body = chainBody(3).replace("\"s\":\"ok\"", `"s":"ok","echo":["${secret}","",""]`)
    return Effect.scoped(Effect.gen(function*() {
      yield* at(quoted)
      const token = Redacted.make(secret)
      for (
        const [account, text] of [["desk", body], [`of ${secret}`, chainBody(3)], [
          "large",
          body + " ".repeat(70_000)
        ]] as const
      ) {
        const kept: Array<string> = []
        const store: ReplyCache.Store = {
          maxBytes: 1_000_000,
          find: () => Effect.succeed({ _tag: "None" }),
          keep: (key) => Effect.sync(() => void kept.push(key)),
          remove: () => Effect.void
        }
        const cache = Context.make(ReplyCache.ReplyCache, yield* ReplyCache.make(store, { account }))
        const http = service({ status: 203, body: text })
        assert.strictEqual(yield* sourceOf(http, cache, { token }), "cache")
        assert.deepStrictEqual(kept, [])
        assert.strictEqual(yield* sourceOf(service({ status: 203, body: chainBody(3) }), cache, { token }), "cache")
        assert.strictEqual(kept.length, account.includes(secret) ? 0 : 1)
        assert.notInclude(kept.join(), secret)
      }
    }))
  })
})

describe("the clock of a cache", () => {
  /** A clock whose two times are set apart from each other, in seconds. */
  const clockOf = (clock: Clock.Clock, times: { wall: number; gone: number }): Clock.Clock => ({
    ...clock,
    currentTimeMillisUnsafe: () => times.wall * 1000,
    currentTimeMillis: Effect.sync(() => times.wall * 1000),
    monotonicTimeNanosUnsafe: () => BigInt(times.gone) * 1_000_000_000n
  })

  const told = (
    ...story: ReadonlyArray<readonly [wall: number, gone: number, source: string]>
  ) => {
    const http = prices()
    const times = { wall: 0, gone: 0 }
    return Effect.gen(function*() {
      const clock = clockOf(yield* Clock.Clock, times)
      for (const [wall, gone, source] of story) {
        Object.assign(times, { wall: quoted + wall, gone })
        const { provenance } = yield* Effect.provideService(within(), Clock.Clock, clock)
        assert.strictEqual(provenance.source, source, `${wall} s by the clock, ${gone} s gone`)
      }
    }).pipe(Effect.provide(cached(http)))
  }

  it.effect("never makes a reply younger where it is set back", () =>
    told([0, 100, "cache"], [-3600, 160, "local"], [-3299, 401, "cache"]))

  it.effect("goes on where the machine slept", () => told([0, 100, "cache"], [200, 101, "local"], [7200, 102, "cache"]))

  it.effect("that ran ahead when a reply came does not let it answer later", () => {
    const kept: Array<ReadonlyArray<ReplyCache.KeptReply>> = []
    const removed: Array<string> = []
    const http = prices()
    return Effect.gen(function*() {
      yield* at(quoted)
      yield* within()
      const [replies] = kept
      kept.push(replies!.map((reply) => ({ ...reply, receivedAt: quoted + 1 })))
      assert.deepStrictEqual([(yield* within()).provenance.source, removed.length], ["cache", 1])
    }).pipe(Effect.provide(cached(
      http,
      {},
      Layer.effect(
        ReplyCache.ReplyCache,
        ReplyCache.make({
          maxBytes: 1_000_000,
          find: () => Effect.sync(() => kept.length > 1 ? { _tag: "Kept", replies: kept[1]! } : { _tag: "None" }),
          keep: (_, replies) => Effect.sync(() => void kept.push(replies)),
          remove: (key) => Effect.sync(() => void removed.push(key))
        })
      )
    )))
  })
})

describe("a cache in memory", () => {
  it.effect("keeps those that were used last, within its bytes", () => {
    const http = service({ status: 203, body: chainBody(3) })
    const of = (date: string) =>
      Effect.map(
        MarketData.optionChain("AAPL", { date: `2026-11-${date}` as "2026-11-01", assume: { contracts: 9 } }),
        ({ provenance }) => provenance.source
      )
    return Effect.gen(function*() {
      yield* at(quoted)
      for (const date of ["16", "17"]) assert.strictEqual(yield* of(date), "cache")
      assert.deepStrictEqual([yield* of("16"), yield* of("18")], ["local", "cache"])
      assert.strictEqual(yield* of("17"), "cache")
      assert.deepStrictEqual([yield* of("18"), yield* of("17")], ["local", "local"])
    }).pipe(Effect.provide(cached(http, {}, caching({ maxBytes: 2 * (chainBody(3).length + 1024 + 500) }))))
  })

  it.effect("gives each caller a table of its own, and one of a pool where it asks for that", () => {
    const http = service({ status: 203, body: chainBody(3) })
    return Effect.scoped(Effect.gen(function*() {
      yield* at(quoted)
      const first = yield* chain
      first.data.strike[0] = -1
      const second = yield* chain
      assert.strictEqual(second.data.strike[0], 100)
      second.data.strike[0] = -1
      const pooled = yield* MarketData.pooled(chain, BufferPool.make())
      assert.deepStrictEqual([pooled.provenance.source, pooled.data.strike[0]], ["local", 100])
      assert.strictEqual((yield* chain).data.strike[0], 100)
    })).pipe(Effect.provide(cached(http)))
  })

  it.effect("says what is wrong with its options, and with an age, before anything is sent", () => {
    const http = prices()
    const refusal = (cache: Layer.Layer<ReplyCache.ReplyCache>) =>
      Effect.map(Effect.flip(Effect.provide(chain, cached(http, {}, cache))), ({ message }) => message)
    return Effect.gen(function*() {
      for (const maxBytes of [0, -1, 0.5, NaN, Infinity]) {
        assert.include(yield* refusal(caching({ maxBytes })), "maxBytes")
      }
      for (const account of ["", "a\nb", 7 as unknown as string]) {
        assert.include(yield* refusal(caching({ account })), "account")
      }
      const untimely = yield* Effect.flip(
        chain.pipe(Effect.provideService(Policies.AcceptAge, "soon" as "1 day"), Effect.provide(cached(http)))
      )
      assert.include(untimely.message, "AcceptAge \"soon\" must be a duration")
      assert.strictEqual(http.requests.length, 0)
    })
  })
})

describe("a store that a cache is made of", () => {
  /** A store that finds what it is told to. */
  const finding = (found: (replies: ReadonlyArray<ReplyCache.KeptReply>) => ReplyCache.Found) => {
    let kept: ReadonlyArray<ReplyCache.KeptReply> | undefined
    let removed = 0
    const store: ReplyCache.Store = {
      maxBytes: 1_000_000,
      find: () => Effect.sync(() => kept === undefined ? { _tag: "None" } : found(kept)),
      keep: (_, replies) => Effect.sync(() => void (kept = replies)),
      remove: () => Effect.sync(() => void removed++)
    }
    return { removed: () => removed, layer: Layer.effect(ReplyCache.ReplyCache, ReplyCache.make(store)) }
  }

  const damaged: ReadonlyArray<readonly [string, (replies: ReadonlyArray<ReplyCache.KeptReply>) => ReplyCache.Found]> =
    [
      ["says that it is damaged", () => ({ _tag: "Damaged" })],
      ["has fewer bytes", (replies) => ({
        _tag: "Kept",
        replies: replies.map((reply) => ({ ...reply, bytes: reply.bytes.subarray(0, 100) }))
      })],
      [
        "has others",
        (replies) => ({ _tag: "Kept", replies: replies.map((reply) => ({ ...reply, bytes: new Uint8Array(9) })) })
      ],
      ["has no reply at all", () => ({ _tag: "Kept", replies: [] })]
    ]
  for (const [what, found] of damaged) {
    it.effect(`that ${what} is a miss with a finding, and what it has is removed`, () => {
      const http = service({ status: 203, body: chainBody(3) })
      const store = finding(found)
      return Effect.gen(function*() {
        yield* at(quoted)
        yield* chain
        const { credits, findings, provenance } = yield* chain
        assert.deepStrictEqual(findings.map(({ code }) => code), ["DamagedReply"])
        assert.deepStrictEqual([provenance.source, credits.charged, store.removed()], ["cache", 1, 1])
        assert.strictEqual(http.requests.length, 2)
      }).pipe(Effect.provide(cached(http, {}, store.layer)))
    })
  }

  it.effect("is counted: hits, misses, what is too old and what is damaged", () => {
    let wanted = 0
    const store = finding((replies) => wanted++ === 2 ? { _tag: "Damaged" } : { _tag: "Kept", replies })
    const counts = Effect.map(
      Metric.snapshot,
      (snapshots) =>
        Object.fromEntries(
          snapshots.flatMap(({ attributes, id, state }) =>
            id === "marketdata.client.kept" && "count" in state ? [[attributes?.["result"], Number(state.count)]] : []
          )
        )
    )
    return Effect.gen(function*() {
      yield* at(quoted)
      yield* within()
      yield* within()
      yield* at(quoted + 301)
      yield* within()
      yield* within()
      assert.deepStrictEqual(yield* counts, { damaged: 1, expired: 1, hit: 1, miss: 1 })
    }).pipe(
      Effect.provideService(Metric.MetricRegistry, new Map()),
      Effect.provide(cached(prices(), {}, store.layer))
    )
  })
})
