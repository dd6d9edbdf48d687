import { CacheFallback, CreditLedger, MarketData } from "@effect-marketdata/client"
import * as DataMode from "@effect-marketdata/core/DataMode"
import { Faults, Sandbox } from "@effect-marketdata/sandbox"
import * as MarketDataTest from "@effect-marketdata/testing/MarketDataTest"
import { Clock, Effect, Fiber, Layer } from "effect"
import * as HttpClient from "effect/http/HttpClient"
import * as TestClock from "effect/testing/TestClock"
import { assert, describe, it, layer } from "../../core/test/support/it.ts"

const billed = Sandbox.Sandbox.use((sandbox) => sandbox.billed)
const charged = CreditLedger.CreditLedger.use(({ balance }) => Effect.map(balance, ({ charged }) => charged))
const chain = MarketData.optionChain("AAPL", { mode: DataMode.cached(), expiration: "all" })

layer(MarketDataTest.layer({ seed: 1 }))("with the layer of a suite", (it) => {
  const agreed = Effect.gen(function*() {
    const { credits, data } = yield* chain
    assert.isAbove(data.length, 0)
    assert.deepStrictEqual([credits.charged, yield* billed, yield* charged], [1, 1, 1])
  })
  it.effect("bills the sandbox what the client records", () => agreed)
  it.effect("gives a test with its own layer its own sandbox", () => Effect.provide(agreed, MarketDataTest.layer()))

  it.effect("begins at noon of a trading day, on a clock that the test can move", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* Clock.currentTimeMillis, MarketDataTest.noon * 1000)
      const waiting = yield* Effect.forkChild(Effect.sleep("1 hour"))
      yield* TestClock.adjust("1 hour")
      yield* Fiber.join(waiting)
      const { provenance } = yield* chain
      assert.strictEqual(provenance.receivedAt, MarketDataTest.noon + 3600)
    }))
})

describe("layer", () => {
  it.effect("asks with the account of the plan that was named", function*() {
    const error = yield* Effect.flip(chain)
    assert.strictEqual(error.reason._tag, "PlanRequired")
  }, MarketDataTest.layer({ plan: "free" }))

  it("refuses a plan that no account of the sandbox has", () =>
    assert.throws(() => MarketDataTest.layer({ plan: "gold" as never }), /plan "gold" must be free, trial or paid/))

  it.effect("holds the client to its allowance", function*() {
    yield* chain
    const error = yield* Effect.flip(chain)
    assert.deepStrictEqual([error.reason._tag, yield* billed], ["CreditBudgetExceeded", 1])
  }, MarketDataTest.layer({ allowance: 1 }))

  it.effect("brings the faults that were scripted, and lets a test script more", function*() {
    const { credits, trace } = yield* chain.pipe(
      Effect.forkChild,
      Effect.tap(() => TestClock.adjust("1 minute")),
      Effect.flatMap(Fiber.join)
    )
    assert.deepStrictEqual(trace.map(({ status }) => status), [503, 203])
    assert.strictEqual(credits.charged, 1)
    yield* (yield* Faults.Faults).set([{ kind: { _tag: "Garbage" } }])
    const error = yield* Effect.flip(chain)
    assert.strictEqual(error.reason._tag, "MalformedReply")
  }, MarketDataTest.layer({ faults: [{ count: 1, kind: { _tag: "Status", status: 503 } }] }))

  it.effect("follows the profile, the seed and the time that were named", () => {
    const prices = (options: MarketDataTest.Options) =>
      Effect.map(MarketData.optionChain("AAPL", { mode: DataMode.cached() }), ({ data }) => [...data.underlyingPrice])
        .pipe(Effect.provide(MarketDataTest.layer(options)))
    return Effect.gen(function*() {
      const contract = yield* prices({})
      assert.deepStrictEqual(yield* prices({ seed: 1 }), contract)
      assert.isBelow((yield* prices({ profile: "public" })).length, contract.length)
      assert.notDeepEqual(yield* prices({ seed: 2 }), contract)
      assert.notDeepEqual(yield* prices({ at: MarketDataTest.noon + 86_400 * 3 }), contract)
    })
  })

  it.effect("leaves consent to pay to the test", () =>
    Effect.gen(function*() {
      const { provenance } = yield* MarketData.optionChain("F", {
        mode: DataMode.cachedOrLive(),
        expiration: "2026-12-18",
        assume: { contracts: 500 }
      })
      assert.strictEqual(provenance.sentMode, "live")
    }).pipe(
      Effect.provide(Layer.merge(CacheFallback.layerUpTo(500), MarketDataTest.layer({ sandbox: { cold: ["F"] } })))
    ))

  it.effect("answers whoever asks through its HttpClient", function*() {
    const { status } = yield* HttpClient.get("https://elsewhere.test/v1/options/chain/SPX/?mode=cached", {
      headers: { authorization: "Bearer sandbox-paid" }
    })
    assert.deepStrictEqual([status, yield* billed], [203, 1])
  }, MarketDataTest.layer())

  it.live("goes on from the time that was named where time passes by itself", function*() {
    const millis = yield* Clock.currentTimeMillis
    assert.isAtLeast(millis, MarketDataTest.noon * 1000)
    assert.isBelow(millis, (MarketDataTest.noon + 3600) * 1000)
  }, MarketDataTest.layer())
})
