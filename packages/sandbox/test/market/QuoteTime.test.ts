import { CalendarDate, NewYork } from "@effect-marketdata/core"
import * as QuoteTime from "@effect-marketdata/sandbox/QuoteTime"
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import * as Arbitrary from "./support/arbitrary.ts"

const at = (date: string, hour: number, minute: number, second = 0): QuoteTime.QuoteTime | undefined =>
  QuoteTime.at(NewYork.at(CalendarDate.parseUnsafe(date), hour, minute, second))

const shown = (time: QuoteTime.QuoteTime | undefined): string =>
  time === undefined ? "none" : NewYork.format(time.moment)

describe("at", () => {
  it("is none outside the years of the market, and for no time at all", () => {
    assert.strictEqual(shown(at("1999-12-31", 20, 0)), "none")
    assert.strictEqual(shown(at("2000-01-03", 9, 29)), "none")
    assert.strictEqual(shown(at("2000-01-03", 9, 30)), "2000-01-03 09:30:00 EST")
    assert.strictEqual(shown(at("2096-01-01", 12, 0)), "2095-12-30 16:00:00 EST")
    assert.strictEqual(shown(at("2096-01-03", 12, 0)), "none")
    for (const never of [NaN, Infinity, -Infinity]) assert.isUndefined(QuoteTime.at(never))
  })

  it("lies in a session, never ahead, and is its own quote time", () => {
    Arbitrary.holds(fc.property(Arbitrary.moment, (moment) => {
      const time = QuoteTime.at(moment)!
      assert.isAtMost(time.moment, moment)
      assert.isAtLeast(time.moment, time.open)
      assert.isAtMost(time.moment, time.close)
      assert.strictEqual(NewYork.epochDayOf(time.moment), time.day)
      assert.deepStrictEqual(QuoteTime.at(time.moment), time)
      const late = QuoteTime.at(moment, QuoteTime.indexOvertime)!
      assert.isAtLeast(late.moment, time.moment)
      assert.isAtMost(late.moment, Math.min(moment, time.close + QuoteTime.indexOvertime))
      assert.deepStrictEqual([late.day, late.progress], [time.day, time.progress])
      assert.deepStrictEqual(QuoteTime.at(late.moment, QuoteTime.indexOvertime), late)
    }))
  })
})

it("atClose is the close of a session", () => {
  const atClose = (date: string) => QuoteTime.atClose(CalendarDate.parseUnsafe(date))
  assert.deepStrictEqual(atClose("2026-11-20"), at("2026-11-20", 20, 0))
  assert.deepStrictEqual(atClose("2026-11-27"), at("2026-11-27", 13, 0))
  const day = CalendarDate.parseUnsafe("2026-11-20")
  assert.strictEqual(shown(QuoteTime.atClose(day, QuoteTime.indexOvertime)), "2026-11-20 16:15:00 EST")
})
