import { CacheFallback, MarketData, Policies, ReplyCache } from "@effect-marketdata/client"
import { BufferPool, DataMode, Query } from "@effect-marketdata/core"
import { Clock, Effect, Fiber, Layer, Metric, Redacted, Result, Scheduler } from "effect"
import * as TestClock from "effect/testing/TestClock"
import { assert, describe, it } from "../../core/test/support/it.ts"
import { balance, clientOf, passing, sent } from "./support/clients.ts"
import { chainBody, pricesBody, replying, type Script, service, symbolsOf } from "./support/scripted.ts"

/** When the scripted quotes were taken, and some seconds. */
const quoted = 1_795_208_000

const at = (seconds: number) => TestClock.setTime(seconds * 1000)

const caching = (options: Partial<Parameters<typeof ReplyCache.layerMemory>[0]> = {}) =>
  ReplyCache.layerMemory({ maxBytes: 1_000_000, ...options })

/** A client with a cache, when the scripted quotes were taken. */
const atQuoted = (under: Layer.Layer<never>) => ({ under, given: Layer.effectDiscard(at(quoted)) })

const cached = (
  http: ReturnType<typeof replying>,
  options: Parameters<typeof clientOf>[1] = {},
  cache: Layer.Layer<ReplyCache.ReplyCache> = caching()
) => clientOf(http, { ...atQuoted(cache), ...options })

const chain = MarketData.optionChain("AAPL", { date: "2026-11-18", assume: { contracts: 9 } })
const within = (maxAge: "5 minutes" | "1 hour" = "5 minutes") =>
  MarketData.stockPrices(["A", "B"], { mode: DataMode.cached({ maxAge }) })

const prices = () => replying((url): Script => ({ status: 203, body: pricesBody(symbolsOf(url)) }))
const pastChain = chainBody(3, quoted - 2 * 86_400)
const chains = () => service({ status: 203, body: pastChain })

