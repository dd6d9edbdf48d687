/** `marketdata stock candles SYMBOL`: the candles of one stock. */
import type * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { declare } from "../asking/askable.ts"
import { candles, resolution } from "../asking/candleFlags.ts"
import { columnFlags } from "../asking/columnFlags.ts"
import { rangeFlags } from "../asking/dayFlags.ts"
import { uncachedFlags } from "../asking/modeFlags.ts"
import { symbolArgument } from "../asking/symbolArgument.ts"

const config = {
  symbol: symbolArgument("The stock, such as AAPL"),
  resolution: resolution("minutes such as 5, or H, D, W, M or Y"),
  ...rangeFlags,
  extended: Flag.Boolean("extended").pipe(
    Flag.withDescription("Add candles of before and after the session, to those of minutes and hours"),
    Flag.optional
  ),
  adjustSplits: Flag.Boolean("adjust-splits").pipe(
    Flag.withDescription("Whether to adjust prices for splits"),
    Flag.optional
  ),
  adjustDividends: Flag.Boolean("adjust-dividends").pipe(
    Flag.withDescription("Whether to adjust prices for dividends"),
    Flag.optional
  ),
  candles,
  ...columnFlags,
  ...uncachedFlags
}

/** What the flags of stock candles give. */
export type Input = Command.Command.Config.Infer<typeof config>

export const stockCandles = declare({
  name: "candles",
  under: "stock",
  description: "Fetch the candles of one stock: open, high, low, close, volume",
  examples: [
    ["AAPL --from 2026-10-01 --to 2026-11-20", "A candle a day"],
    ["AAPL --resolution 5 --from 2026-11-20 --to 2026-11-20", "A candle every five minutes of one day"],
    ["AAPL --countback 30 --format csv", "The last 30 days, as CSV"]
  ],
  config,
  load: () => import("../queries/stockCandles.ts")
})
