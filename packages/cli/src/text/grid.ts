/** Columns that fit a terminal: numbers on the right, texts on the left, the least important columns left out where there is no room. */
import * as ForeignText from "@effect-marketdata/core/ForeignText"
import { type Line, type Span, textOf } from "./span.ts"

/** A column: its head, on which side its cells stand, and the most characters that a cell may take. */
export interface Column {
  readonly head: string
  readonly align: "left" | "right"
  readonly widest?: number
}

const gap = 2

const fit = (span: Span, { align }: Column, width: number): Span => {
  const text = ForeignText.line(textOf(span), width)
  const padded = align === "left" ? text.padEnd(width) : text.padStart(width)
  return typeof span === "string" ? padded : { ...span, text: padded }
}

/** Prints a head and rows, each row a cell for each column. The first columns that fit into `width` are shown, and at least one. */
export const format = (
  columns: ReadonlyArray<Column>,
  rows: ReadonlyArray<ReadonlyArray<Span>>,
  width: number
): ReadonlyArray<Line> => {
  const widths = columns.map((column, index) =>
    Math.min(
      column.widest ?? 40,
      rows.reduce(
        (widest, row) => Math.max(widest, ForeignText.line(textOf(row[index] ?? "")).length),
        column.head.length
      )
    )
  )
  let room = width + gap
  const shown = columns.filter((_, index) => {
    room -= widths[index]! + gap
    return index === 0 || room >= 0
  }).length
  const line = (cells: ReadonlyArray<Span>): Line =>
    columns.slice(0, shown).flatMap((column, index) => {
      const cell = fit(cells[index] ?? "", column, index === 0 ? Math.min(widths[0]!, width) : widths[index]!)
      return index === 0 ? [cell] : [" ".repeat(gap), cell]
    })
  return [line(columns.map(({ head }): Span => ({ text: head, means: "heading" }))), ...rows.map(line)]
}
