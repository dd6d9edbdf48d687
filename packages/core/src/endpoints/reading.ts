/** Reads replies as a table, as one value, or as a text in CSV, while they arrive, and counts the rows that decide the price. */
import * as Result from "effect/Result"
import * as Bitmap from "../columns/bitmap.ts"
import * as ColumnDecoder from "../columns/ColumnDecoder.ts"
import type { ColumnSpec } from "../columns/ColumnSpec.ts"
import * as ColumnTable from "../columns/ColumnTable.ts"
import * as Csv from "../columns/csv.ts"
import type { DecodeError } from "../columns/DecodeError.ts"
import { type Code, type Example, type Finding, maxExamples, ofWhole } from "../columns/Finding.ts"
import * as TableContent from "../columns/tableContent.ts"
import * as Tariff from "../credits/tariff.ts"
import * as Period from "../query/Period.ts"
import type { Query } from "../query/query.ts"
import * as CalendarDate from "../time/CalendarDate.ts"
import * as NewYork from "../time/NewYork.ts"

/**
 * Data that was read: the value, how many rows it has and how many of them have quote data (clause 8.2-cost-quotes), what was unusual, and
 * when its quotes were taken. `unclear` are rows of which the reply does not tell whether they have quote data, because a price was not asked
 * for: those without any of the prices that were.
 */
export interface Read<out Data> {
  readonly value: Data
  readonly rows: number
  readonly quoted: number
  readonly unclear: number
  readonly findings: ReadonlyArray<Finding>
  readonly updated: UpdatedSpan | undefined
}

/** Whether every deviation is an error, and a buffer that may be reused for the columns of a table. */
export type ReadOptions = { readonly strict: boolean; readonly recycled?: ArrayBuffer | undefined }

/**
 * How one endpoint's data are read, and how the data of several batches become one. `merge` and `findings` are methods, so that any reading is a
 * `Reading<unknown>`: a query's parts are only ever merged by the reading that made them.
 */
export interface Reading<A> {
  /** Takes the bytes of data as they arrive. */
  readonly reader: (query: Query, options: ReadOptions) => ColumnDecoder.ColumnDecoder<Read<A>>
  merge(parts: readonly [A, ...ReadonlyArray<A>]): A
  findings(merged: A): ReadonlyArray<Finding>
  withFindings(value: A, findings: ReadonlyArray<Finding>): A
  /** Removes from a value what `clean` removes from a text, for values in which the service may repeat a token. */
  cleaned?(value: A, clean: (text: string) => string): A
}

/** Compares a value with its query. */
type Compared<A> = (query: Query, value: A) => ReadonlyArray<Finding>

/** A reply of one value, which counts as one row. */
export const value = <A>(
  decoder: (options: { readonly maxRows: number }) => ColumnDecoder.ColumnDecoder<A>,
  { compared = () => [], ...more }: Pick<Reading<A>, "cleaned"> & { readonly compared?: Compared<A> } = {}
): Reading<A> => ({
  ...more,
  reader: (query, { strict }) => {
    const { end, ...rest } = decoder(query.endpoint)
    const one = { rows: 1, quoted: 1, unclear: 0, updated: undefined }
    const read = (value: A) => {
      const findings = compared(query, value)
      return Result.map(ColumnDecoder.refuse(strict ? findings : []), () => ({ value, ...one, findings }))
    }
    return { ...rest, end: () => Result.flatMap(end(), read) }
  },
  merge: ([first]) => first,
  findings: () => [],
  withFindings: (value) => value
})

/** A table as far as every endpoint's is one. */
type Table<Spec extends ColumnSpec> = ColumnTable.ColumnTable<Spec> & Dated

type Dated = { readonly updated?: Float64Array<ArrayBuffer> }

type TableDecoder<Spec extends ColumnSpec> = (
  query: Query,
  options: ColumnDecoder.DecodeOptions<keyof Spec & string>
) => ColumnDecoder.ColumnDecoder<Table<Spec>>

