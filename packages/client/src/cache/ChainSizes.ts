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
import type * as OptionChain from "@effect-marketdata/core/OptionChain"
import type * as OptionStrikes from "@effect-marketdata/core/OptionStrikes"
import type * as Provenance from "@effect-marketdata/core/Provenance"
import * as Query from "@effect-marketdata/core/Query"
import type * as Reply from "@effect-marketdata/core/Reply"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type * as Call from "../call/call.ts"
import * as MarketDataConfig from "../config/MarketDataConfig.ts"

/**
 * A chain of a service: `service` is the base URL, without anything secret, and `chain` the underlying, with the day if it is a past one.
 *
 * @category models
 * @since 0.1.0
 */
export interface Chain extends Call.Chain {}

/**
 * Where sizes are remembered: `find` returns those of a chain, and `keep` adds one, in place of an earlier one with the same
 * `ChainSize.nameOf`. Neither fails: a store that cannot be read knows no size, and one that cannot be written keeps none.
 *
 * @category models
 * @since 0.1.0
 */
export interface Store extends Call.Sizes {}

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
  const base = chain === undefined ? undefined : HttpRequest.parseBaseUrl(baseUrl)
  return chain === undefined || base === undefined || Result.isFailure(base)
    ? undefined
    : { service: base.success.origin + base.success.path, chain }
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

/**
 * Prices a query by the sizes that are remembered of its chain, and remembers those that its replies show, whether the service sent them or they were
 * kept. All prices of one query go by the sizes that were known when it was asked.
 *
 * @internal
 */
export const remembering = <Data, E, R>(
  call: Call.Call,
  query: Query.Query<Data>,
  ask: Effect.Effect<Call.BatchResults<Data>, E, R>
): Effect.Effect<Call.BatchResults<Data>, E, R> => {
  const { baseUrl, sizes } = call.resources
  const chain = sizes === undefined ? undefined : chainOf(query, baseUrl)
  return sizes === undefined || chain === undefined ? ask : knowing(sizes, chain, call, ask)
}

/** Reads the sizes of the chain, asks, and keeps the sizes that the replies show. */
const knowing = Effect.fnUntraced(function*<Data, E, R>(
  sizes: Call.Sizes,
  chain: Call.Chain,
  call: Call.Call,
  ask: Effect.Effect<Call.BatchResults<Data>, E, R>
) {
  const known = yield* sizes.find(chain)
  call.seen = { sizes: known, now: call.startedAt / 1000 }
  const results = yield* ask
  for (const { query, result } of results) {
    const size = Result.isSuccess(result) ? sizeOf(query, result.success) : undefined
    if (size !== undefined && !isAmong(known, size)) yield* sizes.keep(chain, size)
  }
  return results
})

/** Whether this size, or a later one of the same name, is known already. Each use of a kept reply shows the same size again. */
const isAmong = (known: ReadonlyArray<ChainSize.ChainSize>, size: ChainSize.ChainSize): boolean =>
  known.some((one) =>
    ChainSize.nameOf(one) === ChainSize.nameOf(size) &&
    (one.seenAt > size.seenAt || JSON.stringify(one) === JSON.stringify(size))
  )

/** The size of the chain that a reply shows. Rows of CSV are not counted. */
const sizeOf = (query: Query.Query, reply: Reply.Delivered<unknown>): ChainSize.ChainSize | undefined => {
  if (query.format !== undefined) return undefined
  const { data, provenance } = reply
  if (query.endpoint.kind === "chain") {
    const seenAt = seenAtOf(query, provenance, provenance.updated?.newest)
    const { length: contracts } = data as OptionChain.OptionChain
    return seenAt === undefined ? undefined : ChainSize.ofChain(query, { contracts, seenAt })
  }
  const { expirations, updated } = data as OptionStrikes.OptionStrikes
  const seenAt = seenAtOf(query, provenance, updated)
  return seenAt === undefined ? undefined : ChainSize.ofStrikes(query, { expirations, seenAt })
}

/** The time at which a chain had this size. A cached chain is as old as its newest quote; a chain of a past day no longer changes. */
const seenAtOf = (
  query: Query.Query,
  { receivedAt, status }: Provenance.Provenance,
  newest: number | undefined
): number | undefined =>
  status === 200 || Query.dateOf(query) !== undefined ? receivedAt : newest && Math.min(receivedAt, newest)
