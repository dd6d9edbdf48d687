import * as CalendarDate from "../time/CalendarDate.ts"
import { bounds, type Estimate, type PriceOptions } from "./estimate.ts"
import * as DataMode from "../account/DataMode.ts"
import type * as Query from "../query/query.ts"
import * as DayRange from "../query/dayRange.ts"
import * as Pricing from "./pricing.ts"
import * as Tariff from "./tariff.ts"

/**
 * A query with some options of its constructor changed, and its price.
 */
export interface Way {
  readonly options: Readonly<Record<string, string | number | DataMode.Cached | Query.Query["assume"] | undefined>>
  readonly query: Query.Query
  readonly price: Estimate
}

type Changed = Omit<Way, "price">

/**
 * The ways to ask for at most `budget` credits. One that does not lead under the budget is left out. Of a query that falls back it is the live part
 * that has to fit.
 */
export const ways = (query: Query.Query, budget: number, assume: PriceOptions = {}): ReadonlyArray<Way> => {
  const isFallback = query.mode?._tag === "CachedOrLive"
  const asked = isFallback ? { ...query, mode: DataMode.live } : query
  const most = (query: Query.Query): number => bounds(Pricing.estimate(query, assume)).max
  const fits = (changed: Changed): boolean => most(changed.query) <= budget
  const tariff = Tariff.of(asked, { ...query.assume, ...assume })
  // What has a bound is cheaper only for a caller who knows that less comes back.
  const filters = isBoundByItself(asked, assume) ? [] : filtering(asked, tariff)
  return [stating(asked, tariff, budget), ...filters, isFallback ? [] : caching(asked)].flatMap((some) => {
    const way = some.find(fits)
    if (way === undefined) return []
    const changed = isFallback ? { ...way.query, mode: query.mode } : way.query
    return [{ options: way.options, query: changed, price: Pricing.estimate(changed, assume) }]
  })
}

/** Whether a query has a bound without any sizes that were seen. */
const isBoundByItself = (query: Query.Query, assume: PriceOptions): boolean =>
  bounds(Pricing.estimate(query, { ...assume, seen: undefined })).max < Infinity

/** The same ways, each as the text of the options to add. */
export const advice = (query: Query.Query, budget: number, assume?: PriceOptions): ReadonlyArray<string> =>
  ways(query, budget, assume).map(({ options }) =>
    Object.entries(options).map(([name, value]) => `${name}: ${literal(value)}`).join(", ")
  )

const literal = (value: Way["options"][string]): string => {
  if (typeof value !== "object") return JSON.stringify(value) ?? "undefined"
  return "_tag" in value
    ? "DataMode.cached()"
    : `{ ${Object.entries(value).map(([name, count]) => `${name}: ${String(count)}`).join(", ")} }`
}

/** States how many of the things that are priced come back. A list of symbols says so already. */
const stating = (query: Query.Query, tariff: Tariff.Tariff, budget: number): ReadonlyArray<Changed> => {
  const assuming = (
    name: "contracts" | "candles" | "symbols" | "credits",
    per: 1 | 1000
  ): ReadonlyArray<Changed> => {
    // An example that the budget covers.
    const count = Math.min(per === 1 ? 100 : 5, Math.floor(budget)) * per
    return query.assume[name] !== undefined || !(count >= 1)
      ? []
      : [{ options: { assume: { [name]: count } }, query: { ...query, assume: { ...query.assume, [name]: count } } }]
  }
  switch (tariff._tag) {
    case "PerUnit":
      return query.list ? [] : assuming(tariff.unit, tariff.per)
    case "Between":
      return assuming("contracts", 1)
    case "NotStated":
      return assuming("credits", 1)
    default:
      return []
  }
}

const caching = (query: Query.Query): ReadonlyArray<Changed> => {
  const mode = DataMode.cached()
  return query.cacheable && !DataMode.isCached(query.mode)
    ? [{ options: { mode }, query: { ...query, mode, maxAge: undefined } }]
    : []
}

/** Names what the query leaves open. Of several ways that differ in a number only, the first that fits is enough. */
const filtering = (query: Query.Query, tariff: Tariff.Tariff): ReadonlyArray<ReadonlyArray<Changed>> => {
  const way = (options: Filters): Changed => ({
    options,
    query: {
      ...query,
      parameters: [
        ...query.parameters.filter(([name]) => !Object.hasOwn(options, name)),
        ...Object.entries(options).flatMap(([name, value]) =>
          value === undefined ? [] : [[name, String(value)] as const]
        )
      ]
    }
  })
  const unit = tariff._tag === "PerUnit" ? tariff.unit : tariff._tag === "Between" ? "contracts" : undefined
  const end = otherEnd(query)
  switch (unit) {
    case "contracts": {
      const expirations = oneExpiration(query) ?? end ?? {}
      return [[way(expirations), ...[10, 5, 1].map((strikeLimit) => way({ ...expirations, strikeLimit }))]]
    }
    case "candles":
      return [
        ...(end === undefined ? [] : [[way(end)]]),
        ...(isGiven(query, "from") ? [] : [[way({ countback: 100 })]])
      ]
    case "symbols":
      return end === undefined ? [] : [[way(end)]]
    default:
      return []
  }
}

/** Options of a chain that filter; what is undefined is taken away. */
type Filters = Readonly<Record<string, string | number | undefined>>

const isGiven = (query: Query.Query, name: string): boolean => DayRange.parameterOf(query, name) !== undefined

/** What leaves one expiration, where it is not a range of days that is open. */
const oneExpiration = (query: Query.Query): Filters | undefined => {
  // A day, or a year, that is named here would be over one day.
  if (DayRange.parameterOf(query, "expiration") === "all") return { expiration: undefined, dte: 30 }
  if (isGiven(query, "month") && !isGiven(query, "year")) return { month: undefined, dte: 30 }
  return ["expiration", "dte", "from", "to", "year"].some((name) => isGiven(query, name)) ? undefined : { dte: 30 }
}

/** The end that a range lacks, 30 days from the other. */
const otherEnd = (query: Query.Query): Readonly<Record<string, string>> | undefined => {
  const [missing, given, days] = isGiven(query, "from") ? ["to", "from", 30] as const : ["from", "to", -30] as const
  const day = isGiven(query, missing) ? undefined : DayRange.dayOf(DayRange.parameterOf(query, given))
  return day === undefined ? undefined : { [missing]: CalendarDate.format(CalendarDate.fromEpochDay(day + days)) }
}
