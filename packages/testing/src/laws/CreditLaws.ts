/**
 * Laws of prices, for whatever says beforehand what a query may cost and afterwards what it cost (contract 4.1 and 8.2).
 *
 * @example
 * ```ts
 * import * as Credits from "@effect-marketdata/core/Credits"
 * import * as Law from "@effect-marketdata/testing/Law"
 * import * as CreditLaws from "@effect-marketdata/testing/CreditLaws"
 * import * as Result from "effect/Result"
 *
 * // It takes every 203 for a reply to a cached request.
 * const laws = CreditLaws.of({
 *   ...CreditLaws.core,
 *   charged: (query, outcome) => outcome.status === 203 ? 1 : Credits.charged(query, outcome).computed
 * })
 * const broken = laws.filter((law) => Result.isFailure(Law.attempt(law, { seed: 1 })))
 * broken.some(({ clauses }) => clauses.includes("7.2-203-price")) // => true
 * ```
 *
 * @since 0.1.0
 */
import { Credits, DataMode, Query } from "@effect-marketdata/core"
import * as Records from "effect/Record"
import * as fc from "fast-check"
import type { Drawn } from "../arbitraries/chainOptions.ts"
import * as Queries from "../arbitraries/Queries.ts"
import * as Law from "../harness/Law.ts"

/**
 * What knows the prices of the service.
 *
 * - `bounds`: the least and the most that a query may cost, given what the caller knows; `Infinity` where nothing bounds it
 * - `charged`: what it cost, given what came back; `undefined` where no price is stated. The figure that the service itself reports is left
 *   out of the query
 *
 * @category models
 * @since 0.1.0
 */
export interface Pricing {
  readonly bounds: (query: Query.Query, known: Query.Assumptions) => { readonly min: number; readonly max: number }
  readonly charged: (query: Query.Query, outcome: Credits.Outcome) => number | undefined
}

/**
 * A query without filters and expected counts, and what its reply holds: at most one symbol for each ticker. Filters are the matter of `BillLaws`, with a whole
 * service.
 */
type Asked = Drawn<typeof asked>

/** How much comes back: any number, and often one where a price by the thousand changes, or that the contract has as an example. */
const count = fc.oneof(fc.integer({ min: 1, max: 30_000 }), fc.constantFrom(1000, 1001, 5000, 22_718))

const asked = fc.record({
  // Half of them are chains, whose price has the most rules.
  query: fc.oneof(Queries.query, Queries.byEndpoint.optionChain),
  contracts: count,
  candles: count,
  share: fc.nat({ max: 1000 }).map((thousandths) => thousandths / 1000)
}).map(({ candles, contracts, query, share }) => {
  const least = query.kind === "bulkCandles" ? 1 : 0
  const symbols = Math.max(least, Math.floor(share * query.tickers.length))
  return {
    query: { ...query, options: open(query), assume: { ...query.assume, contracts: undefined } },
    held: { candles, contracts, quoted: Math.floor(share * contracts), symbols }
  }
})

/** The options without filters that bound the answer; without any, candles are the most recent one. */
const open = ({ kind, options }: Query.Query): Query.Query["options"] => {
  const { date } = options
  if (kind === "candles") return { from: "2020-01-02" }
  return kind !== "chain" ? options : date === undefined ? {} : { date }
}

const statusOf = (query: Query.Query): number => DataMode.isCached(query.mode) ? 203 : 200

const within = (credits: number | undefined, { max, min }: { readonly min: number; readonly max: number }): boolean =>
  min <= max && (credits === undefined || (credits >= min && credits <= max))

/** The price by the two tables of the contract; undefined if they state none. What is above 0 is at least 1. */
const tabled = ({ held: { candles, contracts, symbols }, query }: Asked): number | undefined => {
  const thousands = (count: number): number => Math.ceil(count / 1000)
  if (DataMode.isCached(query.mode)) return 1
  return {
    chain: query.historical ? thousands(contracts) : contracts,
    quotes: query.historical ? undefined : symbols,
    candles: thousands(candles),
    bulkCandles: symbols,
    other: 1,
    free: 0
  }[query.kind]
}

/** What does not cost a credit for each contract. */
const costsOfFewer = ["4.1-cost-cached", "4.1-cost-historical", "8.2-cost-quotes"]

/**
 * The laws of prices.
 *
 * @category laws
 * @since 0.1.0
 */
