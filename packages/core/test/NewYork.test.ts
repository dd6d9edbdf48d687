import { CalendarDate, NewYork } from "@effect-marketdata/core"
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { forAll, trials } from "./support/depth.ts"

const runs = trials(16_15_00)

const day = CalendarDate.parseUnsafe

const utc = (text: string): number => Date.parse(text) / 1000

const first = utc("1970-01-01T00:00:00Z")
const last = utc("2099-12-31T23:59:59Z")

const digits = "2-digit"
const fields = { year: "numeric", month: digits, day: digits, hour: digits, minute: digits, second: digits } as const
const zone = { timeZone: "America/New_York", timeZoneName: "short" } as const
const clock = new Intl.DateTimeFormat("en-US", { ...zone, ...fields, hourCycle: "h23" })

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

it("offsetSeconds changes to the second also in years that are not remembered", () => {
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
    const before = fc.integer({ min: utc("1967-01-01T05:00:00Z"), max: first - 1 })
    const outside = fc.oneof(before, fc.integer({ min: last + 1, max: utc("2199-12-31T00:00:00Z") }))
    fc.assert(fc.property(outside, (t) => NewYork.format(t) === oracle(t)), runs)
  })
})

it("epochDayOf counts the days of dateOf, and never runs backwards", () => {
  forAll(
    runs,
    instant,
    fc.nat({ max: 200_000 }),
    (t, later) =>
      NewYork.epochDayOf(t) === CalendarDate.toEpochDay(NewYork.dateOf(t)) &&
      NewYork.epochDayOf(t) <= NewYork.epochDayOf(t + later)
  )
})

describe("resolve", () => {
  it("finds exactly the instants at which clocks show the time", () => {
    forAll(runs, wallClock, (wall) => {
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
    })
  })

  it("tells the skipped and the repeated hour from their neighbours", () => {
    const tags = (date: string) =>
      [3599, 3600, 7199, 7200, 10_799, 10_800].map((second) => NewYork.resolve(day(date), second)._tag)
    assert.deepStrictEqual(tags("2026-03-08"), ["Unique", "Unique", "Unique", "Gap", "Gap", "Unique"])
    assert.deepStrictEqual(tags("2026-11-01"), ["Unique", "Overlap", "Overlap", "Unique", "Unique", "Unique"])
  })
})

it("at reads hour, minute and second on the New York clock, summer and winter", () => {
  assert.strictEqual(NewYork.at(day("2026-11-20"), 16, 0), utc("2026-11-20T21:00:00Z"))
  assert.strictEqual(NewYork.at(day("2026-07-02"), 9, 30, 1), utc("2026-07-02T13:30:01Z"))
})

it("midnight is the first second of its day", () => {
  assert.strictEqual(NewYork.midnight(day("2026-03-06")), 1_772_773_200)
  forAll(runs, wallClock, ({ date }) => {
    const start = NewYork.midnight(date)
    assert.deepStrictEqual(NewYork.fromEpochSeconds(start), { date, secondOfDay: 0 })
    assert.deepStrictEqual(NewYork.dateOf(start - 1), CalendarDate.addDays(date, -1))
  })
})

describe("formatIso", () => {
  it("prints the time that format prints, and reads back as the same instant", () => {
    forAll(runs, instant, (t) => {
      const text = NewYork.formatIso(t)
      assert.strictEqual(Date.parse(text), t * 1000)
      assert.strictEqual(text.slice(0, 19).replace("T", " "), NewYork.format(t).slice(0, 19))
    })
  })

  it("prints what is not a whole second of the years 1 to 9999 as it is", () => {
    const [first, last] = [-62_135_578_800, 253_402_318_799]
    const none = [NaN, Infinity, 0.5, 1e300, -1e300, first - 1e5, last + 1e5]
    assert.deepStrictEqual(none.map(NewYork.formatIso), none.map(String))
  })
})

it("has no time for what is not a finite number", () => {
  for (const value of [NaN, Infinity, -Infinity]) {
    const date = NewYork.dateOf(value)
    assert.isFalse(CalendarDate.isValid(date.year, date.month, date.day))
    assert.deepStrictEqual(NewYork.resolve(day("2026-11-20"), value), { _tag: "Unique", epochSeconds: NaN })
    for (const time of [NewYork.offsetSeconds, NewYork.epochDayOf, NewYork.secondOfDay]) assert.isNaN(time(value))
    assert.strictEqual(NewYork.format(value), String(value))
  }
})
