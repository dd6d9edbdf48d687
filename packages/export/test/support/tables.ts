/** Tables of every endpoint, with elements that each column's type can hold, and the same rows as plain values. */
import type { ColumnSpec } from "@effect-marketdata/core/ColumnSpec"
import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
import * as OptionSymbol from "@effect-marketdata/core/OptionSymbol"
import type * as Columns from "@effect-marketdata/export/Columns"
import * as Export from "@effect-marketdata/export/Columns"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { optionSymbol, thousandths } from "../../../core/test/support/arbitraries.ts"
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
  fc.constantFrom("", "=1+1", " @x", "-5", "a,b", "a\"b", "a\r\nb", "日本 😀", "\u0000\u001f\u2028", "__proto__", "'")
)

const numbers = {
  time: fc.oneof(
    fc.integer({ min: -62_135_510_400, max: 253_402_214_400 }),
    fc.constantFrom(0, 1795208400, 1793509200)
  ),
  integer: fc.integer(),
  decimal: thousandths.map((whole) => whole / 1000),
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

/** Tables of one endpoint: of no row, of one, of a few, and of rows that hold null wherever they can. */
const ofSpec = (spec: ColumnSpec): fc.Arbitrary<Table> => {
  const cells = Object.fromEntries(
    Export.of(empty(spec)).map((column) => {
      const present = element(column, spec[column.name]!)
      return [column.name, column.nullable ? fc.option(present) : present]
    })
  )
  const rows = (nothing: boolean) =>
    fc.array(fc.record(cells), { maxLength: 10 }).map((rows) =>
      decoded(
        spec,
        nothing
          ? rows.map((row) =>
            Object.fromEntries(Object.entries(row).filter(([name]) => spec[name]!.null === "identity"))
          )
          : rows
      )
    )
  return fc.oneof({ weight: 4, arbitrary: rows(false) }, rows(true))
}

/** The specs of all endpoints that answer with a table. */
export { specs }

/** Tables of any endpoint. */
export const table: fc.Arbitrary<Table> = fc.oneof(...Object.values(specs).map(ofSpec))

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