describe("a client with a cache", () => {
  const headers = { "cf-ray": "a-ray", "x-api-ratelimit-consumed": "3", "content-type": "application/json" }
  const unknown = chainBody(3).replace(`"s":"ok"`, `"s":"ok","rho":[1,2,3]`)
  const dear = service({ status: 203, body: unknown, headers })
  it.effect("answers a past day again for no credits and without a request, as it did then", function*() {
    const first = yield* chain
    yield* at(quoted + 86_400 * 365)
    const second = yield* chain
    assert.strictEqual(yield* sent, 1)
    assert.deepStrictEqual(second.data.toJSON(), first.data.toJSON())
    assert.notStrictEqual(second.data, first.data)
    // The first was charged more than it could cost; the second was charged nothing.
    assert.deepStrictEqual(second.findings, first.findings.filter(({ code }) => code !== "Overrun"))
    assert.include(first.findings.map(({ code }) => code), "UnknownField")
    assert.deepStrictEqual(second.provenance, { ...first.provenance, source: "local", age: 86_400 * 365 })
    assert.strictEqual(first.provenance.source, "cache")
    assert.deepInclude(second, { credits: { ...first.credits, charged: 0, uncertain: 0 }, trace: [] })
    assert.deepInclude(yield* balance, { charged: 3, reserved: 0, available: 7 })
  }, cached(dear, { allowance: 10 }))

  const costly = service({ status: 200, body: chainBody(3), headers: { "x-api-ratelimit-consumed": "9" } })
  it.effect("reserves nothing for what it has: it answers where no credit is left", function*() {
    yield* chain
    assert.deepStrictEqual([(yield* balance).available, (yield* chain).provenance.source], [0, "local"])
    const other = yield* Effect.flip(MarketData.optionChain("MSFT", { date: "2026-11-18", assume: { contracts: 9 } }))
    assert.strictEqual(other.reason._tag, "CreditBudgetExceeded")
  }, cached(costly, { allowance: 9 }))

  const halfCached = replying((url): Script => {
    const [symbols, mode] = [symbolsOf(url), url.searchParams.get("mode")]
    if (mode === "cached" && symbols.includes("C")) return { status: 204 }
    return { status: mode === "cached" ? 203 : 200, body: pricesBody(symbols) }
  })
  const ofThree = MarketData.stockPrices(["A", "B", "C"], { mode: DataMode.cachedOrLive({ maxAge: "5 minutes" }) })
  it.effect("answers cached and live parts together, and consents to nothing again", function*() {
    const first = yield* ofThree
    assert.deepStrictEqual([first.credits.charged, yield* sent], [2, 3])
    yield* at(quoted + 200)
    const second = yield* Effect.provide(ofThree, CacheFallback.layerUpTo(0))
    assert.deepStrictEqual(second.data.toJSON(), first.data.toJSON())
    assert.deepStrictEqual(second.provenance, { ...first.provenance, source: "local", age: 200 })
    assert.strictEqual(yield* sent, 3)
    const live = MarketData.stockPrices(["C"], { mode: DataMode.cachedOrLive({ maxAge: "5 minutes" }) })
    const [once, again] = [yield* live, yield* live]
    assert.deepStrictEqual(again.provenance, { ...once.provenance, source: "local", age: 0 })
  }, cached(halfCached, { maxSymbols: 2, consent: 10 }))

  const memory = new TextEncoder().encode(chainBody(3))
  let pulls = 0
  const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    if (pulls++ === 0) return controller.enqueue(memory)
    memory.fill(0)
    controller.close()
  }
  const reused = new ReadableStream({ pull }, { highWaterMark: 0 })
  it.effect("keeps the bytes that came, though the HTTP client uses their memory again", function*() {
    const first = yield* chain
    assert.deepStrictEqual((yield* chain).data.toJSON(), first.data.toJSON())
  }, cached(service({ status: 203, body: reused })))

  const lateC = replying((url): Script => {
    const symbols = symbolsOf(url)
    return { status: 203, body: pricesBody(symbols), after: symbols.includes("C") ? "10 seconds" : 0 }
  })
  const cachedThree = MarketData.stockPrices(["A", "B", "C"], { mode: DataMode.cached({ maxAge: "5 minutes" }) })
  it.effect("is as old as the oldest reply of a list", function*() {
    yield* passing(cachedThree, "10 seconds")
    yield* at(quoted + 200)
    const { age, source } = (yield* cachedThree).provenance
    assert.deepStrictEqual([source, age], ["local", 200])
  }, cached(lateC, { maxSymbols: 2 }))

  it.effect("shares one call among callers that ask at once", function*() {
    yield* passing(Effect.all([chain, chain, chain], { concurrency: "unbounded" }), "1 second")
    assert.strictEqual(yield* sent, 1)
    // Live data are not kept, and each caller's are its own.
    const live = MarketData.optionChain("AAPL", { assume: { contracts: 9 } })
    yield* passing(Effect.all([live, live], { concurrency: "unbounded" }), "1 second")
    assert.strictEqual(yield* sent, 3)
  }, cached(replying((): Script => ({ status: 203, body: chainBody(3), after: "1 second" }))))

  const statuses = [404, 204, 503]
  const failing = replying((url, index): Script => {
    const symbols = symbolsOf(url)
    return symbols.length === 0
      ? { status: statuses[index] ?? 203, body: chainBody(1) }
      : { status: symbols.includes("C") ? 404 : 203, body: pricesBody(symbols) }
  })
  it.effect("keeps no failure, no part of an answer and no miss", function*() {
    const any = MarketData.optionChain("AAPL", { mode: DataMode.cached() })
    for (const tag of ["NotFound", "NoCachedData"]) assert.strictEqual((yield* Effect.flip(any)).reason._tag, tag)
    assert.strictEqual((yield* passing(any, "1 minute")).provenance.source, "cache")
    const before = yield* sent
    const part = MarketData.stockPrices(["A", "B", "C"], { mode: DataMode.cached() })
    yield* Effect.flip(part)
    yield* Effect.flip(part)
    assert.strictEqual(yield* sent, before + 4)
  }, cached(failing, { maxSymbols: 2 }))

  it.effect("asks as without a cache where it has nothing, and for what it may not keep", function*() {
    for (const { findings, provenance, trace } of [yield* chain, yield* chain]) {
      assert.deepStrictEqual([provenance.source, trace.length, findings], ["cache", 1, []])
    }
  }, cached(service({ status: 203, body: chainBody(30, quoted - 2 * 86_400) }), {}, caching({ maxBytes: 2000 })))
})

