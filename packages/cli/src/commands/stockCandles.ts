/** `marketdata stock candles SYMBOL`: the candles of one stock. */
import * as Query from "@effect-marketdata/core/Query"
import type * as StockCandles from "@effect-marketdata/core/StockCandles"
import * as Effect from "effect/Effect"
import { asks } from "../asking/command.ts"
import * as Asking from "../asking/flags.ts"
import { optionsOf, rangeOf, uncachedModeOf } from "../asking/mode.ts"
import * as Flags from "../text/flags.ts"
import * as Table from "../views/table.ts"

export const askable = asks({
  examples: [
    ["AAPL --from 2026-10-01 --to 2026-11-20", "A candle a day"],
    ["AAPL --resolution 5 --from 2026-11-20 --to 2026-11-20", "A candle every five minutes of one day"],
    ["AAPL --countback 30 --format csv", "The last 30 days, as CSV"]
  ],
  flags: {
    symbol: Asking.symbol("The stock, such as AAPL"),
    resolution: Asking.resolution("minutes such as 5, or H, D, W, M or Y"),
    ...Asking.range,
    extended: Flags.yesOrNo(
      "extended",
      "Add candles of before and after the session, to those of minutes and hours"
    ),
    adjustSplits: Flags.yesOrNo("adjust-splits", "Whether to adjust prices for splits"),
    adjustDividends: Flags.yesOrNo("adjust-dividends", "Whether to adjust prices for dividends"),
    candles: Asking.candles,
    ...Asking.columns,
    ...Asking.uncached
  },
  call: Effect.fnUntraced(function*(input) {
    const { adjustDividends, adjustSplits, candles, mode, resolution, symbol, ...options } = yield* rangeOf(input)
    const adjusted = { adjustsplits: adjustSplits, adjustdividends: adjustDividends }
    const query = yield* Effect.fromResult(
      // The constructor checks what no type has seen: the resolution, the names of columns, which days go together.
      Query.stockCandles(resolution as StockCandles.Resolution, symbol, {
        ...optionsOf({ ...options, ...adjusted }) as StockCandles.Options,
        assume: optionsOf({ candles }),
        mode: yield* uncachedModeOf(mode)
      })
    )
    return Table.call(query, [...Table.candles, Table.volume])
  })
})
