import * as MaxAge from "@effect-marketdata/core/MaxAge"
import { assert, describe, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { hostileText } from "./support/arbitraries.ts"

const runs = { numRuns: 10_000, seed: 8_3 }

const sent = (input: MaxAge.Input | string): string =>
  Result.match(MaxAge.parse(input), { onFailure: (error) => error.problem, onSuccess: MaxAge.format })

describe("MaxAge", () => {
  describe("parse and format", () => {
    it("[8.3-maxage-forms] send whole minutes, and whole hours as hours", () => {
      const cases: ReadonlyArray<readonly [MaxAge.Input, string]> = [
        ["1h", "1h"],
        ["5min", "5min"],
        ["60min", "1h"],
        ["90min", "90min"],
        ["5 minutes", "5min"],
        ["2 hours", "2h"],
        ["1 day", "24h"],
        [60_000, "1min"],
        [Duration.minutes(61), "61min"],
        [{ hours: 1, minutes: 30 }, "90min"]
      ]
      for (const [input, expected] of cases) assert.strictEqual(sent(input), expected)
    })

    it("[8.3-maxage-forms] round down, so that nothing older comes back than was asked for", () => {
      assert.strictEqual(sent("90 seconds"), "1min")
      assert.strictEqual(sent("119999 millis"), "1min")
      assert.strictEqual(sent("1.99 hours"), "119min")
      fc.assert(
        fc.property(fc.integer({ min: 60_000, max: 1_000_000_000 }), (millis) => {
          const { minutes } = Result.getOrThrow(MaxAge.parse(millis))
          assert.isAtMost(minutes * 60_000, millis)
          assert.isAbove((minutes + 1) * 60_000, millis)
        }),
        runs
      )
    })

    it("[8.3-maxage-forms] refuse less than a minute", () => {
      for (const input of ["59 seconds", "0min", "0h", 59_999, 0, -60_000, "-5 minutes"] as const) {
        assert.strictEqual(sent(input), "UnderAMinute")
      }
    })

    it("are inverse to each other", () => {
      fc.assert(
        fc.property(fc.integer({ min: 1, max: 999_999_999 }), (minutes) => {
          const text = MaxAge.format({ minutes })
          assert.match(text, /^\d+(min|h)$/)
          assert.deepStrictEqual(MaxAge.parse(text), Result.succeed({ minutes }))
        }),
        runs
      )
    })

    it("refuse an age without end, and what is no duration", () => {
      assert.strictEqual(sent("Infinity"), "NotFinite")
      assert.strictEqual(sent(Infinity), "NotFinite")
      for (
        const text of [
          "",
          "5",
          "5m",
          "five minutes",
          "1h30min",
          "5MIN",
          "1h\n",
          "2026-11-20T10:00",
          "9".repeat(10) + "h"
        ]
      ) {
        assert.strictEqual(sent(text), "NotADuration")
      }
    })

    it("answer every text with minutes or with a bounded error in one line", () => {
      fc.assert(
        fc.property(hostileText, (text) => {
          const parsed = MaxAge.parse(text)
          if (Result.isSuccess(parsed)) return assert.isTrue(Number.isInteger(parsed.success.minutes))
          assert.strictEqual(parsed.failure.input, text)
          assert.isBelow(parsed.failure.message.length, 700)
          assert.notInclude(parsed.failure.message, "\n")
        }),
        runs
      )
      assert.strictEqual(sent("9".repeat(1_000_000) + "h"), "NotADuration")
      assert.strictEqual(sent(" ".repeat(1_000_000)), "NotADuration")
    })

    it("say in each message what to write instead", () => {
      const message = (input: MaxAge.Input | string) => Result.getOrThrow(Result.flip(MaxAge.parse(input))).message
      assert.include(message("soon"), `"soon" is no duration: write "5 minutes"`)
      assert.include(message("1 second"), "under a minute")
      assert.include(message("Infinity"), "leave maxAge out")
    })
  })
})
