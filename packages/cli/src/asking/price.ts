/** What a query of a command may cost: core's estimate, held to the ceiling of live data after a cached miss where a command names one. */
import * as Credits from "@effect-marketdata/core/Credits"
import type * as Query from "@effect-marketdata/core/Query"
import * as Option from "effect/Option"

/**
 * Estimates a query. In the mode that falls back the cache costs at most 1, live data never more than the ceiling, and a fallback that is declined
 * nothing (clause 8.3-fallback).
 */
export const estimate = (query: Query.Query, ceiling: Option.Option<number> = Option.none()): Credits.Estimate => {
  const estimated = Credits.estimate(query)
  if (query.mode?._tag !== "CachedOrLive" || Option.isNone(ceiling)) return estimated
  if (estimated._tag !== "Exact" && estimated._tag !== "Range") return estimated
  return {
    _tag: "Range",
    min: 0,
    max: Math.max(1, Math.min(ceiling.value, Credits.bound(estimated))),
    movedBy: estimated._tag === "Range" ? estimated.movedBy : "whether anything cached is young enough",
    clause: estimated.clause,
    assumptions: estimated.assumptions
  }
}
