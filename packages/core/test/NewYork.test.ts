import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as NewYork from "@effect-marketdata/core/NewYork"
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { trials } from "./support/depth.ts"

const runs = trials(16_15_00)

const day = CalendarDate.parseUnsafe

const utc = (text: string): number => Date.parse(text) / 1000

const first = utc("1970-01-01T00:00:00Z")
const last = utc("2099-12-31T23:59:59Z")

const clock = new Intl.DateTimeFormat("en-US", {
  timeZone: "America/New_York",
  hourCycle: "h23",
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  timeZoneName: "short"
})

/** What the time-zone data of this Node say, in the form of `NewYork.format`. They name no zone before 1970, only its offset. */
const oracle = (epochSeconds: number): string =>
  clock.format(epochSeconds * 1000).replace(/^(\d\d)\/(\d\d)\/(\d{4}), /, "$3-$1-$2 ")
    .replace("GMT-5", "EST").replace("GMT-4", "EDT")

/** Every change of the clock from 1970 to 2099, found by the oracle alone. */
const transitions: ReadonlyArray<number> = (() => {
  const found: Array<number> = []
  const zone = (epochSeconds: number) => oracle(epochSeconds).slice(-3)
  const step = 20 * 86_400
  for (let from = first; from < last; from += step) {
    let before = from
    let after = from + step
    const zoneBefore = zone(before)
    if (zoneBefore === zone(after)) continue
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2)
      if (zone(middle) === zoneBefore) before = middle
      else after = middle
    }
    found.push(after)
  }
  return found
})()

const anywhere = fc.integer({ min: first, max: last })
const nearTransition = fc.tuple(fc.constantFrom(...transitions), fc.integer({ min: -7200, max: 7200 })).map(
  ([transition, distance]) => transition + distance
)
const instant = fc.oneof(anywhere, nearTransition)

const wallClock: fc.Arbitrary<NewYork.WallClock> = fc.oneof(
  fc.record({
    date: fc.integer({ min: 0, max: CalendarDate.toEpochDay(day("2099-12-31")) }).map(CalendarDate.fromEpochDay),
    secondOfDay: fc.integer({ min: 0, max: 86_399 })
  }),
  fc.record({
    date: fc.constantFrom(...transitions).map(NewYork.dateOf),
    secondOfDay: fc.integer({ min: 0, max: 4 * 3600 })
  })
)

const shifted = (wall: NewYork.WallClock, seconds: number): NewYork.WallClock => ({
  ...wall,
  secondOfDay: wall.secondOfDay + seconds
})

