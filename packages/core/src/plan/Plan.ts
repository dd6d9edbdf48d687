/**
 * A plan: queries on a schedule, what they cost as they are asked, and what they would cost in each other mode. Nothing is sent, and every price and
 * sum is that of `Credits` and `Workload`.
 *
 * @example
 * ```ts
 * import * as NewYork from "@effect-marketdata/core/NewYork"
 * import * as Plan from "@effect-marketdata/core/Plan"
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as TradingCalendar from "@effect-marketdata/core/TradingCalendar"
 * import * as Result from "effect/Result"
 *
 * const now = { now: NewYork.at({ year: 2026, month: 11, day: 20 }, 12, 0), calendar: TradingCalendar.NYSE }
 * const spx = Result.getOrThrow(Query.optionChain("SPX", { assume: { contracts: 300 } }))
 * const task = Result.getOrThrow(Plan.task({ queries: [spx], when: "every 1h on trading days of 2026-12" }, now))
 * const { asked, others } = Result.getOrThrow(Plan.price(task))
 * asked.cost.max // => 45300
 * others.map(({ cost, mode }) => `${mode} ${cost.max}`) // => ["Live 45300", "Delayed 45300", "Cached 151", "CachedOrLive 45300"]
 * ```
 *
 * @see {@link WorkloadSchedule} for schedules in words
 * @see {@link Workload} for sums over days, and allowances
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import * as Account from "../account/Account.ts"
import * as DataMode from "../account/DataMode.ts"
import type { Profile } from "../account/Profile.ts"
import * as Credits from "../credits/Credits.ts"
import { allowanceOf } from "../credits/ledgerBalance.ts"
import * as HttpRequest from "../query/HttpRequest.ts"
import * as Query from "../query/query.ts"
import { InvalidQuery, type RequestLineTooLong } from "../reason/Reason.ts"
import * as ModeSelection from "./ModeSelection.ts"
import * as Workload from "./Workload.ts"
import * as WorkloadSchedule from "./WorkloadSchedule.ts"

/**
 * How fresh the data of a task must be, and whether it may get none.
 *
 * @category models
 * @since 0.1.0
 */
export interface Need {
  readonly seconds: number
  readonly mayMiss: boolean
}

/**
 * One query, or several of a kind, asked on a schedule. `fallbackUpTo` is what live data may cost at most after a cached miss.
 *
 * @category models
 * @since 0.1.0
 */
export interface Task {
  readonly name: string
  readonly when: string
  readonly queries: readonly [Query.Query, ...ReadonlyArray<Query.Query>]
  readonly schedule: WorkloadSchedule.Runs
  readonly need: Need | undefined
  readonly fallbackUpTo: number | undefined
}

/**
 * Makes a task of queries and a schedule in words; `once` where no schedule is named.
 *
 * @category constructors
 * @since 0.1.0
 */
export const task = (
  given:
    & Pick<Task, "queries">
    & { readonly [Field in "name" | "when" | "need" | "fallbackUpTo"]?: Task[Field] | undefined },
  now: WorkloadSchedule.Now
): Result.Result<Task, WorkloadSchedule.ScheduleMistake> => {
  const { name = "", when = "once", ...others } = { ...given }
  return Result.map(
    WorkloadSchedule.parse(when, now),
    (schedule) => ({ need: undefined, fallbackUpTo: undefined, ...others, name, when, schedule })
  )
}

/**
 * What else prices depend on: how a list of symbols is cut into requests, what is known of the size of a chain, and the share of cached requests
 * that hit. `account` is the account that asks: only modes that it has are listed, and by default those of any account. For one that gets
 * historical data, a current chain has a price between bounds (clause 4.1-cost-historical).
 *
 * @category models
 * @since 0.1.0
 */
export interface Options {
  readonly baseUrl?: string | undefined
  readonly maxSymbols?: number | undefined
  readonly seen?: Credits.PriceOptions | undefined
  readonly hitRate?: number | undefined
  readonly account?: Account.Account | undefined
}

/**
 * A task in one mode: the price each time, and the cost of all times.
 *
 * @category models
 * @since 0.1.0
 */
export interface InMode {
  readonly mode: Workload.Mode
  readonly each: ReadonlyArray<Credits.Estimate>
  readonly workload: Workload.Workload
  readonly cost: Workload.Cost
}

/**
 * A mode that is fresh enough, and what all times cost at the hit rate that is expected.
 *
 * @category models
 * @since 0.1.0
 */
export interface Choice {
  readonly mode: DataMode.DataMode
  readonly cost: Workload.Cost
  readonly expected: { readonly min: number; readonly max: number } | undefined
}

/**
 * A task with all its prices.
 *
 * - `requests`: how many requests each time takes
 * - `asked`: the price in the mode of its queries, as they would be asked; `others`: the price in each other mode
 * - `choices`: the modes that are fresh enough for all queries, the cheapest first; undefined without a required freshness. Where the task may not miss,
 *   they are priced without its ceiling, which would leave it without data
 *
 * @category models
 * @since 0.1.0
 */
export interface Priced {
  readonly task: Task
  readonly requests: number
  readonly asked: InMode
  readonly others: ReadonlyArray<InMode>
  readonly choices: ReadonlyArray<Choice> | undefined
}

/**
 * Caps the price of a query at the ceiling for live data after a cached miss. In the mode `cachedOrLive` the cache costs at most 1 for each request,
 * live data at most the ceiling, and a declined fallback nothing (clause 8.3-fallback). A ceiling that covers the highest price declines nothing; one
 * that is not an amount, such as NaN, counts as 0. `assume` says into how many requests a list of symbols is cut, as for the estimate.
 *
 * @category pricing
 * @since 0.1.0
 */
