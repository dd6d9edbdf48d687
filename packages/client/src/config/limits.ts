import type * as Query from "@effect-marketdata/core/Query"
import type { MarketDataConfig } from "./MarketDataConfig.ts"

/** How many bytes each reply may have without waiting for others: those of most endpoints are never larger. */
export const share = 1_048_576

/**
 * The limits of a client's options, which were checked. The public service refuses what goes beyond 50 requests at once; the contract states no
 * such figure, so that it is nothing but a default (clause 8.5-not-shown). The bytes in flight are those of the largest reply that there can be.
 * `maxReplyBytes` is undefined where each reply may be as large as its endpoint's can be.
 */
export const of = (
  { maxBytesInFlight = 134_217_728, maxInFlight = 50, maxKeptBytes = 0, maxReplyBytes }: MarketDataConfig
) => ({ maxInFlight, maxReplyBytes, maxBytesInFlight, maxKeptBytes })

/** The largest reply to a query that is taken: as large as its endpoint's can be, or less where the client is told so. */
export const ofReply = (query: Query.Query, configured = Infinity) => {
  const { maxReplyBytes, maxRows } = query.endpoint
  return { bytes: Math.min(maxReplyBytes, configured), rows: maxRows, isConfigured: configured < maxReplyBytes }
}
