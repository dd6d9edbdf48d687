/** What a query of a command may cost: core's price, held to the ceiling of live data after a cached miss where a command names one. */
import * as Credits from "@effect-marketdata/core/Credits"
import * as Workload from "@effect-marketdata/core/Workload"
import type * as Query from "@effect-marketdata/core/Query"
import * as Option from "effect/Option"

/**
 * Holds the price of a query to the ceiling. In the mode that falls back the cache costs at most 1, live data never more than the ceiling, and a
 * fallback that is declined nothing (clause 8.3-fallback). A ceiling that covers the highest price declines nothing.
 */
export const capped = (
  query: Query.Query,
  estimated: Credits.Estimate,
  ceiling: Option.Option<number>
): Credits.Estimate => {
  if (query.mode?._tag !== "CachedOrLive" || Option.isNone(ceiling)) return estimated
  if (estimated._tag !== "Exact" && estimated._tag !== "Range") return estimated
  if (Credits.bound(estimated) <= ceiling.value) return estimated
  return {
    _tag: "Range",
    min: 0,
    max: Math.max(1, ceiling.value),
    movedBy: estimated._tag === "Range" ? estimated.movedBy : "whether anything cached is young enough",
    clause: estimated.clause,
    assumptions: estimated.assumptions
  }
}

/** What tasks cost if a share of their cached requests hits; live data that are above the ceiling are not asked for. */
export const expected = (
  workload: Workload.Workload,
  hitRate: number
): { readonly min: number; readonly max: number } =>
  workload.reduce((sum, task) => {
    const { max, min } = isCapped(task) ? ofCapped(task, hitRate) : Workload.expected([task], hitRate)
    return { min: sum.min + min, max: sum.max + max }
  }, { min: 0, max: 0 })

const isCapped = ({ assume, price, query }: Workload.Task): boolean =>
  Credits.bound(price) < Credits.bound(Credits.estimate(query, assume))

const ofCapped = ({ price, schedule: { times } }: Workload.Task, hitRate: number) => ({
  min: times * hitRate,
  max: times * (hitRate + (1 - hitRate) * Credits.bound(price))
})
