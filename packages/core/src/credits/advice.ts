import * as CalendarDate from "../time/CalendarDate.ts"
import type { PriceOptions } from "./estimate.ts"
import * as DataMode from "../account/DataMode.ts"
import type * as Query from "../query/query.ts"
import * as DayRange from "../query/dayRange.ts"
import * as Pricing from "./pricing.ts"
import * as Tariff from "./tariff.ts"

/** A query with some options of its constructor changed, and those options as they are written. */
interface Way {
  readonly options: string
  readonly query: Query.Query
}

/**
 * The ways to ask for at most `budget` credits, each as the options to add. One that does not lead under the budget is left out. Of a query that
 * falls back it is the live part that has to fit.
 */
export const advice = (query: Query.Query, budget: number, assume: PriceOptions = {}): ReadonlyArray<string> => {
  const isFallback = query.mode?._tag === "CachedOrLive"
  const asked = isFallback ? { ...query, mode: DataMode.live } : query
  const most = (query: Query.Query): number => Pricing.bounds(Pricing.estimate(query, assume)).max
  const fits = (way: Way): boolean => most(way.query) <= budget
  const tariff = Tariff.of(asked, { ...query.assume, ...assume })
  // What has a bound is cheaper only for a caller who knows that less comes back.
  const filters = most(asked) === Infinity ? filtering(asked, tariff).map((ways) => ways.find(fits)) : []
  const [stated, cached] = [stating(asked, tariff, budget), isFallback ? undefined : caching(asked)]
  return [stated, ...filters, cached].flatMap((way) => way !== undefined && fits(way) ? [way.options] : [])
}

const literal = (options: Readonly<Record<string, string | number>>): string =>
  Object.entries(options).map(([name, value]) => `${name}: ${JSON.stringify(value)}`).join(", ")

/** Says how much comes back, of what the price goes by. A list of symbols says so already. */
const stating = (query: Query.Query, tariff: Tariff.Tariff, budget: number): Way | undefined => {
  const assuming = (name: "contracts" | "candles" | "symbols" | "credits", per: 1 | 1000): Way | undefined => {
    // An example that the budget covers.
    const count = Math.min(per === 1 ? 100 : 5, Math.floor(budget)) * per
    return query.assume[name] !== undefined || !(count >= 1)
      ? undefined
      : { options: `assume: { ${name}: ${count} }`, query: { ...query, assume: { ...query.assume, [name]: count } } }
  }
  switch (tariff._tag) {
    case "PerUnit":
      return query.list ? undefined : assuming(tariff.unit, tariff.per)
    case "Between":
      return assuming("contracts", 1)
    case "NotStated":
      return assuming("credits", 1)
    default:
      return undefined
  }
}

const caching = (query: Query.Query): Way | undefined =>
  query.cacheable && !DataMode.isCached(query.mode)
    ? { options: "mode: DataMode.cached()", query: { ...query, mode: DataMode.cached(), maxAge: undefined } }
    : undefined

/** Names what the query leaves open. Of several ways that differ in a number only, the first that fits is enough. */
const filtering = (query: Query.Query, tariff: Tariff.Tariff): ReadonlyArray<ReadonlyArray<Way>> => {
  const way = (options: Readonly<Record<string, string | number>>): Way => ({
    options: literal(options),
    query: {
      ...query,
      parameters: [
        ...query.parameters.filter(([name]) => !Object.hasOwn(options, name)),
        ...Object.entries(options).map(([name, value]) => [name, String(value)] as const)
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

const isGiven = (query: Query.Query, name: string): boolean => DayRange.parameterOf(query, name) !== undefined

/** What leaves one expiration, or those of one month, where it is not a range of days that is open. */
const oneExpiration = (query: Query.Query): Readonly<Record<string, string | number>> | undefined => {
  if (DayRange.parameterOf(query, "expiration") === "all") return { expiration: "2026-12-18" }
  if (isGiven(query, "month") && !isGiven(query, "year")) return { year: 2026 }
  return ["expiration", "dte", "from", "to", "year"].some((name) => isGiven(query, name)) ? undefined : { dte: 30 }
}

/** The end that a range lacks, 30 days from the other. */
const otherEnd = (query: Query.Query): Readonly<Record<string, string>> | undefined => {
  const [missing, given, days] = isGiven(query, "from") ? ["to", "from", 30] as const : ["from", "to", -30] as const
  const day = isGiven(query, missing) ? undefined : DayRange.dayOf(DayRange.parameterOf(query, given))
  return day === undefined ? undefined : { [missing]: CalendarDate.format(CalendarDate.fromEpochDay(day + days)) }
}
