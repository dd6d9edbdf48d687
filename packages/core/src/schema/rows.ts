/** A class for the rows of each table: written by `npm run check -- columns --write`. */
import * as FundCandles from "../endpoints/FundCandles.ts"
import * as MarketStatus from "../endpoints/MarketStatus.ts"
import * as OptionChain from "../endpoints/OptionChain.ts"
import * as OptionQuote from "../endpoints/OptionQuote.ts"
import * as ServiceStatus from "../endpoints/ServiceStatus.ts"
import * as StockBulkCandles from "../endpoints/StockBulkCandles.ts"
import * as StockCandles from "../endpoints/StockCandles.ts"
import * as StockEarnings from "../endpoints/StockEarnings.ts"
import * as StockNews from "../endpoints/StockNews.ts"
import * as StockPrices from "../endpoints/StockPrices.ts"
import * as StockQuotes from "../endpoints/StockQuotes.ts"
import { rowOf } from "./answer.ts"
import * as ColumnMeanings from "./ColumnMeanings.ts"

/**
 * One contract of a chain, as a value of its own.
 *
 * @category schemas
 * @since 0.1.0
 */
export class OptionChainRow
  extends /* @__PURE__ */ rowOf<OptionChainRow>()("OptionChainRow", OptionChain.spec, ColumnMeanings.optionChain)
{}

/**
 * One quote of an option, as a value of its own.
 *
 * @category schemas
 * @since 0.1.0
 */
export class OptionQuoteRow
  extends /* @__PURE__ */ rowOf<OptionQuoteRow>()("OptionQuoteRow", OptionQuote.spec, ColumnMeanings.optionQuote)
{}

/**
 * One quote of a stock, as a value of its own.
 *
 * @category schemas
 * @since 0.1.0
 */
export class StockQuotesRow
  extends /* @__PURE__ */ rowOf<StockQuotesRow>()("StockQuotesRow", StockQuotes.spec, ColumnMeanings.stockQuotes)
{}

/**
 * One price of a stock, as a value of its own.
 *
 * @category schemas
 * @since 0.1.0
 */
export class StockPricesRow
  extends /* @__PURE__ */ rowOf<StockPricesRow>()("StockPricesRow", StockPrices.spec, ColumnMeanings.stockPrices)
{}

/**
 * One candle of a stock, as a value of its own.
 *
 * @category schemas
 * @since 0.1.0
 */
export class StockCandlesRow
  extends /* @__PURE__ */ rowOf<StockCandlesRow>()("StockCandlesRow", StockCandles.spec, ColumnMeanings.stockCandles)
{}

/**
 * One daily candle of one of many stocks, as a value of its own.
 *
 * @category schemas
 * @since 0.1.0
 */
export class StockBulkCandlesRow extends /* @__PURE__ */ rowOf<StockBulkCandlesRow>()(
  "StockBulkCandlesRow",
  StockBulkCandles.spec,
  ColumnMeanings.stockBulkCandles
) {}

/**
 * One quarter's earnings, as a value of its own.
 *
 * @category schemas
 * @since 0.1.0
 */
export class StockEarningsRow extends /* @__PURE__ */ rowOf<StockEarningsRow>()(
  "StockEarningsRow",
  StockEarnings.spec,
  ColumnMeanings.stockEarnings
) {}

/**
 * One article, as a value of its own.
 *
 * @category schemas
 * @since 0.1.0
 */
export class StockNewsRow
  extends /* @__PURE__ */ rowOf<StockNewsRow>()("StockNewsRow", StockNews.spec, ColumnMeanings.stockNews)
{}

/**
 * One day of the market, as a value of its own.
 *
 * @category schemas
 * @since 0.1.0
 */
export class MarketStatusRow
  extends /* @__PURE__ */ rowOf<MarketStatusRow>()("MarketStatusRow", MarketStatus.spec, ColumnMeanings.marketStatus)
{}

/**
 * One candle of a fund, as a value of its own.
 *
 * @category schemas
 * @since 0.1.0
 */
export class FundCandlesRow
  extends /* @__PURE__ */ rowOf<FundCandlesRow>()("FundCandlesRow", FundCandles.spec, ColumnMeanings.fundCandles)
{}

/**
 * One part of the service, as a value of its own.
 *
 * @category schemas
 * @since 0.1.0
 */
export class ServiceStatusRow extends /* @__PURE__ */ rowOf<ServiceStatusRow>()(
  "ServiceStatusRow",
  ServiceStatus.spec,
  ColumnMeanings.serviceStatus
) {}
