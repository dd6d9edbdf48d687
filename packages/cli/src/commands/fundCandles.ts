/** `marketdata fund candles SYMBOL`: the candles of a fund. */
import type * as Command from "effect/cli/Command"
import { declare } from "../asking/askable.ts"
import { candles, resolution } from "../asking/candleFlags.ts"
import { columnFlags } from "../asking/columnFlags.ts"
import { rangeFlags } from "../asking/dayFlags.ts"
import { uncachedFlags } from "../asking/modeFlags.ts"
import { symbolArgument } from "../asking/symbolArgument.ts"

const config = {
  symbol: symbolArgument("The fund, such as VFINX"),
  resolution: resolution("D, W, M or Y"),
  ...rangeFlags,
  candles,
  ...columnFlags,
  ...uncachedFlags
}

/** What the flags of fund candles give. */
export type Input = Command.Command.Config.Infer<typeof config>

export const fundCandles = declare({
  name: "candles",
  under: "fund",
  description: "Fetch the candles of a fund: open, high, low, close",
  examples: [
    ["VFINX --from 2026-10-01 --to 2026-11-20", "A candle a day"],
    ["VFINX --resolution W --countback 12", "The last twelve weeks"],
    ["VFINX --countback 30 --format csv", "The last 30 days, as CSV"]
  ],
  config,
  load: () => import("../queries/fundCandles.ts")
})
