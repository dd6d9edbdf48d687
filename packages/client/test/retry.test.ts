import { MarketData, Policies, RetryBudget, RetryPolicy } from "@effect-marketdata/client"
import { Clock, type Duration, Effect, Fiber, Layer, Random, Schedule } from "effect"
import * as TestClock from "effect/testing/TestClock"
import { assert, describe, it } from "../../core/test/support/it.ts"
import { balance, clientOf, over, sent, setBack, setTo, timed } from "./support/clients.ts"
import { pricesBody, replying, type Script, service, symbolsOf } from "./support/scripted.ts"

const ok: Script = { status: 200, body: pricesBody(["A"]) }
const lost: Script = { fails: "ECONNRESET" }
const ask = MarketData.stockPrices(["A"])
const policy = { attempts: 3, lostAttempts: 3, base: 200, cap: 5000, retryAfter: 30_000 }

for (const first of [{ status: 503 }, { status: 502 }, { status: 429 }, lost, { fails: "ECONNREFUSED" }] as const) {
  it.effect(`asks again after ${JSON.stringify(first)}`, function*() {
    const { value } = yield* timed(ask)
    assert.deepStrictEqual([value.trace.length, yield* sent], [2, 2])
  }, clientOf(service(first, ok)))
}

it.effect("waits longer each time, by a random part of it", function*() {
  const waits: Array<number> = []
  for (const seed of ["a", "b", "c"]) {
    const { took } = yield* timed(Effect.flip(ask).pipe(Random.withSeed(seed)))
    assert.isAtMost(took, 200 + 400)
    waits.push(took)
  }
  assert.strictEqual(new Set(waits).size, 3)
}, clientOf(service(lost), { given: RetryPolicy.layer(policy) }))

it.effect("leaves the service alone for as long as it asks", function*() {
  const { took } = yield* timed(ask)
  assert.isAtLeast(took, 20_000)
  assert.isAtMost(took, 20_500)
}, clientOf(service({ status: 503, headers: { "retry-after": "20" } }, ok)))

it.effect("answers within the deadline after a minute of 502s, charged once", () =>
  Effect.forEach(["a", "b", "c", "d", "e", "f", "g", "h"], (seed) => {
    let isOver = false
    const http = replying(() => isOver ? ok : { status: 502 })
    return Effect.gen(function*() {
      yield* Effect.forkChild(Effect.andThen(Effect.sleep("1 minute"), Effect.sync(() => void (isOver = true))))
      const { took, value } = yield* timed(Effect.provide(ask, RetryPolicy.layer({ deadline: 180_000 })))
      assert.isAtLeast(took, 60_000)
      assert.isAtMost(took, 122_000)
      assert.isAtMost(http.requests.length, 10)
      assert.strictEqual(value.credits.charged, 1)
      assert.deepInclude(yield* balance, { charged: 1, uncertain: 0, reserved: 0, overruns: [] })
    }).pipe(Effect.provide(clientOf(http, { allowance: 1 })), Random.withSeed(seed))
  }, { discard: true }))

it.effect("asks four times where requests are lost, each of which may be charged", function*() {
  const { value } = yield* timed(Effect.flip(ask))
  assert.deepStrictEqual([value.reason._tag, yield* sent], ["TransportFailure", 2 + 4])
  assert.deepInclude(yield* balance, { charged: 0, uncertain: 4, reserved: 0 })
}, clientOf(service({ status: 503 }, { status: 503 }, lost)))

