/**
 * A plan for people to read: the cost of all tasks together, the prices of a task in each mode, what bounds them and what they assume, and costs in
 * words.
 *
 * @example
 * ```ts
 * import * as NewYork from "@effect-marketdata/core/NewYork"
 * import * as Plan from "@effect-marketdata/core/Plan"
 * import * as PlanReport from "@effect-marketdata/core/PlanReport"
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as TradingCalendar from "@effect-marketdata/core/TradingCalendar"
 * import * as Result from "effect/Result"
 *
 * const now = { now: NewYork.at({ year: 2026, month: 11, day: 20 }, 12, 0), calendar: TradingCalendar.NYSE }
 * const spx = Result.getOrThrow(Query.optionChain("SPX", { assume: { contracts: 300 } }))
 * const task = Result.getOrThrow(Plan.task({ queries: [spx], when: "every 1h on trading days of 2026-12" }, now))
 * const priced = Result.getOrThrow(Plan.price(task))
 *
 * PlanReport.format(priced.asked.cost) // => "45,300 credits"
 * PlanReport.inModes(priced).map(({ cost, name }) => `${name}: ${PlanReport.short(cost)}`)
 * // => ["as the plan decides (asked): 45,300", "live: 45,300", "delayed: 45,300", "cached: 0 to 151", "cached, else live: 151 to 45,300"]
 * const { verdict } = PlanReport.together([priced], { allowance: { credits: 10_000, window: "day" } })
 * verdict?._tag // => "Holds"
 * ```
 *
 * @see {@link Plan} for prices
 * @since 0.1.0
 */
import type * as Account from "../account/Account.ts"
import * as Credits from "../credits/Credits.ts"
import { formatCredits, formatRange, grouped as thousands } from "../reason/words.ts"
import * as Problem from "../text/Problem.ts"
import * as NewYork from "../time/NewYork.ts"
import * as Plan from "./Plan.ts"
import * as Workload from "./Workload.ts"
import * as WorkloadSchedule from "./WorkloadSchedule.ts"

/**
 * Modes in words.
 *
 * @category constants
 * @since 0.1.0
 */
export const modeNames: Readonly<Record<Workload.Mode, string>> = {
  Default: "as the plan decides",
  Live: "live",
  Delayed: "delayed",
  Cached: "cached",
  CachedOrLive: "cached, else live",
  Eod: "end of day",
  Historical: "historical"
}

/**
 * Prints a cost for a cell of a table, without its unit.
 *
 * @category formatting
 * @since 0.1.0
 */
export const short = (cost: Workload.Cost): string => {
  const { max, min, notStated, queries, unavailable } = Workload.knownCost(cost)
  if (queries > 0 && unavailable === queries) return "unavailable"
  if (notStated > 0) return "not stated"
  if (max === Infinity) return `${thousands(min)} or more`
  return min === max ? thousands(max) : `${thousands(min)} to ${thousands(max)}`
}

/**
 * Prints a cost in a few words, with its unit.
 *
 * @category formatting
 * @since 0.1.0
 */
export const format = (cost: Workload.Cost): string => {
  const { max, min, notStated } = Workload.knownCost(cost)
  if (notStated > 0) return min === 0 ? "not stated" : `at least ${formatCredits(min)}, the rest not stated`
  return max === Infinity ? `at least ${formatCredits(min)}, no upper bound` : formatRange(min, max)
}

const known = /* @__PURE__ */ Problem.guard("priced task", "Plan.price(task)", { task: {}, asked: {}, others: [] })

const knownWindow = /* @__PURE__ */ Problem.guard("window", "one of Workload.byWindow", { start: 0, cost: {} })

const knownMode = /* @__PURE__ */ Problem.guard("priced mode", "priced.asked", { mode: "", each: [] })

/**
 * Returns how often a task is asked.
 *
 * @category getters
 * @since 0.1.0
 */
export const times = (priced: Plan.Priced): number => WorkloadSchedule.span(known(priced).task.schedule).times

/**
 * Returns the clauses of the contract that a price follows, each once.
 *
 * @category getters
 * @since 0.1.0
 */
export const clauses = (inMode: Plan.InMode): ReadonlyArray<string> =>
  Array.from(new Set(knownMode(inMode).each.map(({ clause }) => clause)))

/**
 * Returns what live data of a task cost at most each time, in credits: a ceiling of that amount declines no fallback.
 *
 * @category getters
 * @since 0.1.0
 */
export const liveBound = (priced: Plan.Priced): number => {
  const { asked, others } = known(priced)
  const live = [asked, ...others].find(({ mode }) => mode === "Live" || mode === "Default")
  return live === undefined ? Infinity : Math.max(...live.each.map((price) => Credits.bound(price)))
}

