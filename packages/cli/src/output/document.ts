/** Data in the format that was asked for: a document as JSON, rows for programs, lines for people. */
import { ForeignText } from "@effect-marketdata/core"
import { Effect, Stream } from "effect"
import * as Grid from "../text/grid.ts"
import type { Line } from "../text/span.ts"
import { Output, type Size } from "./output.ts"

/** A value of a cell. */
export type Cell = string | number | boolean | null

/** Rows under the names of their columns, each of which is read by the number of a row: a chain has half a million cells. */
export interface Rows {
  readonly names: ReadonlyArray<string>
  readonly length: number
  readonly columns: ReadonlyArray<(row: number) => Cell>
  /** The table whose rows these are, and the bytes of the same lines of CSV as its cells make, in a tenth of the time. */
  readonly table?: Table
  readonly csv?: ((withHead: boolean) => ReadonlyArray<Uint8Array> | undefined) | undefined
}

/** A table as far as its rows are read. */
export interface Table {
  readonly columnNames: ReadonlyArray<string>
  readonly length: number
  readonly valueAt: (name: never, index: number) => unknown
}

/** The rows of a table, in its own columns. */
export const ofTable = (table: Table): Rows => ({
  names: table.columnNames,
  length: table.length,
  columns: table.columnNames.map((name) => (row) => table.valueAt(name as never, row) as Cell),
  table
})

/** Rows that are written out. */
export const rows = (names: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<Cell>>): Rows => ({
  names,
  length: rows.length,
  columns: names.map((_, column) => (row) => rows[row]![column]!)
})

/** Rows of objects: each column has the field of its name, and null where an object has no such field. */
export const records = <Name extends string>(
  names: ReadonlyArray<Name>,
  objects: ReadonlyArray<{ readonly [Column in Name]?: Cell | undefined }>
): Rows => rows(names, objects.map((object) => names.map((name) => object[name] ?? null)))

/** The cells of some rows from the first on. */
export const cellsOf = ({ columns }: Rows, length: number): ReadonlyArray<ReadonlyArray<Cell>> =>
  Array.from({ length }, (_, row) => columns.map((cellAt) => cellAt(row)))

/** Rows as objects. */
export const objects = (rows: Rows): ReadonlyArray<object> =>
  cellsOf(rows, rows.length).map((cells) =>
    Object.fromEntries(rows.names.map((name, column) => [name, cells[column]!]))
  )

/**
 * What a spreadsheet takes for the beginning of a formula, wide forms included. Only texts are looked at: a number below zero begins so, too, and is
 * no formula.
 */
const formula = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/

/** A text that a spreadsheet would run gets an apostrophe before it, which spreadsheets do not show. */
const harmless = (text: string): string => formula.test(text) ? `'${text}` : text

/** A number or boolean as it reads back to the same bits. */
const bits = (cell: number | boolean): string => Object.is(cell, -0) ? "-0" : String(cell)

/** Names and times, as most texts of a table are: nothing in them has to be quoted, escaped or hidden. */
const plain = /^(?:[A-Za-z\d][\w.]*|\d[\d:T+-]*)$/

/** A cell of CSV. */
export const field = (cell: Cell): string => {
  if (typeof cell !== "string") return cell === null ? "" : bits(cell)
  if (plain.test(cell)) return cell
  const text = harmless(ForeignText.line(cell))
  // Readers that guess the quotation mark would take an apostrophe before a text for it, and an empty text for null.
  return /^'|^$|[",]/.test(text) ? `"${text.replaceAll("\"", "\"\"")}"` : text
}

/** Prints rows from one number to another, a column at a time: its cells are of one kind, and those that repeat the one before are printed once. */
const lines = ({ columns }: Rows, from: number, to: number, print: (cell: Cell, column: number) => string) => {
  const lines = Array.from({ length: to - from }, () => "")
  columns.forEach((cellAt, column) => {
    let last: Cell | undefined
    let text = ""
    for (let row = from; row < to; row++) {
      const cell = cellAt(row)
      if (!Object.is(cell, last)) text = (column === 0 ? "" : ",") + print(cell, column)
      last = cell
      lines[row - from] += text
    }
  })
  return lines
}

/**
 * Prints rows from one number to another, as CSV (RFC 4180), without a line end after the last. A row is one line, whatever its texts hold: what would end
 * a line or command a terminal stands there escaped. Numbers and booleans are written as they are. Many readers skip an empty line: null is a pair of
 * quotation marks in an only column.
 */
export const csvLines = (rows: Rows, from: number, to: number): string =>
  lines(rows, from, to, field).map((line) => line === "" ? "\"\"" : line).join("\n")

/** Prints rows from one number to another, as lines of JSON. */
export const jsonLines = (rows: Rows, from: number, to: number): string => {
  const keys = rows.names.map((name) => `${JSON.stringify(name)}:`)
  const member = (cell: Cell, column: number) =>
    keys[column]! + (typeof cell === "number" && Number.isFinite(cell) ? bits(cell) : JSON.stringify(cell))
  return lines(rows, from, to, member).map((members) => `{${members}}`).join("\n")
}

/** Prints the head. */
export const csvHead = ({ names }: Rows): string => names.map(field).join(",")

/** The version of the JSON that commands print; it changes when a field that was there is gone or means something else. */
export const version = 1

/** How many rows are printed at once. */
const atOnce = 1000

/** Prints rows for programs: as lines of JSON, or as CSV, with its head unless it was printed before. */
export const printRows = Effect.fnUntraced(function*(rows: Rows, format: "jsonl" | "csv", withHead = true) {
  const { send, write } = yield* Output
  const pieces = format === "csv" ? rows.csv?.(withHead) : undefined
  if (pieces !== undefined) return yield* send(Stream.fromIterable(pieces))
  if (format === "csv" && withHead) yield* write(csvHead(rows))
  for (let from = 0; from < rows.length; from += atOnce) {
    const to = Math.min(rows.length, from + atOnce)
    yield* write(format === "csv" ? csvLines(rows, from, to) : jsonLines(rows, from, to))
  }
})

const numeric = (rows: Rows, column: number): boolean =>
  cellsOf(rows, Math.min(rows.length, 50)).every(({ [column]: cell }) => cell === null || typeof cell === "number")

/** Rows as a grid of all their columns, for data without a view of their own. */
export const grid = (rows: Rows, width: number, most = Infinity): ReadonlyArray<Line> => {
  const shown = Math.min(rows.length, most)
  return Grid.format(
    rows.names.map((name, column) => ({ head: name, align: numeric(rows, column) ? "right" : "left" })),
    cellsOf(rows, shown).map((cells) => cells.map((cell) => cell === null ? "-" : String(cell))),
    width
  )
}

type Lines = ReadonlyArray<Line> | undefined

/**
 * Prints one document as JSON, its rows for programs that read rows, or lines for people: a grid of the rows if there are no lines. It reads no more of
 * the document than it prints: what takes long to make is a getter, or lines that are made of the room there is.
 */
export const print = Effect.fnUntraced(function*(document: {
  readonly json: object
  readonly rows: Rows
  readonly lines?: Lines | ((size: Size) => Lines)
}) {
  const { format, page, size, write } = yield* Output
  switch (format) {
    case "table": {
      const room = yield* size
      const lines = typeof document.lines === "function" ? document.lines(room) : document.lines
      return yield* page(lines ?? grid(document.rows, room.columns))
    }
    case "json":
      return yield* write(JSON.stringify({ version, ...document.json }))
    default:
      return yield* printRows(document.rows, format)
  }
})
