/** A class for the rows of each table: written by `npm run check -- columns --write`. */
import * as Schema from "effect/Schema"
import * as OptionChain from "../endpoints/OptionChain.ts"
import * as OptionQuote from "../endpoints/OptionQuote.ts"
import * as StockQuotes from "../endpoints/StockQuotes.ts"
import * as StockPrices from "../endpoints/StockPrices.ts"
import * as StockCandles from "../endpoints/StockCandles.ts"
import * as StockBulkCandles from "../endpoints/StockBulkCandles.ts"
import * as StockEarnings from "../endpoints/StockEarnings.ts"
import * as StockNews from "../endpoints/StockNews.ts"
import * as MarketStatus from "../endpoints/MarketStatus.ts"
import * as FundCandles from "../endpoints/FundCandles.ts"
import * as ServiceStatus from "../endpoints/ServiceStatus.ts"
import * as ColumnMeanings from "./ColumnMeanings.ts"
import { fields } from "./row.ts"

/**
 * One contract of a chain, as a value of its own.
 *
 * @category schemas
 * @since 0.1.0
 */
export class OptionChainRow
  extends /* @__PURE__ */ Schema.Class<OptionChainRow>("@effect-marketdata/core/OptionChainRow")(
    /* @__PURE__ */ fields(OptionChain.spec, ColumnMeanings.optionChain)
  )
{}

/**
 * One quote of an option, as a value of its own.
 *
 * @category schemas
 * @since 0.1.0
 */
export class OptionQuoteRow
  extends /* @__PURE__ */ Schema.Class<OptionQuoteRow>("@effect-marketdata/core/OptionQuoteRow")(
    /* @__PURE__ */ fields(OptionQuote.spec, ColumnMeanings.optionQuote)
  )
{}

/**
 * One quote of a stock, as a value of its own.
 *
 * @category schemas
 * @since 0.1.0
 */
export class StockQuotesRow
  extends /* @__PURE__ */ Schema.Class<StockQuotesRow>("@effect-marketdata/core/StockQuotesRow")(
    /* @__PURE__ */ fields(StockQuotes.spec, ColumnMeanings.stockQuotes)
  )
{}

/**
 * One price of a stock, as a value of its own.
 *
 * @category schemas
 * @since 0.1.0
 */
export class StockPricesRow
  extends /* @__PURE__ */ Schema.Class<StockPricesRow>("@effect-marketdata/core/StockPricesRow")(
    /* @__PURE__ */ fields(StockPrices.spec, ColumnMeanings.stockPrices)
  )
{}

/**
 * One candle of a stock, as a value of its own.
 *
 * @category schemas
 * @since 0.1.0
 */
export class StockCandlesRow
  extends /* @__PURE__ */ Schema.Class<StockCandlesRow>("@effect-marketdata/core/StockCandlesRow")(
    /* @__PURE__ */ fields(StockCandles.spec, ColumnMeanings.stockCandles)
  )
{}

/**
 * One daily candle of one of many stocks, as a value of its own.
 *
 * @category schemas
 * @since 0.1.0
 */
export class StockBulkCandlesRow
  extends /* @__PURE__ */ Schema.Class<StockBulkCandlesRow>("@effect-marketdata/core/StockBulkCandlesRow")(
    /* @__PURE__ */ fields(StockBulkCandles.spec, ColumnMeanings.stockBulkCandles)
  )
{}

/**
 * One quarter's earnings, as a value of its own.
 *
 * @category schemas
 * @since 0.1.0
 */
export class StockEarningsRow
  extends /* @__PURE__ */ Schema.Class<StockEarningsRow>("@effect-marketdata/core/StockEarningsRow")(
    /* @__PURE__ */ fields(StockEarnings.spec, ColumnMeanings.stockEarnings)
  )
{}

/**
 * One article, as a value of its own.
 *
 * @category schemas
 * @since 0.1.0
 */
export class StockNewsRow extends /* @__PURE__ */ Schema.Class<StockNewsRow>("@effect-marketdata/core/StockNewsRow")(
  /* @__PURE__ */ fields(StockNews.spec, ColumnMeanings.stockNews)
) {}

/**
 * One day of the market, as a value of its own.
 *
 * @category schemas
 * @since 0.1.0
 */
export class MarketStatusRow
  extends /* @__PURE__ */ Schema.Class<MarketStatusRow>("@effect-marketdata/core/MarketStatusRow")(
    /* @__PURE__ */ fields(MarketStatus.spec, ColumnMeanings.marketStatus)
  )
{}

/**
 * One candle of a fund, as a value of its own.
 *
 * @category schemas
 * @since 0.1.0
 */
export class FundCandlesRow
  extends /* @__PURE__ */ Schema.Class<FundCandlesRow>("@effect-marketdata/core/FundCandlesRow")(
    /* @__PURE__ */ fields(FundCandles.spec, ColumnMeanings.fundCandles)
  )
{}

/**
 * One part of the service, as a value of its own.
 *
 * @category schemas
 * @since 0.1.0
 */
export class ServiceStatusRow
  extends /* @__PURE__ */ Schema.Class<ServiceStatusRow>("@effect-marketdata/core/ServiceStatusRow")(
    /* @__PURE__ */ fields(ServiceStatus.spec, ColumnMeanings.serviceStatus)
  )
{}
