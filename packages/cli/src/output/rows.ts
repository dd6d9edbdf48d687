/** Any data as rows: a table is its columns, and each other value says what its rows are. */
import type { ColumnSpec } from "@effect-marketdata/core/ColumnSpec"
import type { ColumnTable } from "@effect-marketdata/core/ColumnTable"

/** A value of a cell. */
export type Cell = string | number | boolean | null

/** Rows under the names of their columns. */
export interface Rows {
  readonly names: ReadonlyArray<string>
  readonly length: number
  readonly row: (index: number) => ReadonlyArray<Cell>
}

/** The rows of a table, in its own columns. */
export const ofTable = <Spec extends ColumnSpec, Name extends keyof Spec & string>(
  table: ColumnTable<Spec, Name>
): Rows => ({
  names: table.columnNames,
  length: table.length,
  row: (index) => table.columnNames.map((name) => table.valueAt(name, index) as Cell)
})

/** Rows that are written out. */
export const of = (names: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<Cell>>): Rows => ({
  names,
  length: rows.length,
  row: (index) => rows[index]!
})

/** A row as an object. */
export const objectAt = ({ names, row }: Rows, index: number): { readonly [name: string]: Cell } => {
  const cells = row(index)
  return Object.fromEntries(names.map((name, column) => [name, cells[column]!]))
}
