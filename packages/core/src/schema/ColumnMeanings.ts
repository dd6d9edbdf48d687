/**
 * What each column of each table means, in a sentence, by the names of endpoint and column. This module is written from the comments at the
 * columns by `npm run check -- columns --write`.
 *
 * @example
 * ```ts
 * import * as ColumnMeanings from "@effect-marketdata/core/ColumnMeanings"
 *
 * ColumnMeanings.optionChain.bid // => "The highest bid, in dollars a share."
 * ```
 *
 * @see {@link Schemas} for the classes of rows, which say the same
 * @since 0.1.0
 */

/**
 * The columns of `OptionChain`.
 *
 * @category constants
 * @since 0.1.0
 */
export const optionChain = {
  optionSymbol: "The OCC symbol of the contract.",
  underlying: "The ticker of the underlying.",
  expiration: "When the contract expires, in epoch seconds.",
  side: "Call or put; the column holds 0 for a call, 1 for a put.",
  strike: "The strike, in dollars.",
  firstTraded: "The morning of the first day on which it was traded, in epoch seconds.",
  dte: "Calendar days to expiration.",
  ask: "The lowest offer, in dollars a share.",
  askSize: "How much is offered at the ask, in contracts.",
  bid: "The highest bid, in dollars a share.",
  bidSize: "How much is wanted at the bid, in contracts.",
  mid: "The middle between bid and ask, in dollars a share.",
  last: "The last price that was paid, in dollars a share; null where the contract was never traded.",
  volume: "The volume of the day, in contracts.",
  openInterest: "The open interest, in contracts.",
  underlyingPrice: "The price of the underlying, in dollars.",
  inTheMoney: "Whether exercising would pay; the column holds 1 where it would, or else 0.",
  intrinsicValue: "What exercising would pay, in dollars a share.",
  extrinsicValue: "What `mid` is above the intrinsic value, in dollars a share.",
  updated: "When the quote was taken, in epoch seconds.",
  iv: "Implied volatility of a year, as a fraction: 0.25 is 25 percent.",
  delta: "Dollars for each dollar that the underlying rises: from 0 to 1 for calls, from -1 to 0 for puts.",
  gamma: "What `delta` changes for each dollar that the underlying rises.",
  theta: "Dollars a share for each day that passes.",
  vega: "Dollars a share for each percentage point of volatility."
} as const

/**
 * The columns of `OptionQuote`.
 *
 * @category constants
 * @since 0.1.0
 */
export { optionChain as optionQuote }

/**
 * The columns of `StockQuotes`.
 *
 * @category constants
 * @since 0.1.0
 */
export const stockQuotes = {
  symbol: "The ticker of the stock.",
  ask: "The lowest offer, in dollars.",
  askSize: "How much is offered at the ask, in shares.",
  bid: "The highest bid, in dollars.",
  bidSize: "How much is wanted at the bid, in shares.",
  mid: "The middle between bid and ask, in dollars.",
  last: "The last price that was paid, in dollars.",
  change: "The change since the last close of the regular session, in dollars.",
  changepct: "The change since the last close of the regular session, as a fraction of it: 0.03 is three percent.",
  volume: "The volume of the day, in shares.",
  updated: "When the quote was taken, in epoch seconds.",
  "52weekHigh": "The highest price of 52 weeks, in dollars.",
  "52weekLow": "The lowest price of 52 weeks, in dollars.",
  o: "The day's open, in dollars.",
  h: "The day's high, in dollars.",
  l: "The day's low, in dollars.",
  c: "The day's close, in dollars."
} as const

/**
 * The columns of `StockPrices`.
 *
 * @category constants
 * @since 0.1.0
 */
export const stockPrices = {
  symbol: "The ticker of the stock.",
  mid: "The middle between bid and ask, in dollars.",
  change: "The change since the last close of the regular session, in dollars.",
  changepct: "The change since the last close of the regular session, as a fraction of it: 0.03 is three percent.",
  updated: "When the price was taken, in epoch seconds."
} as const

/**
 * The columns of `StockCandles`.
 *
 * @category constants
 * @since 0.1.0
 */
export const stockCandles = {
  t: "The beginning of the candle in epoch seconds: midnight in New York for days and longer.",
  o: "The open, in dollars.",
  h: "The high, in dollars.",
  l: "The low, in dollars.",
  c: "The close, in dollars.",
  v: "The volume, in shares."
} as const

/**
 * The columns of `StockBulkCandles`.
 *
 * @category constants
 * @since 0.1.0
 */
export const stockBulkCandles = {
  symbol: "The ticker of the stock.",
  o: "The open, in dollars.",
  h: "The high, in dollars.",
  l: "The low, in dollars.",
  c: "The close, in dollars.",
  v: "The volume, in shares.",
  t: "The day, as midnight in New York in epoch seconds."
} as const

/**
 * The columns of `StockEarnings`.
 *
 * @category constants
 * @since 0.1.0
 */
export const stockEarnings = {
  symbol: "The ticker of the company.",
  fiscalYear: "The fiscal year.",
  fiscalQuarter: "The fiscal quarter, from 1 to 4.",
  date: "The last day of the quarter, as midnight in New York in epoch seconds.",
  reportDate: "The day of the report, as midnight in New York in epoch seconds; an estimate as long as it lies ahead.",
  reportTime: "When on that day, in the service's words, such as `before market open`.",
  currency: "The currency of the earnings, such as `USD`.",
  reportedEPS: "Earnings per share as reported, in `currency`; null before the report.",
  estimatedEPS: "Earnings per share as analysts expect them, in `currency`.",
  surpriseEPS: "`reportedEPS` less `estimatedEPS`, in `currency`.",
  surpriseEPSpct: "`surpriseEPS` as a fraction of `estimatedEPS`: 0.05 is five percent.",
  updated: "When the row was last changed, in epoch seconds."
} as const

/**
 * The columns of `StockNews`.
 *
 * @category constants
 * @since 0.1.0
 */
export const stockNews = {
  symbol: "The ticker of the company.",
  headline: "The headline of the article.",
  content: "The text of the article, whole or its beginning.",
  source: "The address of the article.",
  publicationDate: "When it was published, in epoch seconds."
} as const

/**
 * The columns of `MarketStatus`.
 *
 * @category constants
 * @since 0.1.0
 */
export const marketStatus = {
  date: "The day, as midnight in New York in epoch seconds.",
  status: "Whether the market is open; half days are. Null where the service does not know."
} as const

/**
 * The columns of `FundCandles`.
 *
 * @category constants
 * @since 0.1.0
 */
export const fundCandles = {
  t: "The beginning of the candle in epoch seconds: midnight in New York for days and longer.",
  o: "The open, in dollars.",
  h: "The high, in dollars.",
  l: "The low, in dollars.",
  c: "The close, in dollars."
} as const

/**
 * The columns of `ServiceStatus`.
 *
 * @category constants
 * @since 0.1.0
 */
export const serviceStatus = {
  service: "The path of an endpoint, or the name of a part.",
  status: "Its state in the service's words, such as `online`.",
  online: "Whether it is online; the column holds 1 where it is, or else 0.",
  uptimePct30d: "The fraction of the last 30 days in which it was online: 1 is all of them.",
  uptimePct90d: "The fraction of the last 90 days in which it was online.",
  updated: "When its state was found out, in epoch seconds."
} as const
