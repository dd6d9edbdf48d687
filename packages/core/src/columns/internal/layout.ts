/**
 * Where things lie in a kernel's memory.
 *
 *     0      registers: what a loop reports
 *     64     tables of numbers, and after them those that the kernel of WebAssembly brings along
 *     4096   legend cache of the column that is being read
 *     12288  choices of the column that is being read
 *     16384  input: bytes of the reply that are still to be read
 *     …      column: the elements read so far, and their nulls
 *
 * The kernels of WebAssembly and of TypeScript keep to the same addresses, so that the driver never asks which one it has.
 */

/** Addresses of the tables of numbers, which only WebAssembly needs in its memory. */
export const divisorsAt = 64
export const powersAt = 320
export const residuesAt = 688
export const closeLeftAt = 1056
export const closeRightAt = 1576
export const sharesAt = 2096

/** A loop may look this many bytes beyond the element it reads; it therefore starts none closer to the end of what has arrived. */
export const lookAhead = 64

/** The longest token in bytes: a longer one is not worth the memory that reading it takes. */
export const maxTokenBytes = 1_048_576

/** Address of the input. */
export const inputAt = 16_384

/** How many bytes enter the input at once: few enough to stay in the processor's cache while they are read. */
export const batchBytes = 131_072

/** Address of the column: behind an input that holds the longest token and another batch. */
export const columnAt = inputAt + maxTokenBytes + batchBytes + 2 * lookAhead
