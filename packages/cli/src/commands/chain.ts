/** `marketdata chain SYMBOL`: an option chain. */
import * as Argument from "effect/cli/Argument"
import type * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { declare } from "../asking/askable.ts"
import { positive } from "../asking/flags.ts"
import { modeFlags } from "../asking/modeFlags.ts"

const config = {
  symbol: Argument.String("symbol").pipe(Argument.withDescription("The underlying, such as SPX")),
  ...modeFlags,
  expiration: Flag.String("expiration").pipe(
    Flag.withMetavar("DAY"),
    Flag.withDescription("One expiration as YYYY-MM-DD, or all; the nearest one where it is left out"),
    Flag.optional
  ),
  side: Flag.Literals("side", ["call", "put"]).pipe(Flag.withDescription("Calls or puts only"), Flag.optional),
  date: Flag.String("date").pipe(
    Flag.withMetavar("DAY"),
    Flag.withDescription("The end-of-day chain of a past trading day, as YYYY-MM-DD"),
    Flag.optional
  ),
  contracts: positive("contracts", "3000").pipe(
    Flag.withDescription("How many contracts you expect at most; it bounds the price of live data"),
    Flag.optional
  )
}

/** What the flags of a chain give. */
export type Input = Command.Command.Config.Infer<typeof config>

export const chain = declare({
  name: "chain",
  description: "Fetch an option chain",
  examples: [
    ["SPX --expiration all --mode cached", "The whole chain, for one credit"],
    ["AAPL --mode live --contracts 3000 --budget 5000", "Live data within a budget"],
    ["AAPL --format csv", "The nearest expiration as CSV"]
  ],
  config,
  load: () => import("../queries/chain.ts")
})
