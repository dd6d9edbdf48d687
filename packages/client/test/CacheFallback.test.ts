import { CacheFallback, MarketData } from "@effect-marketdata/client"
import { Credits, DataMode, Query } from "@effect-marketdata/core"
import { Effect, Layer, Result } from "effect"
import { assert, describe, it } from "../../core/test/support/it.ts"
import { balance, clientOf, over, passing, targets } from "./support/clients.ts"
import { chainBody, cutOff, pricesBody, replying, type Script, service, symbolsOf } from "./support/scripted.ts"

const mode = DataMode.cachedOrLive()
const onlyA = replying((url) =>
  symbolsOf(url).includes("A") ? { status: 203, body: pricesBody(symbolsOf(url)) } : { status: 204 }
)
const decide = (query: Query.Query) =>
  Effect.flatMap(CacheFallback.CacheFallback, (service) => service.decide(query, Credits.estimate(query)))
const chain = (contracts?: number) =>
  Result.getOrThrow(Query.optionChain("SPX", { mode: DataMode.live, assume: { contracts } }))

/** Consent of somebody who decides in this way. */
const deciding = (decide: CacheFallback.CacheFallback["Service"]["decide"]) =>
  Layer.succeed(CacheFallback.CacheFallback, { decide })

it.effect("layerUpTo consents to the ceiling, and to nothing above it", function*() {
  yield* decide(chain(500))
  const dear = yield* Effect.flip(decide(chain(501)))
  assert.deepStrictEqual([dear.price, dear.ceiling], [501, 500])
  const open = yield* Effect.flip(decide(chain()))
  assert.deepStrictEqual([open.price, open.ceiling], [undefined, 500])
  // A ceiling that is not a number lets nothing through.
  yield* Effect.provide(Effect.flip(decide(chain(1))), CacheFallback.layerUpTo(NaN))
  for (const ceiling of [500n, Symbol("500"), true, "500", null]) {
    const refusal = yield* Effect.provide(Effect.flip(decide(chain(1))), CacheFallback.layerUpTo(ceiling as never))
    assert.strictEqual(refusal.ceiling, 0)
  }
}, CacheFallback.layerUpTo(500))

describe("a ceiling", () => {
  const lost: Script = { fails: "ECONNRESET" }
  const answered: Script = { status: 200, body: chainBody(500) }
  const ask = MarketData.optionChain("SPX", { mode, assume: { contracts: 500 } })
  /** How many requests were for live data. */
  const live = Effect.map(targets, (targets) => targets.filter((target) => target?.includes("mode=live")).length)

  it.effect("[8.3-fallback] bounds all live requests together: what may have been charged is not asked for again", () =>
    over(service({ status: 204 }, lost, lost, answered), { consent: 500 }, function*() {
      const { reason, trace } = yield* passing(Effect.flip(ask))
      assert(reason._tag === "FallbackDeclined")
      assert.deepInclude(reason, { price: 500, ceiling: 500, charged: 0, uncertain: 500, cost: "possible" })
      assert.include(reason.message, "Of the 500 credits that you consented to, up to 500 may have been charged.")
      assert.strictEqual(yield* live, 1)
      assert.deepStrictEqual(trace.map(({ reason }) => reason?._tag), ["NoCachedData", "TransportFailure"])
      assert.deepStrictEqual(trace.map(({ uncertain }) => uncertain), [0, 500])
      assert.deepInclude(yield* balance, { charged: 0, uncertain: 500, reserved: 0 })
    }))

  it.effect("says that there are no live data either", function*() {
    assert.strictEqual((yield* Effect.flip(ask)).reason._tag, "NoLiveData")
  }, clientOf(service({ status: 204 }), { consent: 500 }))

  const told: Script = { status: 200, body: cutOff(`{"s":"ok",`), headers: { "x-api-ratelimit-consumed": "100" } }
  it.effect("counts what a lost reply said that it cost, and leaves the rest", function*() {
    const { reason } = yield* passing(Effect.flip(ask))
    assert.deepInclude(reason, { _tag: "FallbackDeclined", price: 500, charged: 100, uncertain: 0 } as typeof reason)
    assert.deepInclude(yield* balance, { charged: 100, uncertain: 0 })
  }, clientOf(service({ status: 204 }, told, answered), { consent: 500 }))

  const withoutA = replying((url) => {
    if (url.searchParams.get("mode") === "cached") return { status: 204 }
    return symbolsOf(url).includes("A") ? lost : { status: 200, body: pricesBody(symbolsOf(url)) }
  })
  it.effect("bounds the requests of a list together, and keeps what the others brought", function*() {
    const part = yield* passing(MarketData.partial(MarketData.stockPrices(["A", "B", "C"], { mode })))
    assert.deepStrictEqual(part.missing, ["A"])
    const declined = { _tag: "FallbackDeclined", price: 1, ceiling: 4, charged: 2, uncertain: 2 } as const
    assert.deepInclude(part.errors[0]?.reason, declined)
    assert.deepInclude(part.credits, { charged: 2, uncertain: 2 })
  }, clientOf(withoutA, { consent: 4, maxSymbols: 1 }))

  const decisions: ReadonlyArray<readonly [what: string, decided: unknown, reason: object, live: number]> = [
    ["is the one that was decided, and a price above it is not asked for", 499, { price: 500, ceiling: 499 }, 0],
    ["is to nothing, where the decision gives 0", 0, { ceiling: 0, cost: "none" }, 0],
    ["is the price that was shown, where the decision gives nothing", undefined, { ceiling: 500, uncertain: 500 }, 1]
  ]
  for (const [what, decided, expected, requests] of decisions) {
    const given = deciding(() => Effect.succeed(decided as number))
    it.effect(what, function*() {
      const { reason } = yield* passing(Effect.flip(ask))
      assert.strictEqual(reason._tag, "FallbackDeclined")
      assert.deepInclude(reason, expected as typeof reason)
      assert.strictEqual(reason.cost, requests === 0 ? "none" : "possible")
      assert.strictEqual(yield* live, requests)
    }, clientOf(service({ status: 204 }, lost, answered), { given }))
  }
})

