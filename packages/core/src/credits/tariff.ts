/** Estimates and charges as data, with their assumptions and the sizes of chains that bound them, and the tariffs from which both follow. */
import * as DataMode from "../account/DataMode.ts"
import * as Profile from "../account/Profile.ts"
import type { Finding } from "../columns/Finding.ts"
import * as Query from "../query/query.ts"
import type { InvalidQuery } from "../reason/Reason.ts"
import * as Json from "../text/json.ts"
import * as Problem from "../text/Problem.ts"

/**
 * An assumption of an estimate or a charge: stated by the caller, or chosen where the contract says nothing.
 *
 * @category models
 * @since 0.1.0
 */
export interface Assumption extends Readonly<Record<"name" | "value", string>> {}

/** What every estimate and every charge states: the clause that it follows, and its assumptions. */
export interface Terms {
  readonly clause: string
  readonly assumptions: ReadonlyArray<Assumption>
}

/**
 * The options of a price, besides the assumptions of a query.
 *
 * - `profile`: whose rules hold where the public service contradicts the contract
 * - `rounding`: how a part of 1000 is counted, `up` by default; anything above 0 costs at least 1
 * - `quoteData`: which of bid, ask, mid and last a symbol must have to count as having quote data, `any` by default (clause
 *   8.2-cost-quotes)
 * - `requests`: how many requests a list of symbols is cut into; by default as few as at most 500 symbols and 4094 bytes
 *   each allow (clause 8.1-batches)
 * - `refusal`: what a reply costs that is not a success, 0 by default (clause 7.1-charge-not-stated)
 * - `figures`: which figures of the service are recorded, `possible` by default
 * - `seen`: sizes of chains that were seen, see `ChainSize`. They bound a chain where its filters do not bound it lower
 *
 * @category models
 * @since 0.1.0
 */
export interface PriceOptions extends Query.Assumptions {
  readonly profile?: Profile.Profile | undefined
  readonly rounding?: Rounding | undefined
  readonly quoteData?: "any" | "all" | undefined
  readonly requests?: number | undefined
  readonly refusal?: number | undefined
  readonly figures?: RecordedFigures | undefined
  readonly seen?: Seen | undefined
}

/**
 * Which of the service's figures for a request are recorded; for the others the computed charge is recorded.
 *
 * - `any`: all of them
 * - `possible`: those of up to 100 credits for each row of the reply. The contract has no price above 1 credit for a row, and prices may
 *   rise, but a figure above 100 is a mistake
 * - `explained`: those that follow from the price of the query, by the contract or by the public service
 *
 * @category models
 * @since 0.1.0
 */
export type RecordedFigures = "any" | "possible" | "explained"

/**
 * How a part of a thousand is counted.
 *
 * @category models
 * @since 0.1.0
 */
export type Rounding = "up" | "down" | "nearest"

/**
 * The price is known to the credit.
 *
 * @category models
 * @since 0.1.0
 */
export interface Exact extends Terms {
  readonly _tag: "Exact"
  readonly credits: number
}

/**
 * The price lies between two bounds, both included. `max` is `Infinity` if there is no upper bound; `movedBy` says what decides the
 * price.
 *
 * @category models
 * @since 0.1.0
 */
export interface Range extends Terms {
  readonly _tag: "Range"
  readonly min: number
  readonly max: number
  readonly movedBy: string
}

/**
 * The contract states no price; `what` names the missing price.
 *
 * @category models
 * @since 0.1.0
 */
export interface NotStated extends Terms {
  readonly _tag: "NotStated"
  readonly what: string
}

/**
 * There is no such answer, and so no price; `why` gives the reason.
 *
 * @category models
 * @since 0.1.0
 */
export interface Unavailable extends Terms {
  readonly _tag: "Unavailable"
  readonly why: string
}

/**
 * There is no price because an assumption is invalid, such as a count that is `NaN`. `reason` is the `InvalidQuery` with which the
 * constructor of the query would refuse it.
 *
 * @category models
 * @since 0.1.0
 */
export interface Refused extends Terms {
  readonly _tag: "Refused"
  readonly reason: InvalidQuery
}

