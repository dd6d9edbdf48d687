import * as CacheFallback from "@effect-marketdata/client/CacheFallback"
import * as Claim from "@effect-marketdata/client/Claim"
import * as CreditLedger from "@effect-marketdata/client/CreditLedger"
import * as IpGuard from "@effect-marketdata/client/IpGuard"
import * as MarketData from "@effect-marketdata/client/MarketData"
import * as Policies from "@effect-marketdata/client/Policies"
import * as RetryPolicy from "@effect-marketdata/client/RetryPolicy"
import * as DataMode from "@effect-marketdata/core/DataMode"
import { assert, describe, it } from "../../core/test/support/it.ts"
import { Effect, Layer, Result } from "effect"
import { pricesBody, replying, type Script, service } from "./support/scripted.ts"

const under = (run: string) => Effect.provideService(Claim.Current, { key: "prices", run })

const over = (http: ReturnType<typeof replying>) =>
  Layer.fresh(
    MarketData.layerNoDeps({ maxSymbols: 1 }).pipe(
      Layer.provideMerge(CreditLedger.layerUnlimited),
      Layer.provide(IpGuard.layerMemory()),
      Layer.provide(http.layer)
    )
  )

/** A client in front of a service that says this, in order. */
const client = (...scripts: ReadonlyArray<Script>) => {
  const http = service(...scripts)
  return { http, layer: over(http) }
}

const prices: Script = { status: 200, body: pricesBody(["A"]) }

describe("Claim", () => {
  it.effect("lets one run of a call send, and no other, whatever became of the first", () => {
    const { http, layer } = client({ fails: "ECONNRESET" }, prices)
    return Effect.gen(function*() {
      const call = Effect.result(MarketData.stockPrices(["A"]))
      const first = yield* call.pipe(under("1"))
      assert(Result.isFailure(first))
      assert.strictEqual(first.failure.reason._tag, "TransportFailure")
      const second = yield* call.pipe(under("2"))
      assert(Result.isFailure(second))
      const { reason } = second.failure
      assert.deepInclude(reason, { _tag: "AlreadySent", key: "prices", isRetryable: false, cost: "possible" })
      assert.strictEqual(http.requests.length, 1)
      // The same run may go on, and so may who claims nothing.
      assert.isTrue(Result.isSuccess(yield* call.pipe(under("1"))))
      assert.deepInclude(yield* (yield* CreditLedger.CreditLedger).balance, { charged: 1, reserved: 0 })
    }).pipe(Effect.provide([layer, RetryPolicy.layerNone]))
  })

  it.effect("is shared by the batches, the retries and the fallback of a run", () => {
    const http = replying((url, index) => {
      if (url.searchParams.get("mode") === "cached") return { status: 204 }
      return index === 2
        ? { fails: "ECONNRESET" }
        : { status: 200, body: pricesBody([url.searchParams.get("symbols")!]) }
    })
    const layer = over(http)
    return Effect.gen(function*() {
      const { data } = yield* MarketData.stockPrices(["A", "B"], { mode: DataMode.cachedOrLive() }).pipe(under("1"))
      assert.deepStrictEqual([...data].map(({ symbol }) => symbol), ["A", "B"])
      assert.strictEqual(http.requests.length, 5)
    }).pipe(Effect.provide([layer, CacheFallback.layerAlways, RetryPolicy.layer({ base: 0 })]))
  })

  it.effect("is not that of a call that joins another one: it is answered, and sends nothing", () => {
    const { http, layer } = client(prices, prices)
    return Effect.gen(function*() {
      const call = Effect.result(MarketData.stockPrices(["A"]))
      const both = yield* Effect.all([call.pipe(under("1")), call.pipe(under("2"))], { concurrency: 2 })
      assert.deepStrictEqual([both.filter(Result.isSuccess).length, http.requests.length], [2, 1])
    }).pipe(Effect.provideService(Policies.Coalesce, true), Effect.provide(layer))
  })

  it.effect("that cannot be used refuses the call by name, and nothing is sent", () => {
    const { http, layer } = client()
    const refused = (claim: unknown) =>
      Effect.map(
        Effect.flip(Effect.provideService(MarketData.stockPrices(["A"]), Claim.Current, claim as Claim.Claim)),
        ({ message, reason }) => [reason._tag, message] as const
      )
    return Effect.gen(function*() {
      const rule = "must be a text of 1 to 200 characters"
      const cases: ReadonlyArray<readonly [unknown, string]> = [
        [{}, `claim key undefined ${rule}, e.g. "SPX 2026-11-20". Nothing was sent.`],
        [null, `claim key undefined ${rule}`],
        [{ key: "", run: "1" }, `claim key "" ${rule}`],
        [{ key: "x".repeat(201), run: "1" }, rule],
        [{ key: "a\0b", run: "1" }, rule],
        [{ key: "a" }, `claim run undefined ${rule}`]
      ]
      for (const [claim, words] of cases) {
        const [tag, message] = yield* refused(claim)
        assert.strictEqual(tag, "InvalidQuery")
        assert.include(message, words)
      }
      assert.strictEqual(http.requests.length, 0)
    }).pipe(Effect.provide(layer))
  })

  it.effect("is remembered in memory for the latest 10,000 keys", function*() {
    const ledger = yield* CreditLedger.makeUnlimited()
    const send = (key: string, run: string) =>
      Effect.gen(function*() {
        const reservation = yield* ledger.reserve(0)
        yield* reservation.send(0, 0)
        yield* reservation.settle
      }).pipe(Effect.isSuccess).pipe(Effect.provideService(Claim.Current, { key, run }))
    for (let index = 0; index < 10_000; index++) assert.isTrue(yield* send(`key ${index}`, "1"))
    assert.isFalse(yield* send("key 0", "2"))
    yield* send("another", "1")
    assert.isTrue(yield* send("key 0", "2"))
    assert.isFalse(yield* send("key 9999", "2"))
  })
})
