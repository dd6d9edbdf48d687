/** Rows whose times are texts. Loaded where rows are printed for programs: it brings what is known of columns along. */
import * as NewYork from "@effect-marketdata/core/NewYork"
import * as Columns from "@effect-marketdata/export/Columns"
import * as Predicate from "effect/Predicate"
import type * as Document from "../output/document.ts"

/** The rows of some data with their times as ISO 8601 has them, and the offset of New York. What is no time of the years 1 to 9999 stays a number. */
export const inNewYork = (rows: Document.Rows, data: unknown): Document.Rows => {
  if (!Predicate.hasProperty(data, "columnNames")) return rows
  const columns = Columns.of(data as unknown as Columns.Table)
  const times = new Set(columns.flatMap(({ name, type }) => type === "time" ? [name] : []))
  const isTime = rows.names.map((name) => times.has(name))
  // Most rows share their times with others.
  const texts = new Map<Document.Cell, Document.Cell>()
  const written = (cell: Document.Cell): Document.Cell => {
    const known = texts.get(cell)
    if (known !== undefined) return known
    const text = typeof cell === "number" ? NewYork.formatIso(cell) : cell
    const time = text === String(cell) ? cell : text
    texts.set(cell, time)
    return time
  }
  return { ...rows, row: (index) => rows.row(index).map((cell, at) => isTime[at] === true ? written(cell) : cell) }
}
