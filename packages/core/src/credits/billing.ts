import { bounds, type Charge, type Outcome, type PriceOptions, type Rounding } from "./estimate.ts"
import type * as Profile from "../account/Profile.ts"
import type * as Query from "../query/query.ts"
import type { Finding } from "../columns/Finding.ts"
import * as Amount from "../text/amount.ts"
import * as Pricing from "./pricing.ts"
import * as Tariff from "./tariff.ts"

/**
 * Returns what a request cost, from its reply. The price follows the mode that was asked for: a 203 to a live request has the live price
 * (clause 7.2-203-price). A 204 is free (clause 7.1-204). That any other status but 200 and 203 is free is a named assumption (clause
 * 7.1-charge-not-stated). A figure that the service reports replaces the computed price, unless it cannot be true: see `RecordedFigures`.
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
export const charged = (query: Query.Query, outcome: Outcome, assume: PriceOptions = {}): Charge => {
  const given = { ...query.assume, ...assume }
  const { assumed, most, ...price } = computed(query, outcome, given)
  const { reported } = outcome
  const least = price.computed ?? assumed ?? 0
  const uncertain = Math.max(0, (most ?? least) - least)
  if (reported === undefined) return { credits: least, uncertain, reported, finding: undefined, ...price }
  if (explains(query, outcome, given, reported)) {
    return { credits: reported, uncertain: 0, reported, finding: undefined, ...price }
  }
  const expected = price.computed === undefined ? "a price" : Amount.formatRange(least, least + uncertain)
  const finding = unexplained(expected, Amount.format(reported))
  return isRecorded(query, outcome, given, reported)
    ? { credits: reported, uncertain: 0, reported, finding, ...price }
    : { credits: least, uncertain, reported, finding, ...price }
}

const unexplained = (expected: string, received: string): Finding => ({
  code: "UnexplainedCharge",
  column: undefined,
  count: 1,
  examples: [{ index: undefined, expected, received }]
})

/** `most` is the greatest price where the reply does not tell how much it is. */
interface Computed extends Pick<Charge, "computed" | "clause" | "assumptions"> {
  readonly assumed?: number
  readonly most?: number | undefined
}

const computed = (query: Query.Query, outcome: Outcome, assume: PriceOptions): Computed => {
  const { status } = outcome
  if (status === 204) return { computed: 0, clause: "7.1-204", assumptions: [] }
  if (!isSuccess(status)) {
    const credits = assume.refusal ?? 0
    return {
      computed: credits,
      clause: "7.1-charge-not-stated",
      assumptions: [{ name: `charge for status ${status}`, value: Amount.grouped(credits) }]
    }
  }
  const tariff = Tariff.of(query, assume)
  const { assumptions, clause } = tariff
  if (Tariff.isFree(query, assume)) return { computed: 0, clause: "profile demoIsFree", assumptions: [] }
  if (tariff._tag === "Between") {
    // Every contract counts, with quote data or without: less could be under the price per thousand.
    const of = (per: 1 | 1000) =>
      ofUnits({ ...tariff, _tag: "PerUnit", unit: "contracts", per, fewest: 0 }, {
        ...outcome,
        quoted: undefined,
        unclear: 0
      }, assume)
    return { ...of(1000), most: of(1).computed }
  }
  if (tariff._tag === "PerUnit") return ofUnits(tariff, outcome, assume)
  if (tariff._tag === "PerReply") return { computed: tariff.credits, clause, assumptions }
  if (tariff._tag === "Unavailable") {
    return { computed: undefined, clause, assumptions: [{ name: "charge for what is unavailable", value: "0" }] }
  }
  const other = tariff.otherwise
  const assumed = other._tag === "PerReply"
    ? other.credits
    : ofUnits(other, outcome, assume).computed ?? other.fewest
  const named = { name: tariff.what, value: Amount.grouped(assumed) }
  return { computed: undefined, assumed, clause, assumptions: [named, ...assumptions] }
}

const isSuccess = (status: number): boolean => status === 200 || status === 203

/** Symbols, and on the public service contracts, are paid for that have quote data; where the reply does not tell, any of them may have. */
const ofUnits = (tariff: Tariff.PerUnit, outcome: Outcome, assume: PriceOptions): Computed => {
  const { assumptions, clause, unit } = tariff
  const billsQuotedOnly = Tariff.billsQuotedOnly(tariff, assume)
  const rows = outcome[unit]
  const count = billsQuotedOnly ? outcome.quoted ?? rows : rows
  if (count === undefined) {
    return {
      computed: undefined,
      clause,
      assumptions: [{ name: `charge without a count of ${unit}`, value: "0" }, ...assumptions]
    }
  }
  const price = (units: number): number => Math.max(tariff.least, Tariff.creditsFor(tariff, units, assume))
  const unclear = billsQuotedOnly || unit === "symbols" ? outcome.unclear ?? 0 : 0
  return { computed: price(count), most: price(count + unclear), clause, assumptions }
}

const profiles: ReadonlyArray<Profile.Profile> = ["contract", "public"]
const roundings: ReadonlyArray<Rounding> = ["up", "down"]

/** Whether a price rule leads to a figure, in any reading: the contract's or the public service's, and a part of a thousand counted either way. */
const explains = (query: Query.Query, outcome: Outcome, assume: PriceOptions, reported: number): boolean => {
  if (outcome.status === 204) return reported === 0
  if (!isSuccess(outcome.status)) return reported <= uncounted(query, assume)
  return profiles.some((profile) =>
    roundings.some((rounding) => {
      const { computed: least, most } = computed(query, outcome, { ...assume, profile, rounding })
      // Without a price none is stated, or nobody counted what it goes by.
      return least === undefined
        ? reported <= (isCounted(outcome) ? possible(query, outcome, assume) : uncounted(query, assume))
        : reported >= least && reported <= (most ?? least)
    })
  )
}

/** Whether a figure is recorded that no price rule of the query leads to. */
const isRecorded = (
  query: Query.Query,
  outcome: Outcome,
  { figures = "possible", ...assume }: PriceOptions,
  reported: number
): boolean => figures === "any" || figures === "possible" && reported <= possible(query, outcome, assume)

/** No price of the contract is above 1 credit for each row. Prices may change; that they become that many times as high cannot be. */
const timesDearer = 100

/** The most that a reply can have cost, whatever the prices. */
const possible = (query: Query.Query, outcome: Outcome, assume: PriceOptions): number => {
  const { candles = 0, contracts = 0, symbols = 0, unclear = 0 } = outcome
  const rows = isCounted(outcome)
    ? Math.max(contracts, candles, symbols + unclear, assume.credits ?? 0)
    : uncounted(query, assume)
  return Math.max(1, rows) * timesDearer
}

const isCounted = ({ candles, contracts, status, symbols }: Outcome): boolean =>
  isSuccess(status) && [candles, contracts, symbols].some((count) => count !== undefined)

/** The most that a reply can have cost whose rows were not counted. What the caller assumed about it may have been wrong. */
const uncounted = (query: Query.Query, assume: PriceOptions): number =>
  bounds(
    Pricing.estimate(query, { ...assume, contracts: undefined, candles: undefined, symbols: undefined })
  ).max