/** Where an answer is from. */
const source = <E, R>(ask: Effect.Effect<{ readonly provenance: { readonly source: string } }, E, R>) =>
  Effect.map(ask, ({ provenance }) => provenance.source)

type Replies = ReadonlyArray<ReplyCache.KeptReply>

/** A store that finds what it is told to in place of what was kept last, and what was done with it. */
const storing = (found: (replies: Replies) => ReplyCache.Found, account?: string) => {
  const kept: Array<readonly [key: string, replies: Replies]> = []
  const removed: Array<string> = []
  const cache = ReplyCache.make({
    maxBytes: 1_000_000,
    find: () => Effect.sync(() => kept.length === 0 ? { _tag: "None" } : found(kept.at(-1)![1])),
    keep: (...reply) => Effect.sync(() => void kept.push(reply)),
    remove: (key) => Effect.sync(() => void removed.push(key))
  }, { account })
  return { kept, removed, layer: Layer.effect(ReplyCache.ReplyCache, cache) }
}

describe("what a cache takes for the same", () => {
  const day = (contracts = 9) =>
    Result.getOrThrow(Query.optionChain("AAPL", { date: "2026-11-18", assume: { contracts } }))

  const inBothForms = replying((url) => ({
    status: 203,
    body: url.searchParams.get("format") === "csv" ? "strike,bid\n100,1\n" : pastChain
  }))
  it.effect("is what asks the same in the same mode and is read in the same way, whatever it assumes", function*() {
    const asks = [
      source(MarketData.run(day())),
      source(MarketData.run(Query.withMode(day(), DataMode.delayed))),
      Effect.provideService(source(MarketData.run(day())), Policies.Findings, "strict"),
      source(MarketData.run(Query.asCsv(day())))
    ]
    assert.deepStrictEqual(yield* Effect.all(asks), Array(4).fill("cache"))
    assert.deepStrictEqual(yield* Effect.all([...asks, source(MarketData.run(day(5)))]), Array(5).fill("local"))
    assert.strictEqual(yield* sent, 4)
  }, cached(inBothForms))

  /** Where a client of its own has the chain from, with a cache that others share. */
  const sourceOf = (
    http: ReturnType<typeof replying>,
    cache: Layer.Layer<ReplyCache.ReplyCache>,
    options: Parameters<typeof clientOf>[1]
  ) => Effect.provide(source(chain), cached(http, options, cache))
  const shared = (options?: Parameters<typeof caching>[0]) =>
    Effect.map(Layer.build(caching(options)), Layer.succeedContext)
  const [one, other] = ["token-of-one-account", "token-of-another-account"].map((token) => ({
    token: Redacted.make(token)
  }))

  it.effect("is each client's own where no account is named", function*() {
    const http = chains()
    const cache = yield* shared()
    for (const options of [one, other]) assert.strictEqual(yield* sourceOf(http, cache, options), "cache")
    assert.strictEqual(http.requests.length, 2)
  })

  it.effect("is the account's where one is named, of one service, and with a token or without", function*() {
    const http = chains()
    const [desk, others] = [yield* shared({ account: "desk" }), yield* shared({ account: "other" })]
    assert.strictEqual(yield* sourceOf(http, desk, one), "cache")
    assert.strictEqual(yield* sourceOf(http, desk, one), "local")
    assert.strictEqual(yield* sourceOf(http, desk, { ...one, baseUrl: "https://service.test/" }), "local")
    assert.strictEqual(yield* sourceOf(http, desk, { token: undefined }), "cache")
    assert.strictEqual(yield* sourceOf(http, desk, { ...one, baseUrl: "https://other.test" }), "cache")
    assert.strictEqual(yield* sourceOf(http, others, one), "cache")
  })

  it.effect("is nothing whose name or bytes hold a token", function*() {
    const secret = "a-secret-token-of-mine"
    const token = Redacted.make(secret)
    const body = chainBody(3).replace(`"s":"ok"`, `"s":"ok","echo":["${secret}","",""]`)
    const large = body + " ".repeat(70_000)
    for (const [account, text] of [["desk", body], [`of ${secret}`, chainBody(3)], ["large", large]] as const) {
      const { kept, layer } = storing(() => ({ _tag: "None" }), account)
      const cache = Layer.succeedContext(yield* Layer.build(layer))
      assert.strictEqual(yield* sourceOf(service({ status: 203, body: text }), cache, { token }), "cache")
      assert.deepStrictEqual(kept, [])
      assert.strictEqual(yield* sourceOf(chains(), cache, { token }), "cache")
      assert.strictEqual(kept.length, account.includes(secret) ? 0 : 1)
      assert.notInclude(kept.map(([key]) => key).join(), secret)
    }
  })
})