/**
 * What a query will cost.
 *
 * @category models
 * @since 0.1.0
 */
export type Estimate = Exact | Range | NotStated | Unavailable | Refused

/**
 * The part of a reply that decides the charge: its status, its contents, and the figure that the service reported as consumed (undefined
 * without one). Of the counts, only the one that the price depends on is needed.
 *
 * - `contracts`: the contracts of a chain; `quoted`: those with quote data, all if left out
 * - `symbols`: the symbols in the reply; for quotes, those with quote data, see `Credits.countWithQuotes`
 * - `unclear`: further contracts or symbols of which the reply does not tell whether they have quote data, because not all prices were
 *   asked for; 0 if left out
 * - `candles`: the candles in the reply
 *
 * @category models
 * @since 0.1.0
 */
export interface Outcome {
  readonly status: number
  readonly contracts?: number | undefined
  readonly quoted?: number | undefined
  readonly symbols?: number | undefined
  readonly unclear?: number | undefined
  readonly candles?: number | undefined
  readonly reported?: number | undefined
}

/**
 * What a request cost, in credits.
 *
 * - `credits`: what it was certainly charged: the figure of the service if there is one, otherwise `computed`. Both stay visible
 * - `uncertain`: what it may have been charged in addition, if the reply does not tell and the service gave no figure
 * - `computed`: the price by the rule, the lowest one if the reply does not tell. It is undefined if no price is stated, or if its units
 *   were not counted; `credits` is then the figure of a named assumption
 * - `finding`: `UnexplainedCharge` if the service's figure follows from no price, neither the contract's nor the public service's.
 *   `figures` says whether it is recorded
 *
 * @category models
 * @since 0.1.0
 */
export interface Charge extends Terms {
  readonly credits: number
  readonly uncertain: number
  readonly reported: number | undefined
  readonly computed: number | undefined
  readonly finding: Finding | undefined
}

/** Makes an estimate between two bounds. `JSON.stringify` prints an infinite upper bound as `"Infinity"`, not as null. */
export const range = (fields: Omit<Range, "_tag">): Range => {
  const made: Range = { _tag: "Range", ...fields }
  // Any other is printed as it is.
  return fields.max === Infinity ? Json.withJson(made, toJSON) : made
}

function toJSON(this: Range) {
  return { ...this, max: "Infinity" }
}

/**
 * Returns the lowest and the highest cost that an estimate allows, in credits. If there is no price, it is from 0 to `Infinity`.
 *
 * @example
 * ```ts
 * import * as Credits from "@effect-marketdata/core/Credits"
 * import * as DataMode from "@effect-marketdata/core/DataMode"
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Result from "effect/Result"
 *
 * const quotes = Result.getOrThrow(Query.stockQuotes(["AAPL", "MSFT"], { mode: DataMode.live }))
 * Credits.bounds(Credits.estimate(quotes)) // => { min: 0, max: 2 }
 * ```
 *
 * @category getters
 * @since 0.1.0
 */
export const bounds = (self: Estimate): { readonly min: number; readonly max: number } => {
  switch (self?._tag) {
    case "Exact":
      return { min: self.credits, max: self.credits }
    case "Range":
      return { min: self.min, max: self.max }
    default:
      return known(self) && { min: 0, max: Infinity }
  }
}

/** Returns an estimate unchanged; throws for any other value, such as the `Result` of a query. */
export const known = /* @__PURE__ */ Problem.guard("estimate", "Credits.estimate(query)", { _tag: "", assumptions: [] })

/** The name of the size that bounds an estimate. */
export const sizeOfChain = "size of the chain"

/**
 * What a reply showed of the size of a chain. It is plain data, and can be stored as JSON.
 *
 * - `underlying`: in capital letters
 * - `filters`: what was asked for, by the names of the parameters
 * - `contracts`: of a chain, how many it had
 * - `strikes`: of a reply about strikes, how many each expiration has
 * - `seenAt`: when it was so, in epoch seconds
 *
 * @category models
 * @since 0.1.0
 */
