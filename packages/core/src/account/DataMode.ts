/**
 * Data modes: which data to ask for, and so at which price (contract 8.2).
 *
 * `live`, `delayed` and `cached` are modes of the contract; `eod` and `historical` exist only on the public service. `cachedOrLive` is
 * this package's own: cached data if there are any, and otherwise live data at the live price. The program must consent to that price.
 *
 * @example
 * ```ts
 * import * as DataMode from "@effect-marketdata/core/DataMode"
 *
 * DataMode.cached({ maxAge: "5 minutes" })._tag // => "Cached"
 * DataMode.parameter(DataMode.cachedOrLive()) // => "cached"
 * ```
 *
 * @see {@link ModeSelection} which finds the cheapest mode that is fresh enough
 * @see {@link MaxAge} for the age of cached data
 * @see `CacheFallback` of the client, for the consent
 * @since 0.1.0
 */
import * as Problem from "../text/Problem.ts"
import * as Untyped from "../text/untyped.ts"
import type * as MaxAge from "../time/MaxAge.ts"
import * as Profile from "./Profile.ts"

/** A mode that has no greatest age. */
type Uncached<Tag> = { readonly _tag: Tag; readonly maxAge?: never }

/** A mode that has one. */
type Aged<Tag> = { readonly _tag: Tag; readonly maxAge: MaxAge.Input | undefined }

/**
 * The freshest data that the account may see. It is the default of paid accounts.
 *
 * @category models
 * @since 0.1.0
 */
export interface Live extends Uncached<"Live"> {}

/**
 * Data at least 15 minutes old. It is the default of free and trial accounts.
 *
 * @category models
 * @since 0.1.0
 */
export interface Delayed extends Uncached<"Delayed"> {}

/**
 * Data from the service's cache, at one credit for each request. A miss, when nothing cached is young enough, is free and brings no data.
 * Only cached modes have a `maxAge` (clause 4.1-maxage-cached-only).
 *
 * @category models
 * @since 0.1.0
 */
export interface Cached extends Aged<"Cached"> {}

/**
 * Cached data, or live data at the live price if nothing cached is young enough (clause 8.3-fallback).
 *
 * @category models
 * @since 0.1.0
 */
export interface CachedOrLive extends Aged<"CachedOrLive"> {}

/**
 * Data of the last session that has passed its closing time, 16:15 in New York. On the public service only.
 *
 * @category models
 * @since 0.1.0
 */
export interface Eod extends Uncached<"Eod"> {}

/**
 * Data of the last session that is fully closed, which means that the next one has begun. On the public service only, where it is the
 * default of free and trial accounts.
 *
 * @category models
 * @since 0.1.0
 */
export interface Historical extends Uncached<"Historical"> {}

/**
 * Any data mode.
 *
 * @category models
 * @since 0.1.0
 */
export type DataMode = Live | Delayed | Cached | CachedOrLive | Eod | Historical

/** The modes by the names that the service has for them. */
interface Named {
  readonly live: Live
  readonly delayed: Delayed
  readonly cached: Cached
  readonly eod: Eod
  readonly historical: Historical
}

/**
 * The values of the `mode` parameter of a request, without aliases.
 *
 * @category models
 * @since 0.1.0
 */
export type Parameter = keyof Named

/**
 * What a query's `mode` takes: a mode, or the contract's name for one. The modes of the public service only are asked for by value.
 *
 * @category models
 * @since 0.1.0
 */
export type Input = DataMode | Exclude<Parameter, "eod" | "historical">

/**
 * The type of the mode that an input means.
 *
 * @category models
 * @since 0.1.0
 */
export type Of<Mode extends Input | undefined> = Mode extends DataMode | undefined ? Mode
  : Mode extends Parameter ? Named[Mode]
  : never

