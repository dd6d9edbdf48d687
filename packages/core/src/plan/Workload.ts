/**
 * What many queries cost over time: a plan of which query is asked when, priced before anything is sent. It is pure and has no clock:
 * every time is in epoch seconds and comes from the caller.
 *
 * A workload is a list of tasks, and its cost is a sum. So the costs of two workloads add up, in total, by mode and by window.
 *
 * @example
 * ```ts
 * import * as NewYork from "@effect-marketdata/core/NewYork"
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Workload from "@effect-marketdata/core/Workload"
 * import * as Result from "effect/Result"
 *
 * const spx = Result.getOrThrow(Query.optionChain("SPX", { expiration: "all", assume: { contracts: 22_718 } }))
 * const open = NewYork.at({ year: 2026, month: 11, day: 20 }, 9, 30)
 * const hourly = Workload.taskUnsafe(spx, { first: open, every: 3600, times: 7 })
 * Workload.total([hourly]) // => { queries: 7, min: 159026, max: 159026, notStated: 0, unavailable: 0 }
 * const verdict = Workload.fits([hourly], { credits: 100_000, window: "day" })
 * verdict._tag === "RunsOut" && NewYork.format(verdict.at) // => "2026-11-20 13:30:00 EST"
 * ```
 *
 * @see {@link Credits} for the price of one query
 * @see {@link Account} for allowances and their windows
 * @since 0.1.0
 */
import * as Data from "effect/Data"
import * as Result from "effect/Result"
import type * as Account from "../account/Account.ts"
import * as DataMode from "../account/DataMode.ts"
import * as Credits from "../credits/Credits.ts"
import * as Ledger from "../credits/Ledger.ts"
import { allowanceOf } from "../credits/ledgerBalance.ts"
import type * as Query from "../query/query.ts"
import type { InvalidQuery } from "../reason/Reason.ts"
import * as Problem from "../text/Problem.ts"
import * as NewYork from "../time/NewYork.ts"

/**
 * When a query is asked: first at `first` in epoch seconds, then every `every` seconds, `times` times in all.
 *
 * @category models
 * @since 0.1.0
 */
export interface Schedule extends Readonly<Record<"first" | "every" | "times", number>> {}

/**
 * A field of a schedule is invalid; `field` names it.
 *
 * @category errors
 * @since 0.1.0
 */
export class ScheduleError extends Data.TaggedError("ScheduleError")<{
  readonly field: "first" | "every" | "times"
  readonly value: number
}> {
  override get message(): string {
    return Problem.format(
      `${this.field} ${Problem.shown(this.value)}`,
      {
        first: { rule: "must be epoch seconds before the year 10000", example: "1795194000" },
        every: { rule: "must be 0 or more seconds, and end before the year 10000", example: "3600" },
        times: { rule: "must be an integer of 0 or more", example: "10" }
      }[this.field]
    )
  }
}

/**
 * One query that is asked on a schedule, with its assumptions and its price each time.
 *
 * @category models
 * @since 0.1.0
 */
export interface Task {
  readonly query: Query.Query
  readonly assume: Credits.PriceOptions
  readonly price: Credits.Estimate
  readonly schedule: Schedule
}

/**
 * The tasks of a program.
 *
 * @category models
 * @since 0.1.0
 */
export type Workload = ReadonlyArray<Task>

/**
 * Makes a task of a query and a schedule. A query that is asked once needs only `first`. Fails with `ScheduleError` for a schedule that
 * breaks its rule, and with `InvalidQuery` for an invalid assumption.
 *
 * @example
 * ```ts
 * import * as DataMode from "@effect-marketdata/core/DataMode"
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Workload from "@effect-marketdata/core/Workload"
 * import * as Result from "effect/Result"
 *
 * const price = Result.getOrThrow(Query.stockPrices(["AAPL"], { mode: DataMode.cached() }))
 * Result.isSuccess(Workload.task(price, { first: 1795185000, every: 60, times: 390 })) // => true
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const task = (
  query: Query.Query,
  schedule: { readonly first: number; readonly every?: number | undefined; readonly times?: number | undefined },
  assume: Credits.PriceOptions = {}
): Result.Result<Task, ScheduleError | InvalidQuery> =>
  Result.flatMap(checkSchedule(schedule), (schedule) => {
    const price = Credits.estimate(query, assume)
    return price._tag === "Refused" ? Result.fail(price.reason) : Result.succeed({ query, assume, price, schedule })
  })

/**
 * Returns a schedule with all its fields, or the one that is wrong.
 *
 * @internal
 */
