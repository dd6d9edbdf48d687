/**
 * Where data came from and how fresh they are: which mode was asked for, who answered, and when the quotes were taken.
 *
 * @example
 * ```ts
 * import * as Provenance from "@effect-marketdata/core/Provenance"
 *
 * Provenance.format({
 *   status: 203,
 *   source: "cache",
 *   requestedMode: "Cached",
 *   sentMode: "cached",
 *   updated: { oldest: 1795208100, newest: 1795208280 },
 *   receivedAt: 1795208400,
 *   requestId: undefined
 * }) // => "the service's cache (status 203), asked as cached"
 * ```
 *
 * @see {@link Freshness} for how fresh data are
 * @see {@link Answer} which holds it
 * @since 0.1.0
 */
import type { DataMode, Parameter } from "../account/DataMode.ts"

/**
 * The origin of an answer. Times are epoch seconds.
 *
 * - `source`: the upstream provider (status 200) or the service's cache (status 203); clauses 7.1-200 and 7.1-203
 * - `requestedMode`, `sentMode`: the mode of the query, and the mode of its last request; undefined if the plan decides
 * - `updated`: the times of the oldest and the newest quote in the data
 * - `receivedAt`: when the head of the reply arrived
 * - `requestId`: the service's id of the request, which its support asks for
 *
 * @category models
 * @since 0.1.0
 */
export interface Provenance {
  readonly status: 200 | 203
  readonly source: "provider" | "cache"
  readonly requestedMode: DataMode["_tag"] | undefined
  readonly sentMode: Parameter | undefined
  readonly updated: { readonly oldest: number; readonly newest: number } | undefined
  readonly receivedAt: number
  readonly requestId: string | undefined
}

/**
 * Merges the origins of a query's requests into one: from the cache if any of them is, as old as the oldest, received when the last one
 * was, and asked as the last one was.
 *
 * @category combinators
 * @since 0.1.0
 */
export const merge = (first: Provenance, ...others: ReadonlyArray<Provenance>): Provenance =>
  others.reduce((all, next) => ({
    ...(all.source === "cache" ? all : next),
    requestedMode: next.requestedMode,
    sentMode: next.sentMode,
    updated: spanOf(all.updated, next.updated),
    receivedAt: Math.max(all.receivedAt, next.receivedAt),
    requestId: next.requestId
  }), first)

const spanOf = (one: Provenance["updated"], other: Provenance["updated"]): Provenance["updated"] =>
  one === undefined || other === undefined
    ? one ?? other
    : { oldest: Math.min(one.oldest, other.oldest), newest: Math.max(one.newest, other.newest) }

/**
 * Prints the origin of an answer in a few words.
 *
 * @category formatting
 * @since 0.1.0
 */
export const format = (self: Provenance): string => {
  const source = self.source === "cache" ? "the service's cache" : "the upstream provider"
  const asked = self.sentMode === undefined ? "in the plan's own mode" : `as ${self.sentMode}`
  const fallback = self.requestedMode === "CachedOrLive" && self.sentMode === "live" ? " after a cached miss" : ""
  return `${source} (status ${self.status}), asked ${asked}${fallback}`
}