describe("the clock of a cache", () => {
  const stories = [
    ["makes no reply younger where it is set back", [[0, 100, "cache"], [-3600, 160, "local"], [-3299, 401, "cache"]]],
    ["goes on where the machine slept", [[0, 100, "cache"], [200, 101, "local"], [7200, 102, "cache"]]]
  ] as const
  for (const [name, story] of stories) {
    it.effect(name, function*() {
      const clock = yield* Clock.Clock
      for (const [wall, gone, from] of story) {
        // Its two times are set apart from each other.
        const apart: Clock.Clock = {
          ...clock,
          currentTimeMillisUnsafe: () => (quoted + wall) * 1000,
          currentTimeMillis: Effect.succeed((quoted + wall) * 1000),
          monotonicTimeNanosUnsafe: () => BigInt(gone) * 1_000_000_000n
        }
        const is = yield* Effect.provideService(source(within()), Clock.Clock, apart)
        assert.strictEqual(is, from, `${wall} s by the clock, ${gone} s gone`)
      }
    }, cached(prices()))
  }

  const { layer, removed } = storing((replies) => ({
    _tag: "Kept",
    replies: replies.map((reply) => ({ ...reply, receivedAt: quoted + 1 }))
  }))
  it.effect("that ran ahead when a reply came does not let it answer later", function*() {
    yield* within()
    assert.deepStrictEqual([yield* source(within()), removed.length], ["cache", 1])
  }, clientOf(prices(), atQuoted(layer)))
})

