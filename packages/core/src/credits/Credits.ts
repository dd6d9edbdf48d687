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
import * as Profile from "../account/Profile.ts"
import { changed } from "../query/made.ts"
import type * as Query from "../query/query.ts"
import * as Amount from "../text/amount.ts"
import { bounds, type Estimate } from "./estimate.ts"
import { estimate } from "./pricing.ts"

/**
 * Prices before a query is asked.
 *
 * @since 0.1.0
 */
export { estimate } from "./pricing.ts"

/**
 * The lowest and the highest of them.
 *
 * @since 0.1.0
 */
export { bounds } from "./estimate.ts"

/**
 * Charges afterwards.
 *
 * @since 0.1.0
 */
export { charged } from "./billing.ts"

/**
 * What both go by.
 *
 * @since 0.1.0
 */
export { countWithQuotes, perThousand } from "./tariff.ts"

/**
 * Cheaper ways to ask a query.
 *
 * @since 0.1.0
 */
export { advice, type Way, ways } from "./advice.ts"

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
 * const size = Credits.sizeQuery(spx)
 * size && Query.target(size) // => "/v1/options/chain/SPX/?expiration=all&mode=cached"
 * size && Credits.format(Credits.estimate(size)) // => "0 to 1 credit"
 * ```
 *
 * @category pricing
 * @since 0.1.0
 */
export const sizeQuery = (
  query: Query.Query,
  profile: Profile.Profile = Profile.defaultProfile
): Query.Query | undefined => {
  if (DataMode.isCached(query.mode)) return undefined
  const { columns, prices } = query.endpoint
  const column = columns.find((name) => !prices.includes(name))
  const cheaper: Query.Query | undefined = Profile.get(profile, "priceFreeColumns") && column !== undefined
    ? changed(query, { columns: [column], returns: [column] })
    : query.cacheable
    ? changed(query, { mode: DataMode.cached(), maxAge: undefined })
    : undefined
  return cheaper !== undefined && bound(estimate(cheaper, { profile })) < bound(estimate(query, { profile }))
    ? cheaper
    : undefined
}

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
