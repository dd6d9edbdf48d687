import { ChainSizes, CreditLedger, MarketData, Policies, ReplyCache } from "@effect-marketdata/client"
import type { MarketDataConfig } from "@effect-marketdata/client/MarketDataConfig"
import { ChainSize, Credits, DataMode, Finding, Query } from "@effect-marketdata/core"
import { Effect, Layer, Redacted, Result, Stream } from "effect"
import * as TestClock from "effect/testing/TestClock"
import { assert, describe, it } from "../../core/test/support/it.ts"
import { balance, clientOf, passing, sandboxed } from "./support/clients.ts"
import { chainBody, replying, type Script } from "./support/scripted.ts"

/** Noon in New York on Friday, 20 November 2026; the quotes of the scripted replies are of about four hours later. */
const noon = 1_795_194_000
const quoted = 1_795_208_000

const at = (seconds: number) => TestClock.setTime(seconds * 1000)

/** All contracts on F, of which the sandbox lists 648, and on AAPL. */
const all = { expiration: "all" } as const
const fresh = DataMode.cachedOrLive({ maxAge: "5 minutes" })
const ford = MarketData.optionChain("F", { ...all, mode: fresh })

interface Options {
  readonly consent?: number
  readonly allowance?: number
  readonly client?: MarketDataConfig
  readonly sizes?: Layer.Layer<ChainSizes.ChainSizes>
}

/** A client at noon, over a sandbox whose cache has nothing of F until somebody has asked for it. */
const cold = ({ allowance, client, consent = 1000, sizes = ChainSizes.layerMemory() }: Options = {}) => {
  const ledger = allowance === undefined ? undefined : CreditLedger.layerMemory({ allowance })
  const sandbox = { seed: 1, cold: ["F"] }
  return Layer.merge(sandboxed({ ...client, consent, under: sizes, sandbox, ledger }), Layer.effectDiscard(at(noon)))
}

const declined = <A, E extends { readonly reason: { readonly _tag: string; readonly message: string } }, R>(
  ask: Effect.Effect<A, E, R>
): Effect.Effect<Readonly<Record<string, unknown>> & { readonly message: string }, A, R> =>
  Effect.map(Effect.flip(ask), ({ reason }) => reason as Readonly<Record<string, unknown>> & typeof reason)

