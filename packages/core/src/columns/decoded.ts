/** What is asked of a decoder of columns, and what it has read. */
import type { Finding } from "./Finding.ts"
import type * as Kernel from "./Kernel.ts"

/**
 * What a reply holds: one vector a column, a bitmap for each column in which a null occurred, and the findings. All vectors and bitmaps lie
 * in `slabs`: one buffer, or several where they take more than 31 MiB.
 */
export interface Decoded {
  readonly length: number
  readonly vectors: Readonly<Record<string, unknown>>
  readonly nulls: Readonly<Record<string, Uint8Array<ArrayBuffer>>>
  readonly findings: ReadonlyArray<Finding>
  readonly slabs: ReadonlyArray<ArrayBuffer>
}

/**
 * What is asked of a decoder.
 *
 * - `columns`: the columns that the reply should have; all by default. `"present"` takes whichever are there, and finds the others
 *   missing.
 * - `strict`: every finding is an error.
 * - `scalars`: fields that the resource has besides its columns; they are no findings, and are not read here
 * - `statusOptional`: whether the status `s` may be missing. The contract promises it of whole replies only, and the public service leaves
 *   it out where columns were asked for by name
 * - `maxRows`: the most rows that the reply may have; it is refused at the one after, whatever would have followed
 * - `kernel`: the hot loops to read with; the fastest that work here by default
 * - `recycled`: a buffer that is no longer needed, in which the columns may lie
 */
export interface DecodeOptions<Name extends string = string> {
  readonly columns?: ReadonlyArray<Name> | "present" | undefined
  readonly strict?: boolean | undefined
  readonly scalars?: ReadonlyArray<string> | undefined
  readonly statusOptional?: boolean | undefined
  readonly maxRows?: number | undefined
  readonly kernel?: Kernel.Kernel | undefined
  readonly recycled?: ArrayBuffer | undefined
}
