/**
 * What driver and kernels agree on: where things lie in a kernel's memory, and why a loop stops.
 *
 *     0      registers: what a loop reports
 *     64     tables of the kernel itself
 *     4096   legend cache of the column that is being read
 *     12288  choices of the column that is being read
 *     16384  window: bytes of the reply that are still to be read
 *     …      column: the elements read so far, and their nulls
 *
 * The kernels of WebAssembly and of TypeScript keep to the same addresses, so that the driver never asks which one it has.
 */

import type { Memory } from "./kernel.ts"

/** The registers, as indices of 32-bit words. */
export const register = {
  /** Address of the first byte that was not taken. */
  position: 0,
  /** The number of elements read. */
  row: 1,
  /** The number of nulls among them. */
  nulls: 2,
  /** Where the cache keeps a text that it does not know yet. */
  slot: 3,
  /** The length of that text in bytes. */
  length: 4
} as const

/**
 * Address and shape of the legend cache: a key of 16 bytes, padded with quotes, its code as 32 bits, and twelve bytes that nobody uses. The
 * bytes of a text are any but quotes, so that padding is never taken for text. `free` fills the words of free slots: no key has a quote
 * before anything else.
 */
export const cache = { at: 4096, slotBytes: 32, keyBytes: 16, bytes: 256 * 32, tries: 8, free: -222 } as const

/** Address and shape of the choices: their number, and from the eighth byte on for each its bytes, a mask over them, and their length. */
export const choiceTable = { at: 12_288, first: 8, entryBytes: 24, most: 16, longest: 8 } as const

/** A loop may look so many bytes beyond the element it reads; it therefore starts none closer to the end of what has arrived. */
export const lookAhead = 64

/** The longest token in bytes: whoever sends a longer one is not worth the memory that reading it takes. */
export const maxTokenBytes = 1_048_576

/** Address of the window, and how many bytes enter it at once: few enough to stay in the processor's cache while they are read. */
export const window = { at: 16_384, batch: 131_072 } as const

/** Address of the column: behind a window that holds the longest token and another batch. */
export const column = { at: window.at + maxTokenBytes + window.batch + 2 * lookAhead } as const

/** Why a loop stops. */
export const stop = {
  /** No further element is sure to have arrived whole. */
  more: 0,
  /** The array ends at the position. */
  end: 1,
  /** The element at the position is none that the loop reads. */
  slow: 2,
  /** An element was read, and whitespace follows. */
  separator: 3,
  /** There is no room for another element. */
  full: 4,
  /** The text at the position begins with none of the cached legend. */
  unknown: 5
} as const

/** Marks of a loop over numbers. */
export const flag = { nullsAllowed: 1, repeats: 2 } as const

/** The tables of choices, which are the same for every reply; null where they do not fit. */
const choiceTables = /* @__PURE__ */ new WeakMap<ReadonlyArray<string | boolean>, Uint8Array | null>()

/**
 * Writes the table of choices as JSON spells them; answers false where they are too many or too long for it. An entry holds the bytes of the
 * token, a mask over them, and their number.
 */
export const writeChoices = ({ bytes }: Pick<Memory, "bytes">, values: ReadonlyArray<string | boolean>): boolean => {
  let table = choiceTables.get(values)
  if (table === undefined) {
    table = choicesOf(values)
    choiceTables.set(values, table)
  }
  if (table === null) return false
  bytes.set(table, choiceTable.at)
  return true
}

const choicesOf = (values: ReadonlyArray<string | boolean>): Uint8Array | null => {
  const tokens = values.map((value) => new TextEncoder().encode(JSON.stringify(value)))
  if (tokens.length > choiceTable.most || tokens.some((token) => token.length > choiceTable.longest)) return null
  const table = new Uint8Array(choiceTable.first + tokens.length * choiceTable.entryBytes)
  table[0] = tokens.length
  for (const [code, token] of tokens.entries()) {
    const entry = choiceTable.first + code * choiceTable.entryBytes
    table.set(token, entry)
    table.fill(255, entry + 8, entry + 8 + token.length)
    table[entry + 16] = token.length
  }
  return table
}

/** Empties the cache. */
export const clearCache = ({ words }: Pick<Memory, "words">): void => {
  words.fill(cache.free, cache.at / 4, (cache.at + cache.bytes) / 4)
}

const quote = 34

/** Puts a text of the window with its code where a loop has looked for it in vain. */
export const writeKey = (
  { bytes, words }: Pick<Memory, "bytes" | "words">,
  start: number,
  end: number,
  code: number
): void => {
  const slot = words[register.slot]!
  bytes.fill(quote, slot, slot + cache.keyBytes)
  bytes.copyWithin(slot, start, end)
  words[(slot + cache.keyBytes) / 4] = code
}
