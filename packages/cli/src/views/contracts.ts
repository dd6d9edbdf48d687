/** Contracts as a table: the columns of chains and quotes of options, the most important first, and the sorting of rows by one of them. */
import { ColumnTable, Problem } from "@effect-marketdata/core"
import { Effect } from "effect"
import { wrong } from "../failure/failure.ts"
import type * as Document from "../output/document.ts"
import type { Size } from "../output/output.ts"
import * as Cells from "./cells.ts"
import * as Table from "./table.ts"

const symbol: ReadonlyArray<Table.Column> = [Table.text("optionSymbol", "contract", Cells.symbol)]

/** The parts of an option symbol. */
const parts: ReadonlyArray<Table.Column> = [
  Table.text("underlying", "underlying", Cells.symbol),
  Table.text("side", "side", Cells.text),
  Table.number("strike", "strike", Cells.price),
  Table.text("expiration", "expires", Cells.dayAlone)
]

const values: ReadonlyArray<Table.Column> = [
  Table.number("bid", "bid", Cells.price),
  Table.number("ask", "ask", Cells.price),
  Table.number("last", "last", Cells.price),
  Table.number("updated", "age", Cells.age),
  Table.number("volume", "volume", Cells.quantity),
  Table.number("openInterest", "open int", Cells.quantity),
  Table.number("ivComputed", "iv*", Cells.volatility),
  Table.number("deltaComputed", "delta*", Cells.ratio),
  Table.number("iv", "iv", Cells.volatility),
  Table.number("delta", "delta", Cells.ratio),
  Table.number("underlyingPrice", "underlying at", Cells.price),
  Table.number("dte", "days", Cells.quantity),
  Table.number("mid", "mid", Cells.price),
  Table.number("bidSize", "bid size", Cells.quantity),
  Table.number("askSize", "ask size", Cells.quantity),
  Table.number("theta", "theta", Cells.greek),
  Table.number("gamma", "gamma", Cells.greek),
  Table.number("vega", "vega", Cells.greek),
  Table.text("inTheMoney", "in the money", Cells.yesOrNo),
  Table.number("intrinsicValue", "intrinsic", Cells.price),
  Table.number("extrinsicValue", "extrinsic", Cells.price),
  Table.text("firstTraded", "first traded", Cells.dayAlone),
  Table.text("updated", "taken", Cells.moment)
]

/** The column of a value. */
export const columnOf = (name: string): Table.Column => values.find((column) => column.name === name)!

/** Prints contracts, in the order that they have. */
export const lines = (contracts: Document.Table, size: Size, now: number, options?: Table.Options) => {
  const isNamed = contracts.columnNames.includes("optionSymbol")
  const columns = isNamed ? [...symbol, ...values, ...parts] : [...parts, ...values]
  return Table.lines(contracts, columns, size, now, options)
}

/** Columns that sort in ascending order by default; others in descending order. */
const ascending = new Set(["optionSymbol", "underlying", "expiration", "side", "strike", "dte", "updated"])

/** Reads the value of `--sort`, a column and in which direction: `volume` has the most first, `volume:asc` the least. */
export const orderOf = Effect.fnUntraced(function*(text: string | undefined, columns: ReadonlyArray<string>) {
  if (text === undefined) return undefined
  const [name = "", direction = "", ...rest] = text.split(":")
  const column = columns.find((column) => column.toLowerCase() === name.toLowerCase())
  if (column === undefined || rest.length > 0 || !["", "asc", "desc"].includes(direction)) {
    const rule = "must be a column that comes back, alone or with :asc or :desc"
    const example = columns.includes("volume") ? "volume" : columns[0] ?? "strike"
    const message = Problem.format(`--sort ${Problem.shown(text)}`, { rule, example })
    return yield* wrong("UnknownColumn", message, `sort by one of ${columns.join(", ")}`)
  }
  const isAscending = direction === "asc" || (direction === "" && ascending.has(column))
  return { column, direction: isAscending ? "ascending" : "descending" } as const
})

type Order = Effect.Success<ReturnType<typeof orderOf>>

/** Returns the table in that order. */
export const sorted = <Table extends Parameters<typeof ColumnTable.sortIndices>[0]>(table: Table, order: Order) =>
  order === undefined ? table : ColumnTable.pick(table, ColumnTable.sortIndices(table, order.column, order.direction))