/**
 * What a task costs in a mode: each time and all times. `isCheapest` marks the cheapest mode that is fresh enough, if the task says how
 * fresh its data must be.
 *
 * @category models
 * @since 0.1.0
 */
export interface ModePrice {
  readonly name: string
  readonly isCheapest: boolean
  readonly each: Workload.Cost
  readonly cost: Workload.Cost
  readonly clauses: string
}

/**
 * Returns the prices of a task in all modes, the one that is asked first.
 *
 * @category getters
 * @since 0.1.0
 */
export const inModes = (priced: Plan.Priced): ReadonlyArray<ModePrice> =>
  [known(priced).asked, ...priced.others].map((mode) => ({
    name: mode === priced.asked ? `${modeNames[mode.mode]} (asked)` : modeNames[mode.mode],
    isCheapest: priced.choices?.[0]?.mode._tag === mode.mode,
    each: oneTime(mode, priced.task.schedule.length),
    cost: mode.cost,
    clauses: clauses(mode).join(", ")
  }))

/** What one time costs: the runs of a schedule are the same query again. */
const oneTime = ({ workload }: Plan.InMode, runs: number): Workload.Cost =>
  Workload.total(
    workload.flatMap((task, at) => at % runs === 0 ? [{ ...task, schedule: { ...task.schedule, times: 1 } }] : [])
  )

/**
 * Returns what the prices of a task are bounded by and what they assume, each with its label: that of the mode that was asked for, or of live data.
 *
 * @category getters
 * @since 0.1.0
 */
export const facts = (priced: Plan.Priced): ReadonlyArray<readonly [label: string, text: string]> => {
  const { asked: { each: [price] }, requests, task: { fallbackUpTo: ceiling, schedule } } = known(priced)
  const { first, last, times } = WorkloadSchedule.span(schedule)
  const most = ceiling !== undefined && `live data are asked for only if they cost ${formatCredits(ceiling)} at most`
  const all: ReadonlyArray<readonly [label: string, text: string | false | undefined]> = [
    ["moved by", price?._tag === "Range" && price.movedBy],
    ["assumes", price !== undefined && price.assumptions.map(({ name, value }) => `${name}: ${value}`).join("; ")],
    ["not stated", price?._tag === "NotStated" && price.what],
    ["why", price?._tag === "Unavailable" && price.why],
    ["ceiling", most],
    ["requests", requests === 1 ? "1" : `${thousands(requests)} each time`],
    ["when", times > 1 && `${thousands(times)} times from ${NewYork.format(first)} to ${NewYork.format(last)}`]
  ]
  return all.flatMap(([label, text]) => typeof text === "string" && text !== "" ? [[label, text] as const] : [])
}

/**
 * What tasks cost together. `days` and `peakMinute` are windows of an allowance; `verdict` says whether the allowance lasts, and `expected` the cost at
 * the hit rate, where these are given.
 *
 * @category models
 * @since 0.1.0
 */
export interface Together {
  readonly workload: Workload.Workload
  readonly cost: Workload.Cost
  readonly byMode: Readonly<Record<Workload.Mode, Workload.Cost>>
  readonly days: ReadonlyArray<Workload.WindowCost>
  readonly peakMinute: Workload.WindowCost | undefined
  readonly verdict: ReturnType<typeof Workload.fits> | undefined
  readonly expected: ReturnType<typeof Plan.expected> | undefined
}

/**
 * Adds up tasks. `hitRate` is the share of cached requests that hit, from 0 to 1.
 *
 * @category pricing
 * @since 0.1.0
 */
export const together = (
  all: ReadonlyArray<Plan.Priced>,
  options?: { readonly allowance?: Account.Allowance | undefined; readonly hitRate?: number | undefined }
): Together => {
  const { allowance, hitRate } = { ...options }
  const workload = Problem.list("priced tasks", all, known).flatMap(({ asked }) => asked.workload)
  return {
    workload,
    cost: Workload.total(workload),
    byMode: Workload.byMode(workload),
    days: Workload.byWindow(workload, "day"),
    peakMinute: Workload.peakMinute(workload),
    verdict: allowance && Workload.fits(workload, allowance),
    expected: hitRate === undefined ? undefined : Plan.expected(workload, hitRate)
  }
}

/**
 * Adds up the costs of windows that share a label, in their order: months, or hours, of what `Workload.byWindow` returns.
 *
 * @category pricing
 * @since 0.1.0
 */
export const grouped = (
  windows: ReadonlyArray<Workload.WindowCost>,
  label: (start: number) => string
): ReadonlyMap<string, Workload.Cost> => {
  const groups = new Map<string, Workload.Cost>()
  for (const { cost, start } of Problem.list("windows", windows, knownWindow)) {
    groups.set(label(start), Workload.add(groups.get(label(start)) ?? Workload.zero, cost))
  }
  return groups
}
