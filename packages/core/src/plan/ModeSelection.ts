/**
 * Which data mode to ask in: the cheapest one whose data are fresh enough. It also says from which hit rate on cached data with a
 * fallback cost less.
 *
 * @example
 * ```ts
 * import * as ModeSelection from "@effect-marketdata/core/ModeSelection"
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Result from "effect/Result"
 *
 * const spx = Result.getOrThrow(Query.optionChain("SPX", { assume: { contracts: 300 } }))
 * ModeSelection.cheapest(spx, { staleness: 600, mayMiss: true })?.mode._tag // => "Cached"
 * ModeSelection.cheapest(spx, { staleness: 600, hitRate: 0.8 })?.mode._tag // => "CachedOrLive"
 * ModeSelection.cheapest(spx, { staleness: 30 })?.mode._tag // => "Live"
 * ```
 *
 * @see {@link DataMode} for the modes
 * @see {@link Freshness} for how fresh data are
 * @see {@link Credits} for prices
 * @since 0.1.0
 */
import * as Account from "../account/Account.ts"
import * as DataMode from "../account/DataMode.ts"
import * as Freshness from "../account/Freshness.ts"
import * as Credits from "../credits/Credits.ts"
import * as Query from "../query/query.ts"
import * as Problem from "../text/Problem.ts"
import * as Workload from "./Workload.ts"

const costsOf = /* @__PURE__ */ Problem.guard("record of costs", "{ live: 1000, alternative: 100 }", { live: 0 })

const knownNeed = /* @__PURE__ */ Problem.guard("need", "{ staleness: 600 }", { staleness: 0 })

/**
 * Returns the range of hit rates, from 0 to 1, at which `cachedOrLive` costs no more than an alternative; undefined if it never does.
 * `live` is the price of live data, `cached` that of a hit, 1 by default, and `alternative` that of the alternative, all in credits.
 *
 * Compared with live data it pays at every hit rate as soon as live data cost a credit, because a miss is free.
 *
 * @example
 * ```ts
 * import * as ModeSelection from "@effect-marketdata/core/ModeSelection"
 *
 * // To spend at most 100 credits on average where live data cost 1000, nine in ten requests have to hit.
 * ModeSelection.breakEven({ live: 1000, alternative: 100 }) // => { from: 0.9009009009009009, to: 1 }
 * ModeSelection.breakEven({ live: 1000, alternative: 1000 }) // => { from: 0, to: 1 }
 * ModeSelection.breakEven({ live: 1000, alternative: 0 }) // => undefined
 * ```
 *
 * @category decisions
 * @since 0.1.0
 */
export const breakEven = (costs: {
  readonly live: number
  readonly alternative: number
  readonly cached?: number | undefined
}): { readonly from: number; readonly to: number } | undefined => {
  const { alternative, cached = 1, live } = costsOf(costs)
  if (live <= alternative) {
    return { from: 0, to: cached <= alternative ? 1 : (alternative - live) / (cached - live) }
  }
  if (cached > alternative) return undefined
  return { from: live === Infinity ? 1 : (live - alternative) / (live - cached), to: 1 }
}

/**
 * What the caller needs of the data.
 *
 * - `staleness`: their greatest age in seconds; `Infinity` for any age
 * - `mayMiss`: whether it is acceptable to get no data if nothing cached is young enough; `false` by default
 * - `account`: the account that asks; by default one that may see the freshest data
 * - `hitRate`: the share of cached requests that hit, from 0 to 1. With it expected costs are compared, without it the highest ones
 *
 * @category models
 * @since 0.1.0
 */
export interface Need {
  readonly staleness: number
  readonly mayMiss?: boolean | undefined
  readonly account?: Account.Account | undefined
  readonly hitRate?: number | undefined
}

/**
 * A mode that meets the need, with the price of the query in it.
 *
 * @category models
 * @since 0.1.0
 */
export interface Choice {
  readonly mode: DataMode.DataMode
  readonly price: Credits.Estimate
}

