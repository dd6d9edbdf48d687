/** `marketdata stock earnings SYMBOL`: the earnings of a company, reported and expected. */
import * as Query from "@effect-marketdata/core/Query"
import type * as StockEarnings from "@effect-marketdata/core/StockEarnings"
import * as Effect from "effect/Effect"
import { asks } from "../asking/command.ts"
import * as Asking from "../asking/flags.ts"
import { optionsOf, uncachedModeOf } from "../asking/mode.ts"
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

export const askable = asks({
  examples: [
    ["AAPL --countback 8", "The last eight quarters"],
    ["AAPL --from 2025-01-01 --to 2026-11-20", "The reports of some days"],
    ["AAPL --countback 8 --columns reportDate,reportedEPS,estimatedEPS --format csv", "Three columns, as CSV"]
  ],
  flags: {
    symbol: Asking.symbol("The stock, such as AAPL"),
    ...Asking.dayOrRange,
    ...Asking.columns,
    ...Asking.uncached
  },
  call: Effect.fnUntraced(function*({ mode, symbol, ...options }) {
    const query = yield* Effect.fromResult(
      Query.stockEarnings(symbol, {
        // The constructor checks what no type has seen: the names of columns, and which days go together.
        ...optionsOf(options) as StockEarnings.Options,
        mode: yield* uncachedModeOf(mode)
      })
    )
    return Table.call(query, importance)
  })
})
