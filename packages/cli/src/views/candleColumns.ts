import * as Cells from "./cells.ts"
import * as Table from "./table.ts"

/** The columns of all candles by importance. */
export const candleColumns = [
  Table.text("t", "New York", Cells.day),
  Table.number("c", "close", Cells.price),
  Table.number("o", "open", Cells.price),
  Table.number("h", "high", Cells.price),
  Table.number("l", "low", Cells.price)
]
