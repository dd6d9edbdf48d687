/** The table of a reply for people: its columns by importance, as many as fit, with heads in words. */
import type { Query } from "@effect-marketdata/core/Query"
import type { InvalidQuery } from "@effect-marketdata/core/Reason"
import { Effect, type Result } from "effect"
import * as Document from "../output/document.ts"
import type { Size } from "../output/output.ts"
import * as Grid from "../text/grid.ts"
import { type Line, means, type Span } from "../text/span.ts"
import * as Words from "../text/words.ts"
import * as Cells from "./cells.ts"

/** A column as people see it, and the column of the reply that it shows. */
export interface Column extends Grid.Column {
  readonly name: string
  readonly cell: Cells.Cell
}

/** A column of numbers. */
export const number = (name: string, head: string, cell: Cells.Cell): Column => ({ name, head, cell, align: "right" })

/** A column of texts. */
export const text = (name: string, head: string, cell: Cells.Cell): Column => ({ name, head, cell })

/** A column of sentences: longer than other texts, and cut where there is no room for them. */
export const sentence = (name: string, head: string, cell: Cells.Cell, widest = 100): Column => ({
  ...text(name, head, cell),
  widest,
  narrowest: 20
})

/** The columns of a candle's prices. */
export const openToClose: ReadonlyArray<Column> = [
  number("o", "open", Cells.price),
  number("h", "high", Cells.price),
  number("l", "low", Cells.price),
  number("c", "close", Cells.price)
]

type Table = Document.Table

/** The most rows that are shown, and the flag that shows the others. */
export interface Options {
  readonly most?: number | undefined
  readonly rest?: string
}

/** Says how many more there are, if any, and which flag shows them. */
export const left = (count: number, noun: string, how: string): ReadonlyArray<Line> =>
  count <= 0 ? [] : [means("aside", `${Words.count(count, `more ${noun}`)}: ${how}`)]

/** Prints a table: one row as a list of its values, several as a grid of the columns that fit. */
export const lines = (
  table: Table,
  columns: ReadonlyArray<Column>,
  size: Size,
  now: number,
  { most = Infinity, rest = "--format csv" }: Options = {}
): ReadonlyArray<Line> => {
  const known = columns.filter(({ name }) => table.columnNames.includes(name))
  const cellsAt = (index: number): ReadonlyArray<Span> =>
    known.map(({ cell, name }) => cell(table.valueAt(name as never, index), now))
  if (table.length === 1 && known.length > 1) return card(known, cellsAt(0), size)
  const count = Math.min(table.length, most)
  const grid = Grid.make(known, Array.from({ length: count }, (_, index) => cellsAt(index)), size.columns)
  return [
    ...grid.lines,
    ...left(table.length - count, "row", rest),
    ...left(known.length - grid.shown, "column", "--format csv")
  ]
}

/** The values of one row, each beside the head of its column. */
const card = (columns: ReadonlyArray<Column>, cells: ReadonlyArray<Span>, size: Size): ReadonlyArray<Line> => {
  const widest = Math.min(24, columns.reduce((most, { head }) => Math.max(most, head.length), 0))
  const sides = [{ head: "", widest }, { head: "", widest: Math.max(1, size.columns - widest - 2) }]
  const rows = columns.map(({ head }, index) => [means("aside", head), cells[index]!])
  return Grid.format(sides, rows, size.columns).slice(1)
}

/**
 * The view of some data: rows for programs and, if a grid of the rows will not do, lines of their own for people. `now`, from which ages are told, is
 * in epoch seconds.
 */
export interface View<in Data> {
  readonly rows: (data: Data) => Document.Rows
  readonly lines?: (data: Data, size: Size, now: number) => ReadonlyArray<Line>
  /** The data in the order of the rows, which a file has too. */
  readonly ordered?: (data: Data) => unknown
  /** What documents and files have besides the answer. */
  readonly beside?: (data: Data) => Beside
}

/** Fields that a JSON document has besides the answer; and a table whose columns follow those of the answer in a file, if there is one, with their meanings. */
export interface Beside {
  readonly document: object
  readonly table?: unknown
  readonly meanings?: Readonly<Record<string, string>>
}

/** A query, where it can be made, with the view of its data. */
export const view = <Data>(query: Result.Result<Query<Data>, InvalidQuery>, view: View<Data>) =>
  Effect.map(Effect.fromResult(query), (query) => ({ query, view }))

/**
 * A query, where it can be made, with the view of its table. Columns that the reply does not have are left out; `columns` are all that it can have, the
 * most important first.
 */
export const call = <Data extends Table>(
  query: Result.Result<Query<Data>, InvalidQuery>,
  columns: ReadonlyArray<Column>
) => view(query, { rows: Document.ofTable, lines: (table, size, now) => lines(table, columns, size, now) })
