/**
 * What a query costs: an estimate before it is asked, and the charge afterwards. A price is never guessed: an estimate is exact, a range,
 * not stated, unavailable or refused, and names its clause and its assumptions (contract 4.1, 8.2).
 *
 * Where the contract says nothing, the estimate makes a named assumption, and `assume` can change it.
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
 * @see {@link Ledger} which keeps count of credits
 * @see {@link Workload} for what many queries cost over time
 * @see {@link ModeSelection} for the cheapest mode
 * @since 0.1.0
 */
import * as DataMode from "../account/DataMode.ts"
import * as Advice from "./advice.ts"
import type * as Reason from "../reason/words.ts"
import * as Amount from "../text/amount.ts"
import * as Billing from "./billing.ts"
import * as Pricing from "./pricing.ts"
import * as Tariff from "./tariff.ts"
import * as Profile from "../account/Profile.ts"
import * as Query from "../query/query.ts"
import {
  bounds as boundsOf,
  type Charge,
  type Estimate,
  type Outcome,
  type PriceOptions,
  type Rounding
} from "./estimate.ts"

/**
 * Estimates with their assumptions, and charges.
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
 * Returns the price, in credits, of `count` contracts of a past day (clause 4.1-cost-historical) or candles (clause 8.2-cost-candles): 1
 * credit for each 1000. A part of 1000 is rounded up, unless `rounding` says otherwise. 0 costs 0, and anything else at least 1.
 *
 * @example
 * ```ts
 * import * as Credits from "@effect-marketdata/core/Credits"
 *
 * Credits.perThousand(1500) // => 2
 * Credits.perThousand(1500, "down") // => 1
 * Credits.perThousand(1) // => 1
 * ```
 *
 * @category pricing
 * @since 0.1.0
 */
export const perThousand: (count: number, rounding?: Rounding) => number = Tariff.perThousand

/**
 * Counts the rows of a reply that have quote data and so are charged: rows with any price, or under the rule `"all"` rows with all prices
 * (clause 8.2-cost-quotes). Each function in `prices` says whether a row has one of bid, ask, mid and last.
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
) => number = Tariff.countQuoted

/**
 * Estimates what a query will cost, in credits, if it is answered with data.
 *
 * - Chains: live and delayed 1 credit for each contract returned, cached at most 1 (a miss is free), past days 1 for each 1000 contracts
 *   (clauses 4.1-cost-live, 4.1-cost-delayed, 4.1-cost-cached, 4.1-cost-historical)
 * - Quotes: 1 for each symbol with quote data, cached at most 1 for each request; those of past days have no stated price (clauses
 *   8.2-cost-quotes, 8.2-cost-historical-quotes)
 * - Candles: 1 for each 1000; bulk candles: 1 for each symbol; anything else: 1 (clauses 8.2-cost-candles, 8.2-cost-bulk-candles,
 *   8.2-cost-other). None of these is available in cached mode (clause 8.2-cached-unavailable).
 *
 * The size of the reply is unknown, but filters bound it: the expirations, sides and strikes of a chain, the days of candles. The
 * estimate lists what such a bound assumes. `assume` states the size, and overrides what the query itself assumes. If an assumption
 * breaks its rule the estimate is `Refused`.
 *
 * @example
 * ```ts
 * import * as Credits from "@effect-marketdata/core/Credits"
 * import * as DataMode from "@effect-marketdata/core/DataMode"
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Result from "effect/Result"
 *
 * const quotes = Result.getOrThrow(Query.stockQuotes(["AAPL", "MSFT"]))
 * Credits.format(Credits.estimate(quotes)) // => "0 to 2 credits"
 * Credits.bound(Credits.estimate(quotes)) // => 2
 * Credits.format(Credits.estimate(Query.withMode(quotes, DataMode.cached()))) // => "0 to 1 credit"
 * ```
 *
 * @category pricing
 * @since 0.1.0
 */
export const estimate: (query: Query.Query, assume?: PriceOptions) => Estimate = Pricing.estimate

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
export const bounds: (self: Estimate) => { readonly min: number; readonly max: number } = boundsOf

