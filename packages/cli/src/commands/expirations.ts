/** `marketdata expirations SYMBOL`: the expirations that are listed for an underlying. */
import type * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { declare } from "../asking/askable.ts"
import { pastDayFlags } from "../asking/dayFlags.ts"
import { uncachedFlags } from "../asking/modeFlags.ts"
import { symbolArgument } from "../asking/symbolArgument.ts"

const config = {
  symbol: symbolArgument("The underlying, such as SPX"),
  strike: Flag.Finite("strike").pipe(
    Flag.withMetavar("PRICE"),
    Flag.withDescription("Only expirations that list this strike, in dollars"),
    Flag.optional
  ),
  nonstandard: Flag.Boolean("nonstandard").pipe(
    Flag.withDescription("The expirations of adjusted contracts as well"),
    Flag.optional
  ),
  ...pastDayFlags,
  ...uncachedFlags
}

/** What the flags of expirations give. */
export type Input = Command.Command.Config.Infer<typeof config>

export const expirations = declare({
  name: "expirations",
  description: "List the expirations of an underlying's options",
  examples: [
    ["SPX", "All of them, with the days to go"],
    ["AAPL --strike 250", "Those that list a strike"],
    ["AAPL --format csv", "As CSV"]
  ],
  config,
  load: () => import("../queries/expirations.ts")
})
