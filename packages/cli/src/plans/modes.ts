/** What a task costs in its own mode and in each other one that its endpoint has. Every price and every sum is core's, within the ceiling of the task. */
import * as Credits from "@effect-marketdata/core/Credits"
import * as DataMode from "@effect-marketdata/core/DataMode"
import * as HttpRequest from "@effect-marketdata/core/HttpRequest"
import * as MaxAge from "@effect-marketdata/core/MaxAge"
import * as ModeSelection from "@effect-marketdata/core/ModeSelection"
import type * as Query from "@effect-marketdata/core/Query"
import type { InvalidQuery, RequestLineTooLong } from "@effect-marketdata/core/Reason"
import * as Workload from "@effect-marketdata/core/Workload"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Price from "../asking/price.ts"
import type { Need, Task } from "./plan.ts"

/** How a list of symbols is cut into requests. */
export interface Cutting {
  readonly baseUrl: string
  readonly maxSymbols: number | undefined
}

/** A task in one mode: the price each time, and the cost of all times. */
export interface InMode {
  readonly mode: Workload.Mode
  readonly each: ReadonlyArray<Credits.Estimate>
  readonly workload: Workload.Workload
  readonly cost: Workload.Cost
}

/** A mode that is fresh enough, the cheapest first. */
export interface Choice {
  readonly mode: DataMode.DataMode
  readonly cost: Workload.Cost
  /** What all times cost at the hit rate that is expected. */
  readonly expected: { readonly min: number; readonly max: number } | undefined
}

/** A task with all its prices. */
export interface Priced {
  readonly task: Task
  /** The requests that one time takes. */
  readonly requests: number
  readonly asked: InMode
  readonly others: ReadonlyArray<InMode>
  /** Undefined where no freshness is asked for. */
  readonly choices: ReadonlyArray<Choice> | undefined
}

type Problem = InvalidQuery | RequestLineTooLong | Workload.ScheduleError

/** The modes of the endpoint that a query can be asked in. */
const modesOf = (query: Query.Query): ReadonlyArray<DataMode.DataMode> => [
  DataMode.live,
  DataMode.delayed,
  ...(query.cacheable ? [DataMode.cached(), DataMode.cachedOrLive()] : [])
]

/** The same queries in a mode, at the same times. */
const inMode = (
  { seen, task }: Sized,
  mode: DataMode.DataMode | undefined,
  requests: number
): Result.Result<InMode, Problem> =>
  Result.gen(function*() {
    const workload: Array<Workload.Task> = []
    const queries = task.queries.map((query) => (mode === undefined ? query : { ...query, mode }))
    const ceiling = Option.fromUndefinedOr(task.fallbackUpTo)
    const optionsOf = (query: Query.Query) => query.list ? { requests } : seen
    const priceOf = (query: Query.Query) => Price.capped(query, Credits.estimate(query, optionsOf(query)), ceiling)
    for (const query of queries) {
      for (const schedule of task.schedule) {
        workload.push({ ...yield* Workload.task(query, schedule, optionsOf(query)), price: priceOf(query) })
      }
    }
    return {
      mode: queries[0]?.mode?._tag ?? "Default",
      each: queries.map(priceOf),
      workload,
      cost: Workload.total(workload)
    }
  })

/** The times of a query, one task for each run of its schedule. */
const choicesOf = (sized: Sized, { mayMiss, seconds }: Need, hitRate: number | undefined, requests: number) =>
  Result.gen(function*() {
    const [first] = sized.task.queries
    const admissible = ModeSelection.admissible(
      first,
      { staleness: seconds, mayMiss, hitRate },
      first.list ? { requests } : sized.seen
    )
    const choices: Array<Choice> = []
    for (const { mode } of admissible) {
      const { cost, workload } = yield* inMode(sized, mode, requests)
      choices.push({ mode, cost, expected: hitRate === undefined ? undefined : Price.expected(workload, hitRate) })
    }
    return choices
  })

/** A task, and what is known of the size of its chain. */
interface Sized {
  readonly task: Task
  readonly seen: Credits.PriceOptions
}

/** Prices a task. Fails where one of its requests cannot be sent. */
export const price = (
  sized: Sized,
  cutting: Cutting,
  hitRate: number | undefined
): Result.Result<Priced, Problem> =>
  Result.gen(function*() {
    const { task } = sized
    let requests = 0
    for (const query of task.queries) requests += (yield* HttpRequest.batches(query, cutting)).length
    const asked = yield* inMode(sized, undefined, requests)
    const others: Array<InMode> = []
    for (const mode of modesOf(task.queries[0])) {
      if (mode._tag !== asked.mode) others.push(yield* inMode(sized, mode, requests))
    }
    const choices = task.need === undefined ? undefined : yield* choicesOf(sized, task.need, hitRate, requests)
    return { task, requests, asked, others, choices }
  })

/** What live data cost at most each time. */
export const liveBound = ({ asked, others }: Pick<Priced, "asked" | "others">): number => {
  const live = [asked, ...others].find(({ mode }) => mode === "Live" || mode === "Default")
  return live === undefined ? Infinity : Math.max(...live.each.map((price) => Credits.bound(price)))
}

/** The clauses of a price, each once. */
export const clausesOf = (
  { each }: Pick<InMode, "each">
): ReadonlyArray<string> => [...new Set(each.map(({ clause }) => clause))]

/** A mode as the flags of a command; `bound` is what live data cost at most. */
export const flagsOf = (mode: DataMode.DataMode | undefined, bound: number): string => {
  if (mode === undefined) return ""
  const name = `--mode ${DataMode.parameter(mode)}`
  if (!DataMode.isCached(mode)) return name
  const age = mode.maxAge === undefined ? undefined : Result.getOrUndefined(MaxAge.parse(mode.maxAge))
  const young = age === undefined ? name : `${name} --max-age ${MaxAge.format(age)}`
  return mode._tag === "Cached" ? young : `${young} --fallback-up-to ${bound === Infinity ? "CREDITS" : bound}`
}

/** A mode in words. */
export const nameOf = (mode: Workload.Mode): string => names[mode]

const names: Readonly<Record<Workload.Mode, string>> = {
  Default: "as the plan decides",
  Live: "live",
  Delayed: "delayed",
  Cached: "cached",
  CachedOrLive: "cached, else live",
  Eod: "end of day",
  Historical: "historical"
}