describe("RetryPolicy", () => {
  it.effect("holds for a client, and for one call before that", function*() {
    yield* timed(Effect.flip(ask))
    assert.strictEqual(yield* sent, 2)
    yield* timed(Effect.flip(Effect.provide(ask, RetryPolicy.layerNone)))
    assert.strictEqual(yield* sent, 3)
    yield* timed(Effect.flip(Effect.provide(ask, RetryPolicy.layer({ attempts: 4 }))))
    assert.strictEqual(yield* sent, 7)
  }, clientOf(service({ status: 503 }), { under: RetryPolicy.layer({ attempts: 2 }) }))

  it.effect("can be a schedule, which begins anew with each request, and waits no less than the service asks for", () =>
    over(
      service({ status: 503 }, { status: 503, headers: { "retry-after": "7" } }, { status: 503 }, ok),
      function*(http) {
        const policy = RetryPolicy.layerSchedule(Schedule.spaced("2 seconds").pipe(Schedule.upTo({ times: 2 })))
        const failed = yield* timed(Effect.flip(Effect.provide(ask, policy)))
        assert.deepStrictEqual([failed.took, http.requests.length], [2000 + 9000, 3])
        const { took } = yield* timed(Effect.provide(ask, policy))
        assert.deepStrictEqual([took, http.requests.length], [0, 4])
      }
    ))

  it.effect("asks again by a schedule only what passes, and within its deadline", function*() {
    const policy = RetryPolicy.layerSchedule(Schedule.spaced("2 seconds"), { deadline: 5000 })
    yield* timed(Effect.flip(Effect.provide(ask, policy)))
    assert.strictEqual(yield* sent, 1)
    // Though the system's clock jumps ahead.
    const ahead = Effect.provideServiceEffect(Clock.Clock, setTo((millis) => millis * 1000))
    const asked = ahead(Effect.flip(Effect.provide(ask, policy)))
    assert.deepStrictEqual([(yield* timed(asked)).took, yield* sent], [4000, 1 + 3])
  }, clientOf(service({ status: 404 }, { status: 503 })))

  it.effect("can decide by anything, and is told what was asked, why it failed, and how often", function*() {
    const told: Array<unknown> = []
    const policy = {
      deadline: undefined,
      start: Effect.succeed<RetryPolicy.Decide>(({ attempt, elapsed, lost, query, reason }) => {
        told.push([query.endpoint.name, reason._tag, attempt, lost, elapsed])
        return Effect.succeed({ _tag: "Wait", milliseconds: 1000 })
      })
    }
    yield* timed(Effect.provideService(ask, RetryPolicy.RetryPolicy, policy))
    assert.deepStrictEqual(told, [
      ["stockPrices", "ServerFault", 1, 0, 0],
      ["stockPrices", "TransportFailure", 2, 1, 1000],
      ["stockPrices", "NotFound", 3, 1, 2000]
    ])
    assert.deepInclude(yield* balance, { charged: 1, uncertain: 1, reserved: 0 })
  }, clientOf(service({ status: 503 }, lost, { status: 404 }, ok), { allowance: 2 }))
})

it.effect("shares one budget between two clients where it is provided to both", () => {
  const services = [service({ status: 503 }), service({ status: 503 })]
  return Effect.gen(function*() {
    const shared = Layer.succeedContext(yield* Layer.build(RetryBudget.layerMemory({ tokens: 6, perSecond: 0 })))
    for (const http of services) {
      const client = clientOf(http).pipe(Layer.provide(RetryPolicy.layer({ attempts: 5 })), Layer.provide(shared))
      yield* timed(Effect.provide(Effect.flip(ask), client))
    }
    assert.deepStrictEqual(services.map(({ requests }) => requests.length), [5, 3])
  })
})

it.effect("shares a budget among all calls of a client, which fills again though the clock is set back", function*() {
  const refused = Effect.provide(Effect.flip(ask), RetryPolicy.layer(policy))
  for (const requests of [3, 5, 6]) {
    yield* timed(refused, "1 second")
    assert.strictEqual(yield* sent, requests)
  }
  yield* TestClock.adjust("1 hour")
  yield* timed(Effect.provideServiceEffect(refused, Clock.Clock, setBack), "1 second")
  assert.strictEqual(yield* sent, 9)
}, clientOf(service({ status: 503 }), { retries: { tokens: 3, perSecond: 0.01 } }))

it.effect("does not ask again where the budget has no room for it, and says that an attempt may have been charged", () =>
  Effect.gen(function*() {
    const { value } = yield* timed(Effect.flip(ask))
    assert.deepInclude(value.reason, { _tag: "CreditBudgetExceeded", wasSent: true })
    assert.strictEqual(value.trace.length, 1)
    assert.deepInclude(yield* balance, { charged: 0, uncertain: 1, reserved: 0, available: 0 })
  }).pipe(Effect.provide(clientOf(service(lost, ok), { allowance: 1 }))))