/**
 * Returns the bound of an estimate: the most that the query can cost, in credits. It is `Infinity` if there is no bound, or no stated
 * price.
 *
 * @example
 * ```ts
 * import * as Credits from "@effect-marketdata/core/Credits"
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Result from "effect/Result"
 *
 * Credits.bound(Credits.estimate(Result.getOrThrow(Query.optionChain("SPX", { expiration: "all" })))) // => Infinity
 * ```
 *
 * @category getters
 * @since 0.1.0
 */
export const bound = (self: Estimate): number => bounds(self).max

/**
 * Returns ways to ask a query for at most `budget` credits. Each entry holds some options for its constructor, and adding one entry is enough.
 * The list is empty if the price cannot be bounded, or is above the budget in every way.
 *
 * @example
 * ```ts
 * import * as Credits from "@effect-marketdata/core/Credits"
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Result from "effect/Result"
 *
 * const candles = Result.getOrThrow(Query.stockCandles("D", "AAPL", { from: "2026-01-02" }))
 * Credits.advice(candles, 1000)
 * // => [{ options: { assume: { candles: 5000 } }, cost: 5 }, { options: { to: "2026-02-01" }, cost: 1 }]
 * ```
 *
 * @category pricing
 * @since 0.1.0
 */
export const advice: (query: Query.Query, budget: number, assume?: PriceOptions) => ReadonlyArray<Reason.Advice> =
  Advice.advice

/**
 * A cheaper way to ask a query: the options of its constructor that differ, the query with them, and its price.
 *
 * @since 0.1.0
 */
export type { Way } from "./advice.ts"

/**
 * Returns the ways that `advice` names, each with its query: the changed options, of which one to leave out is undefined, the query with them, and its price.
 *
 * @example
 * ```ts
 * import * as Credits from "@effect-marketdata/core/Credits"
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Result from "effect/Result"
 *
 * const spx = Result.getOrThrow(Query.optionChain("SPX", { expiration: "2026-12-18" }))
 * Credits.ways(spx, 100).map(({ options, price }) => [Object.keys(options), Credits.format(price)])
 * // => [[["assume"], "exactly 100 credits"], [["strikeLimit"], "1 to 80 credits"], [["mode"], "0 to 1 credit"]]
 * ```
 *
 * @category pricing
 * @since 0.1.0
 */
export const ways: (query: Query.Query, budget: number, assume?: PriceOptions) => ReadonlyArray<Advice.Way> =
  Advice.ways

/**
 * Returns a cheaper query that tells how much this query would return, and so what it would cost; undefined if there is none.
 *
 * By the contract it is the same query in cached mode, for 1 credit, or free on a miss. The public service also sells replies without
 * prices for 1 credit: the same query in the same mode, with a single column that is not a price.
 *
 * @example
 * ```ts
 * import * as Credits from "@effect-marketdata/core/Credits"
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Result from "effect/Result"
 *
 * const spx = Result.getOrThrow(Query.optionChain("SPX", { expiration: "all" }))
 * const probe = Credits.probe(spx)
 * probe && Query.target(probe) // => "/v1/options/chain/SPX/?expiration=all&mode=cached"
 * probe && Credits.format(Credits.estimate(probe)) // => "0 to 1 credit"
 * ```
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
 * Returns what a request cost, from its reply. The price follows the mode that was asked for: a 203 to a live request has the live price
 * (clause 7.2-203-price). A 204 is free (clause 7.1-204). That any other status but 200 and 203 is free is a named assumption (clause
 * 7.1-charge-not-stated). A figure that the service reports replaces the computed price, unless it cannot be true: see `Figures`.
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
 * Prints an amount of credits with its unit, such as `1 credit`.
 *
 * @example
 * ```ts
 * import * as Credits from "@effect-marketdata/core/Credits"
 *
 * Credits.formatAmount(22_718) // => "22,718 credits"
 * Credits.formatAmount(1) // => "1 credit"
 * ```
 *
 * @category formatting
 * @since 0.1.0
 */
export const formatAmount = (credits: number | undefined): string => Amount.format(credits)

/**
 * Prints an estimate in a few words.
 *
 * @example
 * ```ts
 * import * as Credits from "@effect-marketdata/core/Credits"
 * import * as DataMode from "@effect-marketdata/core/DataMode"
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Result from "effect/Result"
 *
 * const cached = Result.getOrThrow(Query.optionChain("SPX", { mode: DataMode.cached() }))
 * Credits.format(Credits.estimate(cached)) // => "0 to 1 credit"
 * ```
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
