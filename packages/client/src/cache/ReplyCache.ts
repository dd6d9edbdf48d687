/**
 * Replies that are kept, and answer the same query again without a request: nothing known is paid for twice. The rules of freshness say how
 * long a reply answers (`Reuse` of core): one about past days for ever, delayed and cached data until they would be too old, and live data
 * never, unless `Policies.AcceptAge` accepts an age.
 *
 * There is none by default. A client uses the one that its layer is provided with. An answer from it has the data and the findings of then,
 * `provenance.source` `"local"` with its `age`, and costs 0 credits.
 *
 * @example
 * ```ts
 * import * as MarketData from "@effect-marketdata/client/MarketData"
 * import * as ReplyCache from "@effect-marketdata/client/ReplyCache"
 * import * as Layer from "effect/Layer"
 *
 * export const client = MarketData.layerConfig.pipe(
 *   Layer.provide(ReplyCache.layerMemory({ maxBytes: 256 * 1024 * 1024 }))
 * )
 * ```
 *
 * @see `Reuse` of core for the rules
 * @see {@link Policies} for `AcceptAge`
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import type { Keeping } from "../asking/asking.ts"
import { keeping } from "./keeping.ts"
import { memoryStore } from "./memoryStore.ts"
import type { Options, Store } from "./store.ts"

/**
 * What a client keeps replies with: made by `make`, and used by clients.
 *
 * @category services
 * @since 0.1.0
 */
export class ReplyCache extends Context.Service<ReplyCache, Keeping>()("@effect-marketdata/client/ReplyCache") {}

/**
 * Where replies are kept, what is kept, and whose it is.
 *
 * @category models
 * @since 0.1.0
 */
export type { Found, KeptReply, Options, Store } from "./store.ts"

/**
 * Makes a cache of any store. If an option is invalid, each query that it could answer fails with `InvalidQuery`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (store: Store, options: Options = {}): ReplyCache["Service"] => keeping(store, options)

/**
 * A cache in memory, of at most `maxBytes` bytes of replies, uncompressed: a chain of 20,000 contracts has about 4 MB. What was not used
 * for the longest time makes room.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerMemory = (
  options: Options & { readonly maxBytes: number }
): Layer.Layer<ReplyCache> => Layer.sync(ReplyCache, () => make(memoryStore(options.maxBytes), options))
