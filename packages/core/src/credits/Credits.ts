/**
 * What a question costs: an estimate before it is asked, and the charge afterwards. A cost is never a guess: an estimate is exact,
 * a range, not stated or unavailable, and names the clause it follows and whatever it assumes (contract 4.1, 8.2).
 *
 * Where the contract is silent and something has to be taken for granted, it is a named assumption, and `assume` chooses otherwise.
 *
 * @example
 * ```ts
 * import * as Credits from "@effect-marketdata/core/Credits"
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Result from "effect/Result"
 *
 * const spx = Result.getOrThrow(Query.optionChain("SPX", { expiration: "all" }))
 * Credits.format(Credits.estimate(spx)) // => "at least 1 credit, no upper bound"
 * Credits.format(Credits.estimate(spx, { contracts: 22_718 })) // => "exactly 22,718 credits"
 * const past = Result.getOrThrow(Query.optionQuote("AAPL261120C00150000", { date: "2026-11-19" }))
 * Credits.format(Credits.estimate(past)) // => "not stated: the price of quotes of past days"
 * ```
 *
 * @since 0.1.0
 */
import * as DataMode from "../account/DataMode.ts"
import type { Finding } from "../columns/Finding.ts"
import * as Advice from "./advice.ts"
import * as Amount from "../text/amount.ts"
import * as Billing from "./billing.ts"
import * as Pricing from "./pricing.ts"
import * as Tariff from "./tariff.ts"
import * as Profile from "../account/Profile.ts"
import * as Query from "../query/query.ts"
import type { InvalidQuery } from "../reason/Reason.ts"

/**
 * Something an estimate or a charge takes for granted: stated by the caller, or chosen where the contract is silent.
 *
 * @category models
 * @since 0.1.0
 */
export interface Assumption {
  readonly name: string
  readonly value: string
}

/**
 * What a price may take for granted, beside what a question assumes.
 *
 * - `profile`: whose rules hold where the public service contradicts the contract
 * - `rounding`: how a part of a thousand is counted, `up` if left out; something is never counted as nothing
 * - `quoteData`: which of bid, ask, mid and last a symbol needs to have quote data, `any` if left out (clause 8.2-cost-quotes)
 * - `requests`: how many requests a list of symbols is cut into; by 500 if left out
 * - `refusal`: what a reply costs that is no success, 0 if left out (clause 7.1-charge-not-stated)
 * - `figures`: which figures of the service are booked, `possible` if left out
 *
 * @category models
 * @since 0.1.0
 */
export interface Assumptions extends Query.Assumptions {
  readonly profile?: Profile.Profile | undefined
  readonly rounding?: Rounding | undefined
  readonly quoteData?: "any" | "all" | undefined
  readonly requests?: number | undefined
  readonly refusal?: number | undefined
  readonly figures?: Figures | undefined
}

/**
 * Which of the service's figures for a request are booked; otherwise it is the computed charge.
 *
 * - `any`: each of them
 * - `possible`: those of up to 100 credits for each row of the reply. The contract has no price above 1 credit for a row, and prices may rise; more
 *   is no price but a mistake
 * - `explained`: those to which the price of the query leads, by the contract or by the public service
 *
 * @category models
 * @since 0.1.0
 */
export type Figures = "any" | "possible" | "explained"

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
export interface Exact {
  readonly _tag: "Exact"
  readonly credits: number
  readonly clause: string
  readonly assumptions: ReadonlyArray<Assumption>
}

/**
 * The price lies between two bounds, both included. `max` is `Infinity` where nothing bounds it; `movedBy` says what decides.
 *
 * @category models
 * @since 0.1.0
 */
export interface Range {
  readonly _tag: "Range"
  readonly min: number
  readonly max: number
  readonly movedBy: string
  readonly clause: string
  readonly assumptions: ReadonlyArray<Assumption>
}

/**
 * The contract does not say what it costs; `what` names the price that is missing.
 *
 * @category models
 * @since 0.1.0
 */
export interface NotStated {
  readonly _tag: "NotStated"
  readonly what: string
  readonly clause: string
  readonly assumptions: ReadonlyArray<Assumption>
}

/**
 * There is no price because there is no such answer; `why` says so.
 *
 * @category models
 * @since 0.1.0
 */
export interface Unavailable {
  readonly _tag: "Unavailable"
  readonly why: string
  readonly clause: string
  readonly assumptions: ReadonlyArray<Assumption>
}

