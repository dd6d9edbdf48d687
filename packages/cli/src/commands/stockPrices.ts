/** `marketdata stock prices SYMBOL…`: the middle between bid and ask of stocks, and nothing else. */
import * as Argument from "effect/cli/Argument"
import type * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { declare } from "../asking/askable.ts"
import { columnFlags } from "../asking/columnFlags.ts"
import { modeFlags } from "../asking/modeFlags.ts"
import { symbolArgument } from "../asking/symbolArgument.ts"

const config = {
  symbols: symbolArgument("The stocks, such as AAPL MSFT").pipe(Argument.atLeast(1)),
  ...modeFlags,
  extended: Flag.Boolean("extended").pipe(
    Flag.withDescription("Whether to count trading before and after the session"),
    Flag.optional
  ),
  ...columnFlags
}

/** What the flags of stock prices give. */
export type Input = Command.Command.Config.Infer<typeof config>

export const stockPrices = declare({
  name: "prices",
  under: "stock",
  description: "Fetch prices of stocks: the middle between bid and ask",
  examples: [
    ["AAPL MSFT SPY", "Prices of several stocks"],
    ["AAPL MSFT --mode cached", "From the cache, for one credit"],
    ["AAPL --columns symbol,mid --format csv", "Two columns, as CSV"]
  ],
  config,
  load: () => import("../queries/stockPrices.ts")
})
