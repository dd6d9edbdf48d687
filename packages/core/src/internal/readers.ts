import * as Result from "effect/Result"
import * as AccountStatus from "../AccountStatus.ts"
import type { ColumnSpec } from "../columns/ColumnSpec.ts"
import type { ColumnDecoder, DecodeOptions } from "../columns/ColumnDecoder.ts"
import * as ColumnTable from "../ColumnTable.ts"
import { DecodeError } from "../DecodeError.ts"
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
import * as Fields from "./fields.ts"
import * as TableParts from "./tableParts.ts"

/** Takes the bytes of data as they arrive; `push` answers false once no byte can change the outcome. */
export interface DataReader<out A> {
  readonly push: (bytes: Uint8Array) => boolean
  readonly end: () => Result.Result<Read<A>, DecodeError>
}

/**
 * How one endpoint's data are read, and how the data of several batches become one. `merge` and `findings` are methods, so that any reading is a
 * `Reading<unknown>`: a question's parts are only ever merged by the reading that made them.
 */
interface Reading<A> {
  readonly reader: (query: Query.Query, options: { readonly strict: boolean }) => DataReader<A>
  merge(parts: readonly [A, ...ReadonlyArray<A>]): A
  findings(merged: A): ReadonlyArray<Finding>
}

/** Collects the pieces of a body, and decodes it when it is whole. */
const whole = <A>(decode: (body: Uint8Array) => Result.Result<Read<A>, DecodeError>): DataReader<A> => {
  const pieces: Array<Uint8Array> = []
  return {
    push: (bytes) => pieces.push(bytes.slice()) > 0,
    end: () => {
      const body = new Uint8Array(pieces.reduce((total, piece) => total + piece.length, 0))
      let offset = 0
      for (const piece of pieces) {
        body.set(piece, offset)
        offset += piece.length
      }
      return decode(body)
    }
  }
}

/** A reply of one value, which counts as one row. */
const value = <A>(decode: (body: Uint8Array) => Result.Result<A, DecodeError>): Reading<A> => ({
  reader: () =>
    whole((body) =>
      Result.map(decode(body), (value) => ({ value, rows: 1, quoted: 1, findings: [], updated: undefined }))
    ),
  merge: ([first]) => first,
  findings: () => []
})

/** A table as far as every endpoint's is one. */
type Table<Spec extends ColumnSpec> = ColumnTable.ColumnTable<Spec> & { readonly updated?: Float64Array<ArrayBuffer> }

/** A reply of columns, which are read while they arrive. */
const table = <Spec extends ColumnSpec>(
  spec: Spec,
  decoder: (options: DecodeOptions<keyof Spec & string>) => ColumnDecoder<Table<Spec>> = (options) =>
    ColumnTable.decoder(spec, options)
): Reading<Table<Spec>> => ({
  reader: (query, options) => {
    const { end, push } = decoder(optionsFor(spec, query, options))
    return { push, end: () => Result.map(end(), (table) => read(query, table)) }
  },
  merge: (parts) => ColumnTable.merge(spec, parts),
  findings: (table) => table.findings
})

const optionsFor = <Spec extends ColumnSpec>(
  spec: Spec,
  { columns, returns }: Query.Query,
  { strict }: { readonly strict: boolean }
): DecodeOptions<keyof Spec & string> => ({
  columns: returns.filter((name): name is keyof Spec & string => name in spec),
  strict,
  statusOptional: columns !== undefined
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
  optionLookup: value(OptionLookup.decode),
  optionExpirations: value(OptionExpirations.decode),
  optionStrikes: value(OptionStrikes.decode),
  stockQuotes: table(StockQuotes.spec),
  stockPrices: table(StockPrices.spec),
  stockCandles: table(StockCandles.spec),
  stockBulkCandles: {
    ...table(StockBulkCandles.spec),
    reader: (query, options) => {
      const { tickers } = query
      const only = tickers.length === 1 ? tickers[0] : undefined
      return whole((body) =>
        Result.map(
          StockBulkCandles.decode(body, { ...optionsFor(StockBulkCandles.spec, query, options), only }),
          (table) => read(query, table)
        )
      )
    }
  },
  stockEarnings: table(StockEarnings.spec),
  stockNews: table(StockNews.spec, StockNews.decoder),
  marketStatus: table(MarketStatus.spec),
  fundCandles: table(FundCandles.spec),
  account: value(AccountStatus.decode),
  serviceStatus: table(ServiceStatus.spec),
  requestHeaders: value(RequestHeaders.decode)
}

/** A text in CSV, of any endpoint: its rows are counted for their price, and are not read any further. */
const csv: Reading<string> = {
  reader: (query) =>
    whole((body) =>
      Result.flatMap(Fields.textOf(body), (text) => {
        const table = Csv.read(text)
        return Csv.isCsv(table)
          ? Result.succeed({
            value: text,
            rows: table.rows.length,
            quoted: quotedInCsv(table, Query.row(query).prices),
            findings: [],
            updated: OptionChain.updatedSpan({ updated: Csv.numbers(table, "updated") })
          })
          : Result.fail(new DecodeError({ ...table, column: undefined, offset: undefined }))
      })
    ),
  merge: (parts) => Csv.write(Csv.merge(parts.map(Csv.read).filter(Csv.isCsv))),
  findings: () => []
}

/** The same count as `quotedOf`, where an empty cell stands for null. */
const quotedInCsv = ({ names, rows }: Csv.Csv, prices: ReadonlyArray<string>): number => {
  const present = prices.map((name) => names.indexOf(name)).filter((column) => column >= 0)
  return present.length === 0 ? rows.length : rows.filter((row) => present.some((column) => row[column] !== "")).length
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
