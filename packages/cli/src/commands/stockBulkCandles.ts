/** `marketdata stock bulk-candles SYMBOL…`: the candle of one day, of many stocks. */
import * as Argument from "effect/cli/Argument"
import type * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { declare } from "../asking/askable.ts"
import { columnFlags } from "../asking/columnFlags.ts"
import { positive } from "../asking/flags.ts"
import { uncachedFlags } from "../asking/modeFlags.ts"
import { symbolArgument } from "../asking/symbolArgument.ts"

const config = {
  symbols: symbolArgument("The stocks, such as AAPL MSFT; none with --all").pipe(Argument.atLeast(0)),
  all: Flag.Boolean("all").pipe(Flag.withDescription("Every stock there is"), Flag.withDefault(false)),
  date: Flag.String("date").pipe(
    Flag.withMetavar("DAY"),
    Flag.withDescription("The day, as YYYY-MM-DD, today or yesterday; the last one where it is left out"),
    Flag.optional
  ),
  adjustSplits: Flag.Boolean("adjust-splits").pipe(
    Flag.withDescription("Whether to adjust prices for splits"),
    Flag.optional
  ),
  expect: positive("symbols", "6000").pipe(
    Flag.withDescription("How many stocks you expect at most; it bounds the price of --all"),
    Flag.optional
  ),
  ...columnFlags,
  ...uncachedFlags
}

/** What the flags of bulk candles give. */
export type Input = Command.Command.Config.Infer<typeof config>

export const stockBulkCandles = declare({
  name: "bulk-candles",
  under: "stock",
  description: "Fetch the candle of one day of many stocks",
  examples: [
    ["AAPL MSFT SPY", "The last day"],
    ["AAPL MSFT --date 2026-11-20", "A day that is over"],
    ["AAPL MSFT SPY --columns symbol,c,v --format csv", "Closes and volumes, as CSV"]
  ],
  config,
  load: () => import("../queries/stockBulkCandles.ts")
})
