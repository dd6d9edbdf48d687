import type * as Endpoint from "@effect-marketdata/core/Endpoint"
import * as Query from "@effect-marketdata/core/Query"
import type * as StockBulkCandles from "@effect-marketdata/core/StockBulkCandles"
import type * as StockBulkCandlesEndpoint from "@effect-marketdata/core/StockBulkCandlesEndpoint"
import type * as StockCandles from "@effect-marketdata/core/StockCandles"
import type * as StockCandlesEndpoint from "@effect-marketdata/core/StockCandlesEndpoint"
import type * as StockEarnings from "@effect-marketdata/core/StockEarnings"
import type * as StockEarningsEndpoint from "@effect-marketdata/core/StockEarningsEndpoint"
import type * as StockNews from "@effect-marketdata/core/StockNews"
import type * as StockNewsEndpoint from "@effect-marketdata/core/StockNewsEndpoint"
import type * as StockPrices from "@effect-marketdata/core/StockPrices"
import type * as StockPricesEndpoint from "@effect-marketdata/core/StockPricesEndpoint"
import type * as StockQuotes from "@effect-marketdata/core/StockQuotes"
import type * as StockQuotesEndpoint from "@effect-marketdata/core/StockQuotesEndpoint"
import { named, namedList } from "../named.ts"
import { ask, type Asked, type AskedInBatches, askList } from "../service.ts"

/**
 * Asks for the quote of a stock (contract 4.4).
 *
 * @category questions
 * @since 0.1.0
 */
export const stockQuote = <
  const Name extends StockQuotesEndpoint.BaseColumn = StockQuotesEndpoint.BaseColumn,
  const Mode extends Endpoint.AnyMode = undefined,
  const With extends StockQuotesEndpoint.Extra = never
>(
  symbol: string,
  options?: StockQuotesEndpoint.Options<Name, Mode, With>
): Asked<StockQuotes.StockQuotes<Name | StockQuotesEndpoint.ColumnsOf<With>>, Mode> =>
  ask(named("stockQuote", symbol), Query.stockQuote(symbol, options))

/**
 * Asks for the quotes of many stocks, in as few requests as they fit into.
 *
 * @category questions
 * @since 0.1.0
 */
export const stockQuotes = <
  const Name extends StockQuotesEndpoint.BaseColumn = StockQuotesEndpoint.BaseColumn,
  const Mode extends Endpoint.AnyMode = undefined,
  const With extends Exclude<StockQuotesEndpoint.Extra, "52week"> = never
>(
  symbols: ReadonlyArray<string>,
  options?: StockQuotesEndpoint.Options<Name, Mode, With>
): AskedInBatches<StockQuotes.StockQuotes<Name | StockQuotesEndpoint.ColumnsOf<With>>, Mode> =>
  askList(namedList("stockQuotes", symbols), Query.stockQuotes(symbols, options))

/**
 * Asks for the prices of many stocks (contract 4.5), in as few requests as they fit into.
 *
 * @category questions
 * @since 0.1.0
 */
export const stockPrices = <
  const Name extends StockPrices.Column = StockPrices.Column,
  const Mode extends Endpoint.AnyMode = undefined
>(
  symbols: ReadonlyArray<string>,
  options?: StockPricesEndpoint.Options<Name, Mode>
): AskedInBatches<StockPrices.StockPrices<Name>, Mode> =>
  askList(namedList("stockPrices", symbols), Query.stockPrices(symbols, options))

/**
 * Asks for the candles of a stock.
 *
 * @category questions
 * @since 0.1.0
 */
export const stockCandles = <
  const Name extends StockCandles.Column = StockCandles.Column,
  const Mode extends Endpoint.UncachedMode = undefined
>(
  resolution: StockCandlesEndpoint.Resolution,
  symbol: string,
  options?: StockCandlesEndpoint.Options<Name, Mode>
): Asked<StockCandles.StockCandles<Name>, Mode> =>
  ask(named("stockCandles", symbol, resolution), Query.stockCandles(resolution, symbol, options))

/**
 * Asks for one daily candle of each of many stocks (contract 4.5), in as few requests as they fit into.
 *
 * @category questions
 * @since 0.1.0
 */
export const stockBulkCandles = <
  const Name extends StockBulkCandles.Column = StockBulkCandles.Column,
  const Mode extends Endpoint.UncachedMode = undefined
>(
  symbols: ReadonlyArray<string> | "all",
  options?: StockBulkCandlesEndpoint.Options<Name, Mode>
): AskedInBatches<StockBulkCandles.StockBulkCandles<Name>, Mode> =>
  askList(namedList("stockBulkCandles", symbols), Query.stockBulkCandles(symbols, options))

/**
 * Asks for past and expected earnings of a company.
 *
 * @category questions
 * @since 0.1.0
 */
export const stockEarnings = <
  const Name extends StockEarnings.Column = StockEarnings.Column,
  const Mode extends Endpoint.UncachedMode = undefined
>(
  symbol: string,
  options?: StockEarningsEndpoint.Options<Name, Mode>
): Asked<StockEarnings.StockEarnings<Name>, Mode> =>
  ask(named("stockEarnings", symbol), Query.stockEarnings(symbol, options))

/**
 * Asks for news about a company.
 *
 * @category questions
 * @since 0.1.0
 */
export const stockNews = <
  const Name extends StockNews.Column = StockNews.Column,
  const Mode extends Endpoint.UncachedMode = undefined
>(
  symbol: string,
  options?: StockNewsEndpoint.Options<Name, Mode>
): Asked<StockNews.StockNews<Name>, Mode> => ask(named("stockNews", symbol), Query.stockNews(symbol, options))
