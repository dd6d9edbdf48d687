import { InvalidQuery } from "@effect-marketdata/core/Reason"
import * as Result from "effect/Result"
import type { MarketDataConfig } from "../MarketDataConfig.ts"

/** How many requests are under way at most, and how large a reply may be. */
export interface Limits {
  readonly maxInFlight: number
  readonly maxReplyBytes: number
}

/**
 * What holds where nobody says otherwise. The public service refuses what goes beyond 50 requests at once; the contract states no such figure, so that
 * it is nothing but a default (clause 8.5-not-shown). A chain of 200,000 contracts takes less than half of the bytes.
 */
export const defaults: Limits = { maxInFlight: 50, maxReplyBytes: 128 * 1024 * 1024 }

/** Reads the limits of a client's options. One that is no count is refused with whatever is asked, before it is sent. */
export const of = ({
  maxInFlight = defaults.maxInFlight,
  maxReplyBytes = defaults.maxReplyBytes
}: MarketDataConfig): Result.Result<Limits, InvalidQuery> => {
  if (!isCount(maxInFlight)) {
    return refuse("maxInFlight", maxInFlight, "there is room for 1 request under way or more, as a whole number")
  }
  if (!isCount(maxReplyBytes)) {
    return refuse("maxReplyBytes", maxReplyBytes, "a reply has 1 byte or more, as a whole number")
  }
  return Result.succeed({ maxInFlight, maxReplyBytes })
}

const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 1

const refuse = (parameter: string, value: number, rule: string) =>
  Result.fail(new InvalidQuery({ parameter, value: String(value), rule }))
