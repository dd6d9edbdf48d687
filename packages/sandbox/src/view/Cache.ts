/**
 * The cache layer of the service: for each underlying, when it was last refreshed. Heavily used underlyings are refreshed every minute,
 * others every ten minutes, by other people's traffic; which is a pure function of the seed and of the time.
 *
 * @example
 * ```ts
 * import * as Cache from "@effect-marketdata/sandbox/Cache"
 *
 * Cache.refreshedAt(Cache.make(1), "SPX", 1795208400) > 1795208400 - 60 // => true
 * ```
 *
 * @since 0.1.0
 */
import * as SeededNoise from "../market/seededNoise.ts"

/**
 * The cache: its seed, the underlyings for which there are no other callers, and the refreshes by requests to this sandbox.
 *
 * @category models
 * @since 0.1.0
 */
export interface Cache {
  readonly seed: number
  readonly cold: ReadonlySet<string>
  readonly refreshed: ReadonlyMap<string, number>
}

/**
 * Creates a cache. `cold` names underlyings that are cached only after a request to this sandbox for fresh data.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (seed: number, cold: ReadonlyArray<string> = []): Cache => ({
  seed,
  cold: new Set(cold),
  refreshed: new Map()
})

/** Underlyings that other callers refresh every minute; any other is refreshed within ten. */
const hot = new Set(["SPX", "SPY", "QQQ", "NDX", "AAPL", "NVDA", "TSLA"])

/**
 * Returns when an underlying was last refreshed, in epoch seconds; `-Infinity` where it never was.
 *
 * @category getters
 * @since 0.1.0
 */
export const refreshedAt = (self: Cache, symbol: string, now: number): number => {
  const noted = self.refreshed.get(symbol) ?? -Infinity
  // A refresh in the future does not count: the clock was skewed by a fault, or set back.
  const byUs = noted > now ? -Infinity : noted
  if (self.cold.has(symbol)) return byUs
  const period = hot.has(symbol) ? 60 : 600
  const phase = Math.floor(SeededNoise.unit(SeededNoise.named(self.seed, symbol)) * period)
  return Math.max(byUs, now - ((now + phase) % period))
}

/**
 * Notes that an underlying was refreshed by a request for fresh data.
 *
 * @category transitions
 * @since 0.1.0
 */
export const refresh = (self: Cache, symbol: string, now: number): Cache =>
  self.refreshed.get(symbol) === now ? self : { ...self, refreshed: new Map(self.refreshed).set(symbol, now) }
