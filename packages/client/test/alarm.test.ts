/** The alarm of an attempt, by the usual clock and by others. */
import * as MarketData from "@effect-marketdata/client/MarketData"
import * as Policies from "@effect-marketdata/client/Policies"
import * as RetryPolicy from "@effect-marketdata/client/RetryPolicy"
import { assert, describe, it, vi } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import * as Alarm from "../src/sending/alarm.ts"
import { clientOf, service } from "./support/scripted.ts"

const usual = Context.get(Context.empty(), Clock.Clock)

/** Sets an alarm with the timers of the host in our hand. */
const withTimers = (
  milliseconds: number,
  use: (alarm: { readonly rings: () => number; readonly stop: () => void }) => void
): void => {
  vi.useFakeTimers()
  try {
    let rings = 0
    const stop = Alarm.set(usual, milliseconds, () => rings++)
    use({ rings: () => rings, stop })
    assert.strictEqual(vi.getTimerCount(), 0, "no timer is left that would keep the process alive")
  } finally {
    vi.useRealTimers()
  }
}

describe("the alarm of an attempt", () => {
  it("rings once by the usual clock, when its time has come", () =>
    withTimers(60_000, ({ rings, stop }) => {
      vi.advanceTimersByTime(59_999)
      assert.strictEqual(rings(), 0)
      vi.advanceTimersByTime(1)
      assert.strictEqual(rings(), 1)
      stop()
      vi.advanceTimersByTime(120_000)
      assert.strictEqual(rings(), 1)
    }))

  it("does not ring once it is stopped", () =>
    withTimers(60_000, ({ rings, stop }) => {
      stop()
      vi.advanceTimersByTime(120_000)
      assert.strictEqual(rings(), 0)
    }))

  it("rings no earlier where it is set for longer than a timer of the host", () =>
    withTimers(2 ** 31 + 1000, ({ rings }) => {
      vi.advanceTimersByTime(2 ** 31)
      assert.strictEqual(rings(), 0)
      vi.advanceTimersByTime(1000)
      assert.strictEqual(rings(), 1)
    }))

  it("ends an attempt by the usual clock", async () => {
    vi.useFakeTimers()
    try {
      const asked = MarketData.stockQuote("AAPL").pipe(
        Effect.flip,
        Effect.provideService(Policies.AttemptTimeout, 1000),
        Effect.provide(RetryPolicy.layerNone),
        Effect.provide(clientOf(service({ hangs: true }))),
        Effect.runPromise
      )
      await vi.advanceTimersByTimeAsync(1000)
      assert.deepInclude((await asked).reason, { _tag: "TimedOut", limit: "attempt" })
      assert.strictEqual(vi.getTimerCount(), 0)
    } finally {
      vi.useRealTimers()
    }
  })

  it.effect("goes by a clock that the program provides", () =>
    Effect.gen(function*() {
      let rings = 0
      const clock = yield* Clock.Clock
      Alarm.set(clock, 1000, () => rings++)
      const stop = Alarm.set(clock, 1000, () => rings++)
      stop()
      yield* TestClock.adjust(999)
      assert.strictEqual(rings, 0)
      yield* TestClock.adjust(1)
      assert.strictEqual(rings, 1)
    }))
})
