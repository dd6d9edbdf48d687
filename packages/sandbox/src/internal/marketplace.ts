import type * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import type * as FundCandles from "@effect-marketdata/core/FundCandles"
import type * as MarketStatus from "@effect-marketdata/core/MarketStatus"
import type * as OptionQuote from "@effect-marketdata/core/OptionQuote"
import type * as StockBulkCandles from "@effect-marketdata/core/StockBulkCandles"
import type * as StockCandles from "@effect-marketdata/core/StockCandles"
import type * as StockEarnings from "@effect-marketdata/core/StockEarnings"
import type * as StockNews from "@effect-marketdata/core/StockNews"
import type * as StockPrices from "@effect-marketdata/core/StockPrices"
import type * as StockQuotes from "@effect-marketdata/core/StockQuotes"
import type { Market } from "../market/Market.ts"

interface Range {
  readonly from: number
  readonly to: number
}

/** All that the endpoints ask of the market. */
export interface Marketplace extends Market {
  readonly optionQuotes: (symbols: ReadonlyArray<string>, at: number) => OptionQuote.OptionQuote
  readonly optionQuotesAtClose: (
    symbols: ReadonlyArray<string>,
    day: CalendarDate.CalendarDate
  ) => OptionQuote.OptionQuote
  readonly expirations: (
    symbol: string,
    at: number,
    strike?: number
  ) => ReadonlyArray<CalendarDate.CalendarDate> | undefined
  readonly strikes: (
    symbol: string,
    at: number,
    expiration?: CalendarDate.CalendarDate
  ) =>
    | ReadonlyArray<{ readonly expiration: CalendarDate.CalendarDate; readonly strikes: ReadonlyArray<number> }>
    | undefined
  readonly stockQuotes: (symbols: ReadonlyArray<string>, at: number) => StockQuotes.StockQuotes
  readonly stockPrices: (symbols: ReadonlyArray<string>, at: number) => StockPrices.StockPrices
  readonly stockCandles: (
    symbol: string,
    options: Range & { readonly resolution: string; readonly extended: boolean }
  ) => StockCandles.StockCandles | undefined
  readonly bulkCandles: (
    symbols: ReadonlyArray<string> | "all",
    day: CalendarDate.CalendarDate
  ) => StockBulkCandles.StockBulkCandles
  readonly earnings: (
    symbol: string,
    options: Range & { readonly at: number }
  ) => StockEarnings.StockEarnings | undefined
  readonly news: (symbol: string, options: Range & { readonly at: number }) => StockNews.StockNews | undefined
  readonly marketStatus: (options: {
    readonly from: CalendarDate.CalendarDate
    readonly to: CalendarDate.CalendarDate
  }) => MarketStatus.MarketStatus
  readonly fundCandles: (
    symbol: string,
    options: Range & { readonly resolution: string }
  ) => FundCandles.FundCandles | undefined
}
