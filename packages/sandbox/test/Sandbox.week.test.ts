import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as NewYork from "@effect-marketdata/core/NewYork"
import * as Sandbox from "@effect-marketdata/sandbox/Sandbox"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as TestClock from "effect/testing/TestClock"
import { ask, consumed, isData, json, newest } from "./support/service.ts"

const monday = CalendarDate.parseUnsafe("2026-11-16")

/** Every five minutes from one Monday's 9:30 to the next one's. */
const polls = 7 * 24 * 12

describe("Sandbox", () => {
  it.effect("lives through a trading week under a virtual clock: a poller sees every session, and nothing between them", () =>
    Effect.gen(function*() {
      const seen: Array<
        { readonly at: number; readonly updated: number; readonly bid: number; readonly credits: number }
      > = []
      const poll = Effect.gen(function*() {
        const at = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
        const reply = yield* ask("/v1/stocks/quotes/AAPL/?mode=live")
        assert.isTrue(isData(reply), `${reply.status}`)
        seen.push({
          at: at / 1000,
          updated: newest(reply),
          bid: Number(json(reply)["bid"]?.[0]),
          credits: consumed(reply)
        })
      })
      yield* TestClock.setTime(NewYork.at(monday, 9, 30) * 1000)
      yield* Effect.forkChild(Effect.repeat(poll, Schedule.spaced("5 minutes")))
      yield* TestClock.adjust("7 days")

      assert.isAtLeast(seen.length, polls)
      const days = new Set(seen.map(({ updated }) => CalendarDate.format(NewYork.dateOf(updated))))
      assert.deepStrictEqual([...days].slice(0, 6), [
        "2026-11-16",
        "2026-11-17",
        "2026-11-18",
        "2026-11-19",
        "2026-11-20",
        "2026-11-23"
      ])
      for (const { at, updated } of seen) {
        const { secondOfDay } = NewYork.fromEpochSeconds(updated)
        assert.isAtMost(updated, at)
        assert.isAtLeast(secondOfDay, 9.5 * 3600)
        assert.isAtMost(secondOfDay, 16 * 3600)
      }
      // Prices move within the sessions, and rest between them.
      assert.isAbove(new Set(seen.map(({ bid }) => bid)).size, 200)
      const asleep = seen.filter(({ at, updated }) => at - updated > 3600)
      assert.isAbove(asleep.length, polls / 2)
      const sandbox = yield* Sandbox.Sandbox
      assert.strictEqual(yield* sandbox.billed, seen.reduce((sum, { credits }) => sum + credits, 0))
    }).pipe(Effect.provide(Sandbox.layer({ seed: 1 }))))
})
