import { Claim, CreditLedger, MarketData, Policies, RetryPolicy } from "@effect-marketdata/client"
import * as DataMode from "@effect-marketdata/core/DataMode"
import { Effect, Layer, Result } from "effect"
import { assert, it } from "../../core/test/support/it.ts"
import { balance, clientOf, sent } from "./support/clients.ts"
import { pricesBody, replying, type Script, service, symbolsOf } from "./support/scripted.ts"

const under = (run: string) => Effect.provideService(Claim.Current, { key: "prices", run })

const asked = MarketData.stockPrices(["A"])
const call = Effect.result(asked)

const prices: Script = { status: 200, body: pricesBody(["A"]) }

it.effect("lets one run of a call send, and no other, whatever became of the first", function*() {
  assert.strictEqual((yield* Effect.flip(asked).pipe(under("1"))).reason._tag, "TransportFailure")
  const { reason } = yield* Effect.flip(asked).pipe(under("2"))
  assert.deepInclude(reason, { _tag: "AlreadySent", key: "prices", isRetryable: false, cost: "possible" })
  assert.strictEqual(yield* sent, 1)
  // The same run may go on, and so may who claims nothing.
  assert.isTrue(Result.isSuccess(yield* call.pipe(under("1"))))
  assert.deepInclude(yield* balance, { charged: 1, reserved: 0 })
}, clientOf(service({ fails: "ECONNRESET" }, prices), { given: RetryPolicy.layerNone }))

const losing = replying((url, index) => {
  if (url.searchParams.get("mode") === "cached") return { status: 204 }
  return index === 2 ? { fails: "ECONNRESET" } : { status: 200, body: pricesBody(symbolsOf(url)) }
})
it.effect("is shared by the batches, the retries and the fallback of a run", function*() {
  const { data } = yield* MarketData.stockPrices(["A", "B"], { mode: DataMode.cachedOrLive() }).pipe(under("1"))
  assert.deepStrictEqual([...data].map(({ symbol }) => symbol), ["A", "B"])
  assert.strictEqual(yield* sent, 5)
}, clientOf(losing, { maxSymbols: 1, consent: Infinity, given: RetryPolicy.layer({ base: 0 }) }))

it.effect("is that of a client which was made under it, where the call has none of its own", function*() {
  yield* asked
  assert.strictEqual((yield* Effect.flip(asked).pipe(under("2"))).reason._tag, "AlreadySent")
}, clientOf(service(prices), { under: Layer.succeed(Claim.Current, { key: "prices", run: "1" }) }))

it.effect("is not that of a call that joins another one: it sends nothing, and is not refused for it", function*() {
  const pairs = [[call.pipe(under("1")), call.pipe(under("2"))], [call.pipe(under("3")), call]]
  const all = yield* Effect.forEach(pairs, (pair) => Effect.all(pair, { concurrency: 2 }))
  assert.deepStrictEqual([...all.map((pair) => pair.filter(Result.isSuccess).length), yield* sent], [2, 1, 2])
}, clientOf(service(prices), { given: Layer.succeed(Policies.Coalesce, true) }))

it.effect("that cannot be used refuses the call by name, and nothing is sent", function*() {
  const refused = (claim: unknown) =>
    Effect.map(
      Effect.flip(Effect.provideService(MarketData.stockPrices(["A"]), Claim.Current, claim as Claim.Claim)),
      ({ message, reason }) => [reason._tag, message] as const
    )
  const rule = "must be a string of 1 to 200 characters"
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
  assert.strictEqual(yield* sent, 0)
}, clientOf(service(prices)))

it.effect("lets one of two runs send that had both reserved before", function*() {
  const ledger = yield* CreditLedger.makeUnlimited()
  const [one, other] = yield* Effect.forEach(["1", "2"], (run) => ledger.reserve(1).pipe(under(run)))
  yield* one!.send(1, 0)
  assert.strictEqual((yield* Effect.flip(other!.send(1, 0)))._tag, "AlreadySent")
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
