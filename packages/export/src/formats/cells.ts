/** The elements of a table as texts, for formats that are texts. A column is looked at once, and its cells are then read row by row. */
import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as NewYork from "@effect-marketdata/core/NewYork"
import type * as Columns from "../columns/Columns.ts"
import * as Values from "../columns/values.ts"
import { invalid } from "../reason/ExportError.ts"
import type { Bytes } from "./encoder.ts"
import type * as Encoder from "./encoder.ts"

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

const twoDigits = (value: number): string => String(value).padStart(2, "0")

/** Prints an instant with the offset of New York. */
export const iso = (epochSeconds: number): string => {
  const { date, secondOfDay } = NewYork.fromEpochSeconds(epochSeconds)
  const parts = [secondOfDay / 3600, secondOfDay / 60 % 60, secondOfDay % 60].map((part) => twoDigits(Math.floor(part)))
  const offset = NewYork.offsetSeconds(epochSeconds) / -3600
  return `${CalendarDate.format(date)}T${parts.join(":")}-${twoDigits(offset)}:00`
}

/** Prints each number once: neighbours are often equal. */
const once = (print: (value: number) => string): (value: number) => string => {
  let last = NaN
  let text = ""
  return (value) => {
    if (value !== last || value === 0) {
      last = value
      text = print(value)
    }
    return text
  }
}

/** Prints a number so that it reads back to the same bits. */
const number = (value: number): string => value === 0 && 1 / value < 0 ? "-0" : String(value)

/** The cell of a row, whether or not it is null. */
const cell = (values: Values.Values, { around, quote }: Style, times: Options["times"]): (row: number) => string => {
  const { column, digits, first, texts } = values
  switch (column.type) {
    case "text":
    case "category": {
      if (digits !== undefined) return (row) => around + Values.textAt(values, row) + around
      const quoted = texts.map(quote)
      return (row) => quoted[first[row]!]!
    }
    case "boolean":
      return (row) => first[row] === 1 ? "true" : "false"
    case "time": {
      const seconds = Values.exact(values, "time")
      const print = once(times === "epoch" ? String : (value) => around + iso(value) + around)
      return (row) => print(seconds[row]!)
    }
    case "integer":
    case "decimal": {
      const numbers = Values.exact(values, column.type)
      const print = once(number)
      return (row) => print(numbers[row]!)
    }
    case "number":
      return (row) => number(first[row]!)
  }
}

/** The cells of a table: for each column, the text of a row. */
const cellsOf = (
  table: Columns.Table,
  columns: ReadonlyArray<Columns.Column>,
  style: Style,
  times: Options["times"]
): ReadonlyArray<(row: number) => string> =>
  Values.read(table, columns).map((values) => {
    const at = cell(values, style, times)
    const { nulls } = values
    return nulls === undefined ? at : (row) => Values.isSet(nulls, row) ? style.missing : at(row)
  })

/** How many rows are made into bytes at once. */
const rowsAtOnce = 4096

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
  const { before, end, head } = line(columns)
  const encoder = new TextEncoder()
  let isFirst = true
  return {
    table: (table) => {
      const cells = cellsOf(table, columns, style, times)
      const pieces: Array<Bytes> = isFirst && head !== "" ? [encoder.encode(head)] : []
      isFirst = false
      for (let from = 0; from < table.length; from += rowsAtOnce) {
        let text = ""
        for (let row = from; row < Math.min(table.length, from + rowsAtOnce); row++) {
          for (let at = 0; at < cells.length; at++) text += before[at]! + cells[at]!(row)
          text += end
        }
        pieces.push(encoder.encode(text))
      }
      return pieces
    },
    end: () => []
  }
}
