/** `marketdata stock news SYMBOL`: news about a company. */
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

/** What the flags of news give. */
export type Input = Command.Command.Config.Infer<typeof config>

export const stockNews = declare({
  name: "news",
  under: "stock",
  description: "Fetch news about a company",
  examples: [
    ["AAPL", "The latest article"],
    ["AAPL --from 2026-11-01 --to 2026-11-20", "The articles of some days"],
    ["AAPL --countback 5 --format jsonl", "The last five, a line of JSON each"]
  ],
  config,
  load: () => import("../queries/stockNews.ts")
})