export type ChainSize =
  | Asked & { readonly _tag: "Chain"; readonly contracts: number }
  | Asked & { readonly _tag: "Strikes"; readonly strikes: Readonly<Record<string, number>> }

/** What was asked for, and when. */
interface Asked {
  readonly underlying: string
  readonly filters: Readonly<Record<string, string>>
  readonly seenAt: number
}

/**
 * Sizes that were seen, and the current time in epoch seconds.
 *
 * @category models
 * @since 0.1.0
 */
export interface Seen {
  readonly sizes: ReadonlyArray<ChainSize>
  readonly now: number
}

/** What is counted in a reply to tell its price. */
export type Unit = "contracts" | "symbols" | "candles"

/**
 * How the replies to a query are priced by what they hold. Estimates and charges both follow from it, so that they cannot contradict each
 * other.
 *
 * - `PerReply`: a number of credits, whatever is in it
 * - `PerUnit`: one credit for each `per` units, and at least `least`
 * - `Between`: no stated price; something from the price per thousand to the price per unit
 * - `NotStated`: no stated price, and no bounds; `otherwise` is the price that a charge assumes
 * - `Unavailable`: there is no such reply
 */
export type Tariff =
  | PerReply
  | PerUnit
  | Terms & { readonly _tag: "Between"; readonly least: number }
  | Terms & { readonly _tag: "NotStated"; readonly what: string; readonly otherwise: PerReply | PerUnit }
  | Terms & { readonly _tag: "Unavailable"; readonly why: string }

/** The same price for every reply. */
type PerReply = Terms & { readonly _tag: "PerReply"; readonly credits: number }

/** A price by the units of a reply. `fewest` is the least number of paid units in a reply with data. */
export interface PerUnit extends Terms {
  readonly _tag: "PerUnit"
  readonly unit: Unit
  readonly per: 1 | 1000
  readonly fewest: 0 | 1
  readonly least: number
}

const quoteData = { any: "any of bid, ask, mid and last is not null", all: "none of bid, ask, mid and last is null" }

/** The tariff of a query, by the mode of its first request. */
export const of = (query: Query.Query, assume: PriceOptions): Tariff => {
  const profile = assume.profile ?? Profile.defaultProfile
  const kindStated = query.endpoint.kindStated
  const kind = assume.kind !== undefined && !kindStated ? assume.kind : query.kind
  const named: ReadonlyArray<Assumption> = kindStated
    ? []
    : [{ name: `price rule of ${query.endpoint.name}`, value: kind }]
  const perReply = (clause: string, credits = 1, assumptions = named): PerReply => ({
    _tag: "PerReply",
    credits,
    clause,
    assumptions
  })
  const perUnit = (unit: Unit, per: 1 | 1000, fewest: 0 | 1, clause: string): PerUnit => ({
    _tag: "PerUnit",
    unit,
    per,
    fewest,
    least: Profile.get(profile, "leastCharge"),
    clause,
    assumptions: per === 1000
      ? [...named, rounding(assume)]
      : kind === "quotes"
      ? [...named, { name: "has quote data", value: quoteData[assume.quoteData ?? "any"] }]
      : named
  })

  if (kind === "free") {
    return perReply("9-version", 0, [{ name: "charge for account and status pages", value: "0" }])
  }
  if (DataMode.isCached(query.mode)) {
    return query.cacheable
      ? perReply(kind === "chain" ? "4.1-cost-cached" : "8.2-cost-quotes")
      : {
        _tag: "Unavailable",
        why: "there is no cached data of past days, nor of anything but chains and quotes",
        clause: "8.2-cached-unavailable",
        assumptions: []
      }
  }
  // The public service sells replies without prices for less.
  const isPriced = kind === "chain" || kind === "quotes"
  const { prices } = query.endpoint
  if (isPriced && Profile.get(profile, "priceFreeColumns") && !query.returns.some((name) => prices.includes(name))) {
    return perReply("profile priceFreeColumns")
  }
  const ofOldMode = query.mode?._tag === "Eod" || query.mode?._tag === "Historical"
  if (kind === "chain") {
    if (query.historical) return perUnit("contracts", 1000, 1, "4.1-cost-historical")
    if (assume.historical === true || ofOldMode) {
      return {
        _tag: "Between",
        least: Profile.get(profile, "leastCharge"),
        clause: "4.1-cost-historical",
        assumptions: [rounding(assume), { name: "data type", value: "historical" }]
      }
    }
    return perUnit("contracts", 1, 1, query.mode?._tag === "Delayed" ? "4.1-cost-delayed" : "4.1-cost-live")
  }
  if (kind === "quotes" && query.historical) {
    const perQuote = perUnit("symbols", 1000, 1, "8.2-cost-historical-quotes")
    return Profile.get(profile, "historicalQuotes") === "perThousand"
      ? perQuote
      : notStated("the price of quotes of past days", perQuote, perQuote.clause)
  }
  const asLive = kind === "quotes"
    ? perUnit("symbols", 1, 0, "8.2-cost-quotes")
    : kind === "candles"
    ? perUnit("candles", 1000, 1, "8.2-cost-candles")
    : kind === "bulkCandles"
    ? perUnit("symbols", 1, 1, "8.2-cost-bulk-candles")
    : perReply("8.2-cost-other")
  return ofOldMode && profile === "contract"
    ? notStated(`the price of the mode ${query.mode._tag.toLowerCase()}`, asLive, "8.2-modes")
    : asLive
}

