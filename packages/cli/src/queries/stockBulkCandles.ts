/** From the flags of `stock bulk-candles` to its query and view. */
import * as Query from "@effect-marketdata/core/Query"
import { InvalidQuery } from "@effect-marketdata/core/Reason"
import type * as StockBulkCandles from "@effect-marketdata/core/StockBulkCandles"
import * as Effect from "effect/Effect"
import { uncachedModeOf } from "../asking/mode.ts"
import { optionsOf } from "../asking/options.ts"
import type { Input } from "../commands/stockBulkCandles.ts"
import { candleColumns } from "../views/candleColumns.ts"
import * as Cells from "../views/cells.ts"
import * as Table from "../views/table.ts"

/** The columns of candles by importance. */
const importance = [
  Table.text("symbol", "symbol", Cells.text),
  ...candleColumns,
  Table.number("v", "volume", Cells.quantity)
]

export const of = Effect.fnUntraced(function*({ adjustSplits, all, columns, date, expect, mode, symbols }: Input) {
  if (all && symbols.length > 0) {
    return yield* InvalidQuery.of("--all", true, {
      rule: "cannot be combined with symbols",
      example: symbols.slice(0, 3).join(" ")
    })
  }
  const query = yield* Effect.fromResult(
    Query.stockBulkCandles(all ? "all" : symbols, {
      // The constructor checks the names of columns and the day, which no type has seen.
      ...optionsOf({ date, columns, adjustsplits: adjustSplits }) as StockBulkCandles.Options,
      assume: optionsOf({ symbols: expect }),
      mode: yield* uncachedModeOf({ mode })
    })
  )
  return { query, view: Table.viewOf(query, importance) }
})
