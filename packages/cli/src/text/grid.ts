/** Columns that fit a terminal: numbers on the right, texts on the left, the least important columns left out where there is no room. */
import { ForeignText } from "@effect-marketdata/core"
import { cutText, type Line, means, padText, type Span, textOf, widthOf } from "./span.ts"

/** A column: its head, on which side its cells stand, on the left by default, and the most columns of the terminal that a cell may take. */
export interface Column {
  readonly head: string
  readonly align?: "left" | "right"
  readonly widest?: number
  /** The fewest that a cell may be cut to where the terminal has no room for all of it; undefined where it must not be cut. */
  readonly narrowest?: number
}

const gap = 2

const fit = (span: Span, align: "left" | "right", width: number, padded: boolean): Span => {
  const cut = cutText(ForeignText.line(textOf(span)), width)
  const text = padded ? padText(cut, width, align) : cut
  return typeof span === "string" ? text : { ...span, text }
}

/**
 * Lays out a head and rows, each row a cell for each column. The first columns that fit into `width` are shown, and at least one. Returns the lines, and how
 * many columns are shown.
 */
export const make = (columns: ReadonlyArray<Column>, rows: ReadonlyArray<ReadonlyArray<Span>>, width: number) => {
  const widestOf = ({ head, widest = 40 }: Column, index: number): number =>
    Math.min(widest, rows.reduce((most, row) => Math.max(most, widthOf(textOf(row[index] ?? ""))), widthOf(head)))
  const widths: Array<number> = []
  let room = width
  for (const [index, column] of columns.entries()) {
    const { narrowest = index === 0 ? 0 : Infinity } = column
    const natural = widestOf(column, index)
    if (natural > room && narrowest > room) break
    widths.push(Math.min(natural, room))
    room -= Math.min(natural, room) + gap
  }
  const shown = widths.length
  const line = (cells: ReadonlyArray<Span>): Line =>
    columns.slice(0, shown).flatMap(({ align = "left" }, index) => {
      const isLast = index === shown - 1 && align === "left"
      const cell = fit(cells[index] ?? "", align, widths[index]!, !isLast)
      return index === 0 ? [cell] : [" ".repeat(gap), cell]
    })
  return { lines: [line(columns.map(({ head }) => means("heading", head))), ...rows.map(line)], shown }
}

/** The lines of a grid; a column on the left may be its head alone. */
export const format = (
  columns: ReadonlyArray<Column | string>,
  rows: ReadonlyArray<ReadonlyArray<Span>>,
  width: number
): ReadonlyArray<Line> =>
  make(columns.map((column) => typeof column === "string" ? { head: column } : column), rows, width).lines

/** A text beside its label. */
export const labelled = (label: string, span: Span): Line => [
  { text: (label === "" ? "" : `${label}:`).padEnd(12), means: "aside" },
  span
]
