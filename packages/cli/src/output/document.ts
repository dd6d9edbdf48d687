/** Data in the format that was asked for: a document as JSON, rows for programs, lines for people. */
import { ForeignText, NewYork } from "@effect-marketdata/core"
import type { Columns } from "@effect-marketdata/export"
import { Effect, Predicate, Result, Stream } from "effect"
import * as Grid from "../text/grid.ts"
import type { Line } from "../text/span.ts"
import { Output, type Size } from "./output.ts"

/** A value of a cell. */
export type Cell = string | number | boolean | null

/** Rows, read a cell at a time through their columns: a chain has half a million cells, of which no copy is made. */
export interface Rows {
  readonly names: ReadonlyArray<string>
  readonly length: number
  readonly columns: ReadonlyArray<(row: number) => Cell>
  /** The table whose rows these are, and a faster way to the same CSV, where there is one: in a tenth of the time. */
  readonly table?: Table
  readonly csv?: ((withHead: boolean) => ReadonlyArray<Uint8Array> | undefined) | undefined
}

/** The part of a table that printing needs. */
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

/** Rows from arrays of cells. */
export const rows = (names: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<Cell>>): Rows => ({
  names,
  length: rows.length,
  columns: names.map((_, column) => (row) => rows[row]![column]!)
})

/** Rows from objects: a column has the field of its name, or null. */
export const records = <Name extends string>(
  names: ReadonlyArray<Name>,
  objects: ReadonlyArray<{ readonly [Column in Name]?: Cell | undefined }>
): Rows => rows(names, objects.map((object) => names.map((name) => object[name] ?? null)))

/** The cells of the first `length` rows. */
export const cellsOf = ({ columns }: Rows, length: number): ReadonlyArray<ReadonlyArray<Cell>> =>
  Array.from({ length }, (_, row) => columns.map((cellAt) => cellAt(row)))

/** Rows as objects. */
export const objects = (rows: Rows): ReadonlyArray<object> =>
  cellsOf(rows, rows.length).map((cells) => Object.fromEntries(rows.names.map((name, at) => [name, cells[at]!])))

/**
 * What a spreadsheet takes for the beginning of a formula, wide forms included. Only texts are tested: a negative number begins with "-" and is no
 * formula.
 */
const formula = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/

/** Puts an apostrophe before a text that a spreadsheet would run as a formula; spreadsheets do not show it. */
const harmless = (text: string): string => formula.test(text) ? `'${text}` : text

/** A number or boolean so that it reads back as the same value, -0 included. */
const bits = (cell: number | boolean): string => Object.is(cell, -0) ? "-0" : String(cell)

/** Names and times, which most texts of a table are: they need neither quotes nor escapes. */
const plain = /^(?:[A-Za-z\d][\w.]*|\d[\d:T+-]*)$/

/** A cell of CSV. */
const field = (cell: Cell): string => {
  if (typeof cell !== "string") return cell === null ? "" : bits(cell)
  if (plain.test(cell)) return cell
  const text = harmless(ForeignText.line(cell))
  // Readers that guess the quotation mark would take a leading apostrophe for it. An unquoted empty text would be null.
  return /^'|^$|[",]/.test(text) ? `"${text.replaceAll("\"", "\"\"")}"` : text
}

/** Prints a range of rows, a column at a time: V8 is faster over cells of one kind, and a cell that equals the one before is not formatted again. */
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
 * Prints a range of rows as CSV (RFC 4180), without a line end after the last. A row is one line: line ends and control characters in its texts are escaped.
 * Null in an only column is a pair of quotation marks, because many readers skip an empty line.
 */
export const csvLines = (rows: Rows, from: number, to: number): string =>
  lines(rows, from, to, field).map((line) => line === "" ? "\"\"" : line).join("\n")

/** Prints a range of rows as lines of JSON. */
export const jsonLines = (rows: Rows, from: number, to: number): string => {
  const keys = rows.names.map((name) => `${JSON.stringify(name)}:`)
  const member = (cell: Cell, column: number) =>
    keys[column]! + (typeof cell === "number" && Number.isFinite(cell) ? bits(cell) : JSON.stringify(cell))
  return lines(rows, from, to, member).map((members) => `{${members}}`).join("\n")
}

/** Prints the head. */
export const csvHead = ({ names }: Rows): string => names.map(field).join(",")

const writers = () =>
  Promise.all([import("@effect-marketdata/export/Columns"), import("@effect-marketdata/export/Csv")])

/**
 * Writes rows whose times are in ISO 8601 with the offset of New York; a number outside the years 1 to 9999 is left unchanged. It loads the types of all columns
 * and the writer of CSV.
 */
export const inNewYork = Effect.map(Effect.promise(writers), ([Columns, Csv]) => {
  /** A table as CSV, in pieces of many lines; undefined if a column has a number that its type does not allow. */
  const csvOf = (table: Table) => (withHead: boolean) => {
    const pieces = Csv.encoder({ cell: field, lineEnd: "\n" }).push(table as unknown as Columns.Table)
    return Result.isFailure(pieces) ? undefined : pieces.success.slice(withHead ? 0 : 1)
  }
  return (rows: Rows, data: unknown): Rows => {
    if (!Predicate.hasProperty(data, "columnNames")) return rows
    const known = Columns.of(data as unknown as Columns.Table)
    const times = new Set(known.flatMap(({ name, type }) => type === "time" ? [name] : []))
    // Most rows share their times with others.
    const texts = new Map<Cell, Cell>()
    const written = (cell: Cell): Cell => {
      const known = texts.get(cell)
      if (known !== undefined) return known
      const text = typeof cell === "number" ? NewYork.formatIso(cell) : cell
      const time = text === String(cell) ? cell : text
      texts.set(cell, time)
      return time
    }
    const columns = rows.columns.map((cellAt, at) =>
      times.has(rows.names[at]!) ? (row: number) => written(cellAt(row)) : cellAt
    )
    return { ...rows, columns, csv: rows.table && csvOf(rows.table) }
  }
})

/** The version of the JSON that commands print; it changes when a field is removed or changes its meaning. */
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
export const grid = (rows: Rows, width: number): ReadonlyArray<Line> =>
  Grid.format(
    rows.names.map((head, column) => numeric(rows, column) ? { head, align: "right" } : head),
    cellsOf(rows, rows.length).map((cells) => cells.map((cell) => cell === null ? "-" : String(cell))),
    width
  )

type Lines = ReadonlyArray<Line> | undefined

/** What a function makes, or the value that stands in its place. */
const made = <A extends object>(value: A | (() => A)): A => typeof value === "function" ? value() : value

/**
 * Prints one document as JSON, its rows as CSV or lines of JSON, or lines for people: a grid of the rows if there are no lines. It makes only what it
 * prints, so what takes long to make is a function.
 */
export const print = Effect.fnUntraced(function*(document: {
  readonly json: object | (() => object)
  readonly rows: Rows | (() => Rows)
  readonly lines?: Lines | ((size: Size) => Lines)
}) {
  const { format, page, size, write } = yield* Output
  switch (format) {
    case "table": {
      const room = yield* size
      const lines = typeof document.lines === "function" ? document.lines(room) : document.lines
      return yield* page(lines ?? grid(made(document.rows), room.columns))
    }
    case "json":
      return yield* write(JSON.stringify({ version, ...made(document.json) }))
    default:
      return yield* printRows(made(document.rows), format)
  }
})