describe("NewYork", () => {
  describe("offsetSeconds", () => {
    it("changes to the second also where no table reaches", () => {
      const changes = [
        ["1960-04-24T07:00:00Z", -18_000, -14_400],
        ["1960-10-30T06:00:00Z", -14_400, -18_000],
        ["2150-03-08T07:00:00Z", -18_000, -14_400],
        ["2150-11-01T06:00:00Z", -14_400, -18_000]
      ] as const
      for (const [instant, before, after] of changes) {
        assert.strictEqual(NewYork.offsetSeconds(utc(instant) - 1), before, instant)
        assert.strictEqual(NewYork.offsetSeconds(utc(instant)), after, instant)
      }
    })

    it("has NaN for what is not a finite number", () => {
      for (const value of [NaN, Infinity, -Infinity]) assert.isNaN(NewYork.offsetSeconds(value))
    })

    it("holds a second to its last fraction", () => {
      const change = utc("2026-03-08T07:00:00Z")
      assert.strictEqual(NewYork.offsetSeconds(change - 1 / 1024), -18_000)
      assert.strictEqual(NewYork.offsetSeconds(change), -14_400)
    })
  })

  describe("agreement with the time-zone data of this Node", () => {
    it("at every change of the clock from 1970 to 2099, a second and an hour around it", () => {
      assert.strictEqual(transitions.length, 260)
      for (const transition of transitions) {
        for (const distance of [-3601, -3600, -3599, -1, 0, 1, 3599, 3600, 3601]) {
          assert.strictEqual(NewYork.format(transition + distance), oracle(transition + distance))
        }
      }
    })

    it("before 1970 as far as the rules of 1967 reach, and after 2099", () => {
      const outside = fc.oneof(
        fc.integer({ min: utc("1967-01-01T05:00:00Z"), max: first - 1 }),
        fc.integer({ min: last + 1, max: utc("2199-12-31T00:00:00Z") })
      )
      fc.assert(fc.property(outside, (t) => NewYork.format(t) === oracle(t)), runs)
    })
  })

  describe("dateOf", () => {
    it("turns over at midnight in New York", () => {
      assert.deepStrictEqual(NewYork.dateOf(utc("2026-11-21T04:59:59Z")), day("2026-11-20"))
      assert.deepStrictEqual(NewYork.dateOf(utc("2026-11-21T05:00:00Z")), day("2026-11-21"))
      assert.deepStrictEqual(NewYork.dateOf(utc("2026-07-04T03:59:59.999Z")), day("2026-07-03"))
    })

    it("gives no valid day for what is not a finite number", () => {
      const { day, month, year } = NewYork.dateOf(NaN)
      assert.isFalse(CalendarDate.isValid(year, month, day))
    })
  })

  describe("epochDayOf", () => {
    it("counts the days of dateOf, and never runs backwards", () => {
      fc.assert(
        fc.property(
          instant,
          fc.nat({ max: 200_000 }),
          (t, later) =>
            NewYork.epochDayOf(t) === CalendarDate.toEpochDay(NewYork.dateOf(t)) &&
            NewYork.epochDayOf(t) <= NewYork.epochDayOf(t + later)
        ),
        runs
      )
    })

    it("has NaN for what is not a finite number", () => {
      for (const value of [NaN, Infinity, -Infinity]) assert.isNaN(NewYork.epochDayOf(value))
    })
  })

  describe("secondOfDay", () => {
    it("is what the clock shows, on days of 23 and 25 hours too", () => {
      for (const date of ["2026-03-08", "2026-11-01", "2026-11-20"]) {
        assert.strictEqual(NewYork.secondOfDay(NewYork.at(day(date), 16, 15)), 16 * 3600 + 900)
      }
    })

    it("counts a fraction to the second it is in", () => {
      assert.strictEqual(NewYork.secondOfDay(utc("2026-11-20T14:30:00.999Z")), 34_200)
      assert.strictEqual(NewYork.secondOfDay(utc("1969-12-31T23:59:59.500Z")), 68_399)
    })

    it("has NaN for what is not a finite number", () => {
      for (const value of [NaN, Infinity, -Infinity]) assert.isNaN(NewYork.secondOfDay(value))
    })
  })

  describe("toEpochSeconds", () => {
    it("moves a time that spring skips forward by an hour", () => {
      assert.strictEqual(NewYork.toEpochSeconds(day("2026-03-08"), 2.5 * 3600), utc("2026-03-08T07:30:00Z"))
      assert.strictEqual(NewYork.format(NewYork.at(day("2026-03-08"), 2, 30)), "2026-03-08 03:30:00 EDT")
    })

    it("takes the earlier of two instants", () => {
      assert.strictEqual(NewYork.toEpochSeconds(day("2026-11-01"), 1.5 * 3600), utc("2026-11-01T05:30:00Z"))
    })
  })

  describe("resolve", () => {
    it("finds exactly the instants at which clocks show the time", () => {
      fc.assert(
        fc.property(wallClock, (wall) => {
          const resolution = NewYork.resolve(wall.date, wall.secondOfDay)
          switch (resolution._tag) {
            case "Unique": {
              assert.deepStrictEqual(NewYork.fromEpochSeconds(resolution.epochSeconds), wall)
              for (const hour of [-3600, 3600]) {
                assert.notDeepEqual(NewYork.fromEpochSeconds(resolution.epochSeconds + hour), wall)
              }
              break
            }
            case "Overlap": {
              assert.strictEqual(resolution.later - resolution.earlier, 3600)
              assert.deepStrictEqual(NewYork.fromEpochSeconds(resolution.earlier), wall)
              assert.deepStrictEqual(NewYork.fromEpochSeconds(resolution.later), wall)
              break
            }
            case "Gap": {
              assert.strictEqual(resolution.later - resolution.earlier, 3600)
              assert.deepStrictEqual(NewYork.fromEpochSeconds(resolution.earlier), shifted(wall, -3600))
              assert.deepStrictEqual(NewYork.fromEpochSeconds(resolution.later), shifted(wall, 3600))
            }
          }
        }),
        runs
      )
    })

    it("tells the skipped and the repeated hour from their neighbours", () => {
      const tags = (date: string) =>
        [3599, 3600, 7199, 7200, 10_799, 10_800].map((second) => NewYork.resolve(day(date), second)._tag)
      assert.deepStrictEqual(tags("2026-03-08"), ["Unique", "Unique", "Unique", "Gap", "Gap", "Unique"])
      assert.deepStrictEqual(tags("2026-11-01"), ["Unique", "Overlap", "Overlap", "Unique", "Unique", "Unique"])
    })

    it("has NaN for a time that is not a finite number", () => {
      assert.deepStrictEqual(NewYork.resolve(day("2026-11-20"), NaN), { _tag: "Unique", epochSeconds: NaN })
    })
  })

  describe("at", () => {
    it("reads hour, minute and second on the New York clock, summer and winter", () => {
      assert.strictEqual(NewYork.at(day("2026-11-20"), 16, 0), utc("2026-11-20T21:00:00Z"))
      assert.strictEqual(NewYork.at(day("2026-07-02"), 9, 30, 1), utc("2026-07-02T13:30:01Z"))
    })
  })

  describe("midnight", () => {
    it("is the first second of its day", () => {
      assert.strictEqual(NewYork.midnight(day("2026-03-06")), 1_772_773_200)
      fc.assert(
        fc.property(wallClock, ({ date }) => {
          const start = NewYork.midnight(date)
          assert.deepStrictEqual(NewYork.fromEpochSeconds(start), { date, secondOfDay: 0 })
          assert.deepStrictEqual(NewYork.dateOf(start - 1), CalendarDate.addDays(date, -1))
        }),
        runs
      )
    })
  })

  describe("format", () => {
    it("names the offset in force", () => {
      assert.strictEqual(NewYork.format(utc("2026-11-20T21:00:00Z")), "2026-11-20 16:00:00 EST")
      assert.strictEqual(NewYork.format(utc("2026-11-01T05:05:09.700Z")), "2026-11-01 01:05:09 EDT")
      assert.strictEqual(NewYork.format(utc("2026-11-01T06:05:09Z")), "2026-11-01 01:05:09 EST")
    })

    it("prints what is not a finite number as it is", () => {
      assert.deepStrictEqual([NaN, Infinity, -Infinity].map(NewYork.format), ["NaN", "Infinity", "-Infinity"])
    })
  })
})
