/**
 * What a query costs: an estimate before it is asked, and the charge afterwards. A cost is never a guess: an estimate is exact,
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
import * as Advice from "./advice.ts"
import * as Amount from "../text/amount.ts"
import * as Billing from "./billing.ts"
import * as Pricing from "./pricing.ts"
import * as QuoteData from "./quoteData.ts"
import * as Tariff from "./tariff.ts"
import * as Profile from "../account/Profile.ts"
import * as Query from "../query/query.ts"
import type { Charge, Estimate, Outcome, PriceOptions, Rounding } from "./estimate.ts"

/**
 * What an estimate takes for granted, what it comes to, and what a reply was charged.
 *
 * @since 0.1.0
 */
export type {
  Assumption,
  Charge,
  Estimate,
  Exact,
  Figures,
  NotStated,
  Outcome,
  PriceOptions,
  Range,
  Refused,
  Rounding,
  Unavailable
} from "./estimate.ts"
/**
 * Prices what costs 1 credit for each 1000: contracts of a past day (clause 4.1-cost-historical) and candles (clause 8.2-cost-candles).
 * A part counts as a whole unless `rounding` says otherwise; anything costs at least 1, nothing costs nothing.
 *
 * @category pricing
 * @since 0.1.0
 */
export const perThousand: (count: number, rounding?: Rounding) => number = Tariff.perThousand

/**
 * Counts the rows of a reply that have quote data, and so are paid for: any of their prices is there, or all of them are if `rule` says so
 * (clause 8.2-cost-quotes). Each of `prices` tells of a row whether one of bid, ask, mid and last is.
 *
 * @example
 * ```ts
 * import * as Credits from "@effect-marketdata/core/Credits"
 *
 * const [bid, ask] = [[1.2, null], [null, null]]
 * Credits.countQuoted(2, [(row) => bid[row] !== null, (row) => ask[row] !== null]) // => 1
 * ```
 *
 * @category pricing
 * @since 0.1.0
 */
export const countQuoted: (
  rows: number,
  prices: ReadonlyArray<(row: number) => boolean>,
  rule?: "any" | "all"
) => number = QuoteData.count

/**
 * Estimates what a query will cost if it is answered with data, before it is asked.
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
export const estimate: (query: Query.Query, assume?: PriceOptions) => Estimate = Pricing.estimate

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
export const advice: (query: Query.Query, budget: number, assume?: PriceOptions) => ReadonlyArray<string> =
  Advice.advice

/**
 * Returns a cheaper query whose answer tells how much the query itself would return, and so what it would cost; undefined where
 * there is none.
 *
 * By the contract that is the same query about cached data, for 1 credit or for none on a miss. The public service also sells replies
 * without prices for 1 credit: the same query with a single column that is not a price, in the same mode.
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
export const charged: (query: Query.Query, outcome: Outcome, assume?: PriceOptions) => Charge = Billing.charged

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
