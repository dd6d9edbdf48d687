/**
 * Remembered sizes of option chains, which bound the price of the next one: how many contracts a chain had, and how many strikes an
 * underlying has. A query without its own bound, such as `expiration: "all"`, then fits a budget or a ceiling, or is declined with the
 * number. Estimates name the size and its age among their assumptions.
 *
 * By default no size is remembered. A client uses the service that its layer is provided with, and learns from each chain and each reply about strikes, in
 * any mode. `ChainSize` of core has the rules. Sizes hold for every account of a service, and do not show who asked.
 *
 * @example
 * ```ts
 * import * as ChainSizes from "@effect-marketdata/client/ChainSizes"
 * import * as MarketData from "@effect-marketdata/client/MarketData"
 * import * as Layer from "effect/Layer"
 *
 * export const client = MarketData.layerConfig.pipe(Layer.provide(ChainSizes.layerMemory()))
 * ```
 *
 * @see `ChainSize` of core for what a size says of other chains
 * @see {@link CacheFallback} and {@link CreditLedger} for the prices that it bounds
 * @since 0.1.0
 */
import * as ChainSize from "@effect-marketdata/core/ChainSize"
import * as HttpRequest from "@effect-marketdata/core/HttpRequest"
import * as Query from "@effect-marketdata/core/Query"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as MarketDataConfig from "../config/MarketDataConfig.ts"

/**
 * A chain of a service: `service` is the base URL, without anything secret, and `chain` the underlying, with the day if it is a past one.
 *
 * @category models
 * @since 0.1.0
 */
export interface Chain {
  readonly service: string
  readonly chain: string
}

/**
 * Where sizes are remembered: `find` returns those of a chain, in any order and at least the latest of each `ChainSize.nameOf`, and `keep` adds one, in
 * place of an earlier one of the same name. Neither fails: a store that cannot be read knows no size, and one that cannot be written keeps none.
 *
 * @category models
 * @since 0.1.0
 */
export interface Store {
  readonly find: (chain: Chain) => Effect.Effect<ReadonlyArray<ChainSize.ChainSize>>
  readonly keep: (chain: Chain, size: ChainSize.ChainSize) => Effect.Effect<void>
}

/**
 * The sizes that a client remembers: any store.
 *
 * @category services
 * @since 0.1.0
 */
export class ChainSizes extends Context.Service<ChainSizes, Store>()("@effect-marketdata/client/ChainSizes") {}

/**
 * Returns the chain that a query is about, as stores know it; undefined if it is about none. The base URL is that of the public service if
 * left out.
 *
 * @example
 * ```ts
 * import * as ChainSizes from "@effect-marketdata/client/ChainSizes"
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Result from "effect/Result"
 *
 * const prices = Result.getOrThrow(Query.stockPrices(["AAPL"]))
 * ChainSizes.chainOf(prices) // => undefined
 * ```
 *
 * @category getters
 * @since 0.1.0
 */
export const chainOf = (query: Query.Query, baseUrl: string = MarketDataConfig.publicBaseUrl): Chain | undefined => {
  const chain = ChainSize.chainOf(query)
  if (chain === undefined) return undefined
  const base = Result.getOrUndefined(HttpRequest.parseBaseUrl(baseUrl))
  return base && { service: base.origin + base.path, chain }
}

/**
 * Returns the sizes that bound a query now, as `Credits.estimate` takes them: a client would price the query with the same ones.
 *
 * @example
 * ```ts
 * import * as ChainSizes from "@effect-marketdata/client/ChainSizes"
 * import * as Credits from "@effect-marketdata/core/Credits"
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Effect from "effect/Effect"
 *
 * const price = Effect.gen(function*() {
 *   const query = yield* Effect.fromResult(Query.optionChain("SPX", { expiration: "all" }))
 *   return Credits.format(Credits.estimate(query, { seen: yield* ChainSizes.seen(query) }))
 * })
 *
 * await Effect.runPromise(Effect.provide(price, ChainSizes.layerMemory())) // => "at least 1 credit, no upper bound"
 * ```
 *
 * @category queries
 * @since 0.1.0
 */
export const seen = Effect.fnUntraced(
  function*(query: Query.Query, baseUrl?: string): Effect.fn.Return<ChainSize.Seen, never, ChainSizes> {
    const chain = chainOf(query, baseUrl)
    const sizes = chain === undefined ? [] : yield* (yield* ChainSizes).find(chain)
    return { sizes, now: (yield* Clock.currentTimeMillis) / 1000 }
  }
)

/**
 * Remembers sizes in memory, for the `maxChains` most recently used chains; 1000 if left out.
 *
 * @example
 * ```ts
 * import * as ChainSizes from "@effect-marketdata/client/ChainSizes"
 * import * as MarketData from "@effect-marketdata/client/MarketData"
 * import * as Layer from "effect/Layer"
 *
 * // The size of a chain that was seen bounds the next one.
 * export const client = MarketData.layerConfig.pipe(Layer.provide(ChainSizes.layerMemory({ maxChains: 500 })))
 * ```
 *
 * @category layers
 * @since 0.1.0
 */
export const layerMemory = (options?: { readonly maxChains?: number | undefined }): Layer.Layer<ChainSizes> =>
  Layer.sync(ChainSizes, () => sizesInMemory(options?.maxChains))

/** How many sizes of a chain are remembered, the latest ones: each combination of filters has one. */
const sizesOfChain = 32

/** Remembers the sizes of the chains that were used last. A `maxChains` of 0 or NaN counts as 1,000. */
const sizesInMemory = (maxChains = 1000): Store => {
  const most = Math.max(1, Math.floor(maxChains) || 1000)
  // In the order in which they were used.
  const chains = new Map<string, ReadonlyMap<string, ChainSize.ChainSize>>()
  const use = (key: string, sizes: ReadonlyMap<string, ChainSize.ChainSize>): void => {
    chains.delete(key)
    chains.set(key, sizes)
    if (chains.size > most) chains.delete(chains.keys().next().value!)
  }
  return {
    find: (chain) =>
      Effect.sync(() => {
        const key = keyOf(chain)
        const sizes = chains.get(key)
        if (sizes !== undefined) use(key, sizes)
        return [...sizes?.values() ?? []]
      }),
    keep: (chain, size) =>
      Effect.sync(() => {
        const key = keyOf(chain)
        const sizes = new Map(chains.get(key))
        const name = ChainSize.nameOf(size)
        if ((sizes.get(name)?.seenAt ?? -Infinity) > size.seenAt) return
        sizes.set(name, size)
        const latest = [...sizes].toSorted(([, one], [, other]) => other.seenAt - one.seenAt).slice(0, sizesOfChain)
        use(key, new Map(latest))
      })
  }
}

const keyOf = ({ chain, service }: Chain): string => `${service} ${chain}`
