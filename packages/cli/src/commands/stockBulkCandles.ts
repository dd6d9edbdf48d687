/** `marketdata stock bulk-candles SYMBOL…`: the candle of one day, of many stocks. */
import * as Query from "@effect-marketdata/core/Query"
import { InvalidQuery } from "@effect-marketdata/core/Reason"
import type * as StockBulkCandles from "@effect-marketdata/core/StockBulkCandles"
import * as Argument from "effect/cli/Argument"
import * as Effect from "effect/Effect"
import { asks } from "../asking/command.ts"
import * as Asking from "../asking/flags.ts"
import { optionsOf, uncachedModeOf } from "../asking/mode.ts"
import * as Flags from "../text/flags.ts"
import * as Cells from "../views/cells.ts"
import * as Table from "../views/table.ts"

export const askable = asks({
  examples: [
    ["AAPL MSFT SPY", "The last day"],
    ["AAPL MSFT --date 2026-11-20", "A day that is over"],
    ["AAPL MSFT SPY --columns symbol,c,v --format csv", "Closes and volumes, as CSV"]
  ],
  flags: {
    symbols: Asking.symbol("The stocks, such as AAPL MSFT; none with --all").pipe(Argument.atLeast(0)),
    all: Flags.isOn("all", "Every stock there is"),
    date: Flags.text("date", "DAY", "The day, as YYYY-MM-DD, today or yesterday; the last one where it is left out"),
    adjustSplits: Flags.yesOrNo("adjust-splits", "Whether to adjust prices for splits"),
    expect: Flags.positive(
      "symbols",
      "6000",
      "How many stocks you expect; the price of --all counts this many"
    ),
    ...Asking.columns,
    ...Asking.uncached
  },
  call: Effect.fnUntraced(function*({ adjustSplits, all, columns, date, expect, mode, symbols }) {
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
        mode: yield* uncachedModeOf(mode)
      })
    )
    return Table.call(query, [Table.text("symbol", "symbol", Cells.text), ...Table.candles, Table.volume])
  })
})