/**
 * There is no price because something that the price goes by is wrong, such as a count that is `NaN`. `reason` is the one for which the
 * constructor of the question refuses the same.
 *
 * @category models
 * @since 0.1.0
 */
export interface Refused {
  readonly _tag: "Refused"
  readonly reason: InvalidQuery
  readonly clause: string
  readonly assumptions: ReadonlyArray<Assumption>
}

/**
 * What a question will cost.
 *
 * @category models
 * @since 0.1.0
 */
export type Estimate = Exact | Range | NotStated | Unavailable | Refused

/**
 * Prices what costs 1 credit for each 1000: contracts of a past day (clause 4.1-cost-historical) and candles (clause 8.2-cost-candles).
 * A part counts as a whole unless `rounding` says otherwise; anything costs at least 1, nothing costs nothing.
 *
 * @category pricing
 * @since 0.1.0
 */
export const perThousand: (count: number, rounding?: Rounding) => number = Tariff.perThousand

/**
 * Tells whether a symbol has quote data, and so is paid for: any of bid, ask, mid and last is there, or all of them are if `rule` says
 * so (clause 8.2-cost-quotes). NaN stands for null, as in columns.
 *
 * @category pricing
 * @since 0.1.0
 */
export const hasQuoteData = (
  quote: {
    readonly bid?: number | null | undefined
    readonly ask?: number | null | undefined
    readonly mid?: number | null | undefined
    readonly last?: number | null | undefined
  },
  rule: "any" | "all" = "any"
): boolean => {
  const isThere = (price: number | null | undefined) => price !== undefined && price !== null && !Number.isNaN(price)
  const prices = [quote.bid, quote.ask, quote.mid, quote.last]
  return rule === "any" ? prices.some(isThere) : prices.every(isThere)
}

/**
 * Estimates what a question will cost if it is answered with data, before it is asked.
 *
 * - Chains: live and delayed 1 credit for each contract returned, cached at most 1 (a miss is free), past days 1 for each 1000 contracts
 *   (clauses 4.1-cost-live, 4.1-cost-delayed, 4.1-cost-cached, 4.1-cost-historical)
 * - Quotes: 1 for each symbol with quote data, cached at most 1 for each request; those of past days have no stated price
 *   (clauses 8.2-cost-quotes, 8.2-cost-historical-quotes)
 * - Candles: 1 for each 1000; bulk candles: 1 for each symbol; anything else: 1 (clauses 8.2-cost-candles, 8.2-cost-bulk-candles,
 *   8.2-cost-other). None of these is there in cached mode (clause 8.2-cached-unavailable).
 *
 * How much comes back is not known beforehand. Filters bound it: the expirations, sides and strikes of a chain, the days of candles. What such a
 * bound takes for granted is among the assumptions of the estimate. `assume` states how much it is, and overrides what the query assumes.
 * An assumption that breaks its rule is `Refused`: there is no price to go by.
 *
 * @category pricing
 * @since 0.1.0
 */
export const estimate: (query: Query.Query, assume?: Assumptions) => Estimate = Pricing.estimate

/**
 * Returns the least and the most that an estimate allows for, in credits. Where there is no price that is anything from 0 on.
 *
 * @category getters
 * @since 0.1.0
 */
export const bounds: (self: Estimate) => { readonly min: number; readonly max: number } = Pricing.bounds

/**
 * Returns the most that an estimate allows for, in credits; `Infinity` where there is no upper bound, also because no price is stated.
 *
 * @category getters
 * @since 0.1.0
 */
export const bound = (self: Estimate): number => bounds(self).max

/**
 * Says how a query can be asked for at most `budget` credits: each entry is a few options of its constructor, as they are written, and
 * adding one entry is enough. None for a query whose price cannot be bounded, or is above the budget in every way.
 *
 * @example
 * ```ts
 * import * as Credits from "@effect-marketdata/core/Credits"
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Result from "effect/Result"
 *
 * const candles = Result.getOrThrow(Query.stockCandles("D", "AAPL", { from: "2026-01-02" }))
 * Credits.advice(candles, 1000) // => ["assume: { candles: 5000 }", `to: "2026-02-01"`]
 * ```
 *
 * @category pricing
 * @since 0.1.0
 */
export const advice: (query: Query.Query, budget: number, assume?: Assumptions) => ReadonlyArray<string> = Advice.advice

