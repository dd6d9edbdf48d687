/**
 * Consent to pay for live data if nothing cached is young enough. A query in the mode `cachedOrLive` requires this service, and there is
 * no default: without it the program does not compile.
 *
 * @example
 * ```ts
 * import * as CacheFallback from "@effect-marketdata/client/CacheFallback"
 *
 * export const upTo500Credits = CacheFallback.layerUpTo(500)
 * ```
 *
 * @see `DataMode.cachedOrLive` of core, the mode that asks for it
 * @see {@link CreditLedger} for a budget over all queries
 * @since 0.1.0
 */
import * as ChainSize from "@effect-marketdata/core/ChainSize"
import * as Credits from "@effect-marketdata/core/Credits"
import type { Query } from "@effect-marketdata/core/Query"
import { FallbackDeclined } from "@effect-marketdata/core/Reason"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/**
 * Decides, after a cached miss, whether to ask for live data at the estimated price. `query` is the query that was asked. `price` is that
 * of the live data which are missing: some tickers of a list may have been in the cache.
 *
 * `decide` fails with `FallbackDeclined` to refuse, or returns the ceiling in credits, `Infinity` for no limit. All live requests of the
 * query together stay within the ceiling, including what lost requests may have been charged: a lost request is repeated only if both
 * still fit. Each part of a stream is a query of its own, and so is each round of `QuoteResolver`.
 *
 * @category services
 * @since 0.1.0
 */
export class CacheFallback extends Context.Service<CacheFallback, {
  readonly decide: (query: Query, price: Credits.Estimate) => Effect.Effect<number, FallbackDeclined>
}>()("@effect-marketdata/client/CacheFallback") {}

/**
 * Makes the consent of `layerUpTo`.
 *
 * @example
 * ```ts
 * import * as CacheFallback from "@effect-marketdata/client/CacheFallback"
 * import * as MarketData from "@effect-marketdata/client/MarketData"
 * import * as DataMode from "@effect-marketdata/core/DataMode"
 * import * as Effect from "effect/Effect"
 *
 * export const quote = MarketData.stockQuote("AAPL", { mode: DataMode.cachedOrLive() }).pipe(
 *   Effect.provideService(CacheFallback.CacheFallback, CacheFallback.makeUpTo(1))
 * )
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeUpTo = (ceiling: number): CacheFallback["Service"] => ({
  decide: (query, price) => {
    const bound = Credits.bound(price)
    // What JavaScript passes besides numbers may compare as one, or die of it.
    const most = typeof ceiling === "number" ? ceiling : NaN
    if (bound <= most) return Effect.succeed(most)
    const [size, advice] = [ChainSize.assumedBy(price), Credits.advice(query, most)]
    const known = Number.isFinite(bound) ? bound : undefined
    return Effect.fail(new FallbackDeclined({ price: known, size, ceiling: most > 0 ? most : 0, advice }))
  }
})

/**
 * Consents to live data for at most `ceiling` credits for each query, including what lost requests may have cost. It declines a price
 * without a bound, and every price if the ceiling is not a number.
 *
 * @example
 * ```ts
 * import * as CacheFallback from "@effect-marketdata/client/CacheFallback"
 * import * as MarketData from "@effect-marketdata/client/MarketData"
 * import * as DataMode from "@effect-marketdata/core/DataMode"
 * import * as Effect from "effect/Effect"
 *
 * export const quote = MarketData.stockQuote("AAPL", { mode: DataMode.cachedOrLive() }).pipe(
 *   Effect.provide(CacheFallback.layerUpTo(1))
 * )
 * ```
 *
 * @category layers
 * @since 0.1.0
 */
export const layerUpTo = (ceiling: number): Layer.Layer<CacheFallback> =>
  Layer.succeed(CacheFallback, makeUpTo(ceiling))

/**
 * Consents to live data at any price, even if requests are repeated and each of them may have been charged.
 *
 * @example
 * ```ts
 * import * as CacheFallback from "@effect-marketdata/client/CacheFallback"
 * import * as MarketData from "@effect-marketdata/client/MarketData"
 * import * as DataMode from "@effect-marketdata/core/DataMode"
 * import * as Effect from "effect/Effect"
 *
 * // For what is bounded by itself: one credit here.
 * export const quote = MarketData.stockQuote("AAPL", { mode: DataMode.cachedOrLive() }).pipe(
 *   Effect.provide(CacheFallback.layerAlways)
 * )
 * ```
 *
 * @category layers
 * @since 0.1.0
 */
export const layerAlways: Layer.Layer<CacheFallback> = /* @__PURE__ */ Layer.succeed(CacheFallback, {
  decide: () => Effect.succeed(Infinity)
})
