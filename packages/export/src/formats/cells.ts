/** The elements of a table as texts, for formats that are texts. A column is looked at once, and its cells are then read row by row. */
import * as NewYork from "@effect-marketdata/core/NewYork"
import type * as Columns from "../columns/Columns.ts"
import * as Values from "../columns/values.ts"
import { invalid } from "../reason/ExportError.ts"
import type { Bytes } from "./encoder.ts"
import type * as Encoder from "./encoder.ts"
import { encoded, Writer } from "./writer.ts"

/**
 * How times are written: `iso` as ISO 8601 with the offset of New York, such as `2026-11-20T16:00:00-05:00`, by default; or `epoch`, in seconds since
 * 1970.
 */
export interface Options extends Encoder.Options {
  readonly times?: "iso" | "epoch" | undefined
}

/** How a format writes what it has words of its own for. */
export interface Style {
  readonly quote: (text: string) => string
  readonly missing: string
  /** What stands around option symbols and times, in which nothing is to be escaped. */
  readonly around: string
}

/** Writes the cell of a row. */
type Cell = (writer: Writer, row: number) => void

/** Prints each time once: most rows share theirs with others. */
const timeCell = (seconds: Float64Array, around: string, print: (value: number) => string): Cell => {
  const texts = new Map<number, Bytes>()
  return (writer, row) => {
    const value = seconds[row]!
    let text = texts.get(value)
    if (text === undefined) texts.set(value, text = encoded(around + print(value) + around))
    writer.text(text)
  }
}

/** The cell of a row, whether or not it is null. */
const cell = (values: Values.Values, { around, quote }: Style, times: Options["times"]): Cell => {
  const { column, digits, first, texts } = values
  switch (column.type) {
    case "text":
    case "category": {
      if (digits === undefined) {
        const quoted = texts.map((text) => encoded(quote(text)))
        return (writer, row) => writer.text(quoted[first[row]!]!)
      }
      const [before, after] = [texts.map((text) => encoded(around + text)), encoded(around)]
      return (writer, row) => {
        writer.text(before[first[row]!]!)
        writer.digits(digits[row]!, 8)
        writer.text(after)
      }
    }
    case "boolean": {
      const [no, yes] = [encoded("false"), encoded("true")]
      return (writer, row) => writer.text(first[row] === 1 ? yes : no)
    }
    case "time":
      return times === "epoch"
        ? timeCell(Values.exact(values, "time"), "", String)
        : timeCell(Values.exact(values, "time"), around, NewYork.formatIso)
    case "integer":
    case "decimal":
    case "number": {
      const numbers = column.type === "number" ? first : Values.exact(values, column.type)
      return (writer, row) => writer.number(numbers[row]!)
    }
  }
}

/** The cells of a table, a column each. */
const cellsOf = (
  table: Columns.Table,
  columns: ReadonlyArray<Columns.Column>,
  style: Style,
  times: Options["times"]
): ReadonlyArray<Cell> => {
  const missing = encoded(style.missing)
  return Values.read(table, columns).map((values): Cell => {
    const write = cell(values, style, times)
    const { nulls } = values
    if (nulls === undefined) return write
    return (writer, row) => Values.isSet(nulls, row) ? writer.text(missing) : write(writer, row)
  })
}

/** How many rows are made into bytes at once, and about how many bytes a cell has. */
const rowsAtOnce = 4096
const bytesOfCell = 12

/** Writes rows as lines. `line` has the places of the cells: what stands before the first, between them, and after the last. */
export const writing = (
  { times = "iso" }: Options,
  style: Style,
  line: (columns: ReadonlyArray<Columns.Column>) => {
    readonly head: string
    readonly before: ReadonlyArray<string>
    readonly end: string
  }
) =>
(columns: ReadonlyArray<Columns.Column>): Encoder.Writing => {
  if (times !== "iso" && times !== "epoch") {
    throw invalid("times", times, { rule: "must be iso or epoch", example: "\"iso\"" })
  }
  const { head, ...places } = line(columns)
  const [before, end] = [places.before.map(encoded), encoded(places.end)]
  let isFirst = true
  return {
    table: (table) => {
      const cells = cellsOf(table, columns, style, times)
      const pieces: Array<Bytes> = isFirst && head !== "" ? [encoded(head)] : []
      isFirst = false
      for (let from = 0; from < table.length; from += rowsAtOnce) {
        const rows = Math.min(table.length - from, rowsAtOnce)
        const writer = new Writer(rows * cells.length * bytesOfCell)
        for (let row = from; row < from + rows; row++) {
          for (let at = 0; at < cells.length; at++) {
            writer.text(before[at]!)
            cells[at]!(writer, row)
          }
          writer.text(end)
        }
        pieces.push(writer.written)
      }
      return pieces
    },
    end: () => []
  }
}
