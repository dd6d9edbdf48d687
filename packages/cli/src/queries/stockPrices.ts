/** From the flags of `stock prices` to its query and view. */
import * as Query from "@effect-marketdata/core/Query"
import type * as StockPrices from "@effect-marketdata/core/StockPrices"
import * as Effect from "effect/Effect"
import { modeOf } from "../asking/mode.ts"
import { optionsOf } from "../asking/options.ts"
import type { Input } from "../commands/stockPrices.ts"
import * as Cells from "../views/cells.ts"
import * as Table from "../views/table.ts"

/** The columns of prices by importance. */
const importance = [
  Table.text("symbol", "symbol", Cells.text),
  Table.number("mid", "mid", Cells.price),
  Table.number("changepct", "change", Cells.percentage),
  Table.number("change", "in dollars", Cells.change),
  Table.number("updated", "age", Cells.age),
  Table.text("updated", "taken", Cells.moment)
]

export const of = Effect.fnUntraced(function*({ columns, extended, symbols, ...modes }: Input) {
  const query = yield* Effect.fromResult(
    Query.stockPrices(symbols, {
      // The constructor checks the names of columns, which no type has seen.
      ...optionsOf({ columns, extended }) as StockPrices.Options,
      mode: yield* modeOf(modes)
    })
  )
  return { query, view: Table.viewOf(query, importance), fallbackUpTo: modes.fallbackUpTo }
})
