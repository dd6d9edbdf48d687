import * as Result from "effect/Result"
import * as AccountStatus from "../endpoints/AccountStatus.ts"
import type { ColumnSpec } from "../columns/ColumnSpec.ts"
import * as ColumnDecoder from "../columns/ColumnDecoder.ts"
import * as ColumnTable from "../columns/ColumnTable.ts"
import type { DecodeError } from "../columns/DecodeError.ts"
import type { EndpointName } from "../query/Endpoint.ts"
import type { Finding } from "../columns/Finding.ts"
import * as FundCandles from "../endpoints/FundCandles.ts"
import * as MarketStatus from "../endpoints/MarketStatus.ts"
import * as OptionChain from "../chain/OptionChain.ts"
import * as OptionExpirations from "../endpoints/OptionExpirations.ts"
import * as OptionLookup from "../endpoints/OptionLookup.ts"
import * as OptionQuote from "../endpoints/OptionQuote.ts"
import * as OptionStrikes from "../endpoints/OptionStrikes.ts"
import * as Query from "../query/Query.ts"
import type { Read } from "./Reply.ts"
import * as RequestHeaders from "../endpoints/RequestHeaders.ts"
import * as ServiceStatus from "../endpoints/ServiceStatus.ts"
import * as StockBulkCandles from "../endpoints/StockBulkCandles.ts"
import * as StockCandles from "../endpoints/StockCandles.ts"
import * as StockEarnings from "../endpoints/StockEarnings.ts"
import * as StockNews from "../endpoints/StockNews.ts"
import * as StockPrices from "../endpoints/StockPrices.ts"
import * as StockQuotes from "../endpoints/StockQuotes.ts"
import * as AskedFor from "./askedFor.ts"
import * as Bitmap from "../columns/bitmap.ts"
import * as Csv from "../columns/csv.ts"
import { CsvReader } from "../columns/csvReader.ts"
import * as TableParts from "../columns/tableParts.ts"

/** Takes the bytes of data as they arrive. */
export type DataReader<A> = ColumnDecoder.ColumnDecoder<Read<A>>

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
const value = <A>(decoder: (options: { readonly maxRows: number }) => ColumnDecoder.ColumnDecoder<A>): Reading<A> => ({
  reader: (query) =>
    mapped(
      decoder(Query.row(query)),
      (value) => ({ value, rows: 1, quoted: 1, unclear: 0, findings: [], updated: undefined })
    ),
  merge: ([first]) => first,
  findings: () => [],
  withFindings: (value) => value
})

/** Reads as a decoder does, and makes something of what it read. */
const mapped = <A, B>(
  { end, ...decoder }: ColumnDecoder.ColumnDecoder<A>,
  read: (value: A) => Read<B>
): DataReader<B> => ({ ...decoder, end: () => Result.map(end(), read) })

/** A table as far as every endpoint's is one. */
type Table<Spec extends ColumnSpec> = ColumnTable.ColumnTable<Spec> & { readonly updated?: Float64Array<ArrayBuffer> }

type TableDecoder<Spec extends ColumnSpec> = (
  query: Query.Query,
  options: ColumnDecoder.DecodeOptions<keyof Spec & string>
) => ColumnDecoder.ColumnDecoder<Table<Spec>>

/** A reply of columns, which are read while they arrive. Where its rows have names, they are those that were asked for. */
const table = <Spec extends ColumnSpec>(
  spec: Spec,
  {
    belonging,
    decoder = (_, options) => ColumnTable.decoder(spec, options)
  }: { readonly belonging?: AskedFor.Belonging; readonly decoder?: TableDecoder<Spec> } = {}
): Reading<Table<Spec>> => {
  const withFindings = (table: Table<Spec>, findings: ReadonlyArray<Finding>): Table<Spec> =>
    ColumnTable.make(spec, { ...TableParts.contentOf(table), findings })
  const compared = (
    query: Query.Query,
    table: Table<Spec>,
    strict: boolean
  ): Result.Result<Table<Spec>, DecodeError> => {
    const deviations = belonging === undefined ? [] : AskedFor.deviations(query, spec, table, belonging)
    if (deviations.length === 0) return Result.succeed(table)
    const kept = withFindings(table, [...table.findings, ...deviations])
    // The rows that are there were asked for, and paid: one that is not takes nothing from them.
    const refused = strict ? deviations.filter(({ code }) => code !== "MissingRow") : []
    return Result.map(ColumnDecoder.refuse(refused), () => kept)
  }
  return {
    reader: (query, { strict }) => {
      const { end, ...rest } = decoder(query, optionsFor(spec, query, { strict }))
      return {
        ...rest,
        end: () =>
          end().pipe(
            Result.flatMap((table) => compared(query, table, strict)),
            Result.map((table) => read(query, table))
          )
      }
    },
    merge: (parts) => ColumnTable.merge(spec, parts),
    findings: (table) => table.findings,
    withFindings
  }
}

