/** `marketdata stock earnings SYMBOL`: the earnings of a company, reported and expected. */
import type * as Command from "effect/cli/Command"
import { declare } from "../asking/askable.ts"
import { columnFlags } from "../asking/columnFlags.ts"
import { dayOrRangeFlags, pageFlags } from "../asking/dayFlags.ts"
import { uncachedFlags } from "../asking/modeFlags.ts"
import { symbolArgument } from "../asking/symbolArgument.ts"

const config = {
  symbol: symbolArgument("The stock, such as AAPL"),
  ...dayOrRangeFlags,
  ...pageFlags,
  ...columnFlags,
  ...uncachedFlags
}

/** What the flags of earnings give. */
export type Input = Command.Command.Config.Infer<typeof config>

export const stockEarnings = declare({
  name: "earnings",
  under: "stock",
  description: "Fetch the earnings of a company, reported and expected",
  examples: [
    ["AAPL --countback 8", "The last eight quarters"],
    ["AAPL --from 2025-01-01 --to 2026-11-20", "The reports of some days"],
    ["AAPL --countback 8 --columns reportDate,reportedEPS,estimatedEPS --format csv", "Three columns, as CSV"]
  ],
  config,
  load: () => import("../queries/stockEarnings.ts")
})
