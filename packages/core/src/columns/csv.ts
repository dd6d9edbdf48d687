/** Tables in CSV: read as they arrive or as a whole, written, and put below each other. */
import * as Result from "effect/Result"
import { maxFields } from "./ColumnDecoder.ts"
import { type Code, DecodeError } from "./DecodeError.ts"

/** A table as text: the names of its columns, and its rows, each with a cell for every name. */
export interface Csv {
  readonly names: ReadonlyArray<string>
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
}

/** The names of all columns take less. */
const maxHeaderLength = 65_536

/** A record that is longer and has not ended is not looked at again before twice as much is there. */
const patience = 4096

const refusal = (code: Code, expected: string, received: string, index?: number): DecodeError =>
  new DecodeError({ code, column: undefined, index, offset: undefined, expected, received })

const checkHeader = ({ length }: string): void => {
  if (length > maxHeaderLength) throw refusal("TooManyFields", `at most ${maxHeaderLength} characters of names`, "more")
}

/** Takes a text apart into records while it arrives: the first are the names of the columns, and each that follows is a row. */
const scanner = (maxRows: number, row: (cells: ReadonlyArray<string>, names: ReadonlyArray<string>) => void) => {
  const table = { names: undefined as ReadonlyArray<string> | undefined, rows: 0 }
  let isBlank = true
  // The record that has not ended, and how long it must be to be worth another look.
  let rest = ""
  let awaited = 0

  /** A reply in JSON is not a table, also where it could be read as one. */
  const checkBeginning = (text: string, isLast: boolean): void => {
    if (!isBlank) return
    const expected = "CSV: a line with the names of the columns, and a line for each row"
    const [first] = text.trimStart()
    if (first === undefined) {
      if (isLast) throw refusal("UnexpectedEnd", expected, "nothing")
    } else if ("{[<".includes(first)) throw refusal("UnexpectedToken", expected, first)
    else isBlank = false
  }

  const add = (cells: ReadonlyArray<string>): void => {
    const { names, rows } = table
    if (names === undefined) {
      const line = cells.join()
      checkHeader(line)
      // Lines that end with it alone would be one line of names, without any row.
      if (line.includes("\r")) throw refusal("UnexpectedToken", "lines that end with \\n", "\\r alone")
      if (cells.length > maxFields) throw refusal("TooManyFields", `at most ${maxFields} fields`, "more")
      table.names = cells
      return
    }
    // A blank line is not a row, except where rows are one cell, which may be empty. The public service has `""` for no data.
    if (cells.length === 1 && cells[0] === "" && names.length > 1) return
    if (cells.length !== names.length) {
      throw refusal("LengthMismatch", `${names.length} cells`, String(cells.length), rows)
    }
    if (rows === maxRows) throw refusal("TooManyRows", `at most ${maxRows} rows`, "another one", rows)
    table.rows++
    row(cells, names)
  }

  /** Takes what has arrived. Throws `DecodeError`. */
  const take = (text: string, isLast: boolean): void => {
    checkBeginning(text, isLast)
    rest += text
    if (!isLast && rest.length < awaited) return
    let at = 0
    while (at < rest.length) {
      const found = recordIn(rest, at, isLast)
      if (found === undefined) break
      add(found.cells)
      at = found.end
    }
    rest = rest.slice(at)
    awaited = rest.length > patience ? 2 * rest.length : 0
    if (table.names === undefined) checkHeader(rest)
  }
  return { table, take }
}

/** The cells of a record, and where the next one begins. */
interface CsvRecord {
  readonly cells: ReadonlyArray<string>
  readonly end: number
}

/** The record that begins at a place; undefined while it has not ended. More cells than any has fields are not looked for. */
const recordIn = (text: string, start: number, isLast: boolean): CsvRecord | undefined => {
  const lineFeed = text.indexOf("\n", start)
  if (lineFeed < 0 && !isLast) return undefined
  const end = lineFeed < 0 ? text.length : lineFeed
  const line = text.slice(start, text[end - 1] === "\r" ? end - 1 : end)
  return line.includes(`"`)
    ? recordWithQuotes(text, start, isLast)
    : { cells: line.split(",", maxFields + 1), end: end + 1 }
}

const recordWithQuotes = (text: string, start: number, isLast: boolean): CsvRecord | undefined => {
  const cells: Array<string> = []
  const delimiter = /,|\r?\n|\r?$/g
  for (let at = start; cells.length <= maxFields;) {
    const isQuoted = text[at] === `"`
    const end = isQuoted ? endOfQuoted(text, at) + 1 : at
    delimiter.lastIndex = end
    const next = delimiter.exec(text)!
    const isOpen = isQuoted && end === 0
    if (!isLast && (isOpen || next[0] === "" || next[0] === "\r")) return undefined
    if (isOpen) throw refusal("UnexpectedEnd", "the end of a quoted cell", "the end")
    if (isQuoted && next.index !== end) throw refusal("UnexpectedEnd", "the end of a quoted cell", "more of it")
    cells.push(isQuoted ? text.slice(at + 1, end - 1).replaceAll(`""`, `"`) : text.slice(at, next.index))
    at = next.index + next[0].length
    if (next[0] !== ",") return { cells, end: at }
  }
  return { cells, end: text.length }
}