/**
 * Returns a cheaper question whose answer tells how much the question itself would return, and so what it would cost; undefined where
 * there is none.
 *
 * By the contract that is the same question about cached data, for 1 credit or for none on a miss. The public service also sells replies
 * without prices for 1 credit: the same question with a single column that is no price, in the same mode.
 *
 * @category pricing
 * @since 0.1.0
 */
export const probe = (
  query: Query.Query,
  profile: Profile.Profile = Profile.defaultProfile
): Query.Query | undefined => {
  if (DataMode.isCached(query.mode)) return undefined
  const { columns, prices } = query.endpoint
  const column = columns.find((name) => !prices.includes(name))
  const cheaper: Query.Query | undefined = Profile.get(profile, "priceFreeColumns") && column !== undefined
    ? { ...query, columns: [column], returns: [column] }
    : query.cacheable
    ? { ...query, mode: DataMode.cached(), maxAge: undefined }
    : undefined
  return cheaper !== undefined && bound(estimate(cheaper, { profile })) < bound(estimate(query, { profile }))
    ? cheaper
    : undefined
}

/**
 * What came back, as far as it decides the charge: the status, how much the reply held, and the figure that the service gave as consumed
 * (undefined where it gave none). Of the counts the question's price needs one.
 *
 * - `contracts`: contracts of a chain; `quoted`: those of them with quote data, all of them if left out
 * - `symbols`: symbols in the reply; of quotes those that have quote data, see `hasQuoteData`
 * - `unclear`: contracts or symbols besides of which the reply does not tell whether they have quote data, none if left out: a price was not
 *   asked for
 * - `candles`: candles in the reply
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
 * - `credits`: what it was charged for certain: the service's own figure where it gave one, else the `computed` one; both stay visible
 * - `uncertain`: what it may have been charged besides: the reply does not tell, and the service gave no figure
 * - `computed`: the price by the rule, the least of them where the reply does not tell. It is undefined where no price is stated, or what it
 *   goes by was not counted; `credits` is then the figure of a named assumption
 * - `finding`: `UnexplainedCharge`, where the price rule leads to another figure than the service gave, in the contract's reading and in the
 *   public service's. Whether such a figure is booked all the same, `figures` says
 *
 * @category models
 * @since 0.1.0
 */
export interface Charge {
  readonly credits: number
  readonly uncertain: number
  readonly reported: number | undefined
  readonly computed: number | undefined
  readonly finding: Finding | undefined
  readonly clause: string
  readonly assumptions: ReadonlyArray<Assumption>
}

/**
 * Says what a request cost, from what came back. The price follows the mode that was asked for: a 203 to a live request is billed
 * live (clause 7.2-203-price). 204 is free (clause 7.1-204); that any other status but 200 and 203 is free is a named assumption
 * (clause 7.1-charge-not-stated). A figure reported by the service wins, unless it cannot be true: see `Figures`.
 *
 * @example
 * ```ts
 * import * as Credits from "@effect-marketdata/core/Credits"
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Result from "effect/Result"
 *
 * const bids = Result.getOrThrow(Query.stockQuotes(["A", "B"], { columns: ["symbol", "bid"] }))
 * // B has a bid; that A has none says nothing of its other prices.
 * const charge = Credits.charged(bids, { status: 200, symbols: 1, unclear: 1 })
 * charge.credits // => 1
 * charge.uncertain // => 1
 * Credits.charged(bids, { status: 200, symbols: 1, unclear: 1, reported: 2 }).credits // => 2
 * Credits.charged(bids, { status: 200, symbols: 1, unclear: 1, reported: 999_999_999 }).finding?.code // => "UnexplainedCharge"
 * ```
 *
 * @category pricing
 * @since 0.1.0
 */
export const charged: (query: Query.Query, outcome: Outcome, assume?: Assumptions) => Charge = Billing.charged

/**
 * Prints a number of credits with its unit.
 *
 * @category formatting
 * @since 0.1.0
 */
export const formatAmount = (credits: number | undefined): string => Amount.format(credits)

/**
 * Prints an estimate in a few words.
 *
 * @category formatting
 * @since 0.1.0
 */
export const format = (self: Estimate): string => {
  switch (self._tag) {
    case "Exact":
      return `exactly ${formatAmount(self.credits)}`
    case "Range":
      return self.max === Infinity
        ? `at least ${formatAmount(self.min)}, no upper bound`
        : Amount.formatRange(self.min, self.max)
    case "NotStated":
      return `not stated: ${self.what}`
    case "Unavailable":
      return `unavailable: ${self.why}`
    case "Refused":
      return `refused: ${self.reason.message}`
  }
}