describe("in memory", () => {
  it.effect("[8.3-fallback] declines a chain that is too large with its number and age", function*() {
    yield* MarketData.optionChain("F", { ...all, mode: "live" })
    yield* at(noon + 3600)
    const reason = yield* declined(ford)
    const expected = { _tag: "FallbackDeclined", price: 649, ceiling: 500, size: "648 contracts, seen 1 hour ago" }
    assert.deepInclude(reason, expected)
    assert.include(
      reason.message,
      "live data may cost 649 credits (648 contracts, seen 1 hour ago), more than the 500 that you consented to."
    )
    // Only the hour before was paid.
    assert.strictEqual((yield* balance).charged, 648)
  }, cold({ consent: 500 }))

  it.effect("bounds what a budget sets aside, and is named where it does not fit", function*() {
    const live = MarketData.optionChain("F", { ...all, mode: "live" })
    assert.include((yield* declined(live)).message, "has no upper bound")
    yield* MarketData.optionStrikes("F")
    const { credits } = yield* live
    assert.strictEqual(ChainSize.assumedBy(credits.estimate), "324 strikes in 16 expirations, seen just now")
    const { history } = yield* CreditLedger.CreditLedger
    const reservations = Stream.filter(history, ({ _tag }) => _tag === "Reserved")
    const reserved = yield* Stream.runCollect(Stream.take(reservations, 2))
    assert.deepStrictEqual(reserved.map((event) => "bound" in event ? event.bound : undefined), [1, 649])
    assert.deepInclude(yield* balance, { charged: 649, reserved: 0, uncertain: 0, available: 351 })
    yield* at(noon + 60)
    const reason = yield* declined(live)
    assert.deepInclude(reason, { _tag: "CreditBudgetExceeded", bound: 649, available: 351 })
    assert.include(
      reason.message,
      "the query may cost 649 credits (324 strikes in 16 expirations, seen 1 minute ago), and the budget has 351 credits left"
    )
  }, cold({ allowance: 1000 }))

  it.effect("learns from cached chains and from kept replies, as old as they are", function*() {
    const spx = Result.getOrThrow(Query.optionChain("AAPL", { ...all, mode: "live" }))
    const seen = ChainSizes.seen(spx, "https://sandbox.test")
    const seenAt = Effect.map(seen, ({ sizes }) => sizes.map(({ seenAt }) => seenAt))
    const { data, provenance } = yield* MarketData.optionChain("AAPL", { ...all, mode: DataMode.cached() })
    assert(provenance.status === 203 && provenance.updated !== undefined)
    assert.deepStrictEqual(yield* seenAt, [provenance.updated.newest])
    assert.strictEqual(Credits.bound(Credits.estimate(spx, { seen: yield* seen })), data.length + 1)
  }, cold())

  it.effect("does not mix services", function*() {
    const sizes = Layer.succeedContext(yield* Layer.build(ChainSizes.layerMemory()))
    const other = { baseUrl: "https://other.test", token: Redacted.make("sandbox-paid") }
    yield* Effect.provide(MarketData.optionChain("F", { ...all, mode: "live" }), cold({ sizes }))
    const live = MarketData.optionChain("F", { ...all, mode: "live" })
    const reason = yield* Effect.provide(declined(live), cold({ sizes, client: other, allowance: 1000 }))
    assert.include(reason.message, "has no upper bound")
    yield* Effect.provide(live, cold({ sizes, allowance: 1000 }))
  })

  it.effect("forgets the chains that were not used for the longest time", function*() {
    const { find, keep } = yield* ChainSizes.ChainSizes
    const chain = (name: string) => ({ service: "https://sandbox.test", chain: name })
    const size = (contracts: number, side: "call" | "put" = "call", seenAt = noon) =>
      ChainSize.ofChain(Result.getOrThrow(Query.optionChain("F", { side })), { contracts, seenAt })!
    const known = (name: string) =>
      Effect.map(find(chain(name)), (sizes) => sizes.map((size) => "contracts" in size ? size.contracts : 0))
    yield* keep(chain("A"), size(1))
    yield* keep(chain("B"), size(2))
    yield* keep(chain("A"), size(3, "put"))
    assert.deepStrictEqual(yield* known("A"), [1, 3])
    yield* keep(chain("C"), size(4))
    assert.deepStrictEqual(yield* known("B"), [])
    // What is looked up is used.
    yield* known("A")
    yield* keep(chain("D"), size(4))
    assert.deepStrictEqual([yield* known("A"), yield* known("C")], [[1, 3], []])
    // A later one takes the place of an earlier one, and not the other way round.
    yield* keep(chain("A"), size(5, "call", noon + 1))
    yield* keep(chain("A"), size(6, "call", noon))
    assert.sameMembers([...(yield* known("A"))], [5, 3])
    for (let strike = 1; strike <= 100; strike++) {
      const query = Result.getOrThrow(Query.optionChain("F", { strike }))
      yield* keep(chain("A"), ChainSize.ofChain(query, { contracts: strike, seenAt: noon + 1 + strike })!)
    }
    assert.strictEqual((yield* known("A")).length, 32)
    assert.include(yield* known("A"), 100)
  }, ChainSizes.layerMemory({ maxChains: 2 }))

  it.effect("remembers something, whatever number untyped callers give", function*() {
    for (const maxChains of [0, -1, NaN, Infinity, "5" as unknown as number]) {
      yield* Effect.gen(function*() {
        const { find, keep } = yield* ChainSizes.ChainSizes
        const chain = { service: "a", chain: "F" }
        const size = ChainSize.ofChain(Result.getOrThrow(Query.optionChain("F")), { contracts: 1, seenAt: noon })!
        yield* keep(chain, size)
        assert.deepStrictEqual(yield* find(chain), [size])
      }).pipe(Effect.provide(ChainSizes.layerMemory({ maxChains })))
    }
  })
})

