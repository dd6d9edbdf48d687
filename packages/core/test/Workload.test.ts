import { type Account, DataMode, Ledger, NewYork, Query, Workload } from "@effect-marketdata/core"
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { forAll, trials } from "./support/depth.ts"
import * as Queries from "./support/queries.ts"

const runs = trials(8_5)

const friday = (hour: number, minute = 0, second = 0) =>
  NewYork.at({ year: 2026, month: 11, day: 20 }, hour, minute, second)

const chain = (contracts: number, mode?: DataMode.DataMode) => Queries.chain({ mode, assume: { contracts } }, "SPX")
const pastQuote = Result.getOrThrow(Query.optionQuote("AAPL261120C00150000", { date: "2026-01-02" }))
const task = Workload.taskUnsafe

/** Tasks within a month around the end of daylight time, some of them on full minutes and at 9:30. */
const openings = fc.nat({ max: 30 }).map((day) => friday(9, 30) - day * 86_400)
const firsts = fc.oneof(fc.integer({ min: 1793000000, max: 1795600000 }), openings)
const steps = fc.oneof(fc.constantFrom(0, 1, 60, 3600, 86_400), fc.integer({ min: 0, max: 100_000 }))
const parts = fc.tuple(Queries.anyKind, firsts, steps, fc.nat({ max: 12 }))
const anyTask: fc.Arbitrary<Workload.Task> = parts.map(([query, first, every, times]) =>
  task(query, { first, every, times })
)
const anyWorkload = fc.array(anyTask, { maxLength: 4 })
const anyWindow = fc.constantFrom<Account.Window>("day", "minute", "none")

/** Every single query with its time, the earliest first: the slow way to say what a workload is. */
const spread = (workload: Workload.Workload): Workload.Workload =>
  workload.flatMap((task) => {
    const { every, first, times } = task.schedule
    const once = (index: number) => ({ first: first + index * every, every: 0, times: 1 })
    return Array.from({ length: times }, (_, index) => ({ ...task, schedule: once(index) }))
  }).toSorted((a, b) => a.schedule.first - b.schedule.first)

it("a task refuses invalid schedules", () => {
  const field = (schedule: { first: number; every?: number; times?: number }) =>
    Result.match(Workload.task(chain(1), schedule), {
      onSuccess: () => "fine",
      onFailure: (error) => error._tag === "ScheduleError" ? error.field : error.parameter
    })
  for (const first of [NaN, Infinity, 1e15]) assert.strictEqual(field({ first }), "first")
  for (const every of [-1, NaN, Infinity, 1e15]) assert.strictEqual(field({ first: 0, every, times: 2 }), "every")
  for (const times of [-1, 1.5, NaN, Infinity]) assert.strictEqual(field({ first: 0, times }), "times")
  // From JavaScript: "0" + 60 is "060".
  for (const untyped of ["0", null, 5n, new Date(0)] as ReadonlyArray<unknown> as ReadonlyArray<number>) {
    assert.strictEqual(field({ first: untyped, every: 60, times: 2 }), "first")
    assert.strictEqual(field({ first: 0, every: untyped, times: 2 }), "every")
  }
  assert.strictEqual(field({ first: 0, every: 0.5, times: 0 }), "fine")
  const negative = () => task(chain(1), { first: 0, times: -1 })
  assert.throws(negative, /^times -1 must be an integer of 0 or more, e\.g\. 10\.$/)
})

it("total and byMode add up what everything costs", () => {
  const plan = [
    task(chain(22_718, DataMode.live), { first: friday(9, 30), every: 3600, times: 7 }),
    task(chain(22_718, DataMode.cached()), { first: friday(9, 30), every: 60, times: 390 }),
    task(pastQuote, { first: friday(12) }),
    task(Query.withMode(pastQuote, DataMode.cached()), { first: friday(12), times: 2 })
  ]
  const total = Workload.total(plan)
  assert.deepStrictEqual(total, { queries: 400, min: 159_026, max: Infinity, notStated: 1, unavailable: 2 })
  const modes = Workload.byMode(plan)
  assert.deepStrictEqual([modes.Live.min, modes.Live.max], [159_026, 159_026])
  assert.deepStrictEqual([modes.Cached.queries, modes.Cached.min, modes.Cached.max], [392, 0, 390])
  assert.deepStrictEqual([modes.Default.notStated, modes.Default.max], [1, Infinity])
  assert.deepStrictEqual(modes.Delayed, Workload.zero)
})

it("byWindow does not count one by one: a query each second of a year", () => {
  const windows = Workload.byWindow([task(chain(1), { first: friday(9, 30), every: 1, times: 31_536_000 })], "day")
  assert.deepStrictEqual([windows.length, windows[0]?.cost.max], [365, 86_400])
})

