/**
 * Laws of workloads, for whatever adds up what many queries cost over time.
 *
 * @example
 * ```ts
 * import * as Workload from "@effect-marketdata/core/Workload"
 * import * as Law from "@effect-marketdata/testing/Law"
 * import * as WorkloadLaws from "@effect-marketdata/testing/WorkloadLaws"
 * import * as Result from "effect/Result"
 *
 * // It forgets that a query is asked more than once.
 * const total = (workload: Workload.Workload) =>
 *   Workload.total(workload.map((task) => ({ ...task, schedule: { ...task.schedule, times: 1 } })))
 * const laws = WorkloadLaws.of({ ...Workload, total })
 * laws.filter((law) => Result.isFailure(Law.attempt(law, { seed: 1 }))).length > 0 // => true
 * ```
 *
 * @since 0.1.0
 */
import { type Account, NewYork, Workload } from "@effect-marketdata/core"
import * as fc from "fast-check"
import * as Accounts from "../arbitraries/Accounts.ts"
import * as Workloads from "../arbitraries/Workloads.ts"
import * as Law from "../harness/Law.ts"

/**
 * What adds up the costs of a workload: all of it, by data mode, and by the window of an allowance.
 *
 * @category models
 * @since 0.1.0
 */
export interface Accounting {
  readonly total: (workload: Workload.Workload) => Workload.Cost
  readonly byMode: (workload: Workload.Workload) => Readonly<Record<string, Workload.Cost>>
  readonly byWindow: (workload: Workload.Workload, window: Account.Window) => ReadonlyArray<Workload.WindowCost>
}

const clauses = ["1-credits"]

const sum = (costs: ReadonlyArray<Workload.Cost>): Workload.Cost => costs.reduce(Workload.add, Workload.zero)

const window = fc.constantFrom<Account.Window>("day", "minute", "none")

const isEdge = {
  day: (time: number): boolean => NewYork.fromEpochSeconds(time).secondOfDay === 34_200,
  minute: (time: number): boolean => time % 60 === 0
}

/** A task, and a number of times after which it is cut in two. */
const halved = fc.tuple(Workloads.task, fc.nat({ max: 50 })).map(([task, at]) => {
  const { every, first, times } = task.schedule
  const before = Math.min(at, times)
  return {
    task,
    parts: [
      { ...task, schedule: { first, every, times: before } },
      { ...task, schedule: { first: first + before * every, every, times: times - before } }
    ]
  }
})

/**
 * The laws of what adds up costs.
 *
 * @category laws
 * @since 0.1.0
 */
export const of = ({ byMode, byWindow, total }: Accounting): ReadonlyArray<Law.Law> => [
  Law.equation({
    name: "two workloads together cost what each of them costs",
    clauses,
    arbitrary: fc.tuple(Workloads.workload, Workloads.workload),
    expected: ([a, b]) => Workload.add(total(a), total(b)),
    received: ([a, b]) => total([...a, ...b])
  }),
  Law.equation({
    name: "a schedule that is cut in two costs what it cost",
    clauses,
    arbitrary: halved,
    expected: ({ task }) => total([task]),
    received: ({ parts }) => total(parts)
  }),
  Law.equation({
    name: "a query that is asked so often is counted so often",
    clauses,
    arbitrary: Workloads.workload,
    expected: (workload) => workload.reduce((times, { schedule }) => times + schedule.times, 0),
    received: (workload) => total(workload).queries
  }),
  Law.equation({
    name: "the costs by mode add up to the whole",
    clauses,
    arbitrary: Workloads.workload,
    expected: total,
    received: (workload) => sum(Object.values(byMode(workload)))
  }),
  Law.equation({
    name: "the costs by window add up to the whole",
    clauses,
    arbitrary: fc.tuple(Workloads.workload, window),
    expected: ([workload]) => total(workload),
    received: ([workload, window]) => sum(byWindow(workload, window).map(({ cost }) => cost))
  }),
  Law.make({
    name: "windows follow each other, do not overlap, and begin and end at 9:30 in New York or at full minutes",
    clauses: ["8.5-not-shown"],
    arbitrary: fc.tuple(Workloads.workload, window),
    holds: ([workload, window]) =>
      byWindow(workload, window).every(({ end, start }, index, windows) =>
        start < end && start >= (windows[index - 1]?.end ?? -Infinity) &&
        (window === "none" || [start, end].every((time) => isEdge[window](time)))
      )
  })
]

/**
 * What tells beforehand whether an allowance lasts, and what a workload will cost where a share of the cached requests hits.
 *
 * @category models
 * @since 0.1.0
 */
export interface Forecast {
  readonly total: Accounting["total"]
  readonly byWindow: Accounting["byWindow"]
  readonly fits: (
    workload: Workload.Workload,
    allowance: Account.Allowance
  ) => Workload.Holds | Workload.MayRunOut | Workload.RunsOut
  readonly expected: (workload: Workload.Workload, hitRate: number) => { readonly min: number; readonly max: number }
}

/**
 * The laws of a forecast: it agrees with the sums.
 *
 * @category laws
 * @since 0.1.0
 */
export const forecast = ({ byWindow, expected, fits, total }: Forecast): ReadonlyArray<Law.Law> => [
  Law.make({
    name: "an allowance that lasts covers the dearest window, and one that does not, does not",
    clauses: ["8.5-not-shown"],
    arbitrary: fc.tuple(Workloads.workload, Accounts.allowance),
    holds: ([workload, allowance]) => {
      const dearest = Math.max(0, ...byWindow(workload, allowance.window).map(({ cost }) => cost.max))
      return (fits(workload, allowance)._tag === "Holds") === (dearest <= allowance.credits)
    }
  }),
  Law.make({
    name: "what is expected lies between the least and the most",
    clauses: ["8.3-fallback"],
    arbitrary: fc.tuple(Workloads.workload, fc.nat({ max: 1000 }).map((thousandths) => thousandths / 1000)),
    holds: ([workload, hitRate]) => {
      const { max, min } = total(workload)
      const likely = expected(workload, hitRate)
      // Shares of credits are added up in binary.
      const slack = 1e-6 * (1 + likely.max)
      return likely.min <= likely.max && likely.min >= min - slack &&
        (max === Infinity || likely.max <= max + slack)
    }
  })
]

/**
 * The laws of core's workloads.
 *
 * @category laws
 * @since 0.1.0
 */
export const all: ReadonlyArray<Law.Law> = [...of(Workload), ...forecast(Workload)]
