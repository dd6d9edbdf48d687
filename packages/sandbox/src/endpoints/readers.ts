import * as Query from "@effect-marketdata/core/Query"
import * as StockPrices from "@effect-marketdata/core/StockPrices"
import type { Reader } from "../view/found.ts"
import * as Candles from "./candles.ts"
import * as Listings from "./listings.ts"
import { read as optionChain } from "./optionChain.ts"
import { read as optionLookup } from "./optionLookup.ts"
import { read as optionQuote } from "./optionQuote.ts"
import * as Pages from "./pages.ts"
import * as Reports from "./reports.ts"
import * as Tickers from "./tickers.ts"
import { read as marketStatus } from "./reports.ts"

/** How the requests of each endpoint are read and answered. Paths and prices are in core's rows. */
export const readers: { readonly [Name in Query.EndpointName]: Reader } = {
  optionChain,
  optionQuote,
  optionLookup,
  optionExpirations: Listings.expirations,
  optionStrikes: Listings.strikes,
  stockQuotes: Tickers.stockQuotes,
  stockPrices: Tickers.reader(
    Query.stockPrices,
    StockPrices.spec,
    (market, symbols, at) => market.stockPrices(symbols, at),
    ["extended"]
  ),
  stockCandles: Candles.ofStock,
  stockBulkCandles: Candles.ofStocks,
  stockEarnings: Reports.reader(
    Query.stockEarnings,
    Reports.quarters,
    (market, symbol, range) => market.earnings(symbol, range)
  ),
  stockNews: Reports.reader(Query.stockNews, Reports.days, (market, symbol, range) => market.news(symbol, range), {
    updated: true
  }),
  marketStatus,
  fundCandles: Candles.ofFund,
  account: Pages.account,
  serviceStatus: Pages.serviceStatus,
  requestHeaders: Pages.requestHeaders
}