it.effect(
  "[8.3-miss] a budget that has no room for live data does not say that nothing was sent: the miss was free",
  function*() {
    const ask = (tickers: ReadonlyArray<string>) => Effect.flip(MarketData.stockPrices(tickers, { mode }))
    const { message, reason } = yield* ask(["B", "C", "D", "E", "F"])
    assert.deepInclude(reason, { _tag: "CreditBudgetExceeded", wasSent: "free", cost: "none" })
    assert.match(message, /Nothing was charged\.$/)
    const part = yield* ask(["A", "B", "C", "D", "E", "F"])
    assert(part.reason._tag === "Incomplete")
    const sent = part.reason.errors.map(({ reason }) => "wasSent" in reason && reason.wasSent)
    assert.deepStrictEqual(sent, ["free", "free"])
  },
  clientOf(onlyA, { allowance: 4, consent: 9, maxSymbols: 2 })
)

describe("decide", () => {
  it.effect("[8.3-fallback] is asked once, after the miss, for what was asked and the live price of what is missing", () => {
    const asked: Array<readonly [string, string, number]> = []
    const http = replying((url) =>
      url.searchParams.get("mode") === "live" || symbolsOf(url).includes("A")
        ? { status: url.searchParams.get("mode") === "live" ? 200 : 203, body: pricesBody(symbolsOf(url)) }
        : { status: 204 }
    )
    const given = deciding((query, price) =>
      Effect.sync(() => {
        asked.push([Query.format(query), Credits.format(price), http.requests.length])
        return Infinity
      })
    )
    return over(http, { maxSymbols: 2, given }, function*() {
      yield* MarketData.stockPrices(["A", "B", "C", "D", "E"], { mode })
      // Three tickers in two requests: cached, they would cost two.
      assert.deepStrictEqual(asked, [["stockPrices A,B and 3 more", "0 to 3 credits", 3]])
    })
  })

  const hit: Script = { status: 203, body: chainBody(3) }
  it.effect("[8.3-hit] is not asked after a hit, nor after any other failure than a miss", function*() {
    yield* MarketData.optionChain("SPX", { mode })
    assert.strictEqual((yield* Effect.flip(MarketData.optionChain("SPX", { mode }))).reason._tag, "NotFound")
  }, clientOf(service(hit, { status: 404 }), { given: deciding(() => Effect.die("asked")) }))
})