it("peakMinute is the dearest minute, the first one of several", () => {
  const tens = task(chain(10), { first: friday(10), every: 60, times: 3 })
  const plan = [tens, task(chain(5), { first: friday(10, 1, 30), every: 60, times: 2 })]
  const peakOf = (plan: Workload.Workload) => ((one) => [one?.start, one?.cost.max])(Workload.peakMinute(plan))
  assert.deepStrictEqual(peakOf(plan), [friday(10, 1), 15])
  const perhaps = task(chain(10, DataMode.cachedOrLive()), { first: friday(9) })
  assert.deepStrictEqual(peakOf([perhaps, tens]), [friday(9), 10])
  assert.isUndefined(Workload.peakMinute([]))
})

describe("fits", () => {
  it("covers nothing with credits that are not an amount, as a ledger does", () => {
    for (const credits of [NaN, -1, undefined as unknown as number]) {
      const verdict = Workload.fits([task(chain(300), { first: friday(10) })], { credits, window: "day" })
      assert.deepStrictEqual(verdict, { _tag: "RunsOut", at: friday(10), mayRunOutAt: friday(10) }, String(credits))
    }
  })

  it("[8.5-not-shown] says when an allowance that was configured runs out, to the query", () => {
    const hourly = [task(chain(22_718), { first: friday(9, 30), every: 3600, times: 7 })]
    const verdict = Workload.fits(hourly, { credits: 100_000, window: "day" })
    assert.deepStrictEqual(verdict, { _tag: "RunsOut", at: friday(13, 30), mayRunOutAt: friday(13, 30) })
    assert.deepStrictEqual(Workload.fits(hourly, { credits: 159_026, window: "day" }), { _tag: "Holds", left: 0 })
    assert.deepStrictEqual(Workload.fits(hourly, { credits: 22_718, window: "minute" }), { _tag: "Holds", left: 0 })
    const unbounded = [Workload.taskUnsafe(Queries.chain({ expiration: "all" }), { first: 0 })]
    const endless = Workload.fits(unbounded, { credits: Infinity, window: "day" })
    assert.deepStrictEqual(endless, { _tag: "Holds", left: Infinity })
    assert.strictEqual(Workload.fits(hourly, { credits: 159_025, window: "none" })._tag, "RunsOut")
  })

  it("tells what may run out from what does", () => {
    const plan = [task(chain(50, DataMode.cachedOrLive()), { first: friday(10), every: 60, times: 10 })]
    const hundred = Workload.fits(plan, { credits: 100, window: "day" })
    assert.deepStrictEqual(hundred, { _tag: "MayRunOut", at: friday(10, 2) })
    const nine = Workload.fits(plan, { credits: 9, window: "day" })
    assert.deepStrictEqual(nine, { _tag: "RunsOut", at: friday(10, 9), mayRunOutAt: friday(10) })
    const rich = Workload.fits([task(pastQuote, { first: friday(10) })], { credits: 1e9, window: "day" })._tag
    assert.strictEqual(rich, "MayRunOut")
  })

  it("is whole again in the next window", () => {
    const daily = [task(chain(100), { first: friday(9, 30), every: 86_400, times: 365 })]
    assert.strictEqual(Workload.fits(daily, { credits: 200, window: "day" })._tag, "Holds")
    assert.strictEqual(Workload.fits(daily, { credits: 200, window: "none" })._tag, "RunsOut")
  })

  it("agrees with spending credit by credit", () => {
    const firstExceeded = (plan: Workload.Workload, bound: "min" | "max", allowance: Account.Allowance) => {
      let [spent, end] = [0, -Infinity]
      for (const one of spread(plan)) {
        const { first } = one.schedule
        if (first >= end) {
          spent = 0
          end = Ledger.windowAt(allowance.window, first).end
        }
        spent += Workload.total([one])[bound]
        if (spent > allowance.credits) return first
      }
      return undefined
    }
    forAll(runs, anyWorkload, fc.nat({ max: 60 }), anyWindow, (plan, credits, window) => {
      const allowance = { credits, window }
      const [surely, maybe] = [firstExceeded(plan, "min", allowance), firstExceeded(plan, "max", allowance)]
      const verdict = Workload.fits(plan, allowance)
      if (verdict._tag === "Holds") assert.isUndefined(maybe)
      else if (verdict._tag === "MayRunOut") assert.deepStrictEqual([surely, verdict.at], [undefined, maybe])
      else assert.deepStrictEqual([verdict.at, verdict.mayRunOutAt], [surely, maybe])
    })
  })
})

it("[8.3-hit] [8.3-miss] expected counts cached data by the hits alone", () => {
  const plan = [task(chain(1000, DataMode.cached()), { first: friday(10), every: 60, times: 100 })]
  assert.deepStrictEqual([0, 0.25].map((at) => Workload.expected(plan, at)), [{ min: 0, max: 0 }, { min: 25, max: 25 }])
})