describe("time", () => {
  const slow: Script = { ...ok, after: "5 seconds" }
  const hurried = Effect.provide(RetryPolicy.layer({ ...policy, deadline: 3000 }))

  it.effect("cuts an attempt off, counts it as perhaps charged, and asks again", function*() {
    const { took, value } = yield* timed(Effect.provideService(ask, Policies.AttemptTimeout, 1000))
    assert.isAtMost(took, 1500)
    assert.deepInclude(value.trace[0]?.reason, { _tag: "TimedOut", limit: "attempt", mayHaveBeenCharged: true })
    assert.deepInclude(yield* balance, { charged: 1, uncertain: 1 })
  }, clientOf(service({ hangs: true }, ok)))

  it.effect("leaves no alarm behind: not of an attempt that is over, nor of one that was given up", function*() {
    const clock = yield* Clock.Clock
    let ringing = 0
    const counted: Clock.Clock = Object.assign(Object.create(clock) as Clock.Clock, {
      sleep: (duration: Duration.Duration) =>
        Effect.ensuring(
          Effect.suspend(() => {
            ringing++
            return clock.sleep(duration)
          }),
          Effect.sync(() => ringing--)
        )
    })
    const asked = Effect.provideService(ask, Clock.Clock, counted)
    yield* asked
    assert.strictEqual(ringing, 0)
    const hanging = yield* Effect.forkChild(asked, { startImmediately: true })
    yield* TestClock.adjust("1 second")
    assert.strictEqual(ringing, 1)
    yield* Fiber.interrupt(hanging)
    assert.strictEqual(ringing, 0)
  }, clientOf(service(ok, { hangs: true })))

  it.effect("gives an attempt a minute", function*() {
    const { took, value } = yield* timed(Effect.flip(Effect.provide(ask, RetryPolicy.layerNone)))
    assert(value.reason._tag === "TimedOut")
    assert.strictEqual(took, 60_000)
    assert.include(value.message, "60000 ms, the time limit of one attempt")
  }, clientOf(service({ hangs: true })))

  it.effect("leaves an attempt all the time where there is no limit", function*() {
    const { took } = yield* timed(Effect.provideService(ask, Policies.AttemptTimeout, Infinity))
    assert.strictEqual(took, 300_000)
  }, clientOf(service({ ...ok, after: "5 minutes" })))

  it.effect("ends a query at its deadline, in the middle of an attempt", function*() {
    const { took, value } = yield* timed(hurried(Effect.flip(ask)))
    assert.deepInclude(value.reason, { _tag: "TimedOut", limit: "deadline", mayHaveBeenCharged: true })
    assert.deepStrictEqual([took, value.trace.length], [3000, 1])
    assert.deepInclude(yield* balance, { uncertain: 1, reserved: 0 })
    const scheduled = RetryPolicy.layerSchedule(Schedule.recurs(1), { deadline: 2000 })
    assert.strictEqual((yield* timed(Effect.flip(Effect.provide(ask, scheduled)))).took, 2000)
  }, clientOf(service(slow)))

  it.effect("does not wait for an attempt that would begin after the deadline", function*() {
    const { took, value } = yield* timed(hurried(Effect.flip(ask)))
    assert.deepStrictEqual([value.reason._tag, took], ["ServerFault", 0])
  }, clientOf(service({ status: 503, headers: { "retry-after": "3" } }, ok)))

  it.effect("says that nothing was charged where the deadline passed before anything was sent", function*() {
    const busy = yield* Effect.forEach(Array.from({ length: 50 }), () => Effect.forkChild(ask))
    const { value } = yield* timed(hurried(Effect.flip(ask)), "3 seconds")
    assert.deepInclude(value.reason, { _tag: "TimedOut", mayHaveBeenCharged: false })
    assert.deepStrictEqual(value.trace, [])
    yield* Fiber.interruptAll(busy)
  }, clientOf(replying(() => ({ hangs: true }))))

  it.effect("keeps what other requests of the query brought before the deadline", function*() {
    const { value: part } = yield* timed(hurried(MarketData.partial(MarketData.stockPrices(["A", "B"]))))
    assert.deepStrictEqual(part.missing, ["B"])
    assert.deepStrictEqual(part.errors.map(({ reason }) => reason._tag), ["TimedOut"])
    assert.strictEqual(part.credits.charged, 1)
  }, clientOf(replying((url) => symbolsOf(url).includes("B") ? slow : ok), { maxSymbols: 1 }))
})