const optionsFor = <Spec extends ColumnSpec>(
  spec: Spec,
  query: Query.Query,
  { strict }: { readonly strict: boolean }
): ColumnDecoder.DecodeOptions<keyof Spec & string> => ({
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
  ...quotesOf(value, Query.row(query).prices),
  findings: value.findings,
  updated: OptionChain.updatedSpan(value)
})

/** Counts the rows of a table that have quote data: any of these prices is not null (clause 8.2-cost-quotes). */
const quotesOf = (table: Rows, prices: ReadonlyArray<string>): Quotes => {
  const { nulls } = TableParts.contentOf(table)
  const absent = table.findings.flatMap(({ code, column }) => code === "MissingColumn" ? [column] : [])
  const present = prices.filter((name) => table.columnNames.includes(name) && !absent.includes(name))
  const bitmaps = present.flatMap((name) => Bitmap.of(nulls, name) ?? [])
  const count = (): number => {
    if (present.length === 0) return 0
    // A column without any null has a price in each row.
    if (bitmaps.length < present.length) return table.length
    let count = 0
    for (let row = 0; row < table.length; row++) if (!bitmaps.every((bitmap) => Bitmap.has(bitmap, row))) count++
    return count
  }
  return quotesIn(table.length, { prices, isWhole: present.length === prices.length, count })
}

type Quotes = Pick<Read<unknown>, "quoted" | "unclear">

/**
 * A row without any price is unclear where the reply does not hold all of them: another one may be there, and was not asked for. Rows without
 * prices at all are counted as they are.
 */
const quotesIn = (rows: number, { count, isWhole, prices }: {
  readonly prices: ReadonlyArray<string>
  readonly isWhole: boolean
  readonly count: () => number
}): Quotes => {
  const quoted = prices.length === 0 ? rows : count()
  return { quoted, unclear: isWhole ? 0 : rows - quoted }
}

/** A row for each ticker, and none besides. */
const rowEach: AskedFor.Belonging = { about: "symbol", each: true }
/** Any number of rows, all about the same. */
const aboutSymbol: AskedFor.Belonging = { about: "symbol", each: false }

const readings: { readonly [Name in EndpointName]: Reading<unknown> } = {
  optionChain: table(OptionChain.spec, {
    belonging: { about: "underlying", each: false },
    decoder: (_, options) => OptionChain.decoder(options)
  }),
  optionQuote: table(OptionQuote.spec, { belonging: { about: "optionSymbol", each: false } }),
  optionLookup: value(OptionLookup.decoder),
  optionExpirations: value(OptionExpirations.decoder),
  optionStrikes: value(OptionStrikes.decoder),
  stockQuotes: table(StockQuotes.spec, { belonging: rowEach }),
  stockPrices: table(StockPrices.spec, { belonging: rowEach }),
  stockCandles: table(StockCandles.spec),
  stockBulkCandles: table(StockBulkCandles.spec, {
    belonging: rowEach,
    decoder: ({ tickers }, options) =>
      StockBulkCandles.decoder({ ...options, only: tickers.length === 1 ? tickers[0] : undefined })
  }),
  stockEarnings: table(StockEarnings.spec, { belonging: aboutSymbol }),
  stockNews: table(StockNews.spec, { belonging: aboutSymbol, decoder: (_, options) => StockNews.decoder(options) }),
  marketStatus: table(MarketStatus.spec),
  fundCandles: table(FundCandles.spec),
  account: value(AccountStatus.decoder),
  serviceStatus: table(ServiceStatus.spec, { decoder: (_, options) => ServiceStatus.decoder(options) }),
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
        Result.map(reader.end(), ({ filled, isWhole, newest, oldest, rows, text }) => ({
          value: text,
          rows,
          ...quotesIn(rows, { prices, isWhole, count: () => filled }),
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
