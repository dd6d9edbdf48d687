/** What the columns of a table mean, by the spec that it was decoded by. */
import type { ColumnSpec } from "@effect-marketdata/core/ColumnSpec"
import * as ColumnMeanings from "@effect-marketdata/core/ColumnMeanings"
import * as OptionChain from "@effect-marketdata/core/OptionChain"
import * as OptionQuote from "@effect-marketdata/core/OptionQuote"
import * as StockQuotes from "@effect-marketdata/core/StockQuotes"
import * as StockPrices from "@effect-marketdata/core/StockPrices"
import * as StockCandles from "@effect-marketdata/core/StockCandles"
import * as StockBulkCandles from "@effect-marketdata/core/StockBulkCandles"
import * as StockEarnings from "@effect-marketdata/core/StockEarnings"
import * as StockNews from "@effect-marketdata/core/StockNews"
import * as MarketStatus from "@effect-marketdata/core/MarketStatus"
import * as FundCandles from "@effect-marketdata/core/FundCandles"
import * as ServiceStatus from "@effect-marketdata/core/ServiceStatus"

/** The meanings of columns by name, and the clause of the contract that lists them, except the added ones. */
interface Meaning {
  readonly of: Readonly<Record<string, string>>
  readonly clause?: string
  readonly added?: ReadonlyArray<string>
}

/** The clause of the contract that lists the columns of a chain; other tables are the public service's. */
const clause = "2.1-fields"

const known = /* @__PURE__ */ new WeakMap<ColumnSpec, Meaning>([
  [OptionChain.spec, { of: ColumnMeanings.optionChain, clause }],
  [OptionQuote.spec, { of: ColumnMeanings.optionQuote, clause }],
  [StockQuotes.spec, { of: ColumnMeanings.stockQuotes }],
  [StockPrices.spec, { of: ColumnMeanings.stockPrices }],
  [StockCandles.spec, { of: ColumnMeanings.stockCandles }],
  [StockBulkCandles.spec, { of: ColumnMeanings.stockBulkCandles }],
  [StockEarnings.spec, { of: ColumnMeanings.stockEarnings }],
  [StockNews.spec, { of: ColumnMeanings.stockNews }],
  [MarketStatus.spec, { of: ColumnMeanings.marketStatus }],
  [FundCandles.spec, { of: ColumnMeanings.fundCandles }],
  [ServiceStatus.spec, { of: ColumnMeanings.serviceStatus }]
])

/** Returns the meanings of columns; empty for columns that are not core's. */
export const find = (spec: ColumnSpec): Meaning => known.get(spec) ?? { of: {} }

/** Gives the columns of `by` the meanings of those of `spec`, and more. */
export const extend = (spec: ColumnSpec, by: ColumnSpec, meanings: Readonly<Record<string, string>>): void => {
  const { added = [], of, ...rest } = find(spec)
  known.set(by, { ...rest, of: { ...of, ...meanings }, added: [...added, ...Object.keys(meanings)] })
}
