/** Any data as rows: a table is its columns, and each other value says what its rows are. */

/** A value of a cell. */
export type Cell = string | number | boolean | null

/** Rows under the names of their columns. */
export interface Rows {
  readonly names: ReadonlyArray<string>
  readonly length: number
  readonly row: (index: number) => ReadonlyArray<Cell>
}

/** A table as far as its rows are read. */
interface Table {
  readonly columnNames: ReadonlyArray<string>
  readonly length: number
  readonly valueAt: (name: never, index: number) => unknown
}

/** The rows of a table, in its own columns. */
export const ofTable = (table: Table): Rows => ({
  names: table.columnNames,
  length: table.length,
  row: (index) => table.columnNames.map((name) => table.valueAt(name as never, index) as Cell)
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