export const of = ({ bounds, charged }: Pricing): ReadonlyArray<Law.Law> => [
  Law.make({
    name: "an estimate bounds the charge, whatever comes back",
    clauses: ["1-credits", "4.1-cost-live", ...costsOfFewer, "8.3-fallback"],
    arbitrary: asked,
    holds: ({ held, query }) =>
      // After a miss it is asked in live mode.
      (query.mode?._tag === "CachedOrLive" ? [query, Query.withMode(query, DataMode.live)] : [query]).every((sent) =>
        within(charged(sent, { ...held, status: statusOf(sent) }), bounds(query, {}))
      )
  }),
  Law.make({
    name: "an estimate that knows how much comes back bounds the charge too",
    clauses: ["1-credits"],
    arbitrary: asked,
    holds: ({ held: { candles, contracts, quoted, symbols }, query }) =>
      within(
        charged(query, { candles, contracts, quoted, symbols, status: statusOf(query) }),
        bounds(query, { candles, contracts, symbols })
      )
  }),
  Law.equation({
    name: "a charge is the one of the contract's tables",
    clauses: ["4.1-cost-live", "4.1-cost-delayed", ...costsOfFewer, "8.2-cost-candles", "8.2-cost-other"],
    // What an account of historical data pays without a date is not stated.
    arbitrary: asked.filter(({ query }) => query.assume.historical !== true || DataMode.isCached(query.mode)),
    expected: tabled,
    received: ({ held, query }) => charged(query, { ...held, status: statusOf(query) })
  }),
  Law.make({
    name: "a 204 is free",
    clauses: ["7.1-204", "8.3-miss"],
    arbitrary: asked,
    holds: ({ held, query }) => (charged(query, { ...held, status: 204 }) ?? 0) === 0
  }),
  Law.equation({
    name: "a 203 costs what a 200 costs",
    clauses: ["7.2-203-price"],
    arbitrary: asked.filter(({ query }) => !DataMode.isCached(query.mode)),
    expected: ({ held, query }) => charged(query, { ...held, status: 200 }),
    received: ({ held, query }) => charged(query, { ...held, status: 203 })
  }),
  Law.make({
    name: "more never costs less",
    clauses: ["4.1-cost-live", "4.1-cost-historical", "8.2-cost-candles"],
    arbitrary: fc.tuple(asked, fc.nat({ max: 5000 })),
    holds: ([{ held, query }, more]) => {
      const status = statusOf(query)
      const larger = Records.map(held, (count) => count + more)
      return (charged(query, { ...held, status }) ?? 0) <= (charged(query, { ...larger, status }) ?? 0)
    }
  })
]

/** No price of the contract is above a credit for each row, and none below the price of one. */
const rowsOf = ({ candles, contracts, symbols }: Asked["held"]): number => Math.max(1, candles, contracts, symbols)

/**
 * What records a charge, and offers a cheaper query whose answer tells the price of a dear one.
 *
 * @category models
 * @since 0.1.0
 */
export interface Recording {
  readonly charged: (
    query: Query.Query,
    outcome: Credits.Outcome
  ) => { readonly credits: number; readonly computed: number | undefined }
  readonly sizeQuery: (query: Query.Query) => Query.Query | undefined
}

/**
 * The laws of what records charges.
 *
 * @category laws
 * @since 0.1.0
 */
export const recording = ({ charged, sizeQuery }: Recording): ReadonlyArray<Law.Law> => [
  Law.make({
    name: "the figure that the service reports wins, and ours stays visible",
    clauses: ["7.1-charge-not-stated"],
    arbitrary: fc.tuple(asked, fc.nat({ max: 30_000 })),
    holds: ([{ held, query }, drawn]) => {
      const outcome = { ...held, status: statusOf(query) }
      const reported = Math.min(drawn, rowsOf(held))
      const charge = charged(query, { ...outcome, reported })
      return charge.credits === reported && charge.computed === charged(query, outcome).computed
    }
  }),
  Law.make({
    name: "a figure that cannot be a price is not recorded",
    clauses: ["8.2-cost-quotes", "4.1-cost-live"],
    arbitrary: fc.tuple(asked, fc.integer({ min: 1001, max: 1_000_000 })),
    holds: ([{ held, query }, times]) => {
      const outcome = { ...held, status: statusOf(query) }
      return charged(query, { ...outcome, reported: times * rowsOf(held) }).credits === charged(query, outcome).credits
    }
  }),
  Law.make({
    name: "a probe costs less than its query",
    clauses: ["1-credits"],
    arbitrary: Queries.query,
    holds: (query) => {
      const cheaper = sizeQuery(query)
      return cheaper === undefined || Credits.bound(Credits.estimate(cheaper)) < Credits.bound(Credits.estimate(query))
    }
  })
]

/**
 * Core's prices.
 *
 * @category pricing
 * @since 0.1.0
 */
export const core: Pricing = {
  bounds: (query, known) => Credits.bounds(Credits.estimate(query, known)),
  charged: (query, outcome) => Credits.charged(query, outcome).computed
}

/**
 * The laws of core's prices.
 *
 * @category laws
 * @since 0.1.0
 */
export const all: ReadonlyArray<Law.Law> = [...of(core), ...recording(Credits)]
