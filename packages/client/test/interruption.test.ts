import { CacheFallback, CreditLedger, MarketData } from "@effect-marketdata/client"
import * as DataMode from "@effect-marketdata/core/DataMode"
import { Effect, Fiber, Layer, type Redacted } from "effect"
import * as HttpClient from "effect/http/HttpClient"
import * as TestClock from "effect/testing/TestClock"
import { assert, it } from "../../core/test/support/it.ts"
import { balance, clientOf, sent } from "./support/clients.ts"
import { pricesBody, type Script, service } from "./support/scripted.ts"

const ok: Script = { status: 200, body: pricesBody(["A"]) }
const never = new ReadableStream<Uint8Array>({
  start: (controller) => controller.enqueue(new TextEncoder().encode(`{"s":"ok",`))
})
const prices = MarketData.stockPrices(["A"])
const fallback = MarketData.stockPrices(["A"], { mode: DataMode.cachedOrLive() })
const undecided = Layer.succeed(CacheFallback.CacheFallback, { decide: () => Effect.never })
const slowToken = { token: Effect.never satisfies Effect.Effect<Redacted.Redacted> }

interface Stage {
  readonly stage: string
  readonly script: ReadonlyArray<Script>
  readonly options?: Parameters<typeof clientOf>[1]
  readonly ask?: typeof fallback
  readonly consent?: Layer.Layer<CacheFallback.CacheFallback>
  /** The requests that were sent by then; what is reserved; and what is uncertain and charged afterwards. */
  readonly requests: number
  readonly reserved: number
  readonly uncertain: number
  readonly charged: number
}

const nothing = { uncertain: 0, charged: 0 }
const one = { requests: 1, reserved: 1, uncertain: 1, charged: 0 }
const reset: Script = { fails: "ECONNRESET" }
const hangs: Script = { hangs: true }
const later: Script = { status: 503, headers: { "retry-after": "20" } }
const asked = { ask: fallback, consent: undecided, ...nothing }
const live = { ask: fallback, consent: CacheFallback.layerAlways }
const stages: ReadonlyArray<Stage> = [
  { stage: "the token is fetched", script: [ok], options: slowToken, requests: 0, reserved: 1, ...nothing },
  { stage: "a request is under way", script: [hangs], ...one },
  { stage: "a body comes in", script: [{ status: 200, body: never }], ...one },
  { stage: "a retry is waited for", script: [later, ok], requests: 1, reserved: 1, ...nothing },
  { stage: "the second attempt is under way", script: [reset, hangs], ...one, requests: 2, uncertain: 2 },
  { stage: "consent is asked for", script: [{ status: 204 }], ...asked, requests: 1, reserved: 0 },
  { stage: "live data are under way after a miss", script: [{ status: 204 }, hangs], ...live, ...one, requests: 2 }
]

for (const { ask = prices, charged, consent, options, requests, reserved, script, stage, uncertain } of stages) {
  it.effect(`while ${stage} settles the ledger`, function*() {
    const fiber = yield* Effect.forkChild(ask)
    yield* TestClock.adjust("1 second")
    assert.strictEqual(yield* sent, requests)
    assert.strictEqual((yield* balance).reserved, reserved)
    yield* Fiber.interrupt(fiber)
    const after = yield* balance
    assert.deepInclude(after, { reserved: 0, uncertain, charged, overruns: [], available: 100 - uncertain - charged })
    // The client is as good as before: no permit is kept, no gate is closed.
    const others = yield* Effect.forEach(Array.from({ length: 50 }), () => Effect.forkChild(Effect.result(prices)))
    yield* TestClock.adjust(0)
    if (options === undefined) assert.strictEqual(yield* sent, requests + 50)
    yield* Fiber.interruptAll(others)
    assert.strictEqual((yield* balance).reserved, 0)
  }, clientOf(service(...script), { allowance: 100, ...options, given: consent }))
}

/** A ledger that takes two seconds to write down that a request is sent. */
const slowLedger = Layer.effect(
  CreditLedger.CreditLedger,
  Effect.map(CreditLedger.CreditLedger, (ledger) => ({
    ...ledger,
    reserve: (...query) =>
      Effect.map(ledger.reserve(...query), (own) => ({ ...own, send: (...of) => Effect.delay(own.send(...of), 2000) }))
  }))
)
it.effect("while a request is written down costs nothing, since it is not sent", function*() {
  const fiber = yield* Effect.forkChild(prices)
  yield* TestClock.adjust("1 second")
  yield* Effect.forkChild(Fiber.interrupt(fiber))
  yield* TestClock.adjust("1 second")
  assert.deepInclude(yield* balance, { reserved: 0, uncertain: 0, charged: 0, available: 100 })
  assert.strictEqual(yield* sent, 0)
}, clientOf(service(ok), { allowance: 100, under: slowLedger as never }))

const transformClient = () => HttpClient.make(() => Effect.die(new Error("broken")))
it.effect("takes a broken HTTP client for a lost request", function*() {
  assert.strictEqual((yield* Effect.exit(prices))._tag, "Failure")
  assert.deepInclude(yield* balance, { reserved: 0, uncertain: 1, charged: 0 })
}, clientOf(service(ok), { allowance: 9, transformClient }))
