import type { SandboxReply } from "./SandboxReply.ts"

/** A column with its name. */
export interface Column {
  readonly name: string
  readonly cells: ReadonlyArray<unknown>
}

/** Writes columns as rows of text; a column that is shorter than others ends in empty cells, and so does null. */
export const reply = (status: number, columns: ReadonlyArray<Column>, headers: boolean): SandboxReply => {
  const length = Math.max(0, ...columns.map(({ cells }) => cells.length))
  const lines = headers ? [columns.map(({ name }) => cell(name)).join(",")] : []
  for (let row = 0; row < length; row++) lines.push(columns.map(({ cells }) => cell(cells[row])).join(","))
  return { status, headers: { "content-type": "text/csv" }, body: `${lines.join("\r\n")}\r\n` }
}

const cell = (value: unknown): string => {
  if (value === null || value === undefined) return ""
  const text = typeof value === "string" ? value : JSON.stringify(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll("\"", "\"\"")}"` : text
}
