/**
 * Schedules and workloads, for fast-check: who asks what and when.
 *
 * @example
 * ```ts
 * import * as Workload from "@effect-marketdata/core/Workload"
 * import * as Workloads from "@effect-marketdata/testing/Workloads"
 * import * as fc from "fast-check"
 *
 * const [workload] = fc.sample(Workloads.workload, { seed: 1, numRuns: 1 })
 * const asked = workload!.reduce((sum, { schedule }) => sum + schedule.times, 0)
 * Workload.total(workload!).queries === asked // => true
 * ```
 *
 * @since 0.1.0
 */
import * as Workload from "@effect-marketdata/core/Workload"
import * as fc from "fast-check"
import * as Days from "./Days.ts"
import * as Queries from "./Queries.ts"

/**
 * Schedules that begin in the years 1970 to 2099, many of them at the edge of a session or a change of clocks: up to 50 times, also none, all
 * at once, seconds apart, or hours apart over several days.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const schedule: fc.Arbitrary<Workload.Schedule> = fc.record({
  first: Days.instant,
  every: fc.oneof(fc.nat({ max: 120 }), fc.nat({ max: 90_000 }), fc.constantFrom(60, 3600, 86_400)),
  times: fc.nat({ max: 50 })
})

/**
 * A query to any endpoint that is asked on a schedule; sometimes its price is known, because the caller knows how much comes back.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const task: fc.Arbitrary<Workload.Task> = fc.tuple(
  Queries.query,
  schedule,
  fc.option(fc.nat({ max: 30_000 }), { nil: undefined })
).map(([query, schedule, known]) =>
  Workload.taskUnsafe(query, schedule, known === undefined ? {} : { contracts: known, candles: known })
)

/**
 * Workloads of up to six tasks, also none.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const workload: fc.Arbitrary<Workload.Workload> = fc.array(task, { maxLength: 6 })
