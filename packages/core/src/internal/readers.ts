import * as Result from "effect/Result"
import * as AccountStatus from "../AccountStatus.ts"
import type { ColumnSpec } from "../columns/ColumnSpec.ts"
import type { ColumnDecoder, DecodeOptions } from "../columns/ColumnDecoder.ts"
import * as ColumnTable from "../ColumnTable.ts"
import type { EndpointName } from "../endpoints/Endpoint.ts"
import type { Finding } from "../Finding.ts"
import * as FundCandles from "../FundCandles.ts"
import * as MarketStatus from "../MarketStatus.ts"
import * as OptionChain from "../OptionChain.ts"
import * as OptionExpirations from "../OptionExpirations.ts"
import * as OptionLookup from "../OptionLookup.ts"
import * as OptionQuote from "../OptionQuote.ts"
import * as OptionStrikes from "../OptionStrikes.ts"
import * as Query from "../Query.ts"
import type { Read } from "../Reply.ts"
import * as RequestHeaders from "../RequestHeaders.ts"
import * as ServiceStatus from "../ServiceStatus.ts"
import * as StockBulkCandles from "../StockBulkCandles.ts"
import * as StockCandles from "../StockCandles.ts"
import * as StockEarnings from "../StockEarnings.ts"
import * as StockNews from "../StockNews.ts"
import * as StockPrices from "../StockPrices.ts"
import * as StockQuotes from "../StockQuotes.ts"
import * as Bitmap from "./bitmap.ts"
import * as Csv from "./csv.ts"
import { CsvReader } from "./csvReader.ts"
import * as TableParts from "./tableParts.ts"

/** Takes the bytes of data as they arrive. */
export type DataReader<A> = ColumnDecoder<Read<A>>

/**
 * How one endpoint's data are read, and how the data of several batches become one. `merge` and `findings` are methods, so that any reading is a
 * `Reading<unknown>`: a question's parts are only ever merged by the reading that made them.
 */
interface Reading<A> {
  readonly reader: (query: Query.Query, options: { readonly strict: boolean }) => DataReader<A>
  merge(parts: readonly [A, ...ReadonlyArray<A>]): A
  findings(merged: A): ReadonlyArray<Finding>
  withFindings(value: A, findings: ReadonlyArray<Finding>): A
}

/** A reply of one value, which counts as one row. */
const value = <A>(decoder: (options: { readonly maxRows: number }) => ColumnDecoder<A>): Reading<A> => ({
  reader: (query) =>
    mapped(decoder(Query.row(query)), (value) => ({ value, rows: 1, quoted: 1, findings: [], updated: undefined })),
  merge: ([first]) => first,
  findings: () => [],
  withFindings: (value) => value
})

/** Reads as a decoder does, and makes something of what it read. */
const mapped = <A>(
  { end, ...decoder }: ColumnDecoder<A>,
  read: (value: A) => Read<A>
): DataReader<A> => ({ ...decoder, end: () => Result.map(end(), read) })

/** A table as far as every endpoint's is one. */
type Table<Spec extends ColumnSpec> = ColumnTable.ColumnTable<Spec> & { readonly updated?: Float64Array<ArrayBuffer> }

/** A reply of columns, which are read while they arrive. */
const table = <Spec extends ColumnSpec>(
  spec: Spec,
  decoder: (options: DecodeOptions<keyof Spec & string>) => ColumnDecoder<Table<Spec>> = (options) =>
    ColumnTable.decoder(spec, options)
): Reading<Table<Spec>> => ({
  reader: (query, options) => mapped(decoder(optionsFor(spec, query, options)), (table) => read(query, table)),
  merge: (parts) => ColumnTable.merge(spec, parts),
  findings: (table) => table.findings,
  withFindings: (table, findings) => ColumnTable.make(spec, { ...TableParts.contentOf(table), findings })
})

const optionsFor = <Spec extends ColumnSpec>(
  spec: Spec,
  query: Query.Query,
  { strict }: { readonly strict: boolean }
): DecodeOptions<keyof Spec & string> => ({
  columns: query.returns.filter((name): name is keyof Spec & string => name in spec),
  strict,
  maxRows: Query.row(query).maxRows,
  statusOptional: query.columns !== undefined
})

/** What of a table its rows are counted and dated by. */
interface Rows {
  readonly length: number
  readonly columnNames: ReadonlyArray<string>
  readonly findings: ReadonlyArray<Finding>
  readonly updated?: Float64Array<ArrayBuffer>
}

