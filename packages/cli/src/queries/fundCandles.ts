/** From the flags of `fund candles` to its query and view. */
import type * as FundCandles from "@effect-marketdata/core/FundCandles"
import * as Query from "@effect-marketdata/core/Query"
import * as Effect from "effect/Effect"
import { uncachedModeOf } from "../asking/mode.ts"
import { optionsOf } from "../asking/options.ts"
import type { Input } from "../commands/fundCandles.ts"
import { candleColumns } from "../views/candleColumns.ts"
import * as Table from "../views/table.ts"
import * as Days from "./days.ts"

export const of = Effect.fnUntraced(function*(input: Input) {
  const { candles, mode, resolution, symbol, ...options } = yield* Days.named(input)
  const query = yield* Effect.fromResult(
    // The constructor checks what no type has seen: the resolution, the names of columns, which days go together.
    Query.fundCandles(resolution as FundCandles.Resolution, symbol, {
      ...optionsOf(options) as FundCandles.Options,
      assume: optionsOf({ candles }),
      mode: yield* uncachedModeOf({ mode })
    })
  )
  return { query, view: Table.viewOf(query, candleColumns) }
})
