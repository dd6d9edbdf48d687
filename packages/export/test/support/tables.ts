/** Tables of every endpoint, with elements that each column's type can hold, and the same rows as plain values. */
import { ColumnTable, OptionSymbol } from "@effect-marketdata/core"
import type { ColumnSpec } from "@effect-marketdata/core/ColumnSpec"
import { type Columns, Columns as Export } from "@effect-marketdata/export"
import { optionSymbol } from "@effect-marketdata/testing/OptionSymbols"
import { strike } from "@effect-marketdata/testing/Strikes"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { specs } from "../../../core/test/support/tables.ts"

export type Table = ColumnTable.ColumnTable<ColumnSpec, string>

/** Reads rows as the decoder of replies does. */
const decoded = (spec: ColumnSpec, rows: ReadonlyArray<Readonly<Record<string, unknown>>>): Table => {
  const columns = Object.keys(spec).map((name) => {
    const list = rows.map((row) => Object.is(row[name], -0) ? "-0" : JSON.stringify(row[name] ?? null))
    return `${JSON.stringify(name)}:[${list.join()}]`
  })
  return Result.getOrThrow(ColumnTable.decode(spec, `{"s":"ok",${columns.join()}}`))
}

/** A table without rows: all columns of a spec. */
export const empty = (spec: ColumnSpec): Table => decoded(spec, [])

const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 8 }),
  fc.constant("\ud83d"),
  fc.constantFrom("", "=1+1", " @x", "-5", "a,b", "a\"b", "a\r\nb", "日本 😀", "\u0000\u001f\u2028", "__proto__", "'")
)

const numbers = {
  time: fc.oneof(
    fc.integer({ min: -62_135_510_400, max: 253_402_214_400 }),
    fc.constantFrom(0, 1795208400, 1793509200)
  ),
  integer: fc.integer(),
  decimal: strike,
  number: fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(0, -0, 5e-324, 0.1, 1.7976931348623157e308)
  )
} as const

const element = ({ type }: Columns.Column, { kind: { storage } }: ColumnSpec[string]): fc.Arbitrary<unknown> => {
  switch (storage._tag) {
    case "Choices":
      return fc.constantFrom(...storage.values)
    case "Texts":
      return storage.digits === 8 ? optionSymbol.map(OptionSymbol.format) : text
    case "Numbers":
      return numbers[type as keyof typeof numbers]
  }
}

/** Rows of one endpoint, as many as there may be; those of `nulls` hold null wherever they can. */
const rows = (spec: ColumnSpec, lengths: fc.ArrayConstraints, nulls: boolean): fc.Arbitrary<Table> => {
  const cells = Object.fromEntries(
    Export.of(empty(spec)).filter(({ nullable }) => !nulls || !nullable).map((column) => {
      const present = element(column, spec[column.name]!)
      return [column.name, column.nullable ? fc.option(present) : present]
    })
  )
  return fc.array(fc.record(cells), lengths).map((rows) => decoded(spec, rows))
}

/** Tables of one endpoint whose elements are null wherever they can be. */
export const nulls = (spec: ColumnSpec): fc.Arbitrary<Table> => rows(spec, { minLength: 1, maxLength: 10 }, true)

/** Tables of one endpoint, with 0 to 10 rows or the number that is given. */
export const ofSpec = (spec: ColumnSpec, length?: number): fc.Arbitrary<Table> =>
  length === undefined
    ? fc.oneof({ weight: 4, arbitrary: rows(spec, { maxLength: 10 }, false) }, nulls(spec))
    : rows(spec, { minLength: length, maxLength: length }, false)

/** The specs of all endpoints that answer with a table. */
export { specs }

/** Tables of any endpoint. */
export const table: fc.Arbitrary<Table> = fc.oneof(...Object.values(specs).map((spec) => ofSpec(spec)))

/** Several tables of one endpoint. */
export const several: fc.Arbitrary<ReadonlyArray<Table>> = fc.oneof(
  ...Object.values(specs).map((spec) => fc.array(ofSpec(spec), { minLength: 1, maxLength: 4 }))
)

/** A table as rows of plain values. */
export const rowsOf = (table: Table): ReadonlyArray<Readonly<Record<string, unknown>>> =>
  Array.from(
    { length: table.length },
    (_, row) => Object.fromEntries(table.columnNames.map((name) => [name, table.valueAt(name, row)]))
  )
