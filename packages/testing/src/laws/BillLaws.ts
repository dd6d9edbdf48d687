/**
 * Laws of estimates against the bill of a service: what a query was said to cost at most, and what the service took for its reply.
 *
 * @example
 * ```ts
 * import * as Credits from "@effect-marketdata/core/Credits"
 * import * as Law from "@effect-marketdata/testing/Law"
 * import * as BillLaws from "@effect-marketdata/testing/BillLaws"
 * import * as Result from "effect/Result"
 *
 * // It forgets that a strike has a call and a put.
 * const [law] = BillLaws.of({
 *   ...BillLaws.core("contract"),
 *   most: (query) => Credits.bound(Credits.estimate(query)) / 2
 * })
 * Result.isFailure(Law.attempt(law!, { seed: 1 })) // => true
 * ```
 *
 * @since 0.1.0
 */
import { Credits, type Profile, Query, type StockCandles } from "@effect-marketdata/core"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import * as Options from "../arbitraries/chainOptions.ts"
import * as Law from "../harness/Law.ts"
import * as Local from "../harness/local.ts"

/**
 * What says beforehand how much a query costs at most, `Infinity` where nothing bounds it, and what bills the reply to it.
 *
 * @category models
 * @since 0.1.0
 */
export interface Bills {
  readonly name: string
  readonly most: (query: Query.Query) => number
  readonly billed: (query: Query.Query) => number
}

/** The underlyings that are asked about. */
const underlyings = [
  { symbol: "AAPL", price: 350, step: 5, isIndex: false },
  { symbol: "BRK.B", price: 510, step: 5, isIndex: false },
  { symbol: "F", price: 11, step: 0.5, isIndex: false },
  { symbol: "SPX", price: 6510, step: 5, isIndex: true }
] as const

/** Two days, each at most this many days from that of noon. */
const range = (from: number, to: number) => Options.days(near(from, to))

const near = (from: number, to: number) => fc.integer({ min: from, max: to }).map(Options.fromFriday)

/** Most queries have a bound, and are answered with something: filters that leave nothing are rare. */
const chain: fc.Arbitrary<Query.Query> = fc.constantFrom(...underlyings).chain((underlying) =>
  fc.record({
    expirations: Options.expirations,
    date: Options.rarely(near(-300, -1)),
    filters: Options.filters(underlying, 30),
    chosen: fc.oneof(
      fc.record({ strike: Options.strikes(underlying, 30) }),
      fc.record({ strikeLimit: fc.integer({ min: 1, max: 30 }) }),
      fc.constant({})
    )
  }).map(({ chosen, date, expirations, filters }) => {
    const day = "from" in expirations ? {} : { date }
    return Options.chain(underlying.symbol, { ...filters, ...chosen, ...expirations, ...day })
  })
)

/** The sandbox works out each minute of each day: a few months of minutes are enough. */
const candles: fc.Arbitrary<Query.Query> = fc.oneof(
  fc.tuple(fc.constantFrom("5", "15", "45", "H", "4H"), range(-100, 0), Options.optional(fc.boolean())).map((
    [resolution, days, extended]
  ) => Query.stockCandles(resolution as StockCandles.Resolution, "TSLA", { ...days, extended })),
  fc.tuple(fc.constantFrom("D", "3D", "W", "2W", "M", "5M", "Y"), range(-3000, 0)).map(([resolution, days]) =>
    Query.stockCandles(resolution as StockCandles.Resolution, "TSLA", days)
  ),
  fc.tuple(fc.constantFrom("D", "2W", "M", "3M"), range(-3000, 0)).map(([resolution, days]) =>
    Query.fundCandles(resolution as "D", "VFINX", days)
  ),
  fc.integer({ min: 1, max: 3000 }).map((countback) => Query.stockCandles("D", "MSFT", { countback })),
  fc.constant(Query.stockCandles("H", "MSFT"))
).map((made: Result.Result<Query.Query, unknown>) => Result.getOrThrow(made))

/**
 * The laws of what is billed.
 *
 * @category laws
 * @since 0.1.0
 */
export const of = ({ billed, most, name }: Bills): ReadonlyArray<Law.Law> => {
  const isWithin = (query: Query.Query): boolean => {
    const credits = most(query)
    return credits === Infinity || billed(query) <= credits
  }
  return [
    Law.make({
      name: `a chain is billed no more than its filters let through${name}`,
      clauses: ["4.1-cost-live", "4.1-cost-historical", "1-credits"],
      arbitrary: chain,
      holds: isWithin
    }),
    Law.make({
      name: `candles are billed no more than fit between two days${name}`,
      clauses: ["8.2-cost-candles", "1-credits"],
      arbitrary: candles,
      holds: isWithin
    })
  ]
}

/**
 * Core's estimates, and the bills of a sandbox, both by the same profile.
 *
 * @category pricing
 * @since 0.1.0
 */
export const core = (profile: Profile.Profile): Bills => {
  const ask = Local.asking({ profile })
  return {
    name: profile === "contract" ? "" : `, by the profile ${profile}`,
    most: (query) => Credits.bound(Credits.estimate(query, { profile })),
    billed: (query) => Number(ask(query).headers["x-api-ratelimit-consumed"])
  }
}

/**
 * The laws of core's estimates, against the sandbox.
 *
 * @category laws
 * @since 0.1.0
 */
export const all: ReadonlyArray<Law.Law> = [...of(core("contract")), ...of(core("public"))]
