/**
 * Laws of whatever bounds a chain by the sizes that were seen: no chain has more contracts than that, until a session opens.
 *
 * @example
 * ```ts
 * import * as Law from "@effect-marketdata/testing/Law"
 * import * as SizeLaws from "@effect-marketdata/testing/SizeLaws"
 * import * as Result from "effect/Result"
 *
 * // Any size of the underlying bounds each of its chains.
 * const laws = SizeLaws.of({
 *   ...SizeLaws.core,
 *   most: (_, { sizes }) => Math.min(...sizes.map((size) => size._tag === "Chain" ? size.contracts : Infinity))
 * })
 * laws.filter((law) => Result.isFailure(Law.attempt(law, { seed: 1 }))).length > 2 // => true
 * ```
 *
 * @since 0.1.0
 */
import { ChainSize, Credits, NewYork, OptionStrikes, Query } from "@effect-marketdata/core"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import * as Options from "../arbitraries/chainOptions.ts"
import * as Law from "../harness/Law.ts"
import * as Local from "../harness/local.ts"

/**
 * What bounds a chain by the sizes that were seen, `Infinity` where nothing does; and what a service answers at a moment, in epoch seconds: the
 * number of contracts of a chain, and the strikes of an underlying.
 *
 * @category models
 * @since 0.1.0
 */
export interface Sizes {
  readonly most: (query: Query.Query, seen: ChainSize.Seen) => number
  readonly contracts: (query: Query.Query, at: number) => number
  readonly strikes: (query: Query.Query, at: number) => OptionStrikes.OptionStrikes
}

/** An underlying whose contracts may be adjusted, and an index that is settled twice. */
const underlyings = [
  { symbol: "F", price: 11, step: 0.5, isIndex: false },
  { symbol: "RUT", price: 2400, step: 20, isIndex: true }
] as const

/** The index has many contracts, and takes long. */
const underlying: fc.Arbitrary<Options.Underlying> = fc.oneof(
  { weight: 4, arbitrary: fc.constant(underlyings[0]) },
  { weight: 1, arbitrary: fc.constant(underlyings[1]) }
)

/** From a Thursday to the Monday after it: two sessions, the night between them, a weekend. */
const moments = [[-1, 15], [-1, 22], [0, 12], [2, 1], [3, 10]] as const

const moment = fc.constantFrom(...moments).map(([days, hour]) => NewYork.at(Options.fromFriday(days), hour, 0))

/** Two moments, the earlier first. */
const twoMoments = fc.tuple(moment, moment).map(([a, b]) => ({ seenAt: Math.min(a, b), now: Math.max(a, b) }))

const made = ({ symbol }: Options.Underlying, options: object): Query.Query =>
  Options.chain(symbol, { ...options, mode: "live" })

/** Two chains of one underlying; often the second is the first with more filters. */
const twoChains: fc.Arbitrary<{ readonly first: Query.Query; readonly second: Query.Query }> = underlying.chain((
  underlying
) =>
  fc.record({
    wide: fc.tuple(Options.expirations, fc.oneof(fc.constant({}), Options.filters(underlying, 10))),
    expirations: Options.optional(Options.expirations),
    narrow: Options.filters(underlying, 10),
    isNarrower: fc.boolean()
  }).map(({ expirations, isNarrower, narrow, wide: [chosen, wide] }) => ({
    first: made(underlying, { ...wide, ...chosen }),
    second: made(underlying, { ...isNarrower ? wide : {}, ...narrow, ...expirations ?? chosen })
  }))
)

const none: ReadonlyArray<ChainSize.ChainSize> = []

const sizesOf = (...sizes: ReadonlyArray<ChainSize.ChainSize | undefined>): ReadonlyArray<ChainSize.ChainSize> =>
  sizes.filter((size) => size !== undefined)

/**
 * The laws of what bounds a chain by the sizes that were seen.
 *
 * @category laws
 * @since 0.1.0
 */
