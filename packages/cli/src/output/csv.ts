/** Rows as CSV (RFC 4180), with a head, for spreadsheets and programs. */
import type { Cell, Rows } from "./rows.ts"

/** A text that a spreadsheet would take for a formula gets an apostrophe before it, which spreadsheets do not show. */
const harmless = (text: string): string => /^[=+\-@\t\r]/.test(text) ? `'${text}` : text

const field = (cell: Cell): string => {
  if (typeof cell !== "string") return cell === null ? "" : String(cell)
  const text = harmless(cell)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll("\"", "\"\"")}"` : text
}

/** Prints rows from one number to another, without a line end after the last. */
export const lines = (rows: Rows, from: number, to: number): string =>
  Array.from({ length: to - from }, (_, index) => rows.row(from + index).map(field).join(",")).join("\n")

/** Prints the head. */
export const head = ({ names }: Rows): string => names.map(field).join(",")
