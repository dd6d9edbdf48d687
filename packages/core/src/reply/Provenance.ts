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
import * as Problem from "../text/Problem.ts"

/**
 * The origin of an answer. Times are epoch seconds.
 *
 * - `source`: the upstream provider (status 200) or the service's cache (status 203); clauses 7.1-200 and 7.1-203. A `local` answer is a
 *   reply that was kept: everything else says what the service said then
 * - `age`: of a local answer, and of one that a cache on the way gave again (header `Age`), the seconds since the reply arrived there; of several
 *   replies, since the first of them did
 * - `requestedMode`, `sentMode`: the mode of the query, and the mode of its last request; undefined if the plan decides
 * - `updated`: the times of the oldest and the newest quote in the data
 * - `receivedAt`: when the head of the reply arrived, here or in the cache that gave it again
 * - `requestId`: the service's id of the request, which its support asks for
 *
 * @category models
 * @since 0.1.0
 */
export interface Provenance {
  readonly status: 200 | 203
  readonly source: "provider" | "cache" | "local"
  readonly age?: number | undefined
  readonly requestedMode: DataMode["_tag"] | undefined
  readonly sentMode: Parameter | undefined
  readonly updated: { readonly oldest: number; readonly newest: number } | undefined
  readonly receivedAt: number
  readonly requestId: string | undefined
}

/**
 * Merges the origins of a query's requests into one: local if any of them is, or else from the cache if any is; as old as the oldest,
 * received when the last one was, and asked as cached if any was, or else as the last one was.
 *
 * @category combinators
 * @since 0.1.0
 */
export const merge = (first: Provenance, ...others: ReadonlyArray<Provenance>): Provenance =>
  others.map((other) => known(other)).reduce((all, next) => ({
    ...(all.source === "local" || all.source === "cache" && next.source !== "local" ? all : next),
    ...ageOf(all, next),
    requestedMode: next.requestedMode,
    sentMode: all.sentMode === "cached" ? "cached" : next.sentMode,
    updated: spanOf(all.updated, next.updated),
    receivedAt: Math.max(all.receivedAt, next.receivedAt),
    requestId: next.requestId
  }), known(first))

const known = /* @__PURE__ */ Problem.guard("provenance", "answer.provenance", { status: 200, receivedAt: 0 })

const ageOf = (one: Provenance, other: Provenance): Pick<Provenance, "age"> =>
  one.age === undefined && other.age === undefined ? {} : { age: Math.max(one.age ?? 0, other.age ?? 0) }

const spanOf = (one: Provenance["updated"], other: Provenance["updated"]): Provenance["updated"] =>
  one === undefined || other === undefined
    ? one ?? other
    : { oldest: Math.min(one.oldest, other.oldest), newest: Math.max(one.newest, other.newest) }

/**
 * Returns the origin of the same answer where it is given again, `age` seconds after it arrived.
 *
 * @category combinators
 * @since 0.1.0
 */
export const local = (self: Provenance, age: number): Provenance => ({ ...known(self), source: "local", age })

/**
 * Prints the origin of an answer in a few words.
 *
 * @category formatting
 * @since 0.1.0
 */
export const format = (self: Provenance): string => {
  const source = known(self).status === 203 ? "the service's cache" : "the upstream provider"
  const asked = self.sentMode === undefined ? "in the plan's own mode" : `as ${self.sentMode}`
  const fallback = self.requestedMode === "CachedOrLive" && self.sentMode === "live" ? " after a cached miss" : ""
  const kept = self.source === "local" || self.age !== undefined ? `kept for ${self.age ?? 0} s from ` : ""
  return `${kept}${source} (status ${self.status}), asked ${asked}${fallback}`
}
