/**
 * The schema of exported columns, for all formats: the type, unit and meaning of each, and the clause of the contract that lists it.
 *
 * @example
 * ```ts
 * import * as OptionChain from "@effect-marketdata/core/OptionChain"
 * import * as Columns from "@effect-marketdata/export/Columns"
 * import * as Result from "effect/Result"
 *
 * const body = `{"s":"ok","strike":[150],"bid":[1.25],"updated":[1795208400]}`
 * const table = Result.getOrThrow(OptionChain.decode(body, { columns: ["strike", "bid", "updated"] }))
 * Columns.of(table).map(({ name, type, unit }) => [name, type, unit])
 * // => [["strike", "decimal", "dollars"], ["bid", "number", "dollars a share"], ["updated", "time", undefined]]
 * ```
 *
 * @see {@link Export} which writes them
 * @since 0.1.0
 */
import { dictionary } from "@effect-marketdata/core/ColumnKind"
import * as ColumnMeanings from "@effect-marketdata/core/ColumnMeanings"
import type { Column as SpecColumn, ColumnSpec } from "@effect-marketdata/core/ColumnSpec"
import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
import * as FundCandles from "@effect-marketdata/core/FundCandles"
import * as MarketStatus from "@effect-marketdata/core/MarketStatus"
import * as OptionChain from "@effect-marketdata/core/OptionChain"
import * as OptionQuote from "@effect-marketdata/core/OptionQuote"
import * as ServiceStatus from "@effect-marketdata/core/ServiceStatus"
import * as StockBulkCandles from "@effect-marketdata/core/StockBulkCandles"
import * as StockCandles from "@effect-marketdata/core/StockCandles"
import * as StockEarnings from "@effect-marketdata/core/StockEarnings"
import * as StockNews from "@effect-marketdata/core/StockNews"
import * as StockPrices from "@effect-marketdata/core/StockPrices"
import * as StockQuotes from "@effect-marketdata/core/StockQuotes"
import { invalid } from "../reason/ExportError.ts"

/**
 * A table of any endpoint.
 *
 * @category models
 * @since 0.1.0
 */
export type Table = Pick<
  ColumnTable.TableMethods<ColumnSpec, string>,
  "length" | "columnNames" | "findings" | typeof Symbol.iterator
>

/**
 * The types of columns, and what they are in Arrow and in Parquet:
 *
 * - `text`: UTF-8
 * - `category`: texts that repeat, such as tickers; a dictionary in Arrow
 * - `boolean`
 * - `time`: whole seconds; in Arrow `timestamp[s, America/New_York]`, in Parquet a timestamp of UTC in milliseconds
 * - `integer`: 32 bits with a sign
 * - `decimal`: `DECIMAL(9, 3)`, for strikes
 * - `number`: a double
 *
 * @category models
 * @since 0.1.0
 */
export type Type = "text" | "category" | "boolean" | "time" | "integer" | "decimal" | "number"

/**
 * What a column becomes. `nullable` is false where the contract says that the column holds no null. `unit` is undefined where the column has none, or its
 * type has it.
 *
 * @category models
 * @since 0.1.0
 */
export interface Column {
  readonly name: string
  readonly type: Type
  readonly nullable: boolean
  readonly unit: string | undefined
  readonly meaning: string | undefined
  readonly clause: string | undefined
}

/**
 * Other types for columns of numbers: `{ strike: "number" }` exports strikes as doubles, also those that are not whole thousandths.
 *
 * @category models
 * @since 0.1.0
 */
export type Types = Readonly<Record<string, "time" | "integer" | "decimal" | "number">>

/** Columns of whole numbers that are not counted in contracts. */
const counts = new Set(["askSize", "bidSize", "dte", "fiscalQuarter", "fiscalYear"])

/** The units of columns whose meaning says them in other words. */
const units: Readonly<Record<string, string>> = {
  dte: "days",
  delta: "dollars per dollar",
  gamma: "delta per dollar",
  theta: "dollars a share per day",
  vega: "dollars a share per percentage point"
}

