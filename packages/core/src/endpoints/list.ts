/** The list of all endpoints: constructors, descriptions and readings. Everything that depends on endpoints is derived from it, or checked against it by the compiler. */
import type { Endpoint } from "../query/Endpoint.ts"
import * as AccountStatus from "./AccountStatus.ts"
import * as FundCandles from "./FundCandles.ts"
import * as MarketStatus from "./MarketStatus.ts"
import * as OptionChain from "./OptionChain.ts"
import * as OptionExpirations from "./OptionExpirations.ts"
import * as OptionLookup from "./OptionLookup.ts"
import * as OptionQuote from "./OptionQuote.ts"
import * as OptionStrikes from "./OptionStrikes.ts"
import type { Reading } from "./reading.ts"
import * as RequestHeaders from "./RequestHeaders.ts"
import * as ServiceStatus from "./ServiceStatus.ts"
import * as StockBulkCandles from "./StockBulkCandles.ts"
import * as StockCandles from "./StockCandles.ts"
import * as StockEarnings from "./StockEarnings.ts"
import * as StockNews from "./StockNews.ts"
import * as StockPrices from "./StockPrices.ts"
import * as StockQuotes from "./StockQuotes.ts"

/**
 * Ask about options: chains, quotes, symbols, expirations and strikes.
 *
 * @since 0.1.0
 */
export { query as optionChain } from "./OptionChain.ts"
export { query as optionQuote } from "./OptionQuote.ts"
export { query as optionLookup } from "./OptionLookup.ts"
export { query as optionExpirations } from "./OptionExpirations.ts"
export { query as optionStrikes } from "./OptionStrikes.ts"

/**
 * Ask about stocks: quotes, prices, candles, earnings and news.
 *
 * @since 0.1.0
 */
export { query as stockQuote, queryMany as stockQuotes } from "./StockQuotes.ts"
export { query as stockPrices } from "./StockPrices.ts"
export { query as stockCandles } from "./StockCandles.ts"
export { query as stockBulkCandles } from "./StockBulkCandles.ts"
export { query as stockEarnings } from "./StockEarnings.ts"
export { query as stockNews } from "./StockNews.ts"

/**
 * Ask about the days of the market, and for the candles of a fund.
 *
 * @since 0.1.0
 */
export { query as marketStatus } from "./MarketStatus.ts"
export { query as fundCandles } from "./FundCandles.ts"

/**
 * Ask about the account, the service and the request itself, at no cost.
 *
 * @since 0.1.0
 */
export { query as account } from "./AccountStatus.ts"
export { query as serviceStatus } from "./ServiceStatus.ts"
export { query as requestHeaders } from "./RequestHeaders.ts"

/**
 * The rows of all endpoints by name: those of the contract, and those that only the public service has.
 *
 * @category constants
 * @since 0.1.0
 */
export const endpoints = {
  optionChain: OptionChain.row,
  optionQuote: OptionQuote.row,
  optionLookup: OptionLookup.row,
  optionExpirations: OptionExpirations.row,
  optionStrikes: OptionStrikes.row,
  stockQuotes: StockQuotes.row,
  stockPrices: StockPrices.row,
  stockCandles: StockCandles.row,
  stockBulkCandles: StockBulkCandles.row,
  stockEarnings: StockEarnings.row,
  stockNews: StockNews.row,
  marketStatus: MarketStatus.row,
  fundCandles: FundCandles.row,
  account: AccountStatus.row,
  serviceStatus: ServiceStatus.row,
  requestHeaders: RequestHeaders.row
} as const satisfies Readonly<Record<string, Endpoint>>

/**
 * The name of an endpoint.
 *
 * @category models
 * @since 0.1.0
 */
export type EndpointName = keyof typeof endpoints

/**
 * The row of one of these endpoints.
 *
 * @category models
 * @since 0.1.0
 */
export type AnyEndpoint = typeof endpoints[EndpointName]

/** How the replies of each endpoint are read. It is the default export, which the `export *` of `Query` leaves out: a program that only prices queries loads no decoder. */
const readings: { readonly [Name in EndpointName]: Reading<unknown> } = {
  optionChain: OptionChain.reading,
  optionQuote: OptionQuote.reading,
  optionLookup: OptionLookup.reading,
  optionExpirations: OptionExpirations.reading,
  optionStrikes: OptionStrikes.reading,
  stockQuotes: StockQuotes.reading,
  stockPrices: StockPrices.reading,
  stockCandles: StockCandles.reading,
  stockBulkCandles: StockBulkCandles.reading,
  stockEarnings: StockEarnings.reading,
  stockNews: StockNews.reading,
  marketStatus: MarketStatus.reading,
  fundCandles: FundCandles.reading,
  account: AccountStatus.reading,
  serviceStatus: ServiceStatus.reading,
  requestHeaders: RequestHeaders.reading
}

export default readings
