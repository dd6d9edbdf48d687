import * as Result from "effect/Result"
import * as DataMode from "../account/DataMode.ts"
import * as Profile from "../account/Profile.ts"
import * as Construct from "../query/construct.ts"
import type { Endpoint } from "../query/Endpoint.ts"
import { isSound } from "../query/made.ts"
import * as Parameter from "../query/parameter.ts"
import * as Period from "../query/Period.ts"
import * as Query from "../query/query.ts"
import * as Rules from "../query/rules.ts"
import type { InvalidQuery } from "../reason/Reason.ts"
import { grouped } from "../reason/words.ts"
import * as Untyped from "../text/untyped.ts"
import * as TradingCalendar from "../time/TradingCalendar.ts"
import * as Bounds from "./bounds.ts"
import * as ChainSize from "./ChainSize.ts"
import { type Assumption, bounds, type Estimate, type PriceOptions, range, type Seen, type Terms } from "./tariff.ts"
import * as Tariff from "./tariff.ts"

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
export const estimate = (query: Query.Query, assume: PriceOptions = {}): Estimate => {
  const checked = Construct.checkChanged(query)
  if (Result.isFailure(checked)) return refused(checked.failure, "8.2-modes")
  const row = query.endpoint
  const given = Result.flatMap(readForPrice(row, assume), (read) => {
    // An undefined assumption removes that of the query.
    const all = { ...query.assume, ...assume, ...read }
    return isSound(query) ? Result.succeed(all) : readForPrice(row, all)
  })
  return Result.isSuccess(given)
    ? calculate(query, given.success)
    : refused(given.failure, Tariff.of(query, {}).clause)
}

const refused = (reason: InvalidQuery, clause: string): Estimate => ({
  _tag: "Refused",
  reason,
  clause,
  assumptions: []
})

const calculate = (query: Query.Query, given: PriceOptions): Estimate => {
  const tariff = Tariff.of(query, given)
  if (query.mode?._tag === "CachedOrLive" && tariff._tag !== "Unavailable") {
    return fallback(query, calculate({ ...query, mode: DataMode.live }, given), given)
  }
  switch (tariff._tag) {
    case "NotStated":
      return notStated(query, tariff, given)
    case "Unavailable":
      return tariff
    case "PerReply": {
      const { count, named } = requestsOf(query, given)
      const most = tariff.credits * count
      const terms = { clause: tariff.clause, assumptions: [...tariff.assumptions, ...named] }
      return DataMode.isCached(query.mode)
        ? between(0, most, "whether anything cached is young enough", terms)
        : between(Tariff.isFree(query, given) ? 0 : most, most, freeDemo, terms)
    }
    case "Between": {
      const { fewest, most, named } = unitsOf(query, "contracts", 1, given)
      const min = Math.max(1, Tariff.perThousand(fewest, given.rounding))
      return range({
        min: Tariff.isFree(query, given) ? 0 : min,
        max: Math.max(min, most),
        movedBy: "historical data served without a date has no stated price",
        clause: tariff.clause,
        assumptions: [...named, ...tariff.assumptions]
      })
    }
    case "PerUnit": {
      const { fewest, most, named } = unitsOf(query, tariff.unit, tariff.fewest, given)
      const { count, named: requests } = requestsOf(query, given)
      const price = (units: number) => Math.max(tariff.least * count, Tariff.creditsFor(tariff, units, given))
      // On the public service a contract without quote data costs nothing, and any of them may have none.
      const min = Tariff.billsQuotedOnly(tariff, given) ? price(0) : price(fewest)
      const terms = { clause: tariff.clause, assumptions: [...named, ...tariff.assumptions, ...requests] }
      return between(Tariff.isFree(query, given) ? 0 : min, price(most), movers[tariff.unit], terms)
    }
  }
}

const between = (min: number, max: number, movedBy: string, terms: Terms): Estimate =>
  min === max ? { _tag: "Exact", credits: min, ...terms } : range({ min, max, movedBy, ...terms })

const movers = {
  contracts: "how many contracts come back",
  symbols: "how many of the symbols come back with data",
  candles: "how many candles come back"
}

const freeDemo = "the public service says that its demo symbols cost nothing"