const notStated = (what: string, otherwise: PerReply | PerUnit, clause: string): Tariff => ({
  _tag: "NotStated",
  what,
  otherwise,
  clause,
  assumptions: otherwise.assumptions
})

/** The contract does not state how a part of a thousand is rounded (clause 4.1-cost-historical). */
const rounding = ({ rounding: value = "up" }: PriceOptions) => ({ name: "rounding of a part of 1000", value })

/** A credit for each 1000, for a rounding that was read. */
export const perThousand = (count: number, rounding: Rounding = "up"): number => {
  if (count === 0) return 0
  const round = rounding === "down" ? Math.floor : rounding === "nearest" ? Math.round : Math.ceil
  return Math.max(1, round(count / 1000))
}

/** What a number of units cost, before a minimum charge. */
export const creditsFor = ({ per }: Pick<PerUnit, "per">, units: number, { rounding }: PriceOptions): number =>
  per === 1 ? units : perThousand(units, rounding)

/** Whether the answer is free for everyone on the public service. */
export const isFree = (query: Query.Query, { profile = Profile.defaultProfile }: PriceOptions): boolean =>
  Profile.get(profile, "demoIsFree") && Query.isDemo(query)

/** Whether only contracts with quote data are paid for. */
export const billsQuotedOnly = ({ per, unit }: PerUnit, { profile = Profile.defaultProfile }: PriceOptions): boolean =>
  unit === "contracts" && per === 1 && Profile.get(profile, "billedContracts") === "withQuoteData"

/**
 * Counts the rows of a reply that have quote data and so are charged: rows with any price, or under the rule `"all"` rows with all prices
 * (clause 8.2-cost-quotes). Each function in `prices` says whether a row has one of bid, ask, mid and last.
 *
 * @example
 * ```ts
 * import * as Credits from "@effect-marketdata/core/Credits"
 *
 * const [bid, ask] = [[1.2, null], [null, null]]
 * Credits.countWithQuotes(2, [(row) => bid[row] !== null, (row) => ask[row] !== null]) // => 1
 * ```
 *
 * @category pricing
 * @since 0.1.0
 */
export const countWithQuotes = (
  rows: number,
  prices: ReadonlyArray<(row: number) => boolean>,
  rule: "any" | "all" = "any"
): number => {
  Problem.expect(typeof rows === "number", "rows", rows, "a number of rows", "300")
  Problem.expect(rule === "any" || rule === "all", "rule", rule, "any or all", "any")
  Problem.list("prices", prices, (is) => Problem.expect(typeof is === "function", "price", is, "a function", "Boolean"))
  let count = 0
  for (let row = 0; row < rows; row++) {
    if (rule === "any" ? prices.some((price) => price(row)) : prices.every((price) => price(row))) count++
  }
  return count
}
