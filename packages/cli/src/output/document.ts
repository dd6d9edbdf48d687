/** Data in the format that was asked for: a document as JSON, rows for programs, lines for people. */
import * as Effect from "effect/Effect"
import * as Grid from "../text/grid.ts"
import type { Line } from "../text/span.ts"
import * as Csv from "./csv.ts"
import { Output } from "./output.ts"
import * as Rows from "./rows.ts"

/** The version of the JSON that commands print; it changes when a field that was there is gone or means something else. */
export const version = 1

/** How many rows are printed at once. */
const atOnce = 1000

/** Prints rows for programs: as lines of JSON, or as CSV, with its head unless it was printed before. */
export const printRows = Effect.fnUntraced(function*(rows: Rows.Rows, format: "jsonl" | "csv", withHead = true) {
  const { write } = yield* Output
  if (format === "csv" && withHead) yield* write(Csv.head(rows))
  for (let from = 0; from < rows.length; from += atOnce) {
    const to = Math.min(rows.length, from + atOnce)
    yield* write(
      format === "csv"
        ? Csv.lines(rows, from, to)
        : Array.from({ length: to - from }, (_, index) => JSON.stringify(Rows.objectAt(rows, from + index))).join("\n")
    )
  }
})

const numeric = (rows: Rows.Rows, column: number): boolean =>
  Array.from({ length: Math.min(rows.length, 50) }, (_, index) => rows.row(index)[column])
    .every((cell) => cell === null || typeof cell === "number")

/** Rows as a grid of all their columns, for data without a view of their own. */
export const grid = (rows: Rows.Rows, width: number, most = Infinity): ReadonlyArray<Line> => {
  const shown = Math.min(rows.length, most)
  return Grid.format(
    rows.names.map((name, column) => ({ head: name, align: numeric(rows, column) ? "right" : "left" })),
    Array.from({ length: shown }, (_, index) => rows.row(index).map((cell) => cell === null ? "-" : String(cell))),
    width
  )
}

/** Prints one document as JSON, its rows for programs that read rows, or lines for people: a grid of the rows if there are no lines. */
export const print = Effect.fnUntraced(function*(document: {
  readonly json: object
  readonly rows: Rows.Rows
  readonly lines?: ReadonlyArray<Line> | undefined
}) {
  const { format, show, size, write } = yield* Output
  switch (format) {
    case "table":
      return yield* show(document.lines ?? grid(document.rows, (yield* size).columns))
    case "json":
      return yield* write(JSON.stringify({ version, ...document.json }))
    default:
      return yield* printRows(document.rows, format)
  }
})
