import { CalendarDate, NewYork } from "@effect-marketdata/core"
import { Candles, ExpirationCycle, Resolution, Spot, TradingHours } from "@effect-marketdata/sandbox"
import { assert, it } from "@effect/vitest"
import * as fc from "fast-check"
import { runs } from "../../../core/test/support/depth.ts"
import * as Arbitrary from "./support/arbitrary.ts"

const friday = CalendarDate.parseUnsafe("2026-11-20")

const at = (date: CalendarDate.CalendarDate, hour: number, minute = 0): number => NewYork.at(date, hour, minute)

const apple = Candles.make(1, Arbitrary.stock("AAPL"))

interface Asked {
  readonly from: number
  readonly to: number
  readonly at: number
  readonly extended?: boolean
}

const between = (candles: Candles.Candles, resolution: string, { at, extended = false, from, to }: Asked) =>
  candles.between({ resolution: Resolution.parse(resolution)!, from, to, at, extended })

const date = ({ t }: Candles.Timed): string => CalendarDate.format(NewYork.dateOf(t))

/** The candle that shorter ones make together. */
const together = (candles: ReadonlyArray<Candles.Candle>): Candles.Candle => ({
  o: candles[0]!.o,
  h: Math.max(...candles.map(({ h }) => h)),
  l: Math.min(...candles.map(({ l }) => l)),
  c: candles.at(-1)!.c,
  v: candles.reduce((sum, { v }) => sum + v, 0)
})

const untimed = ({ c, h, l, o, v }: Candles.Timed): Candles.Candle => ({ o, h, l, c, v })

const day = Arbitrary.dayOf2026And2027.map(ExpirationCycle.daily.onOrAfter)
const market = fc.tuple(Arbitrary.seed, Arbitrary.anyStock, day)

it("has a candle for each minute of the session, each beginning where the one before ended", () => {
  Arbitrary.holds(
    fc.property(market, ([seed, stock, day]) => {
      const { session } = TradingHours.of(day)!
      const minutes = between(Candles.make(seed, stock), "1", {
        from: session.begins,
        to: session.ends,
        at: session.ends
      })
      assert.strictEqual(minutes.length, (session.ends - session.begins) / 60)
      for (const [place, { c, h, l, o, t, v }] of minutes.entries()) {
        assert.strictEqual(t, session.begins + place * 60)
        assert.strictEqual(o, minutes[place - 1]?.c ?? Spot.price(seed, stock, day, 0))
        assert.strictEqual(c, Spot.price(seed, stock, day, (place + 1) / minutes.length))
        assert.isTrue(l <= Math.min(o, c) && h >= Math.max(o, c) && v >= 0)
      }
    }),
    { numRuns: runs(40, 10) }
  )
})

it("[4.5-bulk-candles] has days that are made of their minutes, and end with the close that options have", () => {
  Arbitrary.holds(
    fc.property(market, ([seed, stock, day]) => {
      const candles = Candles.make(seed, stock)
      const date = CalendarDate.fromEpochDay(day)
      const range = { from: at(date, 0), to: at(date, 23), at: at(date, 23) }
      const [candle, ...others] = between(candles, "D", range)
      assert.deepStrictEqual(others, [])
      assert.strictEqual(candle?.t, at(date, 0))
      for (const resolution of ["1", "7", "H", "9999"]) {
        assert.deepStrictEqual(untimed(candle!), together(between(candles, resolution, range)), resolution)
      }
      assert.strictEqual(candle?.c, Spot.close(seed, stock, day))
      assert.deepStrictEqual(untimed(candle!), candles.ofDay(day))
    }),
    { numRuns: runs(30, 10) }
  )
})

it("has weeks, months and years that are made of their days, and begin with their first session", () => {
  const candles = Candles.make(3, Arbitrary.stock("KO"))
  const range = { from: at({ year: 2025, month: 1, day: 1 }, 0), to: at(friday, 16), at: at(friday, 16) }
  const days = between(candles, "D", range)
  for (const text of ["2D", "W", "2W", "M", "3M", "Y"]) {
    const resolution = Resolution.parse(text)!
    const groups = new Map<number, Array<Candles.Timed>>()
    for (const day of days) {
      const candle = Resolution.candleOf(resolution, NewYork.epochDayOf(day.t))
      groups.set(candle, [...groups.get(candle) ?? [], day])
    }
    const expected = [...groups.values()].map((days) => ({ t: days[0]!.t, ...together(days) }))
    // The first may have begun before the range, and is then left out.
    const actual = between(candles, text, range)
    assert.isAtLeast(actual.length, expected.length - 1)
    assert.deepStrictEqual(actual, expected.slice(expected.length - actual.length), text)
  }
  const months = between(candles, "M", { ...range, from: at({ year: 2026, month: 8, day: 1 }, 0) })
  assert.deepStrictEqual(months.map(date), ["2026-08-03", "2026-09-01", "2026-10-01", "2026-11-02"])
})

it("shows nothing that lies after the moment from which one looks", () => {
  const noon = at(friday, 12)
  const asked = { from: at(friday, 0), to: at(friday, 23), at: noon + 42 }
  const minutes = between(apple, "1", asked)
  assert.strictEqual(minutes.at(-1)!.t, noon)
  const { c } = minutes.at(-1)!
  assert.deepStrictEqual(minutes.at(-1), { t: noon, o: c, h: c, l: c, c, v: 0 })
  assert.strictEqual(c, Spot.price(1, Arbitrary.stock("AAPL"), Arbitrary.day("2026-11-20"), 150 / 390))
  const [day] = between(apple, "D", asked)
  assert.deepStrictEqual(untimed(day!), together(minutes))
  assert.deepStrictEqual(between(apple, "D", { ...asked, at: at(friday, 9, 29) }), [])
  assert.strictEqual(between(apple, "W", asked).length, 0)
  const week = { ...asked, from: at({ ...friday, day: 16 }, 0) }
  assert.deepStrictEqual(untimed(between(apple, "W", week)[0]!), together(between(apple, "D", week)))
})
