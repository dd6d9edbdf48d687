/** `marketdata chain SYMBOL`: an option chain. */
import * as Argument from "effect/cli/Argument"
import type * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { declare } from "../asking/askable.ts"
import { columnFlags } from "../asking/columnFlags.ts"
import { positive } from "../asking/flags.ts"
import { modeFlags } from "../asking/modeFlags.ts"
import { replyFlag } from "../asking/replyFlag.ts"
import { sortFlag } from "../asking/sortFlag.ts"
import { watchFlag } from "../asking/watchFlag.ts"
import { symbolArgument } from "../asking/symbolArgument.ts"

const text = (name: string, metavar: string, description: string) =>
  Flag.String(name).pipe(Flag.withMetavar(metavar), Flag.withDescription(description), Flag.optional)

const whole = (name: string, metavar: string, description: string) =>
  Flag.Int(name).pipe(Flag.withMetavar(metavar), Flag.withDescription(description), Flag.optional)

const dollars = (name: string, description: string) =>
  Flag.Finite(name).pipe(Flag.withMetavar("DOLLARS"), Flag.withDescription(description), Flag.optional)

const yesOrNo = (name: string, description: string) =>
  Flag.Boolean(name).pipe(Flag.withDescription(description), Flag.optional)

/** What the service filters by: the parameters of a chain under the names of their flags. */
const filters = {
  expiration: text("expiration", "DAY", "One expiration as YYYY-MM-DD, or all"),
  dte: whole("dte", "DAYS", "The expiration that is closest to this many days from now"),
  from: text("from", "DAY", "Expirations from this day on, as YYYY-MM-DD"),
  to: text("to", "DAY", "Expirations up to this day, as YYYY-MM-DD"),
  month: whole("month", "1-12", "Expirations of this month"),
  year: whole("year", "YEAR", "Expirations of this year"),
  weekly: yesOrNo("weekly", "Only weekly expirations"),
  monthly: yesOrNo("monthly", "Only monthly expirations"),
  quarterly: yesOrNo("quarterly", "Only quarterly expirations"),
  side: Flag.Literals("side", ["call", "put"]).pipe(Flag.withDescription("Only calls, or only puts"), Flag.optional),
  range: Flag.Literals("range", ["itm", "otm", "all"]).pipe(
    Flag.withDescription("Only contracts in the money, or only those out of it"),
    Flag.optional
  ),
  strike: text("strike", "PRICES", "Strikes: 150, 150,155, 150-160 or '>=150'"),
  delta: text(
    "delta",
    "DELTAS",
    "Absolute deltas, written as strikes are: 0.5, 0.2-0.8 or '<0.3'; both sides come back"
  ),
  strikeLimit: whole(
    "strike-limit",
    "COUNT",
    "The strikes closest to the money, at most this many on each side of it: a call and a put each, so up to 4 contracts for each COUNT; " +
      "of an index up to 8, settled in the morning and in the afternoon"
  ),
  minBid: dollars("min-bid", "The lowest bid"),
  maxBid: dollars("max-bid", "The highest bid"),
  minAsk: dollars("min-ask", "The lowest ask"),
  maxAsk: dollars("max-ask", "The highest ask"),
  maxBidAskSpread: dollars("max-bid-ask-spread", "The widest spread between bid and ask"),
  maxBidAskSpreadPct: Flag.Finite("max-bid-ask-spread-pct").pipe(
    Flag.withMetavar("FRACTION"),
    Flag.withDescription("The widest spread as a fraction of the underlying's price: 0.005 is half a percent"),
    Flag.optional
  ),
  minOpenInterest: whole("min-open-interest", "COUNT", "The least open interest, in contracts"),
  minVolume: whole("min-volume", "COUNT", "The least volume of the day, in contracts"),
  nonstandard: yesOrNo("nonstandard", "Adjusted contracts as well"),
  am: yesOrNo("am", "Contracts that are settled in the morning; of indexes only"),
  pm: yesOrNo("pm", "Contracts that are settled in the afternoon; of indexes only"),
  limit: whole(
    "limit",
    "COUNT",
    "The service returns at most this many contracts, so that live data cost at most as many credits. Which come first is not stated: they need " +
      "not be those around the money, as with --strike-limit"
  ),
  offset: whole("offset", "COUNT", "Leave out this many contracts at the beginning"),
  date: text("date", "DAY", "The end-of-day chain of a past trading day, as YYYY-MM-DD"),
  ...columnFlags
}

const config = {
  symbol: symbolArgument("The underlying, such as SPX").pipe(Argument.optional),
  ...modeFlags,
  filters,
  contracts: positive("contracts", "3000").pipe(
    Flag.withDescription(
      "How many contracts you expect at most. It bounds the price of live data: the service is told to send no more. A cached chain comes whole"
    ),
    Flag.optional
  )
}

const display = {
  ...sortFlag,
  strikes: positive("strikes", "10").pipe(
    Flag.withDescription("How many strikes to show around the money; as many as fit where it is left out"),
    Flag.optional
  ),
  expirations: positive("expirations", "3").pipe(
    Flag.withDescription(
      "How many expirations to show, the nearest first, of those that came back; 1 where it is left out"
    ),
    Flag.optional
  ),
  all: Flag.Boolean("all").pipe(
    Flag.withDescription("Show all rows of all expirations, however many the terminal holds"),
    Flag.withDefault(false)
  ),
  ...watchFlag,
  ...replyFlag
}

/** What the flags of a chain give. */
export type Input = Command.Command.Config.Infer<typeof config>

/** What the flags give that say how a chain is shown. */
export type Display = Command.Command.Config.Infer<typeof display>

export const chain = declare({
  name: "chain",
  description: "Fetch an option chain",
  examples: [
    ["SPX --expiration all --mode cached", "The whole chain, for one credit"],
    ["AAPL --dte 30 --strike-limit 10 --mode live", "Live data, which the filters bound"],
    ["AAPL --mode cached --format csv", "As CSV"]
  ],
  config,
  display,
  load: () => import("../queries/chain.ts")
})
