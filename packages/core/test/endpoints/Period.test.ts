import { CalendarDate, Period } from "@effect-marketdata/core"
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { calendarDate } from "../support/arbitraries.ts"
import { forAll, trials } from "../support/depth.ts"
import { made, refusedFor } from "../support/everyQuery.ts"

const refused = (days: Readonly<Record<string, unknown>>) => refusedFor(Period.parameters(days))

describe("parameters", () => {
  it("writes the first and the last second of a day", () => {
    const date = { year: 2026, month: 11, day: 20 }
    const written = (secondOfDay: number) => made(Period.parameters({ to: { date, secondOfDay } }))
    assert.deepStrictEqual(written(0), [["to", "2026-11-20 00:00:00"]])
    assert.deepStrictEqual(written(86_399), [["to", "2026-11-20 23:59:59"]])
  })

  it("writes what is told from the time of the request, as the service reads it", () => {
    const before = ["-10 minutes", "-1 hour", "-1 week", "-1 month", "-1 year"] as const
    const kept = ["now", "today", ...before, "30 minutes ago", "4 hours ago", "2 days ago", "2 weeks ago"] as const
    const others = [["Yesterday", "yesterday"], [" last  session ", "last session"], ["-5 Days", "-5 days"]] as const
    for (const [given, written] of [...kept.map((text) => [text, text] as const), ...others]) {
      const range = made(Period.parameters({ from: given, to: "2026-11-20" }))
      assert.deepStrictEqual(range, [["from", written], ["to", "2026-11-20"]])
      assert.deepStrictEqual(made(Period.parameters({ date: given })), [["date", written]])
      const counted = made(Period.parameters({ to: given, countback: 2 }))
      assert.deepStrictEqual(counted, [["to", written], ["countback", "2"]])
    }
  })

  it("[7.3-cause-wrong-type] refuses a day with more before it or behind it", () => {
    for (const from of ["12026-11-20 09:30", "2026-11-20 109:30", "2026-11-20 09:30:001", "x2026-11-20 09:30:00"]) {
      assert.strictEqual(refused({ from }), "from")
    }
  })

  it("[7.3-cause-wrong-type] refuses an offset, which the service would not take into account", () => {
    for (const from of ["2026-11-20T09:30:00Z", "2026-11-20T09:30-05:00", "2026-11-20 09:30:00.5"]) {
      assert.strictEqual(refused({ from }), "from")
    }
    assert.include(Result.getOrThrow(Result.flip(Period.parameters({ to: "2026-11-20T09:30Z" }))).message, "offset")
  })

  it("[7.3-cause-wrong-type] refuses times and days that there are not", () => {
    const tos = ["2026-11-20 24:00", "2026-11-20 09:60", "2026-02-29 09:30", "2026-11-20 9:30", "the other day", ""]
    for (const to of tos) assert.strictEqual(refused({ to }), "to")
    const date = { year: 2026, month: 11, day: 20 }
    for (const secondOfDay of [-1, 86_400, 0.5, NaN]) {
      assert.strictEqual(refused({ to: { date, secondOfDay } }), "to.secondOfDay")
    }
    for (const countback of [0, -1, 1.5]) assert.strictEqual(refused({ countback }), "countback")
  })

  it("[7.3-cause-unsupported-value] refuses a day with a range, a start with a count, and an end before the start", () => {
    assert.strictEqual(refused({ date: "2026-11-19", from: "2026-11-01" }), "from")
    assert.strictEqual(refused({ date: "2026-11-19", countback: 1 }), "countback")
    assert.strictEqual(refused({ from: "2026-11-01", countback: 1 }), "countback")
    assert.strictEqual(refused({ from: "2026-11-20", to: "2026-11-19" }), "from")
    assert.strictEqual(refused({ from: "2026-11-20 10:00", to: "2026-11-20 09:59:59" }), "from")
    assert.strictEqual(refused({ from: "2026-11-20 10:00", to: "2026-11-20" }), undefined)
  })
})

describe("split", () => {
  it("has every day of the range in one part, and none in two", () => {
    const days = fc.integer({ min: 0, max: 2000 })
    const range = fc.tuple(calendarDate(1990, 2040), days, fc.integer({ min: 1, max: 999 }))
    forAll(trials(5), range, ([from, more, days]) => {
      const to = CalendarDate.addDays(from, more)
      const parts = made(Period.split({ from, to }, days))
      assert.deepStrictEqual(parts[0]?.from, from)
      assert.deepStrictEqual(parts.at(-1)?.to, to)
      parts.forEach((part, index) => {
        const length = CalendarDate.daysBetween(part.from, part.to) + 1
        assert.isTrue(length >= 1 && length <= days)
        const next = parts[index + 1]
        if (next !== undefined) {
          assert.strictEqual(length, days)
          assert.deepStrictEqual(next.from, CalendarDate.addDays(part.to, 1))
        }
      })
    })
  })

  it("[7.3-cause-wrong-type] refuses what are not days, and parts without any", () => {
    const refusal = (from: string, to: string, days: number) => refusedFor(Period.split({ from, to }, days))
    assert.strictEqual(refusal("soon", "2026-11-03", 1), "from")
    assert.strictEqual(refusal("2026-11-01", "2026-11-03 10:00", 1), "to")
    assert.strictEqual(refusal("2026-11-04", "2026-11-03", 1), "from")
    for (const days of [0, -1, 1.5, NaN]) assert.strictEqual(refusal("2026-11-01", "2026-11-03", days), "days")
  })
})

it("isGiven tells whether any days are named", () => {
  assert.isFalse(Period.isGiven({}))
  assert.isFalse(Period.isGiven({ date: undefined, from: undefined }))
  for (const days of [{ date: "2026-11-19" }, { from: "2026-11-19" }, { to: "2026-11-19" }, { countback: 1 }]) {
    assert.isTrue(Period.isGiven(days))
  }
})