/**
 * Returns the modes that meet a need, the cheapest first; of equally cheap ones the freshest first.
 *
 * - The account must have the mode, and its data must be fresh enough at best: the contract promises no more (clause 8.2-timeliness).
 * - The `maxAge` of a cached mode is what the need leaves after the least age of the data, and at least a minute. Cached modes are for
 *   current data only.
 * - A mode that may bring no data is listed only if the need has `mayMiss`.
 * - An account that gets historical data for a current chain has a price between bounds (clause 4.1-cost-historical).
 *
 * @example
 * ```ts
 * import * as ModeSelection from "@effect-marketdata/core/ModeSelection"
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Result from "effect/Result"
 *
 * const spx = Result.getOrThrow(Query.optionChain("SPX", { assume: { contracts: 300 } }))
 * ModeSelection.admissible(spx, { staleness: 3600, mayMiss: true }).map(({ mode }) => mode._tag)
 * // => ["Cached", "CachedOrLive", "Live", "Delayed"]
 * ```
 *
 * @category decisions
 * @since 0.1.0
 */
export const admissible = (
  query: Query.Query,
  need: Need,
  assume: Credits.PriceOptions = {}
): ReadonlyArray<Choice> => {
  const { hitRate, mayMiss = false, staleness } = knownNeed(need)
  const isFreshEnough = (mode: DataMode.DataMode) => lagOf(mode, query, need, assume) <= staleness
  const lag = lagOf(DataMode.live, query, need, assume)
  const room = staleness === Infinity ? Infinity : staleness - lag
  const maxAge = room === Infinity ? undefined : { seconds: Math.min(room, longestAge) }
  const modes: Array<DataMode.DataMode> = []
  if (isFreshEnough(DataMode.live)) modes.push(DataMode.live)
  if (query.cacheable && room >= 60 && isFreshEnough(DataMode.cached())) {
    if (isFreshEnough(DataMode.live)) modes.push(DataMode.cachedOrLive({ maxAge }))
    if (mayMiss) modes.push(DataMode.cached({ maxAge }))
  }
  if (isFreshEnough(DataMode.delayed)) modes.push(DataMode.delayed)
  const known = lag === Infinity ? { historical: true, ...assume } : assume
  const choices = modes.map((mode) => {
    const asked = { ...query, mode }
    const price = Credits.estimate(asked, known)
    const once = { query: asked, assume: known, price, schedule: { first: 0, every: 0, times: 1 } }
    return { mode, price, compared: hitRate === undefined ? Credits.bounds(price) : Workload.expected([once], hitRate) }
  })
  return choices.toSorted((a, b) => byPrice(a.compared, b.compared))
    .map(({ mode, price }) => ({ mode, price }))
}

/** Sorts numbers without taking one unbounded from another. */
const compare = (a: number, b: number): number => a === b ? 0 : a < b ? -1 : 1

/**
 * Sorts prices by their upper bounds, and those with the same by their lower ones.
 *
 * @internal
 */
export const byPrice = (a: Bounds, b: Bounds): number => compare(a.max, b.max) || compare(a.min, b.min)

type Bounds = { readonly min: number; readonly max: number }

/** Longer than anything is cached, and short enough to be written. */
const longestAge = 10 * 365 * 86_400

/**
 * How old the data of a mode are when they are as fresh as they can be; NaN where there are none. Those of past days are what was asked for, and do not
 * age.
 */
const lagOf = (mode: DataMode.DataMode, query: Query.Query, need: Need, { profile }: Credits.PriceOptions): number => {
  const { account = anyAccount } = need
  const served = Account.serve(account, { mode, historical: Query.known(query).historical }, profile)
  if (served._tag !== "Served") return NaN
  if (query.historical) return 0
  return { realTime: 0, cached: 0, delayed: Freshness.delay, historical: Infinity }[served.dataType]
}

/**
 * An account that has every mode.
 *
 * @internal
 */
export const anyAccount = Account.make({ plan: "paid", user: Account.nonProfessional("realTime") })

/**
 * Returns the cheapest mode that meets a need, with its price; undefined if no mode does.
 *
 * @example
 * ```ts
 * import * as ModeSelection from "@effect-marketdata/core/ModeSelection"
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Result from "effect/Result"
 *
 * const chain = Result.getOrThrow(Query.optionChain("AAPL", { assume: { contracts: 3_000 } }))
 * ModeSelection.cheapest(chain, { staleness: 3600 })?.mode // => { _tag: "CachedOrLive", maxAge: { seconds: 3600 } }
 * ```
 *
 * @category decisions
 * @since 0.1.0
 */
export const cheapest = (query: Query.Query, need: Need, assume?: Credits.PriceOptions): Choice | undefined =>
  admissible(query, need, assume)[0]
