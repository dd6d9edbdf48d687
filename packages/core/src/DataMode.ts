/**
 * Data modes: which data to ask for, and so at which price (contract 8.2).
 *
 * `live`, `delayed` and `cached` are the service's. `cachedOrLive` is ours: cached data where there is some, live data at live
 * cost where there is none; whoever runs it has to consent to that cost.
 *
 * @example
 * ```ts
 * import * as DataMode from "@effect-marketdata/core/DataMode"
 *
 * DataMode.cached({ maxAge: "5 minutes" })._tag // => "Cached"
 * DataMode.parameter(DataMode.cachedOrLive()) // => "cached"
 * ```
 *
 * @since 0.1.0
 */
import type * as MaxAge from "./MaxAge.ts"

/**
 * The freshest data that the account's entitlements allow. The default of paid accounts.
 *
 * @category models
 * @since 0.1.0
 */
export interface Live {
  readonly _tag: "Live"
  readonly maxAge?: never
}

/**
 * Data at least 15 minutes old. The default of free and trial accounts.
 *
 * @category models
 * @since 0.1.0
 */
export interface Delayed {
  readonly _tag: "Delayed"
  readonly maxAge?: never
}

/**
 * Data from the service's cache, at one credit a request; none where nothing cached is young enough. Only such a mode has a
 * greatest age (clause 4.1-maxage-cached-only).
 *
 * @category models
 * @since 0.1.0
 */
export interface Cached {
  readonly _tag: "Cached"
  readonly maxAge: MaxAge.Input | undefined
}

/**
 * Cached data, and live data at live cost where nothing cached is young enough (clause 8.3-fallback).
 *
 * @category models
 * @since 0.1.0
 */
export interface CachedOrLive {
  readonly _tag: "CachedOrLive"
  readonly maxAge: MaxAge.Input | undefined
}

/**
 * Any data mode.
 *
 * @category models
 * @since 0.1.0
 */
export type DataMode = Live | Delayed | Cached | CachedOrLive

/**
 * Asks for the freshest data that the account's entitlements allow.
 *
 * @category constructors
 * @since 0.1.0
 */
export const live: Live = { _tag: "Live" }

/**
 * Asks for data at least 15 minutes old.
 *
 * @category constructors
 * @since 0.1.0
 */
export const delayed: Delayed = { _tag: "Delayed" }

/**
 * Asks for cached data, of any age or of at most `maxAge`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const cached = (options?: { readonly maxAge?: MaxAge.Input | undefined }): Cached => ({
  _tag: "Cached",
  maxAge: options?.maxAge
})

/**
 * Asks for cached data, of any age or of at most `maxAge`, and for live data where there is none.
 *
 * @category constructors
 * @since 0.1.0
 */
export const cachedOrLive = (options?: { readonly maxAge?: MaxAge.Input | undefined }): CachedOrLive => ({
  _tag: "CachedOrLive",
  maxAge: options?.maxAge
})

/**
 * Returns what the first request of a mode says in the `mode` parameter.
 *
 * @category getters
 * @since 0.1.0
 */
export const parameter = (self: DataMode): "live" | "delayed" | "cached" =>
  self._tag === "Live" ? "live" : self._tag === "Delayed" ? "delayed" : "cached"

/**
 * Reads a mode as the service does: `cache` and `stale` mean cached (clause 8.2-modes); `undefined` for any other text.
 *
 * @category constructors
 * @since 0.1.0
 */
export const fromParameter = (value: string): Live | Delayed | Cached | undefined => {
  switch (value) {
    case "live":
      return live
    case "delayed":
      return delayed
    case "cached":
    case "cache":
    case "stale":
      return cached()
    default:
      return undefined
  }
}
