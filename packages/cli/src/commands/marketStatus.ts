/** `marketdata market status`: on which days the market is open. */
import * as Argument from "effect/cli/Argument"
import type * as Command from "effect/cli/Command"
import { declare } from "../asking/askable.ts"
import { columnFlags } from "../asking/columnFlags.ts"
import { dayOrRangeFlags, pageFlags } from "../asking/dayFlags.ts"
import { uncachedFlags } from "../asking/modeFlags.ts"

const config = {
  day: Argument.String("day").pipe(
    Argument.withDescription("One day, as YYYY-MM-DD, today or yesterday; the same as --date"),
    Argument.optional
  ),
  ...dayOrRangeFlags,
  ...pageFlags,
  ...columnFlags,
  ...uncachedFlags
}

/** What the flags of market status give. */
export type Input = Command.Command.Config.Infer<typeof config>

export const marketStatus = declare({
  name: "status",
  under: "market",
  description: "Ask on which days the market is open",
  examples: [
    ["", "Today"],
    ["--from 2026-11-23 --to 2026-11-27", "The week of Thanksgiving"],
    ["2026-12-25 --format json", "One day, as JSON"]
  ],
  config,
  load: () => import("../queries/marketStatus.ts")
})