const read = <Value extends Rows>(query: Query.Query, value: Value): Read<Value> => ({
  value,
  rows: value.length,
  quoted: quotedOf(value, Query.row(query).prices),
  findings: value.findings,
  updated: OptionChain.updatedSpan(value)
})

/**
 * Counts the rows that have quote data: any of these prices is not null (clause 8.2-cost-quotes). All rows count where no price was asked
 * for, because then the reply does not tell.
 */
const quotedOf = (table: Rows, prices: ReadonlyArray<string>): number => {
  const { nulls } = TableParts.contentOf(table)
  const present = prices.filter((name) => table.columnNames.includes(name))
  const bitmaps = present.flatMap((name) => Bitmap.of(nulls, name) ?? [])
  // A column without any null has a price in each row.
  if (bitmaps.length < present.length || present.length === 0) return table.length
  let count = 0
  for (let row = 0; row < table.length; row++) if (!bitmaps.every((bitmap) => Bitmap.has(bitmap, row))) count++
  return count
}

const readings: { readonly [Name in EndpointName]: Reading<unknown> } = {
  optionChain: table(OptionChain.spec, OptionChain.decoder),
  optionQuote: table(OptionQuote.spec),
  optionLookup: value(OptionLookup.decoder),
  optionExpirations: value(OptionExpirations.decoder),
  optionStrikes: value(OptionStrikes.decoder),
  stockQuotes: table(StockQuotes.spec),
  stockPrices: table(StockPrices.spec),
  stockCandles: table(StockCandles.spec),
  stockBulkCandles: {
    ...table(StockBulkCandles.spec),
    reader: (query, options) => {
      const { tickers } = query
      const only = tickers.length === 1 ? tickers[0] : undefined
      const decoder = StockBulkCandles.decoder({ ...optionsFor(StockBulkCandles.spec, query, options), only })
      return mapped(decoder, (table) => read(query, table))
    }
  },
  stockEarnings: table(StockEarnings.spec),
  stockNews: table(StockNews.spec, StockNews.decoder),
  marketStatus: table(MarketStatus.spec),
  fundCandles: table(FundCandles.spec),
  account: value(AccountStatus.decoder),
  serviceStatus: table(ServiceStatus.spec, ServiceStatus.decoder),
  requestHeaders: value(RequestHeaders.decoder)
}

/** A text in CSV, of any endpoint: its rows are counted for their price, and are not read any further. */
const csv: Reading<string> = {
  reader: (query) => {
    const { maxRows, prices } = Query.row(query)
    const reader = new CsvReader({ filled: prices, instants: "updated", maxRows })
    return {
      push: (bytes) => reader.push(bytes),
      end: () =>
        Result.map(reader.end(), ({ filled, newest, oldest, rows, text }) => ({
          value: text,
          rows,
          quoted: filled ?? rows,
          findings: [],
          updated: oldest <= newest ? { oldest, newest } : undefined
        }))
    }
  },
  merge: (parts) => Csv.write(Csv.merge(parts.map(Csv.read).filter(Csv.isCsv))),
  findings: () => [],
  withFindings: (text) => text
}

const readingOf = ({ endpoint, format }: Query.Query): Reading<unknown> => format === "csv" ? csv : readings[endpoint]

/** The reader of a question's data. */
export const forQuery = <Data>(query: Query.Query<Data>, options: { readonly strict: boolean }): DataReader<Data> =>
  // The endpoint's constructor typed the question with what the reading of that endpoint returns.
  readingOf(query).reader(query, options) as DataReader<Data>

/** One answer from those of a question's batches, whole and in order (clause 8.1-batches). */
export const merge = <Data>(query: Query.Query<Data>, parts: readonly [Data, ...ReadonlyArray<Data>]): Data =>
  parts.length === 1 ? parts[0] : readingOf(query).merge(parts) as Data

/** What was unusual about data that were merged. */
export const findingsOf = <Data>(query: Query.Query<Data>, merged: Data): ReadonlyArray<Finding> =>
  readingOf(query).findings(merged)

/** The same data with other findings, where they have any of their own. */
export const withFindings = <Data>(query: Query.Query<Data>, value: Data, findings: ReadonlyArray<Finding>): Data =>
  readingOf(query).withFindings(value, findings) as Data
