import * as MarketData from "@effect-marketdata/client/MarketData"
import * as Policies from "@effect-marketdata/client/Policies"
import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Random from "effect/Random"
import * as TestClock from "effect/testing/TestClock"
import { balance, clientOf, pricesBody, replying, type Script, service, symbolsOf } from "./support/scripted.ts"

const ok: Script = { status: 200, body: pricesBody(["A"]) }
const lost: Script = { fails: "ECONNRESET" }
const ask = MarketData.stockPrices(["A"])
const policy = { attempts: 3, base: 200, cap: 5000, retryAfter: 30_000 }

/** Runs a query while the clock goes on, and says how long it took in milliseconds. */
const timed = <A, E, R>(query: Effect.Effect<A, E, R>, most: Duration.Input = "10 minutes") =>
  Effect.gen(function*() {
    const start = yield* Clock.currentTimeMillis
    const fiber = yield* Effect.forkChild(
      Effect.flatMap(query, (value) => Effect.map(Clock.currentTimeMillis, (end) => ({ value, took: end - start })))
    )
    yield* TestClock.adjust(most)
    return yield* Fiber.join(fiber)
  })

describe("retry", () => {
  for (const first of [{ status: 503 }, { status: 502 }, { status: 429 }, lost, { fails: "ECONNREFUSED" }] as const) {
    it.effect(`asks again after ${JSON.stringify(first)}`, () => {
      const http = service(first, ok)
      return Effect.gen(function*() {
        const { value } = yield* timed(ask)
        assert.strictEqual(value.trace.length, 2)
        assert.strictEqual(http.requests.length, 2)
      }).pipe(Effect.provide(clientOf(http)))
    })
  }

  for (const status of [400, 401, 402, 403, 404, 413, 500, 204, 302]) {
    it.effect(`does not ask again after ${status}`, () => {
      const http = service({ status }, ok)
      return Effect.gen(function*() {
        yield* Effect.flip(ask)
        assert.strictEqual(http.requests.length, 1)
      }).pipe(Effect.provide(clientOf(http)))
    })
  }

  it.effect("waits longer each time, by a random part of it", () =>
    Effect.gen(function*() {
      const waits: Array<number> = []
      for (const seed of ["a", "b", "c"]) {
        const { took } = yield* timed(Effect.flip(ask).pipe(Random.withSeed(seed)))
        assert.isAtMost(took, 200 + 400)
        waits.push(took)
      }
      assert.strictEqual(new Set(waits).size, 3)
    }).pipe(
      Effect.provideService(Policies.Retry, policy),
      Effect.provide(clientOf(service(lost)))
    ))

  it.effect("leaves the service alone for as long as it asks", () =>
    Effect.gen(function*() {
      const { took } = yield* timed(ask)
      assert.isAtLeast(took, 20_000)
      assert.isAtMost(took, 20_200)
    }).pipe(Effect.provide(clientOf(service({ status: 503, headers: { "retry-after": "20" } }, ok)))))

  it.effect("gives up at once where the service asks for more than the policy allows", () => {
    const http = service({ status: 503, headers: { "retry-after": "31" } }, ok)
    return Effect.gen(function*() {
      const { took, value } = yield* timed(Effect.flip(ask))
      assert.strictEqual(value.reason._tag, "ServerFault")
      assert.deepStrictEqual([took, http.requests.length], [0, 1])
    }).pipe(Effect.provide(clientOf(http)))
  })

  it.effect("can be forbidden for one call", () => {
    const http = service({ status: 503 }, ok)
    return Effect.gen(function*() {
      yield* Effect.flip(Effect.provideService(ask, Policies.Retry, { ...policy, attempts: 1 }))
      assert.strictEqual(http.requests.length, 1)
    }).pipe(Effect.provide(clientOf(http)))
  })

  it.effect("shares a budget among all calls of a client, which time fills again", () => {
    const http = service({ status: 503 })
    return Effect.gen(function*() {
      for (const requests of [3, 5, 6]) {
        yield* timed(Effect.flip(ask), "1 second")
        assert.strictEqual(http.requests.length, requests)
      }
      yield* TestClock.adjust("1 hour")
      yield* timed(Effect.flip(ask), "1 second")
      assert.strictEqual(http.requests.length, 9)
    }).pipe(Effect.provide(clientOf(http, { retries: { tokens: 3, perSecond: 0.01 } })))
  })

  it.effect("counts every attempt that may have been charged, and makes room for the next", () =>
    Effect.gen(function*() {
      const { value } = yield* timed(ask)
      assert.strictEqual(value.credits.charged, 1)
      assert.deepInclude(yield* balance, { charged: 1, uncertain: 2, reserved: 0, available: 0, overruns: [] })
    }).pipe(Effect.provide(clientOf(service(lost, lost, ok), { allowance: 3 }))))

  it.effect("does not ask again where the budget has no room for it, and says that an attempt may have been charged", () =>
    Effect.gen(function*() {
      const { value } = yield* timed(Effect.flip(ask))
      assert(value.reason._tag === "CreditBudgetExceeded")
      assert.isTrue(value.reason.wasSent)
      assert.strictEqual(value.trace.length, 1)
      assert.deepInclude(yield* balance, { charged: 0, uncertain: 1, reserved: 0, available: 0 })
    }).pipe(Effect.provide(clientOf(service(lost, ok), { allowance: 1 }))))

  describe("time", () => {
    const slow: Script = { ...ok, after: "5 seconds" }

    it.effect("cuts an attempt off, counts it as perhaps charged, and asks again", () => {
      const http = service({ hangs: true }, ok)
      return Effect.gen(function*() {
        const { took, value } = yield* timed(Effect.provideService(ask, Policies.AttemptTimeout, 1000))
        assert.isAtMost(took, 1200)
        assert.deepInclude(value.trace[0]?.reason, { _tag: "TimedOut", limit: "attempt", mayHaveBeenCharged: true })
        assert.deepInclude(yield* balance, { charged: 1, uncertain: 1 })
      }).pipe(Effect.provide(clientOf(http)))
    })

    it.effect("leaves no alarm behind: not of an attempt that is over, nor of one that was given up", () =>
      Effect.gen(function*() {
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
      }).pipe(Effect.provide(clientOf(service(ok, { hangs: true })))))

    it.effect("gives an attempt a minute", () =>
      Effect.gen(function*() {
        const { took, value } = yield* timed(
          Effect.flip(Effect.provideService(ask, Policies.Retry, { ...policy, attempts: 1 }))
        )
        assert(value.reason._tag === "TimedOut")
        assert.strictEqual(took, 60_000)
        assert.include(value.message, "60000 ms for one attempt")
      }).pipe(Effect.provide(clientOf(service({ hangs: true })))))

    it.effect("leaves an attempt all the time where there is no limit", () =>
      Effect.gen(function*() {
        const { took } = yield* timed(Effect.provideService(ask, Policies.AttemptTimeout, Infinity))
        assert.strictEqual(took, 300_000)
      }).pipe(Effect.provide(clientOf(service({ ...ok, after: "5 minutes" })))))

    it.effect("ends a query at its deadline, in the middle of an attempt", () =>
      Effect.gen(function*() {
        const { took, value } = yield* timed(
          Effect.flip(Effect.provideService(ask, Policies.Retry, { ...policy, deadline: 3000 }))
        )
        assert(value.reason._tag === "TimedOut")
        assert.deepStrictEqual([value.reason.limit, value.reason.mayHaveBeenCharged], ["deadline", true])
        assert.strictEqual(took, 3000)
        assert.strictEqual(value.trace.length, 1)
        assert.deepInclude(yield* balance, { uncertain: 1, reserved: 0 })
      }).pipe(Effect.provide(clientOf(service(slow)))))

    it.effect("does not wait for an attempt that would begin after the deadline", () =>
      Effect.gen(function*() {
        const { took, value } = yield* timed(
          Effect.flip(Effect.provideService(ask, Policies.Retry, { ...policy, deadline: 3000 }))
        )
        assert.strictEqual(value.reason._tag, "ServerFault")
        assert.strictEqual(took, 0)
      }).pipe(Effect.provide(clientOf(service({ status: 503, headers: { "retry-after": "3" } }, ok)))))

    it.effect("says that nothing was charged where the deadline passed before anything was sent", () => {
      const http = replying(() => ({ hangs: true }))
      return Effect.gen(function*() {
        const busy = yield* Effect.forEach(Array.from({ length: 50 }), () => Effect.forkChild(ask))
        const { value } = yield* timed(
          Effect.flip(Effect.provideService(ask, Policies.Retry, { ...policy, deadline: 3000 })),
          "3 seconds"
        )
        assert(value.reason._tag === "TimedOut")
        assert.isFalse(value.reason.mayHaveBeenCharged)
        assert.deepStrictEqual(value.trace, [])
        yield* Fiber.interruptAll(busy)
      }).pipe(Effect.provide(clientOf(http)))
    })

    it.effect("keeps what other requests of the query brought before the deadline", () => {
      const http = replying((url) => symbolsOf(url).includes("B") ? slow : ok)
      return Effect.gen(function*() {
        const { value: part } = yield* timed(
          MarketData.partial(MarketData.stockPrices(["A", "B"])).pipe(
            Effect.provideService(Policies.Retry, { ...policy, deadline: 3000 })
          )
        )
        assert.deepStrictEqual(part.missing, ["B"])
        assert.deepStrictEqual(part.errors.map(({ reason }) => reason._tag), ["TimedOut"])
        assert.strictEqual(part.credits.charged, 1)
      }).pipe(Effect.provide(clientOf(http, { maxSymbols: 1 })))
    })
  })
})
