/** `marketdata quote SYMBOL…`: quotes of options. */
import * as Argument from "effect/cli/Argument"
import type * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { declare } from "../asking/askable.ts"
import { columnFlags } from "../asking/columnFlags.ts"
import { credits } from "../asking/flags.ts"
import { modeFlags } from "../asking/modeFlags.ts"
import { replyFlag } from "../asking/replyFlag.ts"
import { sortFlag } from "../asking/sortFlag.ts"
import { watchFlag } from "../asking/watchFlag.ts"

const day = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withMetavar("DAY"), Flag.withDescription(description), Flag.optional)

const whole = (name: string, description: string) =>
  Flag.Int(name).pipe(Flag.withMetavar("COUNT"), Flag.withDescription(description), Flag.optional)

const config = {
  symbols: Argument.String("symbol").pipe(
    Argument.withDescription("Option symbols, such as AAPL261218C00350000; padded with blanks as well"),
    Argument.atLeast(0)
  ),
  ...modeFlags,
  past: {
    date: day("date", "The quote of a past trading day, as YYYY-MM-DD"),
    from: day("from", "A quote for each day from this one on, as YYYY-MM-DD"),
    to: day("to", "And up to the day before this one"),
    limit: whole("limit", "At most this many rows of each symbol"),
    offset: whole("offset", "Leave out this many rows at the beginning"),
    ...columnFlags
  },
  credits: credits("credits").pipe(
    Flag.withDescription(
      "What you expect the quotes of past days to cost at most, for each symbol: the contract states no price for them"
    ),
    Flag.optional
  )
}

const display = { ...sortFlag, ...watchFlag, ...replyFlag }

/** What the flags of quotes give. */
export type Input = Command.Command.Config.Infer<typeof config>

/** What the flags give that say how quotes are shown. */
export type Display = Command.Command.Config.Infer<typeof display>

export const quote = declare({
  name: "quote",
  description: "Fetch quotes of options",
  examples: [
    ["AAPL261218C00350000", "One contract"],
    ["AAPL261218C00350000 AAPL261218P00350000 --mode cached", "Several, from the cache"],
    ["AAPL261218C00350000 --format json", "As JSON"]
  ],
  config,
  display,
  load: () => import("../queries/quote.ts")
})
