import * as NewYork from "@effect-marketdata/core/NewYork"
import { QuoteTime, Spot, TradingHours } from "@effect-marketdata/sandbox"
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import * as Arbitrary from "./support/arbitrary.ts"
import { day } from "./support/arbitrary.ts"

const clock = (epochSeconds: number): string => NewYork.format(epochSeconds).slice(11, 16)

const hours = (text: string): ReadonlyArray<string> =>
  TradingHours.of(day(text))!.stretches.map(({ begins, ends }) => `${clock(begins)}–${clock(ends)}`)

describe("of", () => {
  it("has the session, and the hours before and after it", () => {
    assert.deepStrictEqual(hours("2026-11-20"), ["04:00–09:30", "09:30–16:00", "16:00–20:00"])
    assert.deepStrictEqual(hours("2026-11-27"), ["04:00–09:30", "09:30–13:00", "13:00–17:00"])
    assert.deepStrictEqual(hours("2026-07-06"), ["04:00–09:30", "09:30–16:00", "16:00–20:00"])
    const { session, stretches } = TradingHours.of(day("2026-11-20"))!
    assert.strictEqual(session, stretches[1])
  })

  it("is none on a day without a session, and outside the years of the market", () => {
    for (const text of ["2026-11-21", "2026-11-26", "1999-12-31", "2096-01-03"]) {
      assert.isUndefined(TradingHours.of(day(text)))
    }
  })
})

it("marketTime is the time by which options are priced, to the last bit", () => {
  Arbitrary.holds(fc.property(Arbitrary.moment, (moment) => {
    const time = QuoteTime.at(moment)!
    const { session } = TradingHours.of(time.day)!
    const shown = TradingHours.marketTime(time.day, session, time.moment)
    assert.strictEqual(shown, time.day + Spot.inSession * time.progress)
  }))
})
