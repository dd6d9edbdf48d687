/**
 * Consent to pay for live data where nothing cached is young enough. A question in the mode `cachedOrLive` requires this service, and
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
 * Decides, after a cached miss, whether to ask for live data at the estimated price; fails with `FallbackDeclined` to refuse. `query` is the
 * question as it was asked, `price` that of the live data which are missing: of a list of tickers some may have been in the cache.
 *
 * @category services
 * @since 0.1.0
 */
export class CacheFallback extends Context.Service<CacheFallback, {
  readonly decide: (query: Query, price: Credits.Estimate) => Effect.Effect<void, FallbackDeclined>
}>()("@effect-marketdata/client/CacheFallback") {}

/**
 * Consents to live data that costs at most so many credits, as far as is known beforehand; a price without upper bound is declined, and so
 * is every price where the ceiling is no number.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerUpTo = (ceiling: number): Layer.Layer<CacheFallback> =>
  Layer.succeed(CacheFallback, {
    decide: (_, price) => {
      const bound = Credits.bound(price)
      return bound <= ceiling
        ? Effect.void
        : Effect.fail(
          new FallbackDeclined({
            price: Number.isFinite(bound) ? bound : undefined,
            ceiling: ceiling > 0 ? ceiling : 0
          })
        )
    }
  })

/**
 * Consents to live data at any price.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerAlways: Layer.Layer<CacheFallback> = /* @__PURE__ */ Layer.succeed(CacheFallback, {
  decide: () => Effect.void
})
