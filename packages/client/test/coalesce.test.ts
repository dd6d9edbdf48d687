import { CacheFallback, MarketData, Policies, RetryPolicy } from "@effect-marketdata/client"
import * as DataMode from "@effect-marketdata/core/DataMode"
import { Effect, Fiber, Layer, References } from "effect"
import * as TestClock from "effect/testing/TestClock"
import { assert, it } from "../../core/test/support/it.ts"
import { balance, clientOf, sent } from "./support/clients.ts"
import { pricesBody, replying, service, symbolsOf } from "./support/scripted.ts"

/** A service that takes a second. */
const slow = () => replying((url) => ({ status: 200, body: pricesBody(symbolsOf(url)), after: "1 second" }))
const ask = MarketData.stockPrices(["A"])
const shared = Layer.succeed(Policies.Coalesce, true)
const forks = <A, E, R>(...queries: ReadonlyArray<Effect.Effect<A, E, R>>) =>
  Effect.forEach(queries, (query) => Effect.forkChild(query, { startImmediately: true }))

it.effect("is off where nobody asked for it", function*() {
  const fibers = yield* forks(ask, ask)
  yield* TestClock.adjust("1 second")
  yield* Fiber.joinAll(fibers)
  assert.deepStrictEqual([yield* sent, (yield* balance).charged], [2, 2])
}, clientOf(slow()))

it.effect("lets queries that ask the same at the same time share one call", function*() {
  const fibers = yield* forks(ask, ask, ask)
  yield* TestClock.adjust("1 second")
  const [first, ...others] = yield* Fiber.joinAll(fibers)
  for (const other of others) assert.strictEqual(other, first)
  assert.deepStrictEqual([yield* sent, (yield* balance).charged], [1, 1])
  yield* forks(ask)
  yield* TestClock.adjust(0)
  assert.strictEqual(yield* sent, 2)
}, clientOf(slow(), { given: shared }))

it.effect("lets them share it wherever a fiber gives way to the others", function*() {
  for (let most = 6; most < 20; most++) {
    const before = yield* sent
    const fibers = yield* Effect.provideService(forks(ask, ask, ask), References.MaxOpsBeforeYield, most)
    yield* Effect.repeat(Effect.yieldNow, { times: 500 })
    yield* Fiber.interruptAll(fibers)
    assert.deepStrictEqual([most, yield* sent], [most, before + 1])
  }
}, clientOf(service({ hangs: true }), { given: shared }))

it.effect("shares a failure, and keeps none", function*() {
  const fibers = yield* forks(Effect.flip(ask), Effect.flip(ask))
  yield* TestClock.adjust("1 second")
  const [one, other] = yield* Fiber.joinAll(fibers)
  assert.deepStrictEqual([one?.reason._tag, other === one], ["NotFound", true])
  yield* ask
  assert.strictEqual(yield* sent, 2)
}, clientOf(service({ status: 404, after: "1 second" }, { status: 200, body: pricesBody(["A"]) }), { given: shared }))

it.effect("shares nothing that asks something else, or on other terms", function*() {
  const others: ReadonlyArray<Effect.Effect<unknown, unknown, MarketData.MarketData>> = [
    ask,
    MarketData.stockPrices(["B"]),
    MarketData.stockPrices(["A"], { columns: ["symbol", "mid"] }),
    MarketData.stockPrices(["A"], { mode: DataMode.cached() }).pipe(Effect.provide(CacheFallback.layerAlways)),
    MarketData.stockPrices(["A"], { assume: { symbols: 1 } }),
    MarketData.stockPrices(["A"], { mode: DataMode.cachedOrLive() }).pipe(Effect.provide(CacheFallback.layerAlways)),
    Effect.provideService(ask, Policies.Findings, "strict"),
    Effect.provideService(ask, Policies.RecordedFigures, "any"),
    Effect.provideService(ask, Policies.AttemptTimeout, 5000),
    Effect.provideService(ask, RetryPolicy.RetryPolicy, RetryPolicy.make({ attempts: 1, base: 1, cap: 1 })),
    Effect.provideService(ask, Policies.IpRule, { whenHeld: "wait", heldBy: "any403" })
  ]
  const fibers = yield* forks(...others)
  yield* TestClock.adjust(0)
  assert.strictEqual(yield* sent, others.length)
  yield* Fiber.interruptAll(fibers)
}, clientOf(slow(), { given: shared }))

it.effect("goes on when whoever asked first leaves, and ends when nobody waits any more", function*() {
  const [first, second] = yield* forks(ask, ask)
  yield* TestClock.adjust(0)
  yield* Fiber.interrupt(first!)
  yield* forks(ask)
  yield* TestClock.adjust("1 second")
  assert.strictEqual((yield* Fiber.join(second!)).credits.charged, 1)
  const [third, fourth] = yield* forks(ask, ask)
  yield* TestClock.adjust(0)
  yield* Fiber.interrupt(third!)
  assert.strictEqual((yield* balance).reserved, 1)
  yield* Fiber.interrupt(fourth!)
  assert.deepInclude(yield* balance, { reserved: 0, uncertain: 1, charged: 1 })
  assert.strictEqual(yield* sent, 2)
}, clientOf(slow(), { allowance: 9, given: shared }))
