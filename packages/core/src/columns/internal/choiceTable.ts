/**
 * The choices of the column that is being read, as JSON spells them: their number, and for each its bytes, a mask over them, and their
 * length.
 */
import type { Memory } from "./kernel.ts"

/** Where it lies in a kernel's memory. */
export const address = 12_288

/** Where the first entry begins, and how many bytes one takes. */
export const first = 8
export const entryBytes = 24

/** The most choices, and the longest. */
export const most = 16
const longest = 8

/** The tables, which are the same for every reply; null where they do not fit. */
const tables = /* @__PURE__ */ new WeakMap<ReadonlyArray<string | boolean>, Uint8Array | null>()

/** Writes the table; answers false where the choices are too many or too long for it. */
export const write = ({ bytes }: Pick<Memory, "bytes">, values: ReadonlyArray<string | boolean>): boolean => {
  let table = tables.get(values)
  if (table === undefined) {
    table = tableOf(values)
    tables.set(values, table)
  }
  if (table === null) return false
  bytes.set(table, address)
  return true
}

const tableOf = (values: ReadonlyArray<string | boolean>): Uint8Array | null => {
  const tokens = values.map((value) => new TextEncoder().encode(JSON.stringify(value)))
  if (tokens.length > most || tokens.some((token) => token.length > longest)) return null
  const table = new Uint8Array(first + tokens.length * entryBytes)
  table[0] = tokens.length
  for (const [code, token] of tokens.entries()) {
    const entry = first + code * entryBytes
    table.set(token, entry)
    table.fill(255, entry + 8, entry + 8 + token.length)
    table[entry + 16] = token.length
  }
  return table
}