/** Where the quoted cell that begins at a quote ends: the place of its last quote, or -1. */
const endOfQuoted = (text: string, start: number): number => {
  let end = text.indexOf(`"`, start + 1)
  while (end >= 0 && text[end + 1] === `"`) end = text.indexOf(`"`, end + 2)
  return end
}

/** Reads a whole table. */
export const read = (text: string): Result.Result<Csv, DecodeError> =>
  Result.try({
    try: () => {
      const rows: Array<ReadonlyArray<string>> = []
      const { table, take } = scanner(Infinity, (cells) => rows.push(cells))
      take(text.replace(/^\uFEFF/, ""), true)
      return { names: table.names ?? [], rows }
    },
    // What a scan of a text throws is a `DecodeError`.
    catch: (error) => error as DecodeError
  })

/** Which columns are looked at, and how many rows are taken. */
export interface CsvOptions {
  readonly filled: ReadonlyArray<string>
  readonly instants: string
  readonly maxRows: number
}

/** Instants take less; what is longer is not one. */
const maxInstantLength = 64

/** Reads a table while its bytes arrive, and keeps its text, and what its rows are counted and dated by. */
export const reader = ({ filled, instants, maxRows }: CsvOptions) => {
  const decoder = new TextDecoder("utf-8", { fatal: true })
  const isAskedFor = (name: string): boolean => filled.includes(name)
  let failure: DecodeError | undefined
  const read = {
    text: "",
    /** How many rows have something in one of the columns that were asked for. */
    filled: 0,
    /** The least and the greatest number in the column of instants. */
    oldest: Infinity,
    newest: -Infinity
  }
  const { table, take: scan } = scanner(maxRows, (cells, names) => {
    if (cells.some((cell, column) => cell !== "" && isAskedFor(names[column]!))) read.filled++
    const cell = cells[names.indexOf(instants)] ?? ""
    const instant = cell === "" || cell.length > maxInstantLength ? NaN : Number(cell)
    if (instant < read.oldest) read.oldest = instant
    if (instant > read.newest) read.newest = instant
  })
  /** Takes the next bytes, or the end of them. Returns false once nothing can change the outcome. */
  const take = (bytes?: Uint8Array): boolean => {
    try {
      const text = decoder.decode(bytes, { stream: bytes !== undefined })
      read.text += text
      scan(text, bytes === undefined)
    } catch (error) {
      failure = error instanceof DecodeError ? error : refusal("InvalidUtf8", "UTF-8 text", "other bytes")
    }
    return failure === undefined
  }
  return {
    push: (bytes: Uint8Array): boolean => failure === undefined && take(bytes),
    end: () => {
      if (failure === undefined) take()
      // Whether all columns that were asked for are there.
      const isWhole = filled.every((name) => table.names?.includes(name) === true)
      return failure === undefined ? Result.succeed({ ...read, rows: table.rows, isWhole }) : Result.fail(failure)
    }
  }
}

/** The cells of the first row by the names of their columns, whole numbers as numbers: what CSV is to an object; undefined for anything else. */
export const firstRow = (text: string): Readonly<Record<string, string | number>> | undefined => {
  const { names, rows: [row] } = Result.getOrElse(read(text), (): Csv => ({ names: [], rows: [] }))
  return row && Object.fromEntries(names.map((name, column) => {
    const cell = row[column]!
    return [name, /^\d{1,15}$/.test(cell) ? Number(cell) : cell]
  }))
}

const writeCell = (cell: string): string => /[",\r\n]/.test(cell) ? `"${cell.replaceAll(`"`, `""`)}"` : cell

/** Writes a table. */
export const write = ({ names, rows }: Csv): string =>
  [names, ...rows].map((record) => `${record.map(writeCell).join(",")}\r\n`).join("")

/** Makes one table of several, one below the other, with all their columns: a cell is empty where its table has no such column. */
export const merge = (parts: ReadonlyArray<Csv>): Csv => {
  const names = [...new Set(parts.flatMap((part) => part.names))]
  return {
    names,
    rows: parts.flatMap((part) => {
      const at = names.map((name) => part.names.indexOf(name))
      return part.rows.map((row) => at.map((column) => row[column] ?? ""))
    })
  }
}
