/**
 * What a budget buys: how much of a query it covers, how often the query can be asked, and which narrower one it covers.
 *
 * @example
 * ```ts
 * import * as Budget from "@effect-marketdata/core/Budget"
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Result from "effect/Result"
 *
 * const aapl = Result.getOrThrow(Query.optionChain("AAPL", { assume: { contracts: 300 } }))
 * const { covered, times } = Budget.buys(aapl, 1000)
 * covered // => { unit: "contracts", count: 1000 }
 * times // => 3
 * ```
 *
 * @see {@link Credits} for prices
 * @since 0.1.0
 */
import * as Credits from "../credits/Credits.ts"
import { allowanceOf } from "../credits/ledgerBalance.ts"
import * as Query from "../query/query.ts"
import * as Workload from "./Workload.ts"

/**
 * What a query is charged by, and how much of it a budget covers: `Infinity` if it covers any number.
 *
 * @category models
 * @since 0.1.0
 */
export interface Covered {
  readonly unit: "contracts" | "candles" | "symbols"
  readonly count: number
}

/**
 * What a budget buys of a query. `times` is how often it can be asked at its highest price: undefined if the price has no bound, `Infinity` if it is
 * free. If the query does not fit the budget, `ways` are cheaper ways to ask it.
 *
 * @category models
 * @since 0.1.0
 */
export interface Buys {
  readonly credits: number
  readonly times: number | undefined
  readonly covered: Covered | undefined
  readonly ways: ReadonlyArray<Credits.Way>
}

const units: Readonly<Partial<Record<Query.Query["kind"], Covered["unit"]>>> = {
  chain: "contracts",
  candles: "candles",
  bulkCandles: "symbols"
}

/** More than any reply holds. */
const most = 2 ** 40

/** How many units a budget covers, by binary search, because the price grows with their number. */
const coveredBy = (query: Query.Query, credits: number, assume: Credits.PriceOptions) => {
  const unit = query.list ? undefined : units[query.kind]
  if (unit === undefined) return undefined
  const fits = (count: number): boolean =>
    Credits.bound(Credits.estimate(query, { ...assume, [unit]: count })) <= credits
  if (!fits(1)) return { unit, count: 0 }
  if (fits(most)) return { unit, count: Infinity }
  return { unit, count: Workload.firstFrom(2, most, (count) => !fits(count)) - 1 }
}

/**
 * Returns what a budget buys of a query. Credits that are not an amount, such as NaN, count as 0, as in a ledger.
 *
 * @example
 * ```ts
 * import * as Budget from "@effect-marketdata/core/Budget"
 * import * as DataMode from "@effect-marketdata/core/DataMode"
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Result from "effect/Result"
 *
 * const cached = Result.getOrThrow(Query.optionChain("SPX", { mode: DataMode.cached() }))
 * Budget.buys(cached, 10).times // => 10
 * ```
 *
 * @category pricing
 * @since 0.1.0
 */
export const buys = (query: Query.Query, budget: number, assume: Credits.PriceOptions = {}): Buys => {
  const credits = allowanceOf(budget)
  const bound = Credits.bound(Credits.estimate(Query.known(query), assume))
  return {
    credits,
    times: bound === Infinity ? undefined : bound === 0 ? Infinity : Math.floor(credits / bound),
    covered: coveredBy(query, credits, assume),
    // A query that fits needs no cheaper way.
    ways: bound <= credits ? [] : Credits.ways(query, credits, assume)
  }
}
