import * as Resolution from "@effect-marketdata/sandbox/Resolution"
import { assert, describe, it } from "@effect/vitest"
import { day } from "./support/arbitrary.ts"

const isOneCandle = (resolution: string, ...days: ReadonlyArray<string>): boolean =>
  new Set(days.map((text) => Resolution.candleOf(Resolution.parse(resolution)!, day(text)))).size === 1

it("parse reads nothing else", () => {
  for (const text of ["", "0", "01", "-5", "1.5", "5min", "D5", "2daily", "Q", " D", "constructor"]) {
    assert.isUndefined(Resolution.parse(text), text)
  }
})

describe("candleOf", () => {
  it("gathers weeks from Monday to Sunday, months, and years", () => {
    assert.isTrue(isOneCandle("W", "2026-11-16", "2026-11-20", "2026-11-22"))
    assert.isFalse(isOneCandle("W", "2026-11-22", "2026-11-23"))
    assert.isTrue(isOneCandle("M", "2026-11-01", "2026-11-30"))
    assert.isFalse(isOneCandle("M", "2026-11-30", "2026-12-01"))
    assert.isFalse(isOneCandle("M", "2025-11-30", "2026-11-30"))
    assert.isTrue(isOneCandle("3M", "2026-10-01", "2026-12-31"))
    assert.isFalse(isOneCandle("3M", "2026-09-30", "2026-10-01"))
    assert.isTrue(isOneCandle("Y", "2026-01-01", "2026-12-31"))
    assert.isFalse(isOneCandle("Y", "2026-12-31", "2027-01-01"))
  })

  it("counts many days as weekdays", () => {
    assert.isFalse(isOneCandle("D", "2026-11-19", "2026-11-20"))
    assert.isTrue(isOneCandle("5D", "2026-11-16", "2026-11-20"))
    assert.isFalse(isOneCandle("5D", "2026-11-20", "2026-11-23"))
    const candles = new Map<number, number>()
    for (let at = day("2026-03-02"); at < day("2026-08-01"); at++) {
      // Day 4 was a Monday.
      if ((at - 4) % 7 >= 5) continue
      const candle = Resolution.candleOf({ unit: "day", count: 3 }, at)
      candles.set(candle, (candles.get(candle) ?? 0) + 1)
    }
    assert.isTrue([...candles.values()].slice(1, -1).every((days) => days === 3))
  })
})