export const checkSchedule = (schedule: Parameters<typeof task>[1]): Result.Result<Schedule, ScheduleError> => {
  const { every = 0, first, times = 1 } = { ...schedule }
  const fail = (field: keyof Schedule, value: number) => Result.fail(new ScheduleError({ field, value }))
  if (!NewYork.isTime(first)) return fail("first", first)
  if (!(Number.isSafeInteger(times) && times >= 0)) return fail("times", times)
  return Number.isFinite(every) && every >= 0 && NewYork.isTime(first + every * Math.max(0, times - 1))
    ? Result.succeed({ first, every, times })
    : fail("every", every)
}

/**
 * Makes a task of a query and a schedule; throws where `task` fails.
 *
 * @example
 * ```ts
 * import * as DataMode from "@effect-marketdata/core/DataMode"
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Workload from "@effect-marketdata/core/Workload"
 * import * as Result from "effect/Result"
 *
 * const price = Result.getOrThrow(Query.stockPrices(["AAPL"], { mode: DataMode.cached() }))
 * Workload.total([Workload.taskUnsafe(price, { first: 1795185000, every: 60, times: 390 })]).max // => 390
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const taskUnsafe = (...parameters: Parameters<typeof task>): Task => Result.getOrThrow(task(...parameters))

/**
 * What queries cost, in credits: at least `min` and at most `max`. Queries without a stated price count in `notStated` and make `max`
 * infinite. Queries that cannot be asked count in `unavailable` and cost nothing.
 *
 * @category models
 * @since 0.1.0
 */
export interface Cost extends Readonly<Record<"queries" | "min" | "max" | "notStated" | "unavailable", number>> {}

/**
 * The cost of an empty workload.
 *
 * @example
 * ```ts
 * import * as Workload from "@effect-marketdata/core/Workload"
 *
 * Workload.total([]) // => Workload.zero
 * ```
 *
 * @category pricing
 * @since 0.1.0
 */
export const zero: Cost = { queries: 0, min: 0, max: 0, notStated: 0, unavailable: 0 }

/**
 * Adds two costs.
 *
 * @example
 * ```ts
 * import * as Workload from "@effect-marketdata/core/Workload"
 *
 * Workload.add(Workload.zero, { ...Workload.zero, queries: 2, min: 1, max: 2 }) // => { queries: 2, min: 1, max: 2, notStated: 0, unavailable: 0 }
 * ```
 *
 * @category pricing
 * @since 0.1.0
 */
export const add = (a: Cost, b: Cost): Cost => ({
  queries: knownCost(a).queries + knownCost(b).queries,
  min: a.min + b.min,
  max: a.max + b.max,
  notStated: a.notStated + b.notStated,
  unavailable: a.unavailable + b.unavailable
})

/**
 * Returns a cost unchanged; throws `ValueError` for anything else.
 *
 * @internal
 */
export const knownCost = /* @__PURE__ */ Problem.guard("cost", "Workload.zero", { queries: 0, min: 0, max: 0 })

const knownAllowance = /* @__PURE__ */ Problem.guard("allowance", "{ credits: 9, window: \"day\" }", { window: "" })

const knownTask = /* @__PURE__ */ Problem.guard("task", "Workload.taskUnsafe(query, …)", { price: {}, schedule: {} })

/**
 * Returns a workload unchanged; throws `ValueError` for anything else.
 *
 * @internal
 */
export const known = (self: Workload): Workload => Problem.list("workload", self, knownTask)

const pricesOf = (price: Credits.Estimate): { readonly min: number; readonly max: number } =>
  price._tag === "Unavailable" ? zero : Credits.bounds(price)

/** Multiplies; 0 times `Infinity` is 0. */
const multiply = (times: number, credits: number): number => times === 0 ? 0 : times * credits