describe("a cache in memory", () => {
  const of = (date: string) =>
    source(MarketData.optionChain("AAPL", { date: `2026-11-${date}` as "2026-11-01", assume: { contracts: 9 } }))
  const two = caching({ maxBytes: 2 * (chainBody(3).length + 1024 + 500) })
  it.effect("keeps those that were used last, within its bytes", function*() {
    for (const date of ["16", "17"]) assert.strictEqual(yield* of(date), "cache")
    assert.deepStrictEqual([yield* of("16"), yield* of("18")], ["local", "cache"])
    assert.strictEqual(yield* of("17"), "cache")
    assert.deepStrictEqual([yield* of("18"), yield* of("17")], ["local", "local"])
  }, clientOf(chains(), atQuoted(two)))

  const one = caching({ maxBytes: 2 * (pricesBody(["A", "B"]).length + 1024 + 200) })
  it.effect("has its room again where a reply takes the place of an older one", function*() {
    for (const minutes of [0, 10, 20, 30]) yield* Effect.andThen(at(quoted + minutes * 60), within())
    assert.strictEqual((yield* within()).provenance.source, "local")
  }, clientOf(prices(), atQuoted(one)))

  it.effect("gives each caller a table of its own, and one of a pool where it asks for that", function*() {
    const first = yield* chain
    first.data.strike[0] = -1
    const second = yield* chain
    assert.strictEqual(second.data.strike[0], 100)
    second.data.strike[0] = -1
    const pooled = yield* MarketData.pooled(chain, BufferPool.make())
    assert.deepStrictEqual([pooled.provenance.source, pooled.data.strike[0]], ["local", 100])
    assert.strictEqual((yield* chain).data.strike[0], 100)
  }, cached(chains()))

  it.effect("says what is wrong with its options, and with an age, before anything is sent", function*() {
    const http = prices()
    const refusal = (cache: Layer.Layer<ReplyCache.ReplyCache>, ask: typeof chain = chain) =>
      Effect.map(Effect.flip(Effect.provide(ask, cached(http, {}, cache))), ({ message }) => message)
    for (const maxBytes of [0, -1, 0.5, NaN, Infinity]) {
      assert.include(yield* refusal(caching({ maxBytes })), "maxBytes")
    }
    for (const account of ["", "a\nb", 7 as unknown as string]) {
      assert.include(yield* refusal(caching({ account })), "account")
    }
    assert.include(yield* refusal(caching({ anew: "false" as never })), `anew "false" must be true or false`)
    for (const store of [null, {}, { find: 5 }] as Array<never>) {
      const cache = Layer.effect(ReplyCache.ReplyCache, ReplyCache.make(store))
      assert.match(yield* refusal(cache), /store .* must be a store with find, keep and remove/)
    }
    const untimely = Effect.provideService(chain, Policies.AcceptAge, "soon" as "1 day")
    assert.include(yield* refusal(caching(), untimely), "AcceptAge \"soon\" must be a duration")
    assert.strictEqual(http.requests.length, 0)
  })
})

describe("a store that a cache is made of", () => {
  const damaged: ReadonlyArray<readonly [string, (replies: Replies) => ReplyCache.Found]> = [
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
    const { layer, removed } = storing(found)
    it.effect(`that ${what} is a miss with a finding, and what it has is removed`, function*() {
      yield* chain
      const { credits, findings, provenance } = yield* chain
      assert.deepStrictEqual(findings.map(({ code }) => code), ["DamagedReply"])
      assert.deepStrictEqual([provenance.source, credits.charged, removed.length, yield* sent], ["cache", 1, 1, 2])
    }, clientOf(chains(), atQuoted(layer)))
  }

  it.effect("answers nothing that was not written, wherever a call was interrupted", function*() {
    for (let turns = 0, isOver = false; !isOver; turns++) {
      const fiber = yield* Effect.forkChild(Effect.provideService(chain, Scheduler.MaxOpsBeforeYield, 5))
      for (let turn = 0; turn < turns; turn++) yield* Effect.yieldNow
      isOver = fiber.pollUnsafe() !== undefined
      yield* Fiber.interrupt(fiber)
      assert.strictEqual(yield* source(chain), "cache", `interrupted after ${turns} turns`)
    }
  }, cached(chains(), {}, storing(() => ({ _tag: "None" })).layer))

  let wanted = 0
  const { layer } = storing((replies) => wanted++ === 2 ? { _tag: "Damaged" } : { _tag: "Kept", replies })
  const given = Layer.merge(Layer.effectDiscard(at(quoted)), Layer.sync(Metric.MetricRegistry, () => new Map()))
  it.effect("is counted: hits, misses, what is too old and what is damaged", function*() {
    yield* within()
    yield* within()
    yield* at(quoted + 301)
    yield* within()
    yield* within()
    const counts = (yield* Metric.snapshot).flatMap(({ attributes, id, state }) =>
      id === "marketdata.client.kept" && "count" in state ? [`${attributes?.["result"]} ${state.count}`] : []
    )
    assert.sameMembers(counts, ["damaged 1", "expired 1", "hit 1", "miss 1"])
  }, clientOf(prices(), { under: layer, given }))
})
