/** From the flags of `stock candles` to its query and view. */
import * as Query from "@effect-marketdata/core/Query"
import type * as StockCandles from "@effect-marketdata/core/StockCandles"
import * as Effect from "effect/Effect"
import { uncachedModeOf } from "../asking/mode.ts"
import { optionsOf } from "../asking/options.ts"
import type { Input } from "../commands/stockCandles.ts"
import { candleColumns } from "../views/candleColumns.ts"
import * as Cells from "../views/cells.ts"
import * as Table from "../views/table.ts"
import * as Days from "./days.ts"

/** The columns of candles by importance. */
const importance = [...candleColumns, Table.number("v", "volume", Cells.quantity)]

export const of = Effect.fnUntraced(function*(input: Input) {
  const { adjustDividends, adjustSplits, candles, mode, resolution, symbol, ...options } = yield* Days.named(input)
  const { assume, ...asked } = optionsOf({
    ...options,
    adjustsplits: adjustSplits,
    adjustdividends: adjustDividends,
    assume: optionsOf({ candles })
  })
  const query = yield* Effect.fromResult(
    // The constructor checks what no type has seen: the resolution, the names of columns, which days go together.
    Query.stockCandles(resolution as StockCandles.Resolution, symbol, {
      ...asked as StockCandles.Options,
      assume,
      mode: yield* uncachedModeOf({ mode })
    })
  )
  return { query, view: Table.viewOf(query, importance) }
})
