/** How data are shown. */
import type { Size } from "../output/output.ts"
import type { Rows } from "../output/rows.ts"
import type { Line } from "../text/span.ts"

/**
 * The view of some data: rows for programs and, if a grid of the rows will not do, lines of their own for people. `now`, from which ages are told, is
 * in epoch seconds.
 */
export interface View<in Data> {
  readonly rows: (data: Data) => Rows
  readonly lines?: (data: Data, size: Size, now: number) => ReadonlyArray<Line>
}
