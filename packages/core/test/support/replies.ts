/** A query to each endpoint, and a reply to it. */
import type { EndpointName } from "@effect-marketdata/core/Query"
import * as Query from "@effect-marketdata/core/Query"
import { body } from "./chains.ts"
import { type Asked, made } from "./everyQuery.ts"

/** A query, and what the service may answer to it. */
export interface Exchange {
  readonly query: Query.Query
  readonly body: string
}

const symbol = "AAPL261218C00150000"
const columns = (fields: object): string => JSON.stringify({ s: "ok", ...fields })
const candle = { t: [1795208000], o: [1], h: [2], l: [0.5], c: [1.5] }

const exchange = (asked: Asked, body: string): Exchange => ({ query: made(asked), body })

/** One exchange for each endpoint. */
export const exchanges: { readonly [Name in EndpointName]: Exchange } = {
  optionChain: exchange(Query.optionChain("AAPL"), body(1)),
  optionQuote: exchange(Query.optionQuote(symbol), columns({ optionSymbol: [symbol], bid: [1], ask: [2] })),
  optionLookup: exchange(Query.optionLookup("AAPL 12/18/2026 150 Call"), columns({ optionSymbol: symbol })),
  optionExpirations: exchange(
    Query.optionExpirations("AAPL"),
    columns({ expirations: ["2026-12-18"], updated: 1795208000 })
  ),
  optionStrikes: exchange(Query.optionStrikes("AAPL"), columns({ "2026-12-18": [150], updated: 1795208000 })),
  stockQuotes: exchange(Query.stockQuotes(["AAPL"]), columns({ symbol: ["AAPL"], bid: [1], ask: [2] })),
  stockPrices: exchange(Query.stockPrices(["AAPL"]), columns({ symbol: ["AAPL"], mid: [1.5] })),
  stockCandles: exchange(Query.stockCandles("D", "AAPL"), columns({ ...candle, v: [1] })),
  stockBulkCandles: exchange(Query.stockBulkCandles(["AAPL"]), columns({ symbol: ["AAPL"], ...candle, v: [1] })),
  stockEarnings: exchange(Query.stockEarnings("AAPL"), columns({ symbol: ["AAPL"], reportedEPS: [1] })),
  stockNews: exchange(Query.stockNews("AAPL"), columns({ symbol: ["AAPL"], headline: ["x"] })),
  marketStatus: exchange(Query.marketStatus(), columns({ date: [1795208000], status: ["open"] })),
  fundCandles: exchange(Query.fundCandles("D", "VFINX"), columns(candle)),
  account: {
    query: Query.account,
    body: `{"x-ratelimit-requests-limit":100,"x-ratelimit-requests-remaining":99,"x-options-data-permissions":""}`
  },
  serviceStatus: { query: Query.serviceStatus, body: columns({ service: ["/v1/"], status: ["online"] }) },
  requestHeaders: { query: Query.requestHeaders, body: `{"accept":"*/*"}` }
}
