/** The list of all endpoints: constructors, rows and readings. What goes by endpoint is derived from it, or checked against it by the compiler. */
import * as AccountStatus from "./AccountStatus.ts"
import * as FundCandles from "./FundCandles.ts"
import * as MarketStatus from "./MarketStatus.ts"
import * as OptionChain from "./OptionChain.ts"
import * as OptionExpirations from "./OptionExpirations.ts"
import * as OptionLookup from "./OptionLookup.ts"
import * as OptionQuote from "./OptionQuote.ts"
import * as OptionStrikes from "./OptionStrikes.ts"
import * as RequestHeaders from "./RequestHeaders.ts"
import * as ServiceStatus from "./ServiceStatus.ts"
import * as StockBulkCandles from "./StockBulkCandles.ts"
import * as StockCandles from "./StockCandles.ts"
import * as StockEarnings from "./StockEarnings.ts"
import * as StockNews from "./StockNews.ts"
import * as StockPrices from "./StockPrices.ts"
import * as StockQuotes from "./StockQuotes.ts"
import type { Endpoint } from "../query/Endpoint.ts"
import type { Reading } from "./reading.ts"

/**
 * Asks for the option chain of an underlying (contract 4.1).
 *
 * @since 0.1.0
 */
export { query as optionChain } from "./OptionChain.ts"

/**
 * Asks for the quote of an option (contract 4.2).
 *
 * @since 0.1.0
 */
export { query as optionQuote } from "./OptionQuote.ts"

/**
 * Asks for the OCC symbol of a contract that is described in parts or in words (contract 4.3).
 *
 * @since 0.1.0
 */
export { query as optionLookup } from "./OptionLookup.ts"

/**
 * Asks for the expirations of an underlying's options.
 *
 * @since 0.1.0
 */
export { query as optionExpirations } from "./OptionExpirations.ts"

/**
 * Asks for the strikes of an underlying's options, expiration by expiration.
 *
 * @since 0.1.0
 */
export { query as optionStrikes } from "./OptionStrikes.ts"

/**
 * Ask for the quote of one stock (contract 4.4), and for those of many.
 *
 * @since 0.1.0
 */
export { query as stockQuote, queryMany as stockQuotes } from "./StockQuotes.ts"

/**
 * Asks for the prices of stocks (contract 4.5).
 *
 * @since 0.1.0
 */
export { query as stockPrices } from "./StockPrices.ts"

/**
 * Asks for the candles of a stock.
 *
 * @since 0.1.0
 */
export { query as stockCandles } from "./StockCandles.ts"

/**
 * Asks for one daily candle of each of many stocks (contract 4.5).
 *
 * @since 0.1.0
 */
export { query as stockBulkCandles } from "./StockBulkCandles.ts"

/**
 * Asks for past and expected earnings of a company.
 *
 * @since 0.1.0
 */
export { query as stockEarnings } from "./StockEarnings.ts"

/**
 * Asks for news about a company.
 *
 * @since 0.1.0
 */
export { query as stockNews } from "./StockNews.ts"

/**
 * Asks on which days the market is open.
 *
 * @since 0.1.0
 */
export { query as marketStatus } from "./MarketStatus.ts"

/**
 * Asks for the candles of a fund.
 *
 * @since 0.1.0
 */
export { query as fundCandles } from "./FundCandles.ts"

/**
 * Asks what the service knows of the account.
 *
 * @since 0.1.0
 */
export { query as account } from "./AccountStatus.ts"

/**
 * Asks how the parts of the service are.
 *
 * @since 0.1.0
 */
export { query as serviceStatus } from "./ServiceStatus.ts"

/**
 * Asks which headers reach the service.
 *
 * @since 0.1.0
 */
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

/** How the replies of each endpoint are read. It is no named export, so that nothing which only prices queries brings decoders along. */
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
