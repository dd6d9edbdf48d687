/** From the flags of `stock earnings` to its query and view. */
import * as Query from "@effect-marketdata/core/Query"
import type * as StockEarnings from "@effect-marketdata/core/StockEarnings"
import * as Effect from "effect/Effect"
import { uncachedModeOf } from "../asking/mode.ts"
import { optionsOf } from "../asking/options.ts"
import type { Input } from "../commands/stockEarnings.ts"
import * as Cells from "../views/cells.ts"
import * as Table from "../views/table.ts"

/** The columns of earnings by importance. */
const importance = [
  Table.text("reportDate", "report", Cells.day),
  Table.number("reportedEPS", "reported", Cells.price),
  Table.number("estimatedEPS", "expected", Cells.price),
  Table.number("surpriseEPSpct", "surprise", Cells.percentage),
  Table.number("fiscalYear", "year", Cells.plain),
  Table.number("fiscalQuarter", "quarter", Cells.plain),
  Table.text("reportTime", "when", Cells.text),
  Table.text("currency", "currency", Cells.text),
  Table.text("symbol", "symbol", Cells.text),
  Table.number("surpriseEPS", "difference", Cells.change),
  Table.text("date", "quarter ends", Cells.day),
  Table.number("updated", "changed", Cells.age)
]

export const of = Effect.fnUntraced(function*({ mode, symbol, ...options }: Input) {
  const query = yield* Effect.fromResult(
    Query.stockEarnings(symbol, {
      // The constructor checks what no type has seen: the names of columns, and which days go together.
      ...optionsOf(options) as StockEarnings.Options,
      mode: yield* uncachedModeOf({ mode })
    })
  )
  return { query, view: Table.viewOf(query, importance) }
})
