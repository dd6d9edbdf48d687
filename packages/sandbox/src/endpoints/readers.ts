import * as Query from "@effect-marketdata/core/Query"
import type { Reader } from "../view/found.ts"
import * as StockPrices from "@effect-marketdata/core/StockPrices"
import * as Reports from "./reports.ts"
import * as Tickers from "./tickers.ts"
import { read as account } from "./account.ts"
import { read as fundCandles } from "./fundCandles.ts"
import { read as marketStatus } from "./marketStatus.ts"
import { read as optionChain } from "./optionChain.ts"
import { read as optionExpirations } from "./optionExpirations.ts"
import { read as optionLookup } from "./optionLookup.ts"
import { read as optionQuote } from "./optionQuote.ts"
import { read as optionStrikes } from "./optionStrikes.ts"
import { read as requestHeaders } from "./requestHeaders.ts"
import { read as serviceStatus } from "./serviceStatus.ts"
import { read as stockBulkCandles } from "./stockBulkCandles.ts"
import { read as stockCandles } from "./stockCandles.ts"
import { read as stockQuotes } from "./stockQuotes.ts"

/** How the requests of each endpoint are read and answered. Paths and prices are in core's rows. */
export const readers: { readonly [Name in Query.EndpointName]: Reader } = {
  optionChain,
  optionQuote,
  optionLookup,
  optionExpirations,
  optionStrikes,
  stockQuotes,
  stockPrices: Tickers.reader(
    Query.stockPrices,
    StockPrices.spec,
    (market, symbols, at) => market.stockPrices(symbols, at),
    ["extended"]
  ),
  stockCandles,
  stockBulkCandles,
  stockEarnings: Reports.reader(
    Query.stockEarnings,
    Reports.quarters,
    (market, symbol, range) => market.earnings(symbol, range)
  ),
  stockNews: Reports.reader(Query.stockNews, Reports.days, (market, symbol, range) => market.news(symbol, range), {
    updated: true
  }),
  marketStatus,
  fundCandles,
  account,
  serviceStatus,
  requestHeaders
}
