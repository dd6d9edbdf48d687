/**
 * The legend of the column that is being read, where the loops look texts up. A slot holds a key of 16 bytes, padded with quotes, its code as
 * 32 bits, and twelve bytes that nobody uses. The bytes of a text are any but quotes, so that padding is never taken for text.
 */
import * as Byte from "./byte.ts"
import type { Memory } from "./kernel.ts"
import * as Register from "./register.ts"

/** Where it lies in a kernel's memory. */
export const address = 4096

export const slotBytes = 32

export const keyBytes = 16

/** All of its slots. */
export const bytes = 8192

/** This many slots are looked at before a text counts as unknown. */
export const tries = 8

/** Fills the words of free slots: no key has a quote before anything else. */
export const free = -222

/** Empties the cache. */
export const clear = ({ words }: Pick<Memory, "words">): void => {
  words.fill(free, address / 4, (address + bytes) / 4)
}

/** Puts a text of the input with its code where a loop has looked for it in vain. */
export const write = (memory: Pick<Memory, "bytes" | "words">, start: number, end: number, code: number): void => {
  const slot = memory.words[Register.slot]!
  memory.bytes.fill(Byte.quote, slot, slot + keyBytes)
  memory.bytes.copyWithin(slot, start, end)
  memory.words[(slot + keyBytes) / 4] = code
}