/** The contract states no price: the caller may say what a reply costs at most. */
const notStated = (
  query: Query.Query,
  { assumptions, clause, what }: Extract<Tariff.Tariff, { readonly _tag: "NotStated" }>,
  assume: PriceOptions
): Estimate => {
  if (assume.credits === undefined) return { _tag: "NotStated", what, clause, assumptions }
  const { count, named } = requestsOf(query, assume)
  const stated: Assumption = { name: what, value: `at most ${grouped(assume.credits)}` }
  return between(0, assume.credits * count, "the contract states no price", {
    clause,
    assumptions: [stated, ...assumptions, ...named]
  })
}

/** How many units are returned: as many as the caller assumes, or else at most as many as the query allows. */
const unitsOf = (query: Query.Query, unit: Tariff.Unit, fewest: 0 | 1, assume: PriceOptions) => {
  const count = assume[unit]
  if (count !== undefined) {
    // With a limit of exactly the expected number, fewer may be returned.
    const isMost = unit === "contracts" && query.options["limit"] === count
    const value = isMost ? `at most ${grouped(count)}, the limit` : grouped(count)
    return { fewest: isMost ? Math.min(fewest, count) : count, most: count, named: [{ name: unit, value }] }
  }
  const most = maximumOf(query, unit, assume)
  return { fewest, most: Math.max(fewest, most.count), named: most.assumptions }
}

const maximumOf = (query: Query.Query, unit: Tariff.Unit, { profile = Profile.defaultProfile, seen }: PriceOptions) => {
  if (unit === "contracts") return Bounds.maxContracts(query, profile, seen)
  return unit === "candles" ? Bounds.maxCandles(query) : maxSymbols(query)
}

/** The most quotes that are returned: unbounded without tickers, and with a range of days one for each day. */
const maxSymbols = (query: Query.Query): Bounds.Maximum => {
  if (query.tickers.length === 0) return Bounds.none
  if (!query.historical || Query.dateOf(query) !== undefined) return Bounds.make(query.tickers.length)
  const range = Period.rangeOf(query.options)
  if (range === undefined) return Bounds.none
  const days = TradingCalendar.countSessions(range.first, range.last)
  return Bounds.make(days, { name: "quotes", value: `at most ${grouped(days)}, 1 for each trading day of the NYSE` })
}

/** How many requests a query takes. */
const requestsOf = (query: Query.Query, { requests }: PriceOptions) => {
  // The service's address adds no path to a target.
  const bytes = Parameter.limits.lineBytes - Parameter.limits.aroundTarget
  const count = requests ?? (query.list ? Math.max(1, Query.cut(query, Parameter.limits.tickers, bytes).length) : 1)
  return { count, named: count === 1 ? [] : [{ name: "requests", value: grouped(count) }] }
}

/** Cached data, and live data after a miss: each request costs 1 or what it costs live (clause 8.3-fallback). */
const fallback = (query: Query.Query, live: Estimate, assume: PriceOptions): Estimate => {
  const { count } = requestsOf(query, assume)
  const { max, min } = bounds(live)
  // A request that hits costs 1, even if its live data would have cost nothing; but never more than one credit for each of its symbols.
  const most = Math.max(count, count === 1 ? max : Math.min(query.tickers.length, max + count - 1))
  const others = live._tag === "Range" ? live.movedBy : "else what live data cost"
  return between(Math.min(1, min), most, `whether anything cached is young enough, and ${others}`, {
    clause: "8.3-fallback",
    assumptions: live.assumptions
  })
}

/** Checks the sizes that were seen. */
const seen: Parameter.Reader<Seen> = (name, input) => {
  const { now, sizes } = Untyped.fields(input, ["sizes", "now"]) ?? {}
  const read = Untyped.list(sizes)?.map(ChainSize.read)
  return typeof now === "number" && Number.isFinite(now) && read?.every((size) => size !== undefined) === true
    ? Result.succeed({ sizes: read, now })
    : Parameter.refuse(name, input, Rules.seen)
}

const ofPrice = {
  ...Construct.assumptionReaders,
  profile: Parameter.choice(["contract", "public"]),
  rounding: Parameter.choice(["up", "down", "nearest"]),
  quoteData: Parameter.choice(["any", "all"]),
  requests: Parameter.whole({ min: 1 }),
  figures: Parameter.choice(["any", "possible", "explained"]),
  refusal: Parameter.number(Rules.credits, (input) => input >= 0 && input < Infinity),
  seen
} satisfies Parameter.ReadersOf<PriceOptions>

/** Reads what the price of a query to an endpoint assumes. */
const readForPrice = (row: Endpoint, input: unknown): Result.Result<PriceOptions, InvalidQuery> =>
  Construct.readAssumptions(ofPrice, row, input)
