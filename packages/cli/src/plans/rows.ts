/** The prices of tasks as rows, for programs that read rows. */
import * as Rows from "../output/rows.ts"
import { clausesOf, type Priced } from "./modes.ts"

const amount = (credits: number): number | string => credits === Infinity ? "Infinity" : credits

/** A row for each task and mode. */
export const rowsOf = (all: ReadonlyArray<Priced>): Rows.Rows =>
  Rows.of(
    ["task", "mode", "asked", "queries", "min", "max", "clause"],
    all.flatMap(({ asked, others, task }) =>
      [asked, ...others].map(({ cost, each, mode }) => [
        task.name,
        mode,
        mode === asked.mode,
        cost.queries,
        amount(cost.min),
        amount(cost.max),
        clausesOf({ each }).join(" ")
      ])
    )
  )
