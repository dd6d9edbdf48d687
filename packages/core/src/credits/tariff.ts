import * as DataMode from "../account/DataMode.ts"
import * as Profile from "../account/Profile.ts"
import * as Query from "../query/query.ts"
import * as Problem from "../text/Problem.ts"
import type { Assumption, PriceOptions, Rounding, Terms } from "./estimate.ts"

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
interface PerReply extends Terms {
  readonly _tag: "PerReply"
  readonly credits: number
}

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
const rounding = ({ rounding = "up" }: PriceOptions): Assumption => ({
  name: "rounding of a part of 1000",
  value: rounding
})

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
export const billsQuotedOnly = (
  { per, unit }: PerUnit,
  { profile = Profile.defaultProfile }: PriceOptions
): boolean => unit === "contracts" && per === 1 && Profile.get(profile, "billedContracts") === "withQuoteData"

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
