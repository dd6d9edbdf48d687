/** `marketdata stock quote SYMBOL…`: quotes of stocks. */
import * as Argument from "effect/cli/Argument"
import type * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { declare } from "../asking/askable.ts"
import { columnFlags } from "../asking/columnFlags.ts"
import { modeFlags } from "../asking/modeFlags.ts"
import { watchFlag } from "../asking/watchFlag.ts"
import { symbolArgument } from "../asking/symbolArgument.ts"

const config = {
  symbols: symbolArgument("The stocks, such as AAPL MSFT").pipe(Argument.atLeast(1)),
  ...modeFlags,
  candle: Flag.Boolean("candle").pipe(Flag.withDescription("Add the day's candle"), Flag.withDefault(false)),
  yearRange: Flag.Boolean("52week").pipe(
    Flag.withDescription("Add the highest and the lowest price of a year; of one stock only"),
    Flag.withDefault(false)
  ),
  extended: Flag.Boolean("extended").pipe(
    Flag.withDescription("Whether to count trading before and after the session"),
    Flag.optional
  ),
  ...columnFlags
}

/** What the flags of stock quotes give. */
export type Input = Command.Command.Config.Infer<typeof config>

/** What the flags give that say how often quotes are asked for. */
export type Display = Command.Command.Config.Infer<typeof watchFlag>

export const stockQuote = declare({
  name: "quote",
  under: "stock",
  description: "Fetch quotes of stocks",
  examples: [
    ["AAPL MSFT SPY", "Quotes of several stocks"],
    ["AAPL --52week", "With the range of the year"],
    ["AAPL MSFT --mode cached --format csv", "From the cache, as CSV"]
  ],
  config,
  display: watchFlag,
  load: () => import("../queries/stockQuote.ts")
})
