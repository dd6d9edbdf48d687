/**
 * The interface between the hot loops and their driver: how a loop is called, the layout of a kernel's memory, and what a loop reports.
 *
 * A loop reads elements of one array as long as they have the usual form; at anything else it stops and leaves the element to the driver. So a loop can be
 * simple and fast, and is never wrong.
 *
 *     0      registers: what a loop reports
 *     64     tables of numbers, and after them those that the kernel of WebAssembly brings along
 *     4096   legend cache of the column that is being read
 *     12288  choices of the column that is being read
 *     16384  input: bytes of the reply that are still to be read
 *     …      column: the elements read so far, and their nulls
 *
 * The kernels in WebAssembly and in TypeScript use the same addresses, so that the driver is the same for both. All numbers here are constants of the module,
 * not fields of an object, so that bundlers inline them.
 */

import { memoize } from "effect/Function"

// The bytes that JSON gives a meaning.

export const quote = 34
export const comma = 44
export const minus = 45
export const zero = 48
export const colon = 58
export const openBracket = 91
export const backslash = 92
export const closeBracket = 93
export const openBrace = 123
export const closeBrace = 125

export interface Kernel {
  readonly name: "wasm" | "typescript"
  /** Views over the kernel's memory. `reserve` replaces them, so they are looked up again after it. */
  readonly memory: Memory
  /** Grows the memory to at least this many bytes. Its content stays. */
  readonly reserve: (bytes: number) => void
  /** Reads numbers into 64-bit floats at `column`, and marks nulls in the bitmap at `nulls`. */
  readonly numbers: Loop<[nulls: number, flags: number]>
  /** Reads choices into bytes at `column`, by the table of choices. */
  readonly choices: Loop<[]>
  /** Reads texts into 32-bit codes at `column`, by the cache; the value of their last `digits` characters goes to 32 bits at `numbers`. */
  readonly texts: Loop<[numbers: number, digits: number]>
}

/**
 * A loop goes from `position` on, starts no element at or after `safe`, writes element `row` and the following, stops before `capacity`, and returns a
 * `stop`.
 */
type Loop<More extends ReadonlyArray<number>> = (
  position: number,
  safe: number,
  column: number,
  row: number,
  capacity: number,
  ...more: More
) => number

/** One memory seen as bytes, 32-bit words and 64-bit floats. */
export const view = (buffer: ArrayBuffer) => ({
  bytes: new Uint8Array(buffer),
  words: new Int32Array(buffer),
  floats: new Float64Array(buffer)
})

export type Memory = ReturnType<typeof view>

// What a loop reports, in the first 32-bit words of a kernel's memory.

/** Address of the first byte that was not taken. */
export const positionRegister = 0

/** The number of elements read. */
export const rowRegister = 1

/** The number of nulls among them. */
export const nullsRegister = 2

/** The slot of the cache for a text that is not in it yet. */
export const slotRegister = 3

/** The length of that text in bytes. */
export const lengthRegister = 4

// Why a loop stops.

/** The next element may not have arrived as a whole. */
export const stopMore = 0

/** The array ends at the position. */
export const stopEnd = 1

/** The loop does not read the element at the position. */
export const stopSlow = 2

/** An element was read, and whitespace follows. */
export const stopSeparator = 3

/** There is no room for another element. */
export const stopFull = 4

/** The text at the position begins with none of the cached legend. */
export const stopUnknown = 5

// Marks of a loop over numbers.

/** Nulls are elements like others. */
export const nullsAllowed = 1

/** Neighbours are often equal. */
export const repeats = 2

/** Addresses of the tables of numbers, which only WebAssembly needs in its memory. */
export const divisorsAt = 64
export const powersAt = 320
export const residuesAt = 688
export const closeLeftAt = 1056
export const closeRightAt = 1576
export const sharesAt = 2096

/** How many bytes beyond an element a loop may look: it starts no element closer to the end of what has arrived. */
export const lookAhead = 64

/** The longest token in bytes: a longer one is not worth the memory that reading it takes. */
export const maxTokenBytes = 1_048_576

/** Address of the input. */
export const inputAt = 16_384

/** How many bytes enter the input at once: few enough for the processor's cache. */
export const batchBytes = 131_072

/** Address of the column: behind an input with room for the longest token and another batch. */
export const columnAt = inputAt + maxTokenBytes + batchBytes + 2 * lookAhead

// The legend of the column that is being read, where the loops look texts up. A slot holds a key of 16 bytes, padded with quotes, its code as
// 32 bits, and twelve bytes that nobody uses. The bytes of a text are any but quotes, so that padding is never taken for text.

/** Address of the legend. */
export const legendAt = 4096

export const slotBytes = 32

export const keyBytes = 16

/** All of its slots. */
export const legendBytes = 8192

/** How many slots are compared before a text counts as unknown. */
export const legendTries = 8

/** Fills the words of free slots: no key has a quote before anything else. */
export const freeSlot = -222

/** Empties the legend. */
export const clearLegend = ({ words }: Memory): void => {
  words.fill(freeSlot, legendAt / 4, (legendAt + legendBytes) / 4)
}

/** Puts a text of the input with its code where a loop has looked for it in vain. */
export const writeLegend = (memory: Memory, start: number, end: number, code: number): void => {
  const slot = memory.words[slotRegister]!
  memory.bytes.fill(quote, slot, slot + keyBytes)
  memory.bytes.copyWithin(slot, start, end)
  memory.words[(slot + keyBytes) / 4] = code
}

// The choices of the column that is being read, as JSON spells them: their number, and for each its bytes, a mask over them, and their length.

/** Address of the choices. */
export const choicesAt = 12_288

/** Where the first of them begins, and how many bytes each takes. */
export const choicesFirst = 8
export const choiceBytes = 24

/** The most choices, and the longest. */
export const mostChoices = 16
const longestChoice = 8

/** Writes the table; returns false if there are too many choices, or too long ones. */
export const writeChoices = ({ bytes }: Memory, values: ReadonlyArray<string | boolean>): boolean => {
  const table = tableOf(values)
  if (table === null) return false
  bytes.set(table, choicesAt)
  return true
}

/** The table, which is the same for every reply; null if the choices do not fit. */
const tableOf = /* @__PURE__ */ memoize((values: ReadonlyArray<string | boolean>): Uint8Array | null => {
  const tokens = values.map((value) => new TextEncoder().encode(JSON.stringify(value)))
  if (tokens.length > mostChoices || tokens.some((token) => token.length > longestChoice)) return null
  const table = new Uint8Array(choicesFirst + tokens.length * choiceBytes)
  table[0] = tokens.length
  for (const [code, token] of tokens.entries()) {
    const entry = choicesFirst + code * choiceBytes
    table.set(token, entry)
    table.fill(255, entry + 8, entry + 8 + token.length)
    table[entry + 16] = token.length
  }
  return table
})