export const of = ({ contracts, most, strikes }: Sizes): ReadonlyArray<Law.Law> => {
  /** The size that was seen; none if there is no chain. */
  const seenOf = (query: Query.Query, seenAt: number) => {
    const count = contracts(query, seenAt)
    return count === 0 ? undefined : ChainSize.ofChain(query, { contracts: count, seenAt })
  }
  const strikesOf = (query: Query.Query, seenAt: number) =>
    ChainSize.ofStrikes(query, { ...strikes(query, seenAt), seenAt })
  return [
    Law.make({
      name: "no chain has more contracts than a size that was seen allows",
      clauses: ["4.1-cost-live", "1-credits"],
      arbitrary: fc.record({ chains: twoChains, when: twoMoments }),
      holds: ({ chains: { first, second }, when: { now, seenAt } }) =>
        contracts(second, now) <= most(second, { sizes: sizesOf(seenOf(first, seenAt)), now })
    }),
    Law.make({
      name: "no chain has more contracts than the strikes that were seen allow",
      clauses: ["4.1-cost-live", "1-credits"],
      arbitrary: fc.record({ chains: twoChains, when: twoMoments, expiration: Options.optional(fc.nat({ max: 4 })) }),
      holds: ({ chains: { second }, expiration, when: { now, seenAt } }) => {
        const [symbol = ""] = second.tickers
        const one = expiration === undefined ? {} : { expiration: Options.fromFriday(7 * expiration) }
        const query = Result.getOrThrow(Query.optionStrikes(symbol, one))
        return contracts(second, now) <= most(second, { sizes: sizesOf(strikesOf(query, seenAt)), now })
      }
    }),
    Law.make({
      name: "a chain that is asked again at once is bounded by itself and one more, unless its filters go by prices",
      clauses: [],
      arbitrary: fc.record({ chains: twoChains, seenAt: moment }),
      holds: ({ chains: { first }, seenAt }) => {
        const size = seenOf(first, seenAt)
        return size === undefined || most(first, { sizes: [size], now: seenAt }) <= contracts(first, seenAt) + 1
      }
    }),
    Law.make({
      name: "all strikes bound all contracts, at twice as many and one more at most",
      clauses: [],
      arbitrary: fc.record({ underlying, seenAt: moment }),
      holds: ({ seenAt, underlying }) => {
        const size = strikesOf(Result.getOrThrow(Query.optionStrikes(underlying.symbol)), seenAt)
        const all = made(underlying, { expiration: "all" })
        return most(all, { sizes: sizesOf(size), now: seenAt }) <= 2 * contracts(all, seenAt) + 1
      }
    }),
    Law.make({
      name: "a size never raises a bound, and one from the future lowers none",
      clauses: [],
      arbitrary: fc.record({ chains: twoChains, when: twoMoments }),
      holds: ({ chains: { first, second }, when: { now, seenAt } }) => {
        const sizes = sizesOf(seenOf(first, seenAt))
        const alone = most(second, { sizes: none, now })
        return most(second, { sizes, now }) <= alone && most(second, { sizes, now: seenAt - 1 }) === alone
      }
    }),
    Law.make({
      name: "a size that bounds no more never bounds again",
      clauses: [],
      arbitrary: fc.record({ chains: twoChains, when: twoMoments, longer: fc.nat({ max: 6 * 86_400 }) }),
      holds: ({ chains: { first, second }, longer, when: { now, seenAt } }) => {
        const sizes = sizesOf(seenOf(first, seenAt))
        return most(second, { sizes, now: now + longer }) >= most(second, { sizes, now })
      }
    }),
    Law.make({
      name: "a chain that is larger than an earlier size allows takes its bound away",
      clauses: ["1-credits"],
      arbitrary: fc.record({ chains: twoChains, when: twoMoments, more: fc.integer({ min: 1, max: 100 }) }),
      holds: ({ chains: { first, second }, more, when: { now, seenAt } }) => {
        const size = seenOf(first, seenAt)
        const alone = most(second, { sizes: none, now })
        const count = most(second, { sizes: sizesOf(size), now })
        // The known size bounds the second chain, which has now grown.
        const larger = Math.min(alone, count + more)
        const later = count < alone ? ChainSize.ofChain(second, { contracts: larger, seenAt: now }) : undefined
        return later === undefined || most(second, { sizes: sizesOf(size, later), now }) === Math.min(alone, larger + 1)
      }
    })
  ]
}

/** What a sandbox answers at a moment. */
const sandbox = (): Pick<Sizes, "contracts" | "strikes"> => {
  const ask = Local.asking()
  const counts = new Map<string, number>()
  return {
    contracts: (query, at) => {
      const name = `${at} ${Query.target(query)}`
      const count = counts.get(name) ?? Number(ask(query, at).headers["x-api-ratelimit-consumed"])
      counts.set(name, count)
      return count
    },
    strikes: (query, at) => {
      const { body, status } = ask(query, at)
      // Without a listing on that day.
      if (status === 404) return { expirations: [], updated: at }
      return Result.getOrThrow(OptionStrikes.decode(typeof body === "string" ? body : Array.from(body).join("")))
    }
  }
}

/**
 * Core's bounds, and the answers of a sandbox.
 *
 * @category pricing
 * @since 0.1.0
 */
export const core: Sizes = {
  ...sandbox(),
  most: (query, seen) => Credits.bound(Credits.estimate(query, { seen }))
}

/**
 * The laws of core's bounds, against the sandbox.
 *
 * @category laws
 * @since 0.1.0
 */
export const all: ReadonlyArray<Law.Law> = of(core)
