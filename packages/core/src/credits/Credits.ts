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
import type { Finding } from "../columns/Finding.ts"
import { changed, withOptions } from "../query/made.ts"
import * as Period from "../query/Period.ts"
import * as Query from "../query/query.ts"
import { type Advice, formatCredits, formatRange, grouped } from "../reason/words.ts"
import * as Problem from "../text/Problem.ts"
import * as CalendarDate from "../time/CalendarDate.ts"
import { estimate } from "./pricing.ts"
import { bounds, type Charge, type Estimate, type Outcome, type PriceOptions, type Rounding } from "./tariff.ts"
import * as Tariff from "./tariff.ts"

/**
 * The price of a query before it is sent.
 *
 * @since 0.1.0
 */
export { estimate } from "./pricing.ts"

/**
 * The lowest and the highest cost of an estimate.
 *
 * @since 0.1.0
 */
export { bounds } from "./tariff.ts"

/**
 * Which rows of a reply are paid for.
 *
 * @since 0.1.0
 */
export { countWithQuotes } from "./tariff.ts"

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
  NotStated,
  Outcome,
  PriceOptions,
  Range,
  RecordedFigures,
  Refused,
  Rounding,
  Unavailable
} from "./tariff.ts"

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
  Problem.expect(roundings.includes(rounding), "rounding", rounding, "up, down or nearest", "up")
  return Tariff.perThousand(count, rounding)
}

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
  if (DataMode.isCached(Query.known(query).mode)) return undefined
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
export const formatAmount = (credits: number | undefined): string => formatCredits(credits)

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
  const { max, min } = bounds(self)
  switch (self._tag) {
    case "Exact":
      return `exactly ${formatAmount(self.credits)}`
    case "Range":
      return max === Infinity ? `at least ${formatAmount(min)}, no upper bound` : formatRange(min, max)
    case "NotStated":
      return `not stated: ${self.what}`
    case "Unavailable":
      return `unavailable: ${self.why}`
    case "Refused":
      return `refused: ${self.reason.message}`
  }
}

/**
 * A cheaper way to ask a query: the options of its constructor that change (undefined for one to leave out), the query with them, and its price.
 *
 * @category models
 * @since 0.1.0
 */
export interface Way {
  readonly options: Readonly<Record<string, string | number | { readonly [assumed: string]: number } | undefined>>
  readonly query: Query.Query
  readonly price: Estimate
}

type Changed = Omit<Way, "price">

/**
 * Returns the entries of `advice`, each with the changed query and its price.
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
export const ways = (query: Query.Query, budget: number, assume: PriceOptions = {}): ReadonlyArray<Way> => {
  // If a query falls back to live data, its live part has to fit.
  const isFallback = Query.known(query).mode?._tag === "CachedOrLive"
  const live = isFallback ? changed(query, { mode: DataMode.live }) : query
  const most = (query: Query.Query): number => bounds(estimate(query, assume)).max
  const fits = (way: Changed): boolean => most(way.query) <= budget
  const tariff = Tariff.of(live, { ...query.assume, ...assume })
  // Filters are advice for a query without a bound, whatever sizes were seen. One with a bound is cheaper only if the caller knows that less comes back.
  const takes = ({ options }: Changed) => Object.keys(options).every((name) => live.endpoint.parameters.includes(name))
  const hasBound = bounds(estimate(live, { ...assume, seen: undefined })).max < Infinity
  const filters = hasBound ? [] : filtering(live, tariff).map((some) => some.filter(takes))
  return [stating(live, tariff, budget), ...filters, isFallback ? [] : caching(live)].flatMap((some) => {
    const way = some.find(fits)
    if (way === undefined) return []
    const asked = isFallback ? changed(way.query, { mode: query.mode }) : way.query
    return [{ options: way.options, query: asked, price: estimate(asked, assume) }]
  })
}

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
 * // => [{ options: { to: "2026-02-01" }, cost: 1 }]
 * ```
 *
 * @category pricing
 * @since 0.1.0
 */
export const advice = (query: Query.Query, budget: number, assume?: PriceOptions): ReadonlyArray<Advice> =>
  ways(query, budget, assume).map(({ options, price }) => ({
    options: Object.fromEntries(Object.entries(options).map(([option, value]) => [option, value ?? null])),
    cost: bounds(price).max
  }))

/** States how many contracts come back, or what a reply costs. Of candles and of stocks all come and are paid for, however many are expected. */
const stating = (query: Query.Query, tariff: Tariff.Tariff, budget: number): ReadonlyArray<Changed> => {
  const assuming = (name: "contracts" | "credits", per: 1 | 1000): ReadonlyArray<Changed> => {
    // An example that the budget covers.
    const count = Math.min(per === 1 ? 100 : 5, Math.floor(budget)) * per
    if (query.assume[name] !== undefined || !(count >= 1)) return []
    const assume = { [name]: count }
    return [{ options: { assume }, query: changed(query, { assume: { ...query.assume, ...assume } }) }]
  }
  if (tariff._tag === "PerUnit") return tariff.unit === "contracts" ? assuming(tariff.unit, tariff.per) : []
  if (tariff._tag === "Between") return assuming("contracts", 1)
  return tariff._tag === "NotStated" ? assuming("credits", 1) : []
}