const costOf = (price: Credits.Estimate, times: number): Cost => {
  const { max, min } = pricesOf(price)
  return {
    queries: times,
    min: multiply(times, min),
    max: multiply(times, max),
    notStated: price._tag === "NotStated" ? times : 0,
    unavailable: price._tag === "Unavailable" ? times : 0
  }
}

/**
 * Returns what a whole workload costs, in credits.
 *
 * @example
 * ```ts
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Workload from "@effect-marketdata/core/Workload"
 * import * as Result from "effect/Result"
 *
 * const price = Result.getOrThrow(Query.stockPrices(["AAPL", "MSFT"]))
 * Workload.total([Workload.taskUnsafe(price, { first: 1795185000 })]) // => { queries: 1, min: 0, max: 2, notStated: 0, unavailable: 0 }
 * ```
 *
 * @category pricing
 * @since 0.1.0
 */
export const total = (self: Workload): Cost =>
  known(self).reduce((sum, { price, schedule }) => add(sum, costOf(price, schedule.times)), zero)

/**
 * The mode of a query; `Default` if it names none and the account's plan decides.
 *
 * @category models
 * @since 0.1.0
 */
export type Mode = DataMode.DataMode["_tag"] | "Default"

/**
 * Returns what the queries in each mode cost, in credits.
 *
 * @example
 * ```ts
 * import * as DataMode from "@effect-marketdata/core/DataMode"
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Workload from "@effect-marketdata/core/Workload"
 * import * as Result from "effect/Result"
 *
 * const price = Result.getOrThrow(Query.stockPrices(["AAPL", "MSFT"], { mode: DataMode.live }))
 * Workload.byMode([Workload.taskUnsafe(price, { first: 1795185000 })]).Live.max // => 2
 * ```
 *
 * @category pricing
 * @since 0.1.0
 */
export const byMode = (self: Workload): Readonly<Record<Mode, Cost>> => {
  const of = (mode: string) => total(known(self).filter(({ query }) => (query.mode?._tag ?? "Default") === mode))
  const modes = ["Default", ...Object.keys(DataMode.parameters)]
  return Object.fromEntries(modes.map((mode) => [mode, of(mode)])) as Record<Mode, Cost>
}

/**
 * What a workload costs from `start`, included, to `end`, not included, both in epoch seconds.
 *
 * @category models
 * @since 0.1.0
 */
export interface WindowCost {
  readonly start: number
  readonly end: number
  readonly cost: Cost
}

/**
 * Returns what a workload costs in each window in which a query is asked, the earliest first. A day goes from 9:30 to 9:30 in New York,
 * on weekends and holidays too, and a minute from second 0 to second 0. Both are named assumptions, because the contract states no
 * allowances (clause 8.5-not-shown). `none` is one window without an end.
 *
 * @example
 * ```ts
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Workload from "@effect-marketdata/core/Workload"
 * import * as Result from "effect/Result"
 *
 * const price = Result.getOrThrow(Query.stockPrices(["AAPL"]))
 * const eachDay = Workload.taskUnsafe(price, { first: 1795185000, every: 86_400, times: 2 })
 * Workload.byWindow([eachDay], "day").length // => 2
 * ```
 *
 * @category pricing
 * @since 0.1.0
 */
export const byWindow = (self: Workload, window: Account.Window): ReadonlyArray<WindowCost> => [
  ...inOrder(self, window)
]

/**
 * The windows of a workload, the earliest first. Runs that share no window are summed one after the other, so that only those of one day
 * are held at once: ten years have five million minutes.
 */
function* inOrder(self: Workload, window: Account.Window): Generator<WindowCost> {
  const costs = new Map<number, WindowCost>()
  let until = -Infinity
  for (const { price, schedule } of known(self).toSorted((a, b) => a.schedule.first - b.schedule.first)) {
    if (schedule.first >= until) {
      yield* sorted(costs)
      costs.clear()
    }
    for (const { end, start, times } of perWindow(schedule, window)) {
      costs.set(start, { start, end, cost: add(costs.get(start)?.cost ?? zero, costOf(price, times)) })
      until = Math.max(until, end)
    }
  }
  yield* sorted(costs)
}

