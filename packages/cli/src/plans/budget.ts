/** What a budget buys: how much of a query it covers, how often the query can be asked, and which narrower one it covers. */
import * as FlagNames from "../asking/flagNames.ts"
import * as Credits from "@effect-marketdata/core/Credits"
import type * as Query from "@effect-marketdata/core/Query"

/** What a query is paid by, and how much of it a budget covers: `Infinity` where it covers any number. */
export interface Covered {
  readonly unit: "contracts" | "candles" | "symbols"
  readonly count: number
}

/** A cheaper way to ask, as flags. */
interface Way {
  readonly flags: string
  readonly price: Credits.Estimate
}

/** What a budget buys of a query. */
export interface Buys {
  readonly credits: number
  /** How often the query can be asked, at most price; undefined where its price has no bound, `Infinity` where it is free. */
  readonly times: number | undefined
  readonly covered: Covered | undefined
  readonly ways: ReadonlyArray<Way>
}

const units: Readonly<Partial<Record<Query.Query["kind"], Covered["unit"]>>> = {
  chain: "contracts",
  candles: "candles",
  bulkCandles: "symbols"
}

/** More than any reply holds. */
const most = 2 ** 40

/** How many units a budget covers: the price grows with their number, so it is found by halving. */
const coveredBy = (query: Query.Query, credits: number): Covered | undefined => {
  const unit = query.list ? undefined : units[query.kind]
  if (unit === undefined) return undefined
  const fits = (count: number): boolean => Credits.bound(Credits.estimate(query, { [unit]: count })) <= credits
  if (!fits(1)) return { unit, count: 0 }
  if (fits(most)) return { unit, count: Infinity }
  let [low, high] = [1, most]
  while (low + 1 < high) {
    const middle = Math.floor((low + high) / 2)
    if (fits(middle)) low = middle
    else high = middle
  }
  return { unit, count: low }
}

/** A query and a budget, the flags that its command has, and what is known of the size of its chain. */
interface Asked {
  readonly query: Query.Query
  readonly credits: number
  readonly flags: ReadonlySet<string>
  readonly seen: Credits.PriceOptions
}

/** Says what a budget buys of a query. */
export const buys = ({ credits, flags, query, seen }: Asked): Buys => {
  const bound = Credits.bound(Credits.estimate(query, seen))
  const ways = Credits.ways(query, credits, seen).flatMap((way) => {
    const named = FlagNames.ofWay(way)
    return named.every(([name]) => flags.has(name))
      ? [{ flags: named.map(([name, value]) => `${name} ${value}`).join(" "), price: way.price }]
      : []
  })
  return {
    credits,
    times: bound === Infinity ? undefined : bound === 0 ? Infinity : Math.floor(credits / bound),
    covered: coveredBy(query, credits),
    // What fits already need not be narrower.
    ways: bound <= credits ? [] : ways
  }
}
