/** Where the quoted cell that begins at a quote ends: the place of its last quote, or -1. */
const endOfQuoted = (text: string, start: number): number => {
  let end = text.indexOf(`"`, start + 1)
  while (end >= 0 && text[end + 1] === `"`) end = text.indexOf(`"`, end + 2)
  return end
}

/** A text in records, each a list of cells; undefined where a quoted cell does not end as one does. */
const records = (text: string): ReadonlyArray<ReadonlyArray<string>> | undefined => {
  const all: Array<ReadonlyArray<string>> = []
  let record: Array<string> = []
  const delimiter = /,|\r?\n|$/g
  for (let at = 0; at < text.length || record.length > 0;) {
    const isQuoted = text[at] === `"`
    const end = isQuoted ? endOfQuoted(text, at) + 1 : at
    delimiter.lastIndex = end
    const next = delimiter.exec(text)!
    if (isQuoted && (end === 0 || next.index !== end)) return undefined
    record.push(isQuoted ? text.slice(at + 1, end - 1).replaceAll(`""`, `"`) : text.slice(at, next.index))
    at = next.index + next[0].length
    if (next[0] === ",") continue
    all.push(record)
    record = []
  }
  return all
}

/** A table as text: the names of its columns, and its rows, each with a cell for every name. */
export interface Csv {
  readonly names: ReadonlyArray<string>
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
}

/** Where a text is no such table: what is wrong, the row where that is one, and what stands there. */
export interface Problem {
  readonly code: "UnexpectedEnd" | "UnexpectedToken" | "LengthMismatch"
  readonly index: number | undefined
  readonly expected: string
  readonly received: string
}

/** Reads a table. A reply in JSON is not a table, also where it could be read as one. */
export const read = (text: string): Csv | Problem => {
  const expected = "CSV: a line with the names of the columns, and a line for each row"
  if (text.trim() === "") return { code: "UnexpectedEnd", index: undefined, expected, received: "nothing" }
  if (/^\s*[{[<]/.test(text)) {
    return { code: "UnexpectedToken", index: undefined, expected, received: text.trimStart().slice(0, 1) }
  }
  const all = records(text.replace(/^\uFEFF/, ""))
  if (all === undefined) {
    return { code: "UnexpectedEnd", index: undefined, expected: "the end of a quoted cell", received: "the end" }
  }
  const [names = [], ...rows] = all
  const index = rows.findIndex((row) => row.length !== names.length)
  if (index < 0) return { names, rows }
  return {
    code: "LengthMismatch",
    index,
    expected: `${names.length} cells`,
    received: String(rows[index]!.length)
  }
}

/** Tells a table from a problem. */
export const isCsv = (read: Csv | Problem): read is Csv => "rows" in read

/** The numbers of a column; those of its cells that are not numbers, and of a column that is not there, are NaN or missing. */
export const numbers = ({ names, rows }: Csv, name: string): Float64Array<ArrayBuffer> => {
  const column = names.indexOf(name)
  return Float64Array.from(column < 0 ? [] : rows, (row) => row[column] === "" ? NaN : Number(row[column]))
}

/** The cells of the first row by the names of their columns, whole numbers as numbers: what CSV is to an object; undefined for anything else. */
export const firstRow = (text: string): Readonly<Record<string, string | number>> | undefined => {
  const table = read(text)
  const [row] = isCsv(table) ? table.rows : []
  return isCsv(table) && row !== undefined
    ? Object.fromEntries(table.names.map((name, column) => {
      const cell = row[column]!
      return [name, /^\d{1,15}$/.test(cell) ? Number(cell) : cell]
    }))
    : undefined
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