describe("over a service", () => {
  const remembering = (http: ReturnType<typeof replying>, options: Parameters<typeof clientOf>[1] = {}) =>
    clientOf(http, { under: ChainSizes.layerMemory(), given: Layer.effectDiscard(at(quoted)), ...options })
  /** A service that gives chains of these numbers of contracts, and misses where it says 0. */
  const chains = (...counts: ReadonlyArray<number>) =>
    replying((_, index): Script => {
      const count = counts[Math.min(index, counts.length - 1)]!
      return count === 0 ? { status: 204 } : { status: 200, body: chainBody(count) }
    })
  const live = MarketData.optionChain("AAPL", { ...all, mode: "live" })

  it.effect("names an overrun where a chain is larger than it was, and goes by the larger one then", function*() {
    yield* MarketData.optionChain("AAPL", { ...all, mode: "live", assume: { contracts: 3 } })
    const { credits, findings } = yield* live
    assert.deepStrictEqual([Credits.bound(credits.estimate), credits.charged], [4, 5])
    assert.deepStrictEqual(findings.map(Finding.format), ["Overrun: expected at most 4 credits, received 5 credits"])
    const { overdrawn, overruns } = yield* balance
    assert.deepStrictEqual([overdrawn, overruns.length], [1, 1])
    assert.strictEqual(Credits.bound((yield* live).credits.estimate), 6)
  }, remembering(chains(3, 5), { allowance: 100 }))

  /** A service whose chain has grown from 3 contracts to 2,400, and that holds to a limit. */
  const growing = () =>
    replying((url, index): Script => {
      if (url.searchParams.get("mode") === "cached") return { status: 204 }
      const limit = Number(url.searchParams.get("limit") ?? Infinity)
      const count = Math.min(index === 0 ? 3 : 2400, limit)
      return url.searchParams.has("format")
        ? { status: 200, body: `optionSymbol\n${"AAPL261218C00100000\n".repeat(count)}` }
        : { status: 200, body: chainBody(count) }
    })
  const first = MarketData.optionChain("AAPL", { ...all, mode: "live", assume: { contracts: 3 } })
  const limits = ({ requests }: ReturnType<typeof replying>) =>
    requests.map(({ url }) => new URL(url).searchParams.get("limit"))

  const grown = growing()
  it.effect("[8.3-fallback] asks for one contract more than was seen, and says where it comes back", function*() {
    yield* first
    const csv = Query.asCsv(Result.getOrThrow(Query.optionChain("AAPL", { ...all, mode: "live" })))
    const calls: ReadonlyArray<typeof live> = [
      live,
      MarketData.optionChain("AAPL", { ...all, mode: "live", limit: 500 }),
      MarketData.optionChain("AAPL", { ...all, mode: fresh }) as typeof live,
      MarketData.run(csv) as never
    ]
    for (const call of calls) {
      const { credits, findings } = yield* call
      assert.isAtMost(credits.charged + credits.uncertain, 4)
      const found = findings.map(Finding.format)
      assert.deepStrictEqual(found, ["SizeReached: expected fewer than 4 contracts, received 4, and perhaps more"])
    }
    // Who asks for less has asked for just that.
    const less = yield* MarketData.optionChain("AAPL", { ...all, mode: "live", limit: 2 })
    assert.deepStrictEqual([less.data.length, less.findings, (yield* balance).overdrawn], [2, [], 0])
    assert.deepStrictEqual(limits(grown), [null, "4", "4", null, "4", "4", "2"])
  }, remembering(grown, { allowance: 100, consent: 40 }))

  it.effect("[8.3-fallback] holds a chain of an assumed size to the ceiling that was consented to", function*() {
    const { credits, findings } = yield* MarketData.optionChain("F", { ...all, mode: fresh, assume: { contracts: 5 } })
    assert.deepStrictEqual([credits.charged, findings.map(({ code }) => code)], [8, ["Overrun", "SizeReached"]])
  }, cold({ consent: 8 }))

  const under = Layer.merge(ChainSizes.layerMemory(), ReplyCache.layerMemory({ maxBytes: 10_000_000 }))
  const same = replying((url) => ({
    status: 200,
    body: chainBody(Math.min(3, Number(url.searchParams.get("limit") ?? 3)))
  }))
  it.effect("says nothing of more where a chain is as large as it was, and keeps its reply", function*() {
    yield* first
    yield* TestClock.adjust("2 hours")
    for (const source of ["provider", "local"]) {
      const { findings, provenance } = yield* Effect.provideService(live, Policies.AcceptAge, "1 hour")
      assert.deepStrictEqual([findings, provenance.source], [[], source as typeof provenance.source])
    }
    assert.deepStrictEqual(limits(same), [null, "4"])
  }, remembering(same, { under }))

  it.effect("keeps no reply of which it is not known whether it is whole", function*() {
    yield* first
    for (let time = 0; time < 2; time++) {
      const { findings, provenance } = yield* Effect.provideService(live, Policies.AcceptAge, "1 hour")
      assert.deepStrictEqual([findings.map(({ code }) => code), provenance.source], [["SizeReached"], "provider"])
    }
  }, remembering(growing(), { under }))

  const lost = replying((_, index): Script =>
    index === 0 ? { status: 200, body: chainBody(30) } : index === 1 ? { status: 204 } : { fails: "ECONNRESET" }
  )
  it.effect("[8.3-fallback] counts a lost live request at the size that was seen", function*() {
    yield* MarketData.optionChain("AAPL", { ...all, mode: "live", assume: { contracts: 30 } })
    const reason = yield* passing(declined(MarketData.optionChain("AAPL", { ...all, mode: fresh })), "10 minutes")
    assert.deepInclude(reason, { _tag: "FallbackDeclined", ceiling: 40, uncertain: 31 })
    assert.deepInclude(yield* balance, { charged: 30, uncertain: 31 })
  }, remembering(lost, { allowance: 100, consent: 40 }))

  it.effect("has nothing of the token, nor of secrets in the base URL, and loses no reply if it dies", () => {
    const http = chains(3)
    const told: Array<unknown> = []
    const sizes = Layer.succeed(ChainSizes.ChainSizes, {
      find: (chain) => Effect.sync(() => (told.push(chain), [])),
      keep: (...of) => Effect.die(told.push(of))
    })
    return Effect.gen(function*() {
      yield* live
      assert.deepStrictEqual([told[0], told.length], [{ service: "https://service.test", chain: "AAPL" }, 2])
      assert.notInclude(JSON.stringify(told), "a-token")
    }).pipe(Effect.provide(clientOf(http).pipe(Layer.provide(sizes))))
  })
})
