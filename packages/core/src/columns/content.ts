/** What a table is made of, what is asked of its decoder, and what that returns. */
import type { Finding } from "./Finding.ts"
import type * as Kernel from "./Kernel.ts"

/**
 * What a table is made of: vectors of equal length, and a bitmap for each column that has a null.
 */
export interface Content {
  readonly length: number
  readonly vectors: Readonly<Record<string, unknown>>
  readonly nulls: Readonly<Record<string, Uint8Array<ArrayBuffer>>>
  readonly findings: ReadonlyArray<Finding>
}

/**
 * What a decoder returns: one vector for each column, a bitmap for each column with nulls, and the findings. All vectors and bitmaps lie
 * in `slabs`: one buffer, or several if they take more than 31 MiB.
 */
export interface Decoded extends Content {
  readonly slabs: ReadonlyArray<ArrayBuffer>
}

/**
 * The options of a decoder.
 *
 * - `columns`: the columns that the reply should have; all by default. `"present"` takes those that are there, and reports the others as
 *   missing.
 * - `strict`: every finding is an error
 * - `scalars`: fields besides the columns; they are no findings, and are not read here
 * - `statusOptional`: whether the status `s` may be missing. The contract promises it for whole replies only, and the public service
 *   leaves it out if columns were asked for by name
 * - `maxRows`: the most rows that the reply may have; one row more is an error
 * - `kernel`: what runs the hot loops; by default the fastest that works here
 * - `recycled`: a buffer that is no longer needed, for the columns
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
