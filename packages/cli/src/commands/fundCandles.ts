/** `marketdata fund candles SYMBOL`: the candles of a fund. */
import type * as FundCandles from "@effect-marketdata/core/FundCandles"
import * as Query from "@effect-marketdata/core/Query"
import * as Effect from "effect/Effect"
import { asks } from "../asking/command.ts"
import * as Asking from "../asking/flags.ts"
import { optionsOf, rangeOf, uncachedModeOf } from "../asking/mode.ts"
import * as Table from "../views/table.ts"

export const askable = asks({
  examples: [
    ["VFINX --from 2026-10-01 --to 2026-11-20", "A candle a day"],
    ["VFINX --resolution W --countback 12", "The last twelve weeks"],
    ["VFINX --countback 30 --format csv", "The last 30 days, as CSV"]
  ],
  flags: {
    symbol: Asking.symbol("The fund, such as VFINX"),
    resolution: Asking.resolution("D, W, M or Y"),
    ...Asking.range,
    candles: Asking.candles,
    ...Asking.columns,
    ...Asking.uncached
  },
  call: Effect.fnUntraced(function*(input) {
    const { candles, mode, resolution, symbol, ...options } = yield* rangeOf(input)
    const query = yield* Effect.fromResult(
      // The constructor checks what no type has seen: the resolution, the names of columns, which days go together.
      Query.fundCandles(resolution as FundCandles.Resolution, symbol, {
        ...optionsOf(options) as FundCandles.Options,
        assume: optionsOf({ candles }),
        mode: yield* uncachedModeOf(mode)
      })
    )
    return Table.call(query, Table.candles)
  })
})
