/** The endpoints as accessors: each asks what the constructor of the same name in core's `Query` makes, and takes what that takes. */
import type { Answer } from "@effect-marketdata/core/Answer"
import type * as DataMode from "@effect-marketdata/core/DataMode"
import * as Query from "@effect-marketdata/core/Query"
import type * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { MarketDataError } from "../error/MarketDataError.ts"
import {
  ask,
  askList,
  type Made,
  type MarketData,
  named,
  namedList,
  type Reasons,
  type RequirementsOf
} from "./service.ts"

/**
 * Asks what is one request. What could not be made is called by its endpoint and by its subject: the texts among the arguments, the symbol
 * first. The words of a lookup are left out: they may be anything that was pasted.
 */
const single = <Arguments extends ReadonlyArray<unknown>, Data, Mode extends DataMode.DataMode | undefined>(
  endpoint: string,
  make: (...args: Arguments) => Made<Data, Mode>,
  subjectOf: (args: ReadonlyArray<unknown>) => ReadonlyArray<unknown> = (args) => args.toReversed()
) =>
(
  ...args: Arguments
): Effect.Effect<Answer<Data>, MarketDataError<Reasons<Mode>["one"]>, MarketData | RequirementsOf<Mode>> =>
  ask(named(endpoint, ...subjectOf(args)), make(...args))

/** Asks what may take several requests. */
const many = <Arguments extends ReadonlyArray<unknown>, Data, Mode extends DataMode.DataMode | undefined>(
  endpoint: string,
  make: (...args: Arguments) => Made<Data, Mode>
) =>
(
  ...args: Arguments
): Effect.Effect<Answer<Data>, MarketDataError<Reasons<Mode, Data>["list"]>, MarketData | RequirementsOf<Mode>> =>
  askList(namedList(endpoint, args[0]), make(...args))

const page = <Data>(endpoint: string, query: Query.Query<Data, undefined>) => ask(endpoint, Result.succeed(query))

/**
 * Asks for the option chain of an underlying (contract 4.1).
 *
 * @see `Query.optionChain` of core for its options
 * @category queries
 * @since 0.1.0
 */
export const optionChain = /* @__PURE__ */ single("optionChain", Query.optionChain)

/**
 * Asks for the quotes of one option (contract 4.2): the current one, that of a past day, or one for each day of a range.
 *
 * @see `Query.optionQuote` of core for its options
 * @category queries
 * @since 0.1.0
 */
export const optionQuote = /* @__PURE__ */ single("optionQuote", Query.optionQuote)

/**
 * Asks for the OCC symbol of a contract that is described by its parts or as a text (contract 4.3).
 *
 * @see `Query.optionLookup` of core for its options
 * @category queries
 * @since 0.1.0
 */
export const optionLookup = /* @__PURE__ */ single("optionLookup", Query.optionLookup, () => [])

/**
 * Asks for the expirations of an underlying's options.
 *
 * @category queries
 * @since 0.1.0
 */
export const optionExpirations = /* @__PURE__ */ single("optionExpirations", Query.optionExpirations)

/**
 * Asks for the strikes of an underlying's options, by expiration.
 *
 * @see `Query.optionStrikes` of core for its options
 * @category queries
 * @since 0.1.0
 */
export const optionStrikes = /* @__PURE__ */ single("optionStrikes", Query.optionStrikes)

/**
 * Asks for the quote of a stock (contract 4.4).
 *
 * @category queries
 * @since 0.1.0
 */
export const stockQuote = /* @__PURE__ */ single("stockQuote", Query.stockQuote)

/**
 * Asks for the quotes of many stocks, in as few requests as possible.
 *
 * @see `Query.stockQuotes` of core for its options
 * @category queries
 * @since 0.1.0
 */
export const stockQuotes = /* @__PURE__ */ many("stockQuotes", Query.stockQuotes)

/**
 * Asks for the prices of many stocks (contract 4.5), in as few requests as possible.
 *
 * @see `Query.stockPrices` of core for its options
 * @category queries
 * @since 0.1.0
 */
export const stockPrices = /* @__PURE__ */ many("stockPrices", Query.stockPrices)

/**
 * Asks for the candles of a stock.
 *
 * @see `Query.stockCandles` of core for its options
 * @category queries
 * @since 0.1.0
 */
export const stockCandles = /* @__PURE__ */ single("stockCandles", Query.stockCandles)

/**
 * Asks for one daily candle of each of many stocks (contract 4.5), in as few requests as possible.
 *
 * @see `Query.stockBulkCandles` of core for its options
 * @category queries
 * @since 0.1.0
 */
export const stockBulkCandles = /* @__PURE__ */ many("stockBulkCandles", Query.stockBulkCandles)

/**
 * Asks for past and expected earnings of a company.
 *
 * @category queries
 * @since 0.1.0
 */
export const stockEarnings = /* @__PURE__ */ single("stockEarnings", Query.stockEarnings)

/**
 * Asks for news about a company.
 *
 * @category queries
 * @since 0.1.0
 */
export const stockNews = /* @__PURE__ */ single("stockNews", Query.stockNews)

/**
 * Asks for the candles of a fund.
 *
 * @category queries
 * @since 0.1.0
 */
export const fundCandles = /* @__PURE__ */ single("fundCandles", Query.fundCandles)

/**
 * Asks on which days the market is open.
 *
 * @category queries
 * @since 0.1.0
 */
export const marketStatus = /* @__PURE__ */ single("marketStatus", Query.marketStatus)

/**
 * Asks what the service knows of the account, at no cost.
 *
 * @category queries
 * @since 0.1.0
 */
export const account = /* @__PURE__ */ page("account", Query.account)

/**
 * Asks whether the parts of the service work, at no cost.
 *
 * @category queries
 * @since 0.1.0
 */
export const serviceStatus = /* @__PURE__ */ page("serviceStatus", Query.serviceStatus)

/**
 * Asks which headers reach the service, at no cost.
 *
 * @category queries
 * @since 0.1.0
 */
export const requestHeaders = /* @__PURE__ */ page("requestHeaders", Query.requestHeaders)
