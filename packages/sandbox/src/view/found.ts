import type { ColumnSpec } from "@effect-marketdata/core/ColumnSpec"
import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
import type * as Profile from "@effect-marketdata/core/Profile"
import type * as Query from "@effect-marketdata/core/Query"
import type * as Result from "effect/Result"
import * as BlackScholes from "../market/BlackScholes.ts"
import type { Parameters } from "../request/parameters.ts"
import type { Refusal } from "../request/refusals.ts"
import type { View } from "./view.ts"

/** What a request asks of its endpoint: the path parameters by name, and the query parameters. */
export interface Asked {
  readonly segments: Readonly<Record<string, string>>
  readonly list: boolean
  readonly parameters: Parameters
  readonly profile: Profile.Profile
}

/** A request that core takes for a well-formed query, and how the market answers it. */
interface Lookup {
  readonly query: Query.Query
  readonly answer: (view: View) => Result.Result<Found, Refusal>
}

/** How the requests of one endpoint are read. */
export type Reader = (asked: Asked) => Result.Result<Lookup, Refusal>

/**
 * What was found: rows in columns with fields beside them, or fields only. `symbols` are those of the
 * market that the data are of; `bare` says that the
 * reply is a page of the public service's own, which has no `s`.
 */
export interface Found {
  readonly rows: Rows | undefined
  readonly bare: boolean
  readonly fields: Readonly<Record<string, unknown>>
  readonly symbols: ReadonlyArray<string>
}

/** A table of any endpoint. */
export interface Rows {
  readonly length: number
  readonly columnNames: ReadonlyArray<string>
  /** Reads one column, row by row; undefined where there is no such column. */
  readonly column: (name: string) => ((index: number) => unknown) | undefined
  readonly select: (names: ReadonlyArray<string>) => Rows
  readonly slice: (start: number, end: number) => Rows
  /** The table as core prints it, in parts or as one text. */
  readonly chunks: () => Iterable<string>
  readonly text: () => string
}

/** Columns that were printed before, by their tables: clients that poll get tables that the market has cached. */
const printed = new WeakMap<object, Map<string, string>>()

function* chunksOf<Spec extends ColumnSpec, Name extends keyof Spec & string>(
  table: ColumnTable.TableMethods<Spec, Name>,
  columnNames: ReadonlyArray<Name>
): Generator<string> {
  const texts = printed.get(table) ?? new Map<string, string>()
  printed.set(table, texts)
  // Without columns core prints the pieces around them; with one, that is the second piece.
  const [opening = "", closing = ""] = ColumnTable.encodeChunks(table, [])
  yield opening
  for (const name of columnNames) {
    const text = texts.get(name) ?? [...ColumnTable.encodeChunks(table, [name])][1]!
    texts.set(name, text)
    yield text
  }
  yield closing
}

/** Shows a table, or some of its columns, without its type. */
const rowsOf = <Spec extends ColumnSpec, Name extends keyof Spec & string>(
  table: ColumnTable.TableMethods<Spec, Name>,
  columnNames = table.columnNames
): Rows => ({
  length: table.length,
  columnNames,
  column: (name) => {
    const known = columnNames.find((own) => own === name)
    return known === undefined ? undefined : (index) => table.valueAt(known, index)
  },
  select: (names) => rowsOf(table, columnNames.filter((name) => names.includes(name))),
  slice: (start, end) => rowsOf(ColumnTable.slice(table, start, end), columnNames),
  chunks: () => ({ [Symbol.iterator]: () => chunksOf(table, columnNames) }),
  text: () => [...chunksOf(table, columnNames)].join("")
})

/** A table that was found, and what it is of. */
export const table = <Spec extends ColumnSpec, Name extends keyof Spec & string>(
  rows: ColumnTable.TableMethods<Spec, Name>,
  symbols: ReadonlyArray<string> = [],
  fields: Found["fields"] = {}
): Found => ({ rows: rowsOf(rows), bare: false, fields, symbols })

/** Fields that were found. */
export const fields = (fields: Found["fields"]): Found => ({ rows: undefined, bare: false, fields, symbols: [] })

/** The fields of a page of the public service's own. */
export const page = (fields: Found["fields"]): Found => ({ rows: undefined, bare: true, fields, symbols: [] })

/** The same rows without volatility and greeks, which the public service does not have for past days. */
export const withoutGreeks = <Spec extends ColumnSpec, Name extends keyof Spec & string>(
  spec: Spec,
  rows: ColumnTable.TableMethods<Spec, Name>
): ColumnTable.ColumnTable<Spec, Name> => {
  const packed = ColumnTable.pack(rows)
  const nulls = new Uint8Array((rows.length + 7) >> 3).fill(255)
  const lanes = [new Float64Array(rows.length).fill(NaN)]
  const columns = Object.fromEntries(["iv", ...BlackScholes.greeks].map((name) => [name, { lanes, legend: [], nulls }]))
  return ColumnTable.unpack(spec, { ...packed, columns: { ...packed.columns, ...columns } })
}