/**
 * Asks for the freshest data that the account may see.
 *
 * @example
 * ```ts
 * import * as DataMode from "@effect-marketdata/core/DataMode"
 *
 * DataMode.parameter(DataMode.live) // => "live"
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const live: Live = { _tag: "Live" }

/**
 * Asks for data at least 15 minutes old.
 *
 * @example
 * ```ts
 * import * as DataMode from "@effect-marketdata/core/DataMode"
 *
 * DataMode.parameter(DataMode.delayed) // => "delayed"
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const delayed: Delayed = { _tag: "Delayed" }

/**
 * Asks for cached data, of any age or of at most `maxAge`.
 *
 * @example
 * ```ts
 * import * as DataMode from "@effect-marketdata/core/DataMode"
 *
 * DataMode.cached({ maxAge: "5 minutes" }) // => { _tag: "Cached", maxAge: "5 minutes" }
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const cached = (options?: { readonly maxAge?: MaxAge.Input | undefined }): Cached => ({
  _tag: "Cached",
  maxAge: options?.maxAge
})

/**
 * Asks for cached data, of any age or of at most `maxAge`, and for live data if there are none.
 *
 * @example
 * ```ts
 * import * as DataMode from "@effect-marketdata/core/DataMode"
 *
 * DataMode.cachedOrLive({ maxAge: "5 minutes" })._tag // => "CachedOrLive"
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const cachedOrLive = (options?: { readonly maxAge?: MaxAge.Input | undefined }): CachedOrLive => ({
  _tag: "CachedOrLive",
  maxAge: options?.maxAge
})

/**
 * Asks the public service for the last session that has passed its closing time, 16:15 in New York.
 *
 * @example
 * ```ts
 * import * as DataMode from "@effect-marketdata/core/DataMode"
 *
 * DataMode.eod // => { _tag: "Eod" }
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const eod: Eod = { _tag: "Eod" }

/**
 * Asks the public service for the last session that is fully closed.
 *
 * @example
 * ```ts
 * import * as DataMode from "@effect-marketdata/core/DataMode"
 *
 * DataMode.historical // => { _tag: "Historical" }
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const historical: Historical = { _tag: "Historical" }

/**
 * What the service calls each mode.
 *
 * @internal
 */
export const parameters = {
  Live: "live",
  Delayed: "delayed",
  Cached: "cached",
  CachedOrLive: "cached",
  Eod: "eod",
  Historical: "historical"
} as const satisfies Readonly<Record<DataMode["_tag"], Parameter>>

/**
 * A value that is not a mode, such as the name of one: `fromParameter` reads that.
 *
 * @category errors
 * @since 0.1.0
 */
export class DataModeError extends /* @__PURE__ */ Problem.errorOf("DataModeError", "mode ", {
  NotAMode: { rule: "must be a value of DataMode", example: "DataMode.live" }
}) {}

/**
 * Returns the value of the `mode` parameter in the first request of a mode. Throws `DataModeError` for what is not a mode.
 *
 * @example
 * ```ts
 * import * as DataMode from "@effect-marketdata/core/DataMode"
 *
 * DataMode.parameter(DataMode.cachedOrLive()) // => "cached"
 * ```
 *
 * @category getters
 * @since 0.1.0
 */
export const parameter = (self: DataMode): Parameter => {
  if (isDataMode(self)) return parameters[self._tag]
  throw new DataModeError({ input: Untyped.shown(self), problem: "NotAMode" })
}

/**
 * Returns whether a value is a data mode. A name such as `"cached"` is not: `fromParameter` reads it, and so do the constructors of
 * queries.
 *
 * @example
 * ```ts
 * import * as DataMode from "@effect-marketdata/core/DataMode"
 *
 * DataMode.isDataMode(DataMode.live) // => true
 * DataMode.isDataMode("live") // => false
 * ```
 *
 * @category guards
 * @since 0.1.0
 */
export const isDataMode = (input: unknown): input is DataMode => {
  const tag = Untyped.fields(input, ["_tag"])?._tag
  return typeof tag === "string" && Object.hasOwn(parameters, tag)
}

/**
 * Returns whether the first request of a mode asks for cached data.
 *
 * @example
 * ```ts
 * import * as DataMode from "@effect-marketdata/core/DataMode"
 *
 * DataMode.isCached(DataMode.cachedOrLive()) // => true
 * DataMode.isCached(DataMode.live) // => false
 * ```
 *
 * @category predicates
 * @since 0.1.0
 */
export const isCached = (self: DataMode | undefined): self is Cached | CachedOrLive =>
  self?._tag === "Cached" || self?._tag === "CachedOrLive"

const byText = /* @__PURE__ */ new Map<string, Exclude<DataMode, CachedOrLive>>([
  ["live", live],
  ["delayed", delayed],
  ["cached", cached()],
  ["cache", cached()],
  ["stale", cached()],
  ["eod", eod],
  ["historical", historical]
])

/**
 * Reads a mode from its name as the service does: `cache` and `stale` mean cached (clause 8.2-modes). It returns `undefined` for any
 * other text. `eod` and `historical` are modes under the profile `public` only.
 *
 * @example
 * ```ts
 * import * as DataMode from "@effect-marketdata/core/DataMode"
 *
 * DataMode.fromParameter("delayed") // => { _tag: "Delayed" }
 * DataMode.fromParameter("yesterday") // => undefined
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const fromParameter = (
  value: string,
  profile: Profile.Profile = Profile.defaultProfile
): Exclude<DataMode, CachedOrLive> | undefined => {
  const mode = byText.get(value)
  const known: ReadonlyArray<Parameter> = Profile.get(profile, "modes")
  return mode !== undefined && known.includes(parameter(mode)) ? mode : undefined
}
