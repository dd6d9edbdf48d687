import type * as ReplyCache from "@effect-marketdata/client/ReplyCache"

/** A reply whose bytes say which one it is, over and over, and do not compress well. */
export const replyOf = (number: number): ReplyCache.KeptReply => {
  const bytes = new Uint8Array(20_000)
  let state = number + 1
  for (let at = 0; at < bytes.length; at++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    bytes[at] = state >>> 16
  }
  return {
    endpoint: "stockPrices",
    tickers: [String(number)],
    sentMode: "cached",
    maxAge: { _tag: "Relative", minutes: 5 },
    receivedAt: number,
    updated: { oldest: number - 5, newest: number },
    status: 203,
    mediaType: "application/json",
    reported: 1,
    requestId: undefined,
    bytes
  }
}