const sorted = (costs: ReadonlyMap<number, WindowCost>): ReadonlyArray<WindowCost> =>
  [...costs.values()].toSorted((a, b) => a.start - b.start)

/**
 * Returns the minute that costs the most, the earliest if there are several; undefined for an empty workload.
 *
 * @example
 * ```ts
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Workload from "@effect-marketdata/core/Workload"
 * import * as Result from "effect/Result"
 *
 * const price = Result.getOrThrow(Query.stockPrices(["AAPL"]))
 * Workload.peakMinute([Workload.taskUnsafe(price, { first: 1795185000, every: 20, times: 9 })])?.cost.max // => 3
 * ```
 *
 * @category pricing
 * @since 0.1.0
 */
export const peakMinute = (self: Workload): WindowCost | undefined => {
  let peak: WindowCost | undefined
  for (const minute of inOrder(self, "minute")) if (minute.cost.max > (peak?.cost.max ?? -1)) peak = minute
  return peak
}

/**
 * The allowance lasts in every window, even if each query costs its most. `left` credits remain in the most expensive window.
 *
 * @category models
 * @since 0.1.0
 */
export interface Holds {
  readonly _tag: "Holds"
  readonly left: number
}

/**
 * The allowance may not last: if each query costs its most, the query at `at`, in epoch seconds, is the first that is not covered.
 *
 * @category models
 * @since 0.1.0
 */
export interface MayRunOut {
  readonly _tag: "MayRunOut"
  readonly at: number
}

/**
 * The allowance does not last: even if each query costs its least, the query at `at` is not covered; if each costs its most, the one at
 * `mayRunOutAt` is not. Both are epoch seconds.
 *
 * @category models
 * @since 0.1.0
 */
export interface RunsOut {
  readonly _tag: "RunsOut"
  readonly at: number
  readonly mayRunOutAt: number
}

/**
 * Returns whether an allowance lasts for a workload if nothing else uses it, and when it runs out: a verdict, to be told by its `_tag`. Credits that are
 * not an amount, such as NaN, count as 0, as in a ledger.
 *
 * @example
 * ```ts
 * import * as DataMode from "@effect-marketdata/core/DataMode"
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Workload from "@effect-marketdata/core/Workload"
 * import * as Result from "effect/Result"
 *
 * const query = Query.optionChain("SPX", { mode: DataMode.cachedOrLive(), assume: { contracts: 300 } })
 * const minutely = Workload.taskUnsafe(Result.getOrThrow(query), { first: 1795185000, every: 60, times: 10 })
 * Workload.fits([minutely], { credits: 5000, window: "day" }) // => { _tag: "Holds", left: 2000 }
 * Workload.fits([minutely], { credits: 1000, window: "day" }) // => { _tag: "MayRunOut", at: 1795185180 }
 * ```
 *
 * @category pricing
 * @since 0.1.0
 */
export const fits = (self: Workload, allowance: Account.Allowance): Holds | MayRunOut | RunsOut => {
  const credits = allowanceOf(knownAllowance(allowance).credits)
  let peak = 0
  let [mayExceed, exceeded]: Array<WindowCost | undefined> = []
  for (const window of inOrder(self, allowance.window)) {
    peak = Math.max(peak, window.cost.max)
    if (window.cost.max > credits) mayExceed ??= window
    if (window.cost.min > credits) {
      exceeded = window
      break
    }
  }
  if (mayExceed === undefined) return { _tag: "Holds", left: credits === Infinity ? credits : credits - peak }
  const mayRunOutAt = exceeds(self, "max", mayExceed, credits)
  return exceeded === undefined
    ? { _tag: "MayRunOut", at: mayRunOutAt }
    : { _tag: "RunsOut", at: exceeds(self, "min", exceeded, credits), mayRunOutAt }
}

