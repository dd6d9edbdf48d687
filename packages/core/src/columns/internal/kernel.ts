/**
 * The hot loops, and the memory they run in. A loop reads elements of one array as long as they are written in the way that nearly all
 * are; at anything else it stops and leaves the element to the driver. So a loop may be as simple as it is fast, and is never wrong.
 */
export interface Kernel {
  readonly name: "wasm" | "typescript"
  /** Views over the kernel's memory. `reserve` replaces them, so they are looked up again after it. */
  readonly memory: Memory
  /** Sees to it that the memory has at least this many bytes. What is in it stays. */
  readonly reserve: (bytes: number) => void
  /**
   * Reads numbers into 64-bit floats at `column`, and marks nulls in the bitmap at `nulls`. Every loop goes from `position` on, starts no
   * element at or after `safe`, writes element `row` and the following, stops before `capacity`, and returns a `stop`.
   */
  readonly numbers: (
    position: number,
    safe: number,
    column: number,
    row: number,
    capacity: number,
    nulls: number,
    flags: number
  ) => number
  /** Reads choices into bytes at `column`, by the table of choices. */
  readonly choices: (position: number, safe: number, column: number, row: number, capacity: number) => number
  /** Reads texts into 32-bit codes at `column`, by the cache; the value of their last `digits` characters goes to 32 bits at `numbers`. */
  readonly texts: (
    position: number,
    safe: number,
    column: number,
    row: number,
    capacity: number,
    numbers: number,
    digits: number
  ) => number
}

/** One memory seen as bytes, 32-bit words and 64-bit floats. */
export interface Memory {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly words: Int32Array<ArrayBuffer>
  readonly floats: Float64Array<ArrayBuffer>
}

/** Looks at a buffer in the three ways. */
export const view = (buffer: ArrayBuffer): Memory => ({
  bytes: new Uint8Array(buffer),
  words: new Int32Array(buffer),
  floats: new Float64Array(buffer)
})
