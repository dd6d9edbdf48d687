/** How the table of a reply looks to people: its columns by importance, as many as fit, each with a head in words. */
import type { Query } from "@effect-marketdata/core/Query"
import type { View } from "../asking/question.ts"
import type { Cell } from "../output/rows.ts"
import * as Grid from "../text/grid.ts"
import type * as Cells from "./cells.ts"

/** A column for people, made of one of the reply. */
export interface Column {
  readonly name: string
  readonly head: string
  readonly cell: Cells.Cell
  readonly align: "left" | "right"
  readonly widest?: number
}

/** A column of numbers. */
export const number = (name: string, head: string, cell: Cells.Cell): Column => ({ name, head, cell, align: "right" })

/** A column of texts. */
export const text = (name: string, head: string, cell: Cells.Cell, widest?: number): Column => ({
  name,
  head,
  cell,
  align: "left",
  ...(widest === undefined ? {} : { widest })
})

interface Table {
  readonly columnNames: ReadonlyArray<string>
  readonly length: number
  readonly valueAt: (name: never, index: number) => unknown
}

/** The view of a query's table. Columns that the reply does not have are left out; `columns` are all that it can have, the most important first. */
export const viewOf = <Data extends Table>(_: Query<Data>, columns: ReadonlyArray<Column>): View<Data> => ({
  rows: ({ columnNames, length, ...table }) => ({
    names: columnNames,
    length,
    row: (index) => columnNames.map((name) => table.valueAt(name as never, index) as Cell)
  }),
  lines: (table, size, now) => {
    const shown = columns.filter(({ name }) => table.columnNames.includes(name))
    return Grid.format(
      shown,
      Array.from(
        { length: table.length },
        (_, index) => shown.map(({ cell, name }) => cell(table.valueAt(name as never, index), now))
      ),
      size.columns
    )
  }
})