const caching = (query: Query.Query): ReadonlyArray<Changed> => {
  const mode = DataMode.cached()
  return query.cacheable && !DataMode.isCached(query.mode)
    ? [{ options: { mode: "cached" }, query: changed(query, { mode, maxAge: undefined }) }]
    : []
}

/** Filters that the query does not have. Of several ways that differ in a number only, the first that fits is enough. */
const filtering = (query: Query.Query, tariff: Tariff.Tariff): ReadonlyArray<ReadonlyArray<Changed>> => {
  const way = (options: Filters): Changed => ({ options, query: withOptions(query, options) })
  const unit = tariff._tag === "PerUnit" ? tariff.unit : tariff._tag === "Between" ? "contracts" : undefined
  const end = otherEnd(query)
  if (unit === "contracts") {
    const expirations = oneExpiration(query) ?? end ?? {}
    return [[way(expirations), ...[10, 5, 1].map((strikeLimit) => way({ ...expirations, strikeLimit }))]]
  }
  const ended = unit === undefined || end === undefined ? [] : [[way(end)]]
  return unit === "candles" && query.options["from"] === undefined ? [...ended, [way({ countback: 100 })]] : ended
}

/** Filters of a chain; an undefined one is removed. */
type Filters = Readonly<Record<string, string | number | undefined>>

/** The filters that choose a single expiration; undefined if the query names days already. */
const oneExpiration = ({ options }: Query.Query): Filters | undefined => {
  // Advice that names a day or a year would be out of date one day.
  if (options["expiration"] === "all") return { expiration: undefined, dte: 30 }
  if (options["month"] !== undefined && options["year"] === undefined) return { month: undefined, dte: 30 }
  const isChosen = ["expiration", "dte", "from", "to", "year"].some((name) => options[name] !== undefined)
  return isChosen ? undefined : { dte: 30 }
}

/** The end that a range lacks, 30 days from the other. */
const otherEnd = ({ options }: Query.Query): Readonly<Record<string, string>> | undefined => {
  const [missing, given, days] = options["from"] === undefined
    ? ["from", "to", -30] as const
    : ["to", "from", 30] as const
  const day = options[missing] === undefined ? Period.dayOf(options[given]) : undefined
  return day === undefined ? undefined : { [missing]: CalendarDate.format(CalendarDate.fromEpochDay(day + days)) }
}

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
export const charged = (query: Query.Query, reply: Outcome, assume: PriceOptions = {}): Charge => {
  const given = { ...Query.known(query).assume, ...assume }
  const outcome = counted(knownOutcome(reply))
  const { assumed, most, ...price } = priceOf(query, outcome, given)
  // An untyped caller may pass null for a missing header: that is not a charge of 0.
  const reported = typeof outcome.reported === "number" ? outcome.reported : undefined
  const least = price.computed ?? assumed ?? 0
  const uncertain = Math.max(0, (most ?? least) - least)
  if (reported === undefined) return { credits: least, uncertain, reported, finding: undefined, ...price }
  if (reported >= 0 && explains(query, outcome, given, reported)) {
    return { credits: reported, uncertain: 0, reported, finding: undefined, ...price }
  }
  const expected = price.computed === undefined ? "a price" : formatRange(least, least + uncertain)
  const finding = unexplained(expected, formatCredits(reported))
  return reported >= 0 && isRecorded(query, outcome, given, reported)
    ? { credits: reported, uncertain: 0, reported, finding, ...price }
    : { credits: least, uncertain, reported, finding, ...price }
}

const knownOutcome = /* @__PURE__ */ Problem.guard("outcome", "{ status: 200, symbols: 2 }", { status: 200 })

/** Leaves out values that are not counts, such as NaN. */
const counted = ({ candles, contracts, quoted, reported, status, symbols, unclear }: Outcome): Outcome => ({
  status,
  reported,
  contracts: countOf(contracts),
  quoted: countOf(quoted),
  symbols: countOf(symbols),
  unclear: countOf(unclear),
  candles: countOf(candles)
})

const countOf = (count: number | undefined): number | undefined =>
  Number.isSafeInteger(count) && count! >= 0 ? count : undefined

/** Made by hand, because a planner prices queries without any module that reads replies, such as that of `Finding.ofWhole`. */
const unexplained = (expected: string, received: string): Finding => {
  const example = { index: undefined, expected, received }
  return { code: "UnexplainedCharge", column: undefined, count: 1, examples: [example] }
}

/**
 * The price of a reply by its rule.
 *
 * - `computed`: the lowest price, as in `Charge`
 * - `most`: the highest price; the same if left out
 * - `assumed`: the price that a charge assumes where none is stated
 */