/** A meaning ends with its unit: "The highest bid, in dollars a share." */
const unitOf = (name: string, meaning: string): string | undefined =>
  (Object.hasOwn(units, name) ? units[name] : undefined) ??
    /, in `?(dollars a share|dollars|contracts|shares|currency)\b/.exec(meaning)?.[1] ??
    (/\bfraction\b/.test(meaning) ? "fraction" : undefined)

const isTime = (meaning: string): boolean => meaning.includes("epoch seconds")

/** Leaves out what a meaning says about the column's form in memory, which differs in a file. */
const exported = (meaning: string): string =>
  meaning.replace(/; the column holds [^.;]*/, "").replace(/,? in epoch seconds/, "")

/** Columns with few different texts, however many rows there are. */
const repeating = new Set(["currency", "reportTime", "symbol", "underlying"])

const typeOf = (name: string, { kind: { storage } }: SpecColumn, meaning: string): Type => {
  switch (storage._tag) {
    case "Choices":
      return storage.values.every((value) => typeof value === "boolean") ? "boolean" : "category"
    case "Texts":
      return repeating.has(name) && storage.digits === 0 ? "category" : "text"
    case "Numbers":
      if (isTime(meaning)) return "time"
      if (meaning === "") return "number"
      return counts.has(name) || unitOf(name, meaning) === "contracts"
        ? "integer"
        : name === "strike"
        ? "decimal"
        : "number"
  }
}

const example = "types: { strike: \"number\" }"

const numeric: ReadonlyArray<Type> = ["time", "integer", "decimal", "number"]

/** Checks a requested type; only numbers can have another one. */
const askedFor = (name: string, own: Type, types: Types): Type => {
  if (!Object.hasOwn(types, name)) return own
  const type: unknown = types[name]
  const known = numeric.find((other) => other === type)
  if (known === undefined || !numeric.includes(own)) {
    const rule = numeric.includes(own) ? `must be one of ${numeric.join(", ")}` : `is not for a column of type ${own}`
    throw invalid(`types.${name}`, type, { rule, example })
  }
  return known
}

/** The spec that a table was decoded with. Code without types may pass an answer instead of its data. */
const specOf = (table: Table): ColumnSpec => {
  try {
    return ColumnTable.specOf(table as ColumnTable.TableMethods<ColumnSpec, string>)
  } catch {
    throw invalid("table", table, { rule: "must be a table of an answer, not released", example: "answer.data" })
  }
}

/**
 * Returns what each column of a table becomes, in the order of the table. Throws `ExportError` for a type that its column cannot become, and for what is
 * not a table.
 *
 * @category getters
 * @since 0.1.0
 */
export const of = (table: Table, types: Types = {}): ReadonlyArray<Column> => {
  const spec = specOf(table)
  const { added = [], clause, of } = meaningOf(spec)
  const stranger = Object.keys(types).find((name) => !table.columnNames.includes(name))
  if (stranger !== undefined) {
    const rule = `must name columns of the table: ${table.columnNames.join(", ")}`
    throw invalid("types", stranger, { rule, example })
  }
  return table.columnNames.map((name) => {
    const column = spec[name]!
    const meaning = Object.hasOwn(of, name) ? of[name]! : ""
    return {
      name,
      type: askedFor(name, typeOf(name, column, meaning), types),
      nullable: column.null !== "identity",
      unit: unitOf(name, meaning),
      meaning: meaning === "" ? undefined : exported(meaning),
      clause: meaning === "" || added.includes(name) ? undefined : clause
    }
  })
}

/** The columns of a spec with a symbol before them. It is made once for each spec, so that tables of one endpoint can be written together. */
const labelled = /* @__PURE__ */ new WeakMap<ColumnSpec, ColumnSpec>()

const withSymbolOf = (spec: ColumnSpec): ColumnSpec => {
  let whole = labelled.get(spec)
  if (whole === undefined) {
    labelled.set(spec, whole = { symbol: { kind: dictionary, null: "identity" }, ...spec })
    extend(spec, whole, { symbol: "The symbol that was asked for." })
  }
  return whole
}

/**
 * Returns the table with a first column `symbol`, the same in each row: for candles of several stocks in one file, which have no symbol
 * of their own. A table that has this column is returned unchanged. Nothing is copied.
 *
 * @category combinators
 * @since 0.1.0
 */
export const withSymbol = (table: Table, symbol: string): Table => {
  const spec = specOf(table)
  if (table.columnNames.includes("symbol")) return table
  if (typeof symbol !== "string" || symbol === "") {
    throw invalid("symbol", symbol, { rule: "must be a non-empty string", example: "\"AAPL\"" })
  }
  const own = table as ColumnTable.TableMethods<ColumnSpec, string>
  const { columns, ...rest } = ColumnTable.pack(own)
  const symbols = { lanes: [new Uint8Array(table.length)], legend: [symbol], nulls: undefined }
  return ColumnTable.unpack(withSymbolOf(spec), { ...rest, columns: { symbol: symbols, ...columns } })
}

/** The columns of two specs. It is made once for each pair, so that tables of one kind can be written together; the last meanings apply. */
const joined = /* @__PURE__ */ new WeakMap<ColumnSpec, WeakMap<ColumnSpec, ColumnSpec>>()

const besideOf = (spec: ColumnSpec, other: ColumnSpec, meanings: Readonly<Record<string, string>>): ColumnSpec => {
  const of = joined.get(spec) ?? new WeakMap<ColumnSpec, ColumnSpec>()
  joined.set(spec, of)
  const whole = of.get(other) ?? { ...spec, ...other }
  of.set(other, whole)
  extend(spec, whole, { ...meaningOf(other).of, ...meanings })
  return whole
}

/**
 * Appends the columns of another table, row by row, such as those that `Volatility.columns` computes for a chain. `meanings` has their meanings
 * by name. No column may be in both tables, and both must have the same number of rows. Nothing is copied.
 *
 * @category combinators
 * @since 0.1.0
 */
export const beside = (table: Table, other: Table, meanings: Readonly<Record<string, string>> = {}): Table => {
  const [spec, added] = [specOf(table), specOf(other)]
  const twice = other.columnNames.find((name) => table.columnNames.includes(name))
  if (twice !== undefined || table.length !== other.length) {
    const rule = twice === undefined
      ? `must have as many rows as the table: ${table.length}`
      : "must have only columns that the table does not have"
    throw invalid("other", twice ?? other.length, { rule, example: "Columns.beside(chain, computed.table)" })
  }
  const { columns, ...rest } = ColumnTable.pack(table as ColumnTable.TableMethods<ColumnSpec, string>)
  const behind = ColumnTable.pack(other as ColumnTable.TableMethods<ColumnSpec, string>)
  return ColumnTable.unpack(besideOf(spec, added, meanings), { ...rest, columns: { ...columns, ...behind.columns } })
}

/** The meanings of columns by name, and the clause of the contract that lists them, except the added ones. */
interface Meaning {
  readonly of: Readonly<Record<string, string>>
  readonly clause?: string
  readonly added?: ReadonlyArray<string>
}

/** The clause of the contract that lists the columns of a chain; other tables are the public service's. */
const clause = "2.1-fields"

const meanings = /* @__PURE__ */ new WeakMap<ColumnSpec, Meaning>([
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
const meaningOf = (spec: ColumnSpec): Meaning => meanings.get(spec) ?? { of: {} }

/** Gives the columns of `by` the meanings of those of `spec`, and more. */
const extend = (spec: ColumnSpec, by: ColumnSpec, more: Readonly<Record<string, string>>): void => {
  const { added = [], of, ...rest } = meaningOf(spec)
  meanings.set(by, { ...rest, of: { ...of, ...more }, added: [...added, ...Object.keys(more)] })
}
