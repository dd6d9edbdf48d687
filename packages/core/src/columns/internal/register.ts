// What a loop reports, in the first 32-bit words of a kernel's memory.

/** Address of the first byte that was not taken. */
export const position = 0

/** The number of elements read. */
export const row = 1

/** The number of nulls among them. */
export const nulls = 2

/** Where the cache keeps a text that it does not know yet. */
export const slot = 3

/** The length of that text in bytes. */
export const length = 4
