/** A class for the rows of each table, made of its columns. */
import * as Schema from "effect/Schema"
import { spec as fundCandles } from "../endpoints/FundCandles.ts"
import { spec as marketStatus } from "../endpoints/MarketStatus.ts"
import { spec as optionChain } from "../endpoints/OptionChain.ts"
import { spec as optionQuote } from "../endpoints/OptionQuote.ts"
import { spec as serviceStatus } from "../endpoints/ServiceStatus.ts"
import { spec as stockBulkCandles } from "../endpoints/StockBulkCandles.ts"
import { spec as stockCandles } from "../endpoints/StockCandles.ts"
import { spec as stockEarnings } from "../endpoints/StockEarnings.ts"
import { spec as stockNews } from "../endpoints/StockNews.ts"
import { spec as stockPrices } from "../endpoints/StockPrices.ts"
import { spec as stockQuotes } from "../endpoints/StockQuotes.ts"
import { meanings } from "./meanings.ts"
import { fields } from "./row.ts"

/**
 * One contract of a chain.
 *
 * @category schemas
 * @since 0.1.0
 */
export class OptionChainRow
  extends /* @__PURE__ */ Schema.Class<OptionChainRow>("@effect-marketdata/core/OptionChainRow")(
    /* @__PURE__ */ fields(optionChain, meanings.optionChain)
  )
{}

/**
 * One quote of an option.
 *
 * @category schemas
 * @since 0.1.0
 */
export class OptionQuoteRow
  extends /* @__PURE__ */ Schema.Class<OptionQuoteRow>("@effect-marketdata/core/OptionQuoteRow")(
    /* @__PURE__ */ fields(optionQuote, meanings.optionQuote)
  )
{}

/**
 * One quote of a stock, in all the columns that can be asked for.
 *
 * @category schemas
 * @since 0.1.0
 */
export class StockQuotesRow
  extends /* @__PURE__ */ Schema.Class<StockQuotesRow>("@effect-marketdata/core/StockQuotesRow")(
    /* @__PURE__ */ fields(stockQuotes, meanings.stockQuotes)
  )
{}

/**
 * One price of a stock.
 *
 * @category schemas
 * @since 0.1.0
 */
export class StockPricesRow
  extends /* @__PURE__ */ Schema.Class<StockPricesRow>("@effect-marketdata/core/StockPricesRow")(
    /* @__PURE__ */ fields(stockPrices, meanings.stockPrices)
  )
{}

/**
 * One candle of a stock.
 *
 * @category schemas
 * @since 0.1.0
 */
export class StockCandlesRow
  extends /* @__PURE__ */ Schema.Class<StockCandlesRow>("@effect-marketdata/core/StockCandlesRow")(
    /* @__PURE__ */ fields(stockCandles, meanings.stockCandles)
  )
{}

/**
 * One daily candle of one of many stocks.
 *
 * @category schemas
 * @since 0.1.0
 */
export class StockBulkCandlesRow
  extends /* @__PURE__ */ Schema.Class<StockBulkCandlesRow>("@effect-marketdata/core/StockBulkCandlesRow")(
    /* @__PURE__ */ fields(stockBulkCandles, meanings.stockBulkCandles)
  )
{}

/**
 * The earnings of one quarter.
 *
 * @category schemas
 * @since 0.1.0
 */
export class StockEarningsRow
  extends /* @__PURE__ */ Schema.Class<StockEarningsRow>("@effect-marketdata/core/StockEarningsRow")(
    /* @__PURE__ */ fields(stockEarnings, meanings.stockEarnings)
  )
{}

/**
 * One article.
 *
 * @category schemas
 * @since 0.1.0
 */
export class StockNewsRow extends /* @__PURE__ */ Schema.Class<StockNewsRow>("@effect-marketdata/core/StockNewsRow")(
  /* @__PURE__ */ fields(stockNews, meanings.stockNews)
) {}

/**
 * One day of the market.
 *
 * @category schemas
 * @since 0.1.0
 */
export class MarketStatusRow
  extends /* @__PURE__ */ Schema.Class<MarketStatusRow>("@effect-marketdata/core/MarketStatusRow")(
    /* @__PURE__ */ fields(marketStatus, meanings.marketStatus)
  )
{}

/**
 * One candle of a fund.
 *
 * @category schemas
 * @since 0.1.0
 */
export class FundCandlesRow
  extends /* @__PURE__ */ Schema.Class<FundCandlesRow>("@effect-marketdata/core/FundCandlesRow")(
    /* @__PURE__ */ fields(fundCandles, meanings.fundCandles)
  )
{}

/**
 * One part of the service.
 *
 * @category schemas
 * @since 0.1.0
 */
export class ServiceStatusRow
  extends /* @__PURE__ */ Schema.Class<ServiceStatusRow>("@effect-marketdata/core/ServiceStatusRow")(
    /* @__PURE__ */ fields(serviceStatus, meanings.serviceStatus)
  )
{}
