/**
 * The rows of all endpoints, those of the contract and those that only the public service has.
 *
 * @example
 * ```ts
 * import * as Endpoints from "@effect-marketdata/core/Endpoints"
 *
 * Endpoints.byName.stockPrices.listPath // => "/v1/stocks/prices/"
 * ```
 *
 * @since 0.1.0
 */
import { row as account } from "./AccountEndpoint.ts"
import { row as fundCandles } from "./FundCandlesEndpoint.ts"
import { row as marketStatus } from "./MarketStatusEndpoint.ts"
import { row as optionChain } from "./OptionChainEndpoint.ts"
import { row as optionExpirations } from "./OptionExpirationsEndpoint.ts"
import { row as optionLookup } from "./OptionLookupEndpoint.ts"
import { row as optionQuote } from "./OptionQuoteEndpoint.ts"
import { row as optionStrikes } from "./OptionStrikesEndpoint.ts"
import { row as requestHeaders } from "./RequestHeadersEndpoint.ts"
import { row as serviceStatus } from "./ServiceStatusEndpoint.ts"
import { row as stockBulkCandles } from "./StockBulkCandlesEndpoint.ts"
import { row as stockCandles } from "./StockCandlesEndpoint.ts"
import { row as stockEarnings } from "./StockEarningsEndpoint.ts"
import { row as stockNews } from "./StockNewsEndpoint.ts"
import { row as stockPrices } from "./StockPricesEndpoint.ts"
import { row as stockQuotes } from "./StockQuotesEndpoint.ts"
import type { Endpoint, EndpointName } from "../query/Endpoint.ts"

/**
 * The row of each endpoint.
 *
 * @category constants
 * @since 0.1.0
 */
export const byName: { readonly [Name in EndpointName]: Endpoint & { readonly name: Name } } = {
  optionChain,
  optionQuote,
  optionLookup,
  optionExpirations,
  optionStrikes,
  stockQuotes,
  stockPrices,
  stockCandles,
  stockBulkCandles,
  stockEarnings,
  stockNews,
  marketStatus,
  fundCandles,
  account,
  serviceStatus,
  requestHeaders
}

/**
 * All rows: options, stocks, markets, funds, and the pages about account and service.
 *
 * @category constants
 * @since 0.1.0
 */
export const all: ReadonlyArray<Endpoint> = /* @__PURE__ */ Object.values(byName)