interface Price extends Pick<Charge, "computed" | "clause" | "assumptions"> {
  readonly assumed?: number
  readonly most?: number
}

const priceOf = (query: Query.Query, outcome: Outcome, assume: PriceOptions): Price => {
  const { status } = outcome
  if (status === 204) return { computed: 0, clause: "7.1-204", assumptions: [] }
  if (!isSuccess(status)) {
    const { refusal: computed = 0 } = assume
    const assumed = { name: `charge for status ${status}`, value: grouped(computed) }
    return { computed, clause: "7.1-charge-not-stated", assumptions: [assumed] }
  }
  const tariff = Tariff.of(query, assume)
  const { assumptions, clause } = tariff
  if (Tariff.isFree(query, assume)) return { computed: 0, clause: "profile demoIsFree", assumptions: [] }
  if (tariff._tag === "Between") return ofContracts(tariff, outcome, assume)
  if (tariff._tag === "PerUnit") return ofUnits(tariff, outcome, assume)
  if (tariff._tag === "PerReply") return { computed: tariff.credits, clause, assumptions }
  if (tariff._tag === "Unavailable") {
    return { computed: undefined, clause, assumptions: [{ name: "charge for what is unavailable", value: "0" }] }
  }
  const other = tariff.otherwise
  const assumed = other._tag === "PerReply"
    ? other.credits
    : ofUnits(other, outcome, assume).computed ?? other.fewest
  const named = { name: tariff.what, value: grouped(assumed) }
  return { computed: undefined, assumed, clause, assumptions: [named, ...assumptions] }
}

const isSuccess = (status: number): boolean => status === 200 || status === 203

/** The price of the units in a reply. Symbols, and on the public service contracts, cost a credit if they have quote data; `unclear` ones may have them. */
const ofUnits = (tariff: Tariff.PerUnit, outcome: Outcome, assume: PriceOptions): Price => {
  const { assumptions, clause, unit } = tariff
  const billsQuotedOnly = Tariff.billsQuotedOnly(tariff, assume)
  const rows = outcome[unit]
  const count = billsQuotedOnly ? outcome.quoted ?? rows : rows
  if (count === undefined) return withoutCount(unit, tariff)
  const price = (units: number): number => Math.max(tariff.least, Tariff.creditsFor(tariff, units, assume))
  const unclear = billsQuotedOnly || unit === "symbols" ? outcome.unclear ?? 0 : 0
  return { computed: price(count), most: price(count + unclear), clause, assumptions }
}

type Between = Extract<Tariff.Tariff, { readonly _tag: "Between" }>

/**
 * The price of a chain of historical data without a date, which the contract does not state: from the price per thousand contracts to the price per contract.
 * Every contract counts, with quote data or without: otherwise the highest price could be below the lowest.
 */
const ofContracts = (tariff: Between, { contracts }: Outcome, assume: PriceOptions): Price => {
  if (contracts === undefined) return withoutCount("contracts", tariff)
  const { assumptions, clause } = tariff
  const price = (per: 1 | 1000): number => Math.max(tariff.least, Tariff.creditsFor({ per }, contracts, assume))
  return { computed: price(1000), most: price(1), clause, assumptions }
}

/** The price of a reply whose units were not counted. */
const withoutCount = (unit: Tariff.Unit, { assumptions, clause }: Tariff.Tariff): Price => {
  const free = { name: `charge without a count of ${unit}`, value: "0" }
  return { computed: undefined, clause, assumptions: [free, ...assumptions] }
}

const profiles: ReadonlyArray<Profile.Profile> = ["contract", "public"]
const roundings: ReadonlyArray<Rounding> = ["up", "down", "nearest"]

/** Whether a price rule explains a figure: that of the contract or of the public service, however a part of a thousand is rounded. */
const explains = (query: Query.Query, outcome: Outcome, assume: PriceOptions, reported: number): boolean => {
  if (outcome.status === 204) return reported === 0
  if (!isSuccess(outcome.status)) return reported <= uncounted(query, assume)
  return profiles.some((profile) =>
    roundings.some((rounding) => {
      const { computed: least, most } = priceOf(query, outcome, { ...assume, profile, rounding })
      // Without a price, the contract states none, or its units were not counted.
      return least === undefined
        ? reported <= (isCounted(outcome) ? possible(query, outcome, assume) : uncounted(query, assume))
        : reported >= least && reported <= (most ?? least)
    })
  )
}

/** Whether a figure is recorded that no price rule explains. */
const isRecorded = (
  query: Query.Query,
  outcome: Outcome,
  { figures = "possible", ...assume }: PriceOptions,
  reported: number
): boolean => figures === "any" || figures === "possible" && reported <= possible(query, outcome, assume)

/** How many times the contract's highest price, 1 credit for each row, a figure may be. Prices may rise, but not as much as that. */
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
  bounds(estimate(query, { ...assume, contracts: undefined, candles: undefined, symbols: undefined })).max
