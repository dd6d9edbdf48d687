/**
 * Consent to pay for live data where nothing cached is young enough. A query in the mode `cachedOrLive` requires this service, and
 * there is no default: without a layer of it such a program does not compile.
 *
 * @example
 * ```ts
 * import * as CacheFallback from "@effect-marketdata/client/CacheFallback"
 *
 * export const upTo500Credits = CacheFallback.layerUpTo(500)
 * ```
 *
 * @since 0.1.0
 */
import * as Credits from "@effect-marketdata/core/Credits"
import type { Query } from "@effect-marketdata/core/Query"
import { FallbackDeclined } from "@effect-marketdata/core/Reason"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/**
 * Decides, after a cached miss, whether to ask for live data at the estimated price. `query` is the query as it was asked, `price` that of
 * the live data which are missing: of a list of tickers some may have been in the cache.
 *
 * `decide` fails with `FallbackDeclined` to refuse, or gives the ceiling of its consent in credits, `Infinity` for none. All live requests of the
 * query together stay below it, with what they may have been charged: where a reply is lost, the request is sent again only as long as both
 * fit. Of a stream each part is a query of its own, and so is each round of `QuoteResolver`.
 *
 * @category services
 * @since 0.1.0
 */
export class CacheFallback extends Context.Service<CacheFallback, {
  readonly decide: (query: Query, price: Credits.Estimate) => Effect.Effect<number, FallbackDeclined>
}>()("@effect-marketdata/client/CacheFallback") {}

/**
 * Consents to live data that costs at most this many credits for each query, with what lost requests may have cost. A price that is unknown,
 * because nothing bounds it, is declined, and so is every price where the ceiling is not a number.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerUpTo = (ceiling: number): Layer.Layer<CacheFallback> =>
  Layer.succeed(CacheFallback, {
    decide: (query, price) => {
      const bound = Credits.bound(price)
      return bound <= ceiling
        ? Effect.succeed(ceiling)
        : Effect.fail(
          new FallbackDeclined({
            price: Number.isFinite(bound) ? bound : undefined,
            ceiling: ceiling > 0 ? ceiling : 0,
            advice: Credits.advice(query, ceiling)
          })
        )
    }
  })

/**
 * Consents to live data at any price, also where it has to be asked for again and each request may have been charged.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerAlways: Layer.Layer<CacheFallback> = /* @__PURE__ */ Layer.succeed(CacheFallback, {
  decide: () => Effect.succeed(Infinity)
})
