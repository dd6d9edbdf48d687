/** What a table is made of. */
import type { Finding } from "./Finding.ts"

/**
 * What a table is made of: vectors of equal length, and a bitmap for each column that has a null.
 */
export interface Content {
  readonly length: number
  readonly vectors: Readonly<Record<string, unknown>>
  readonly nulls: Readonly<Record<string, Uint8Array<ArrayBuffer>>>
  readonly findings: ReadonlyArray<Finding>
}
