import type * as Query from "@effect-marketdata/core/Query"
import type { MarketDataConfig } from "./MarketDataConfig.ts"

/** How many requests are under way at most, how large a reply may be, all of them together, and those that are kept. */
export interface Limits {
  readonly maxInFlight: number
  /** Undefined where each reply may be as large as its endpoint's can be. */
  readonly maxReplyBytes: number | undefined
  readonly maxBytesInFlight: number
  readonly maxKeptBytes: number
}

/**
 * The defaults. The public service refuses what goes beyond 50 requests at once; the contract states no such figure, so that
 * it is nothing but a default (clause 8.5-not-shown). The bytes are those of the largest reply that there can be.
 */
const defaults: Limits = {
  maxInFlight: 50,
  maxReplyBytes: undefined,
  maxBytesInFlight: 134_217_728,
  maxKeptBytes: 0
}

/** How many bytes each reply may have without waiting for others: those of most endpoints are never larger. */
export const share = 1_048_576

/** The limits of a client's options, which were checked. */
export const of = ({
  maxBytesInFlight = defaults.maxBytesInFlight,
  maxInFlight = defaults.maxInFlight,
  maxKeptBytes = defaults.maxKeptBytes,
  maxReplyBytes
}: MarketDataConfig): Limits => ({ maxInFlight, maxReplyBytes, maxBytesInFlight, maxKeptBytes })

/** The largest reply to a query that is taken, and whether its bytes were configured. */
export interface ReplyLimit {
  readonly bytes: number
  readonly rows: number
  readonly isConfigured: boolean
}

/** A reply may be as large as its endpoint's can be, or less where the client is told so. */
export const ofReply = (query: Query.Query, configured = Infinity): ReplyLimit => {
  const { maxReplyBytes, maxRows } = query.endpoint
  return { bytes: Math.min(maxReplyBytes, configured), rows: maxRows, isConfigured: configured < maxReplyBytes }
}
