/**
 * Rows as CSV (RFC 4180), with a head, for spreadsheets and programs. A row is one line, whatever its texts hold: what would end a line or command a
 * terminal stands there escaped. Numbers and booleans are written as they are.
 */
import * as ForeignText from "@effect-marketdata/core/ForeignText"
import type { Cell, Rows } from "./rows.ts"

/**
 * What a spreadsheet takes for the beginning of a formula, wide forms included. Only texts are looked at: a number below zero begins so, too, and is
 * no formula.
 */
const formula = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/

/** A text that a spreadsheet would run gets an apostrophe before it, which spreadsheets do not show. */
const harmless = (text: string): string => formula.test(text) ? `'${text}` : text

const field = (cell: Cell): string => {
  if (typeof cell !== "string") return cell === null ? "" : String(cell)
  const text = harmless(ForeignText.line(cell))
  return /[",]/.test(text) ? `"${text.replaceAll("\"", "\"\"")}"` : text
}

/** Prints rows from one number to another, without a line end after the last. */
export const lines = (rows: Rows, from: number, to: number): string =>
  Array.from({ length: to - from }, (_, index) => rows.row(from + index).map(field).join(",")).join("\n")

/** Prints the head. */
export const head = ({ names }: Rows): string => names.map(field).join(",")
