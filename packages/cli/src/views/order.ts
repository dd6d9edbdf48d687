/** The order of a table by one of its columns: `volume` for the most first, `volume:asc` for the least. */
import type { ColumnSpec } from "@effect-marketdata/core/ColumnSpec"
import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
import * as Problem from "@effect-marketdata/core/Problem"
import * as Effect from "effect/Effect"
import { wrong } from "../failure/failure.ts"

/** A column, and in which direction. */
export interface Order {
  readonly column: string
  readonly direction: ColumnTable.Direction
}

/** Columns that are read from the first to the last; of others the greatest is looked for. */
const ascending: ReadonlySet<string> = new Set([
  "optionSymbol",
  "underlying",
  "expiration",
  "side",
  "strike",
  "dte",
  "updated"
])

/** Reads what was typed; nothing where nothing was. */
export const read = (text: string | undefined, columns: ReadonlyArray<string>) => {
  if (text === undefined) return Effect.succeed(undefined)
  const [name = "", direction = "", ...rest] = text.split(":")
  const column = columns.find((column) => column.toLowerCase() === name.toLowerCase())
  const isRead = column !== undefined && rest.length === 0 && ["", "asc", "desc"].includes(direction)
  return isRead
    ? Effect.succeed(
      {
        column,
        direction: direction === "asc" || (direction === "" && ascending.has(column)) ? "ascending" : "descending"
      } satisfies Order
    )
    : Effect.fail(
      wrong(
        "UnknownColumn",
        Problem.format(`--sort ${Problem.shown(text)}`, {
          rule: "must be a column that comes back, alone or with :asc or :desc",
          example: columns.includes("volume") ? "volume" : columns[0] ?? "strike"
        }),
        `sort by one of ${columns.join(", ")}`
      )
    )
}

/** A table, whatever its columns. */
interface AnyTable {
  readonly length: number
  readonly columnNames: ReadonlyArray<string>
  readonly findings: ColumnTable.ColumnTable<ColumnSpec, string>["findings"]
}

/** Returns the table in that order. */
export const sorted = <Table extends AnyTable>(table: Table, order: Order | undefined): Table =>
  order === undefined ? table : ColumnTable.pick(table, ColumnTable.sortIndices(table, order.column, order.direction))
