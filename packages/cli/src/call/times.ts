/** Writes the times of rows as texts. Imported only for csv and jsonl: it loads the types of all columns. */
import { NewYork } from "@effect-marketdata/core"
import { Columns, Csv } from "@effect-marketdata/export"
import { Predicate, Result } from "effect"
import * as Document from "../output/document.ts"

/** A table as CSV, in pieces of many lines; undefined if a column has a number that its type does not allow. */
const csvOf = (table: Document.Table) => (withHead: boolean): ReadonlyArray<Uint8Array> | undefined => {
  const pieces = Csv.encoder({ cell: Document.field, lineEnd: "\n" }).push(table as unknown as Columns.Table)
  return Result.isFailure(pieces) ? undefined : pieces.success.slice(withHead ? 0 : 1)
}

/** Rows whose times are in ISO 8601 with the offset of New York. A number outside the years 1 to 9999 is left unchanged. */
export const inNewYork = (rows: Document.Rows, data: unknown): Document.Rows => {
  if (!Predicate.hasProperty(data, "columnNames")) return rows
  const known = Columns.of(data as unknown as Columns.Table)
  const times = new Set(known.flatMap(({ name, type }) => type === "time" ? [name] : []))
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
  const columns = rows.columns.map((cellAt, at) =>
    times.has(rows.names[at]!) ? (row: number) => written(cellAt(row)) : cellAt
  )
  return { ...rows, columns, csv: rows.table && csvOf(rows.table) }
}
