import { CalendarDate, TradingCalendar } from "@effect-marketdata/core"
import * as ExpirationCycle from "@effect-marketdata/sandbox/ExpirationCycle"
import { assert, it } from "@effect/vitest"
import * as fc from "fast-check"
import * as Arbitrary from "./support/arbitrary.ts"

const epochDay = (text: string): number => CalendarDate.toEpochDay(CalendarDate.parseUnsafe(text))

const cycles = {
  daily: ExpirationCycle.daily,
  fridays: ExpirationCycle.fridays,
  thirdFridays: ExpirationCycle.thirdFridays(),
  leaps: ExpirationCycle.thirdFridays([1]),
  monthEnds: ExpirationCycle.monthEnds(),
  quarterEnds: ExpirationCycle.monthEnds([3, 6, 9, 12]),
  either: ExpirationCycle.either(ExpirationCycle.thirdFridays(), ExpirationCycle.monthEnds())
}

const anyDay = fc.integer({ min: epochDay("1994-01-01"), max: epochDay("2099-11-30") })

for (const [name, cycle] of Object.entries(cycles)) {
  it(`${name} has trading days only, and goes back the way it went`, () => {
    Arbitrary.holds(fc.property(anyDay, (day) => {
      const found = cycle.onOrAfter(day)
      assert.isAtLeast(found, day)
      assert.isTrue(TradingCalendar.isTradingDay(TradingCalendar.NYSE, CalendarDate.fromEpochDay(found)))
      assert.strictEqual(cycle.onOrAfter(found), found)
      assert.strictEqual(cycle.before(found + 1), found)
      assert.isBelow(cycle.before(day), day)
      assert.strictEqual(cycle.onOrAfter(cycle.before(day) + 1), found)
    }))
  })
}
