/** `marketdata strikes SYMBOL`: the strikes that are listed for an underlying, by expiration. */
import type * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { declare } from "../asking/askable.ts"
import { pastDayFlags } from "../asking/dayFlags.ts"
import { uncachedFlags } from "../asking/modeFlags.ts"
import { symbolArgument } from "../asking/symbolArgument.ts"

const config = {
  symbol: symbolArgument("The underlying, such as SPX"),
  expiration: Flag.String("expiration").pipe(
    Flag.withMetavar("DAY"),
    Flag.withDescription("Only the strikes of one expiration, as YYYY-MM-DD; all expirations where it is left out"),
    Flag.optional
  ),
  ...pastDayFlags,
  ...uncachedFlags
}

/** What the flags of strikes give. */
export type Input = Command.Command.Config.Infer<typeof config>

export const strikes = declare({
  name: "strikes",
  description: "List the strikes of an underlying's options, by expiration",
  examples: [
    ["AAPL --expiration 2026-12-18", "Of one expiration"],
    ["AAPL", "Of every expiration"],
    ["AAPL --format jsonl", "A line of JSON for each strike"]
  ],
  config,
  load: () => import("../queries/strikes.ts")
})
