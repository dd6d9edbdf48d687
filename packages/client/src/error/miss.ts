import type { AnyReason } from "./MarketDataError.ts"

/**
 * Whether nothing cached was young enough, and that is all that went wrong: the service answered with a success (clause 7.2-success-set), only
 * without data.
 */
export const isMiss = (reason: AnyReason): boolean =>
  reason._tag === "Incomplete" ? reason.errors.every(({ reason }) => isMiss(reason)) : reason._tag === "NoCachedData"