/** A reply of columns, which are read while they arrive. Where its rows have names, they are those that were asked for. */
export const table = <Spec extends ColumnSpec>(
  spec: Spec,
  {
    belonging,
    decoder = (_, options) => ColumnTable.decoder(spec, options)
  }: { readonly belonging?: Belonging; readonly decoder?: TableDecoder<Spec> } = {}
): Reading<Table<Spec>> => {
  const withFindings = (table: Table<Spec>, findings: ReadonlyArray<Finding>): Table<Spec> =>
    ColumnTable.make(spec, { ...TableContent.contentOf(table), findings })
  const compared = (query: Query, table: Table<Spec>, strict: boolean): Result.Result<Table<Spec>, DecodeError> => {
    const deviations = belonging === undefined
      ? []
      : [...notAskedFor(query, spec, table, belonging), ...unfiltered(query, spec, table), ...ofOtherDay(query, table)]
    if (deviations.length === 0) return Result.succeed(table)
    const kept = withFindings(table, [...table.findings, ...deviations])
    // Missing rows are findings, not errors: the other rows were paid for.
    const refused = strict ? deviations.filter(({ code }) => code !== "MissingRow") : []
    return Result.map(ColumnDecoder.refuse(refused), () => kept)
  }
  return {
    reader: (query, options) => {
      const { strict } = { ...options }
      const { end, ...rest } = decoder(query, optionsFor(spec, query, options))
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
  query: Query,
  { recycled, strict }: ReadOptions
): ColumnDecoder.DecodeOptions<keyof Spec & string> => ({
  columns: query.returns.filter((name): name is keyof Spec & string => name in spec),
  strict,
  recycled,
  maxRows: query.endpoint.maxRows,
  statusOptional: query.columns !== undefined
})

/** The part of a table by which its rows are counted and dated. */
type Rows = Pick<ColumnTable.ColumnTable<ColumnSpec>, "length" | "columnNames" | "findings"> & Dated

const read = <Value extends Rows>(query: Query, value: Value): Read<Value> => ({
  value,
  rows: value.length,
  ...quotesOf(value, query.endpoint.prices),
  findings: value.findings,
  updated: updatedSpan(value)
})

/** When the rows of a table were taken: the oldest and the newest, in epoch seconds. */
export type UpdatedSpan = Readonly<Record<"oldest" | "newest", number>>

/** The span of a table's column `updated`; undefined where no row has one. */
export const updatedSpan = ({ updated }: Dated): UpdatedSpan | undefined => {
  let oldest = Infinity
  let newest = -Infinity
  for (const time of updated ?? []) {
    if (time < oldest) oldest = time
    if (time > newest) newest = time
  }
  return oldest <= newest ? { oldest, newest } : undefined
}

/**
 * Counts the rows of a table that have quote data: any of these prices is not null (clause 8.2-cost-quotes). A row without any price is unclear if the
 * reply does not have all columns of prices: one that was not asked for may hold a price. If the endpoint has no prices, all rows count.
 */
const quotesOf = (table: Rows, prices: ReadonlyArray<string>) => {
  if (prices.length === 0) return { quoted: table.length, unclear: 0 }
  const { nulls } = TableContent.contentOf(table)
  const absent = table.findings.flatMap(({ code, column }) => code === "MissingColumn" ? [column] : [])
  const present = prices.filter((name) => table.columnNames.includes(name) && !absent.includes(name))
  const bitmaps = present.flatMap((name) => Bitmap.of(nulls, name) ?? [])
  // A column without any null has a price in each row.
  const quoted = bitmaps.length < present.length
    ? table.length
    : Tariff.countWithQuotes(table.length, bitmaps.map((bitmap) => (row) => !Bitmap.has(bitmap, row)))
  return { quoted, unclear: present.length === prices.length ? 0 : table.length - quoted }
}

/** A text in CSV, of any endpoint: its rows are counted for their price, and are not read any further. */
export const csv: Reading<string> = {
  reader: (query) => {
    const { maxRows, prices } = query.endpoint
    const { end, push } = Csv.reader({ filled: prices, instants: "updated", maxRows })
    return {
      push,
      end: () =>
        Result.map(end(), ({ filled, isWhole, newest, oldest, rows, text }) => {
          const quoted = prices.length === 0 ? rows : filled
          const updated = oldest <= newest ? { oldest, newest } : undefined
          return { value: text, rows, quoted, unclear: isWhole ? 0 : rows - quoted, findings: [], updated }
        })
    }
  },
  merge: (parts) =>
    Csv.write(Csv.merge(parts.flatMap((part) => Result.getOrElse(Result.map(Csv.read(part), Array.of), () => [])))),
  findings: () => [],
  withFindings: (text) => text
}

/** How rows belong to a query: by the names in column `about`; with `each`, every ticker of the query has exactly one row. */
type Belonging = { readonly about: "symbol" | "underlying" | "optionSymbol"; readonly each: boolean }

/** A table as far as it is looked at here. */
type RowsAbout = Pick<Rows, "length" | "columnNames">

/** Compares a reply with its query: rows that were not asked for, and tickers without a row. */
const notAskedFor = (query: Query, spec: ColumnSpec, table: RowsAbout, { about, each }: Belonging) => {
  const names = about === "optionSymbol" ? [query.subject] : query.tickers
  if (names.length === 0) return []
  if (!table.columnNames.includes(about)) return each ? ofCount(names.length, table.length) : []
  // Most replies are one row about the one name.
  if (names.length === 1 && table.length === 1 && legendOf(spec, table, about)[0] === names[0]) return []
  // The names without a row. A ticker may have been asked for in two spellings.
  const left = new Map<string, Array<string>>()
  for (const name of names) {
    const key = normalized(name)
    left.set(key, [...left.get(key) ?? [], name])
  }
  // A chain has thousands of rows about one name: its legend holds it once.
  if (about === "underlying" && legendOf(spec, table, about).every((name) => left.has(normalized(name)))) return []
  const expected = names.length === 1 ? names.join() : `one of the ${names.length} that were asked for`
  const unexpected: Array<Example> = []
  for (const [index, name] of namesIn(spec, table, about)) {
    const own = left.get(normalized(name))
    if (own !== undefined && !each || own?.shift() !== undefined) continue
    unexpected.push({ index, expected, received: own === undefined ? name : `${name} once more` })
  }
  const missing = each ? [...left.values()].flat() : []
  const absent = missing.map((name) => ({ index: undefined, expected: `a row for ${name}`, received: "none" }))
  return [...finding("UnexpectedRow", about, unexpected), ...finding("MissingRow", about, absent)]
}

/**
 * Rows of a chain that its filters leave out: of another expiration, or of the other side. The public service ignores a filter that it does not know or
 * cannot apply, and a proxy may keep replies by their path alone.
 */
const unfiltered = ({ options }: Query, spec: ColumnSpec, table: RowsAbout): ReadonlyArray<Finding> => {
  const asked = [options["expiration"], options["side"]].flatMap((one) =>
    typeof one === "string" && one !== "all" ? [one] : []
  )
  if (asked.length === 0 || !table.columnNames.includes("optionSymbol")) return []
  const codes = asked.map((one) => one === "call" ? "C" : one === "put" ? "P" : one.slice(2).replaceAll("-", ""))
  const isAsked = (series: string): boolean => codes.every((code) => series.slice(-7).includes(code))
  if (legendOf(spec, table, "optionSymbol").every(isAsked)) return []
  const others = [...namesIn(spec, table, "optionSymbol")].filter(([, symbol]) => !isAsked(symbol.slice(0, -8)))
  const expected = asked.join(" ")
  return finding("UnexpectedRow", "optionSymbol", others.map(([index, received]) => ({ index, expected, received })))
}

/** Quotes of another day than the past one that was asked for: what gives them did not look at the date, and a past day may be kept for ever. */
const ofOtherDay = ({ endpoint, options: { date } }: Query, table: Rows): ReadonlyArray<Finding> => {
  const day = endpoint.date === "past" ? Period.dayOf(date) : undefined
  if (day === undefined) return []
  const expected = `quotes of ${CalendarDate.format(CalendarDate.fromEpochDay(day))}`
  const other = Object.values<number>({ ...updatedSpan(table) }).find((time) => NewYork.epochDayOf(time) !== day)
  return other === undefined ? [] : [ofWhole("UnexpectedRow", expected, `some of ${NewYork.format(other)}`)]
}

/** Services write share classes in several ways: `BRK.B`, `BRK-B` and `BRK/B` are one. */
const normalized = (name: string): string => name.toUpperCase().replace(/[^A-Z0-9]/g, "")

/** The same by the number of rows alone, if they have no names. */
const ofCount = (expected: number, received: number): ReadonlyArray<Finding> => {
  if (expected === received) return []
  const code = received < expected ? "MissingRow" : "UnexpectedRow"
  return [ofWhole(code, rowsOf(expected), rowsOf(received), Math.abs(expected - received))]
}

const rowsOf = (count: number): string => `${count} ${count === 1 ? "row" : "rows"}`

const finding = (code: Code, column: string, all: ReadonlyArray<Example>): ReadonlyArray<Finding> =>
  all.length === 0 ? [] : [{ code, column, count: all.length, examples: all.slice(0, maxExamples) }]

const legendOf = (spec: ColumnSpec, table: RowsAbout, column: string): ReadonlyArray<string> =>
  spec[column]!.kind.pack(TableContent.contentOf(table).vectors[column]).legend

/** The rows that have a name, each with it. */
function* namesIn(spec: ColumnSpec, table: RowsAbout, column: string) {
  const { nulls, vectors } = TableContent.contentOf(table)
  const { kind } = spec[column]!
  const bitmap = Bitmap.of(nulls, column)
  for (let index = 0; index < table.length; index++) {
    if (!Bitmap.has(bitmap, index)) yield [index, String(kind.at(vectors[column], index))] as const
  }
}
