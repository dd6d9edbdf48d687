import { NewYork, TradingCalendar, WorkloadSchedule as Schedule } from "@effect-marketdata/core"
import { assert, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { forAll, runs } from "./support/depth.ts"

const day = (date: number, hour: number, minute = 0) => NewYork.at({ year: 2026, month: 11, day: date }, hour, minute)

/** Friday at noon. */
const now: Schedule.Now = { now: day(20, 12), calendar: TradingCalendar.NYSE }

const read = (text: string, at = now) => Result.getOrThrow(Schedule.parse(text, at))

const minutely = (date: number, times = 390) => ({ first: day(date, 9, 30), every: 60, times })

it("is the session that runs where no day is named, and the next one when it is over", () => {
  assert.deepStrictEqual(read("every 1min"), [minutely(20)])
  assert.deepStrictEqual(read("every 1min", { ...now, now: day(20, 16) }), [minutely(23)])
  assert.deepStrictEqual(read("every 1min", { ...now, now: day(21, 12) }), [minutely(23)])
})

it("does not include the last time", () => {
  assert.deepStrictEqual(read("every 1h from 9:30 to 16:00"), [{ first: day(20, 9, 30), every: 3600, times: 7 }])
  const tomorrow = read("every 30 minutes from 10:00 to 11:00 on tomorrow")
  assert.deepStrictEqual(tomorrow, [{ first: day(21, 10), every: 1800, times: 2 }])
  assert.strictEqual(read("every 9ms from 10:00 to 10:30")[0].times, 200_000)
})

it("is now, or at a time, or at the open", () => {
  assert.deepStrictEqual(read("once"), [{ first: now.now, every: 0, times: 1 }])
  assert.deepStrictEqual(read("3 times"), [{ first: now.now, every: 0, times: 3 }])
  assert.deepStrictEqual(read("once at 16:00 on 2026-11-21"), [{ first: day(21, 16), every: 0, times: 1 }])
  const atClose = read("Once at close on trading days of 2026-11-26..2026-11-27")
  assert.deepStrictEqual(atClose, [{ first: day(27, 13), every: 0, times: 1 }])
  assert.deepStrictEqual(read("2 times on the next 2 trading days"), [
    { first: day(20, 9, 30), every: 0, times: 2 },
    { first: day(23, 9, 30), every: 0, times: 2 }
  ])
})

it("knows the days of a month", () => {
  assert.lengthOf(["once", "every 1d"].flatMap((often) => read(`${often} on trading days of 2026-11`)), 40)
  assert.lengthOf(read("once at 12:00 on 2024-02"), 29)
  assert.lengthOf(read("once at 12:00 on 2026-12"), 31)
})

it("names trading days alone, up to today", () => {
  const days = (text: string) => Schedule.tradingDays(text, now)
  const dates = (text: string) => Result.getOrThrow(days(text)).map(({ day }) => day)
  assert.deepStrictEqual(dates("2026-11-14..2026-11-17"), [16, 17])
  assert.deepStrictEqual(dates("trading days of 2026-11-18..today"), [18, 19, 20])
  assert.lengthOf(dates("2026-11"), 20)
  assert.strictEqual(Result.getOrThrow(Result.flip(days("2026-11-14..2026-11-15"))).at, 0)
  assert.match(Result.getOrThrow(Result.flip(days("2026-11-16 open"))).message, /"open" must be all that is named/)
  assert.match(Result.getOrThrow(Result.flip(days("2026-12-01..today"))).message, /from the earlier day to the later/)
})

const mistakes: ReadonlyArray<readonly [text: string, at: number, message: RegExp]> = [
  ["", 0, /the end must say how often/],
  ["evry 1min", 0, /"evry" must say how often.*Did you mean every\?/],
  ["every", 5, /the end must be a duration/],
  ["every 0s", 6, /"0s" must be a duration above 0, of at most a day/],
  ["every 2 days on trading days of 2026-11", 6, /"2 days" must be a duration above 0, of at most a day/],
  ["every week", 6, /"week" must be a duration above 0, of at most a day/],
  ["every 5 mins", 6, /"5 mins" must be a duration above 0, of at most a day, e.g. 1min/],
  ["0 times", 0, /"0" must say how often/],
  ["3 tims", 2, /"tims" must be times.*Did you mean times\?/],
  ["every 1min frm 9:30", 11, /"frm" must be at, from, to or on.*Did you mean from\?/],
  ["every 1min from 25:00", 16, /"25:00" must be a time in New York/],
  ["every 1min from 9:30 to", 23, /the end must be a time/],
  ["every 1min at 9:30", 11, /"at" is for what is asked once/],
  ["once from 9:30", 5, /"from" is for what is repeated/],
  ["every 1min from 9:30 from 10:00", 21, /"from" must be named once/],
  ["every 1min from 16:00 to 9:30", 25, /"9:30" must be later/],
  ["every 1min from close to open on 2026-11-23", 25, /"open" must be later/],
  ["every 1min from 17:00 on 2026-11-23", 25, /the exchange is closed then/],
  ["every 1min on 2026-11-31", 14, /"2026-11-31" must be days/],
  ["every 1min on 2026-11-27..2026-11-23", 14, /must go from the earlier day/],
  ["every 1min on 2000-01-01..2026-11-23", 14, /must be at most 3660 days/],
  ["every 1min on tradng days of 2026-11", 14, /Did you mean trading\?/],
  ["every 1min on trading days", 26, /the end must be of/],
  ["every 1min on 2026-11-26", 14, /the exchange is closed then/],
  ["once at open on 2026-11-22", 16, /the exchange is closed then/],
  ["once on the next 0 trading days", 17, /from 1 to 3660/]
]

it.each(mistakes)("%s: told at character %i", (text, at, message) => {
  const mistake = Result.getOrThrow(Result.flip(Schedule.parse(text, now)))
  assert.match(mistake.message, message)
  assert.strictEqual(mistake.at, at)
})

it("is read, or refused at a place within it, whatever it says", () => {
  const word = fc.constantFrom(
    ..."every once times at from to on open close trading days of the next hours".split(" "),
    ..."1min 5 9:30 16:00 2026-11-23 2026-11-23..2026-11-27 2026-11 today ..".split(" ")
  )
  const text = fc.oneof(fc.array(word, { maxLength: 12 }).map((words) => words.join(" ")), fc.string({ maxLength: 40 }))
  forAll({ numRuns: runs(2000), seed: 52 }, text, (text) => {
    const result = Schedule.parse(text, now)
    if (Result.isFailure(result)) {
      assert.isAtLeast(result.failure.at, 0)
      return assert.isAtMost(result.failure.at, text.length)
    }
    for (const { every, first, times } of result.success) {
      assert.isTrue(Number.isFinite(first) && every >= 0 && Number.isSafeInteger(times) && times >= 1)
    }
  })
})

it("has as many times as there are minutes counted one by one", () => {
  const minute = fc.integer({ min: 0, max: 23 * 60 + 59 })
  const clock = (minutes: number) => `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}`
  forAll({ numRuns: 100, seed: 52 }, minute, minute, fc.integer({ min: 1, max: 120 }), (a, b, every) => {
    fc.pre(a !== b)
    const [from, to] = [Math.min(a, b), Math.max(a, b)]
    const [run] = read(`every ${every}min from ${clock(from)} to ${clock(to)} on 2026-11-23`)
    let times = 0
    for (let at = from; at < to; at += every) times++
    assert.deepStrictEqual(run, { first: day(23, 0, from), every: every * 60, times })
  })
})
