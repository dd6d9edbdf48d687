/** `marketdata lookup WORDS…`: the symbol of a contract that is described in words. */
import * as Argument from "effect/cli/Argument"
import type * as Command from "effect/cli/Command"
import { declare } from "../asking/askable.ts"
import { uncachedFlags } from "../asking/modeFlags.ts"

const config = {
  words: Argument.String("words").pipe(
    Argument.withDescription("Underlying, expiration, strike and side, such as: AAPL 12/18/2026 250 call"),
    Argument.atLeast(1)
  ),
  ...uncachedFlags
}

/** What the flags of a lookup give. */
export type Input = Command.Command.Config.Infer<typeof config>

export const lookup = declare({
  name: "lookup",
  description: "Find the symbol of a contract by its description",
  examples: [
    ["AAPL 12/18/2026 250 call", "The symbol, and its parts"],
    ["\"SPY 12/18/2026 \\$600 put\"", "As one text"],
    ["AAPL 12/18/2026 250 put --format json", "As JSON"]
  ],
  config,
  load: () => import("../queries/lookup.ts")
})