export const capped = (
  query: Query.Query,
  estimated: Credits.Estimate,
  ceiling: number | undefined,
  assume: Credits.PriceOptions = {}
): Credits.Estimate => {
  if (Query.known(query).mode?._tag !== "CachedOrLive" || ceiling === undefined) return estimated
  const [bound, live] = [Credits.bound(estimated), allowanceOf(ceiling)]
  if (estimated._tag !== "Exact" && estimated._tag !== "Range") return estimated
  if (bound <= live) return estimated
  const hits = costOfHits(query, assume)
  // If some requests hit, the others may still cost the ceiling.
  const max = Math.min(bound, Math.max(hits, live + hits - 1))
  const movedBy = estimated._tag === "Range" ? estimated.movedBy : "whether anything cached is young enough"
  return { _tag: "Range", min: 0, max, movedBy, clause: estimated.clause, assumptions: estimated.assumptions }
}

/** What a query costs if the cache answers each of its requests. */
const costOfHits = (query: Query.Query, assume: Credits.PriceOptions): number =>
  Credits.bound(Credits.estimate({ ...query, mode: DataMode.cached() }, assume))

/**
 * Returns the expected cost of tasks, in credits, if a share of their cached requests hits, from 0 to 1; live data above a ceiling are not asked for.
 *
 * @category pricing
 * @since 0.1.0
 */
export const expected = (workload: Workload.Workload, hitRate: number): ReturnType<typeof Credits.bounds> =>
  Workload.sum(
    workload,
    (task) => Workload.isShare(hitRate) && isCapped(task) ? ofCapped(task, hitRate) : Workload.expected([task], hitRate)
  )

const isCapped = ({ assume, price, query }: Workload.Task): boolean =>
  Credits.bound(price) < Credits.bound(Credits.estimate(query, assume))

const ofCapped = ({ assume, price, query, schedule: { times } }: Workload.Task, hitRate: number) => ({
  min: times * hitRate,
  max: times * (hitRate * costOfHits(query, assume) + (1 - hitRate) * Credits.bound(price))
})

/** The modes that a query can be asked in: those of its endpoint that the account has. */
const modesOf = ({ cacheable, historical }: Query.Query, account: Account.Account, profile: Profile | undefined) =>
  [DataMode.live, DataMode.delayed, ...(cacheable ? [DataMode.cached(), DataMode.cachedOrLive()] : [])]
    .filter((mode) => Account.serve(account, { mode, historical }, profile)._tag === "Served")

const notATask = { rule: "must be a task", example: "what Plan.task returns" }

type Problem = InvalidQuery | RequestLineTooLong | Workload.ScheduleError

/**
 * Prices a task. Fails where one of its requests cannot be sent, and with `InvalidQuery` for what is not a task.
 *
 * @category pricing
 * @since 0.1.0
 */
export const price = (task: Task, options?: Options): Result.Result<Priced, Problem> =>
  Result.gen(function*() {
    const { account = ModeSelection.anyAccount, baseUrl = "https://api.marketdata.app", ...rest } = { ...options }
    const { hitRate, maxSymbols, seen: given = {} } = rest
    const isOld = Account.dataType(account, given.profile) === "historical"
    const seen = isOld ? { historical: true, ...given } : given
    const { fallbackUpTo, need, queries, schedule } = { ...task }
    if (!Array.isArray(queries) || queries.length === 0 || !Array.isArray(schedule)) {
      return yield* Result.fail(InvalidQuery.of("task", task, notATask))
    }
    const batches = yield* Result.all(queries.map((query) => HttpRequest.batches(query, { baseUrl, maxSymbols })))
    const requests = batches.flat().length
    const assumed = batches.map(({ length }): Credits.PriceOptions => ({ ...seen, requests: length }))
    const runs = yield* Result.all(schedule.map(Workload.checkSchedule))
    const inMode = (mode: DataMode.DataMode | undefined, ceiling = fallbackUpTo): Result.Result<InMode, Problem> =>
      Result.gen(function*() {
        const inThatMode = queries.map((query) => (mode === undefined ? query : { ...query, mode }))
        const each = inThatMode.map((query, at) =>
          capped(query, Credits.estimate(query, assumed[at]), ceiling, assumed[at])
        )
        const workload: Array<Workload.Task> = []
        for (const [at, query] of inThatMode.entries()) {
          const price = each[at]!
          if (price._tag === "Refused") return yield* Result.fail(price.reason)
          for (const schedule of runs) workload.push({ query, assume: assumed[at]!, price, schedule })
        }
        return { mode: inThatMode[0]?.mode?._tag ?? "Default", each, workload, cost: Workload.total(workload) }
      })
    const asked = yield* inMode(undefined)
    const others: Array<InMode> = []
    for (const mode of modesOf(queries[0], account, given.profile)) {
      if (mode._tag !== asked.mode) others.push(yield* inMode(mode))
    }
    if (need === undefined) return { task, requests, asked, others, choices: undefined }
    const { mayMiss, seconds: staleness } = need
    // Data of past days do not age, so that any other query says more.
    const at = Math.max(0, queries.findIndex(({ historical }) => !historical))
    const needed = { staleness, mayMiss, hitRate, account }
    const choices: Array<Choice> = []
    for (const { mode } of ModeSelection.admissible(queries[at], needed, assumed[at])) {
      // A fallback that a ceiling declines brings no data.
      const { cost, workload } = yield* inMode(mode, mayMiss ? fallbackUpTo : Infinity)
      if (cost.unavailable > 0) continue
      choices.push({ mode, cost, expected: hitRate === undefined ? undefined : expected(workload, hitRate) })
    }
    const sorted = choices.toSorted((a, b) => ModeSelection.byPrice(a.expected ?? a.cost, b.expected ?? b.cost))
    return { task, requests, asked, others, choices: sorted }
  })