/**
 * Returns the expected cost of a workload, in credits, if a share `hitRate` of its cached requests hits, from 0 to 1. A miss is free, and
 * with a fallback a live request follows at the live price (clause 8.3-fallback). The result lies within the bounds of `total`; it is these
 * bounds where `hitRate` is not a share, such as 90 for 0.9.
 *
 * @example
 * ```ts
 * import * as DataMode from "@effect-marketdata/core/DataMode"
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Workload from "@effect-marketdata/core/Workload"
 * import * as Result from "effect/Result"
 *
 * const query = Query.optionChain("SPX", { mode: DataMode.cachedOrLive(), assume: { contracts: 300 } })
 * const minutely = Workload.taskUnsafe(Result.getOrThrow(query), { first: 1795185000, every: 60, times: 10 })
 * Workload.total([minutely]).max // => 3000
 * Math.round(Workload.expected([minutely], 0.9).max) // => 309
 * ```
 *
 * @category decisions
 * @since 0.1.0
 */
export const expected = (self: Workload, hitRate: number): ReturnType<typeof Credits.bounds> =>
  sum(self, ({ assume, price, query, schedule: { times } }) => {
    const { max, min } = pricesOf(price)
    if (!isShare(hitRate) || !DataMode.isCached(query.mode) || price._tag === "Unavailable") {
      return { min: multiply(times, min), max: multiply(times, max) }
    }
    const hit = pricesOf(Credits.estimate({ ...query, mode: DataMode.cached() }, assume)).max
    const miss = query.mode._tag === "Cached"
      ? zero
      : pricesOf(Credits.estimate({ ...query, mode: DataMode.live }, assume))
    return { min: multiply(times, blend(hitRate, hit, miss.min)), max: multiply(times, blend(hitRate, hit, miss.max)) }
  })

/**
 * Adds up what each task costs at least and at most.
 *
 * @internal
 */
export const sum = (self: Workload, of: (task: Task) => ReturnType<typeof Credits.bounds>) =>
  known(self).map(of).reduce((sum, { max, min }) => ({ min: sum.min + min, max: sum.max + max }), { min: 0, max: 0 })

/**
 * Returns whether a hit rate is a share, from 0 to 1.
 *
 * @internal
 */
export const isShare = (hitRate: number): boolean => Number.isFinite(hitRate) && hitRate >= 0 && hitRate <= 1

const blend = (hitRate: number, hit: number, miss: number): number =>
  multiply(hitRate, hit) + multiply(1 - hitRate, miss)

const timeOf = ({ every, first }: Schedule, index: number): number => first + index * every

/** How many times of a schedule lie before a time, or also at it. By binary search, because a division is sometimes off by one. */
const countUntil = (schedule: Schedule, time: number, including: boolean): number =>
  firstFrom(0, schedule.times, (index) => {
    const at = timeOf(schedule, index)
    return !(at < time || including && at === time)
  })

/**
 * The first whole number from `low` on for which something holds that holds for all greater ones too; `high` if it holds for none before.
 *
 * @internal
 */
export const firstFrom = (low: number, high: number, holds: (number: number) => boolean): number => {
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}

/** How many times of a schedule lie in each window that has any. It takes as many steps as there are such windows. */
function* perWindow(schedule: Schedule, window: Account.Window) {
  for (let index = 0; index < schedule.times;) {
    const { end, start } = Ledger.windowAt(window, timeOf(schedule, index))
    const next = countUntil(schedule, end, false)
    yield { start, end, times: next - index }
    index = next
  }
}

/** The first time in a window at which what was asked so far costs more than the credits; there is one. */
const exceeds = (self: Workload, bound: "min" | "max", { end, start }: WindowCost, credits: number): number => {
  const priced = self.filter(({ price }) => pricesOf(price)[bound] > 0).map(({ price, schedule }) => ({
    schedule,
    credits: pricesOf(price)[bound],
    from: countUntil(schedule, start, false),
    to: countUntil(schedule, end, false)
  }))
  const spentAt = (time: number): number =>
    priced.reduce((sum, { credits, from, schedule, to }) => {
      const asked = Math.min(to, countUntil(schedule, time, true)) - from
      return asked > 0 ? sum + asked * credits : sum
    }, 0)
  let earliest = Infinity
  for (const { from, schedule, to } of priced) {
    const index = firstFrom(from, to, (index) => spentAt(timeOf(schedule, index)) > credits)
    if (index < to) earliest = Math.min(earliest, timeOf(schedule, index))
  }
  return earliest
}
