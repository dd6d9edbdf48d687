/**
 * Endpoints as data: the values from which paths, prices, access and readers follow. They import no decoder, so that a planner which only
 * prices queries loads none.
 *
 * @example
 * ```ts
 * import * as Endpoint from "@effect-marketdata/core/Endpoint"
 * import * as OptionQuote from "@effect-marketdata/core/OptionQuote"
 *
 * OptionQuote.row.path // => "/v1/options/quotes/{optionSymbol}/"
 * Endpoint.isVersioned(OptionQuote.row) // => true
 * ```
 *
 * @since 0.1.0
 */
import type * as DataMode from "../account/DataMode.ts"
import * as Problem from "../text/Problem.ts"
import * as Untyped from "../text/untyped.ts"

/**
 * The price rule of an endpoint (clause 4-endpoint-kinds): that of 4.1 for option chains, those of 8.2 for quotes, candles, bulk candles
 * and other endpoints, and `free` for the public service's account and status pages.
 *
 * @category models
 * @since 0.1.0
 */
export type CostKind = "chain" | "quotes" | "candles" | "bulkCandles" | "other" | "free"

/**
 * What the service answers without a token (clause 5.5-demo): any option on the demo ticker, the demo stock itself, the public service's
 * demo fund, or nothing.
 *
 * @category models
 * @since 0.1.0
 */
export type Demo = "option" | "stock" | "fund" | "none"

/**
 * What the caller knows about a reply beforehand. It bounds the price of a query that has no bound by itself, and the estimate names it.
 *
 * - `contracts`, `candles`, `symbols`: how many option contracts, candles or symbols come back. The price is that of exactly this number.
 *   If you are not sure, give the most that may come back; if more does, the ledger records an overrun
 * - `credits`: the most credits that a reply may cost, for queries without a price in the contract, such as quotes of past days
 * - `historical`: `true` if the account gets historical data even without `date`, as users of type Professional and Unknown do; `false`
 *   if it does not
 * - `kind`: the price rule, for endpoints without one in the contract (clause 4-endpoint-kinds)
 *
 * @category models
 * @since 0.1.0
 */
export interface Assumptions {
  readonly contracts?: number | undefined
  readonly candles?: number | undefined
  readonly symbols?: number | undefined
  readonly credits?: number | undefined
  readonly historical?: boolean | undefined
  readonly kind?: CostKind | undefined
}

/**
 * One endpoint.
 *
 * - `path`: its path; `{name}` stands for a path parameter
 * - `listPath`: the path that takes many tickers at once, in the `symbols` parameter; undefined if there is none
 * - `parameters`: its own query parameters, in the order in which they are sent; every endpoint under `/v1/` also takes `mode`
 * - `kind`: its price rule; `kindStated` is false if the contract does not name one, and then `assume.kind` may choose another
 * - `stated`: whether the contract has the path, or only the public service does
 * - `tokenless`: whether it never takes a token
 * - `premium`: whether it is for paid plans only
 * - `cached`: whether cached data exist for it (clause 8.2-cached-unavailable)
 * - `date`: whether its `date` must be a past day in New York (clause 4.1-date), may be any day, or is not taken
 * - `columns`: the names of the array fields of its reply, in order; empty if the reply is not a table
 * - `prices`: the columns that make a reply cost more than one credit on the public service
 * - `maxReplyBytes`, `maxRows`: the most bytes, uncompressed, and the most rows of a reply; a larger reply does not come from the
 *   service. If the reply is not a table, `maxRows` counts the elements of a list
 *
 * @category models
 * @since 0.1.0
 */
export interface Endpoint<out Column extends string = string> {
  readonly name: string
  readonly path: string
  readonly listPath: string | undefined
  readonly parameters: ReadonlyArray<string>
  readonly kind: CostKind
  readonly kindStated: boolean
  readonly stated: boolean
  readonly tokenless: boolean
  readonly demo: Demo
  readonly premium: boolean
  readonly cached: boolean
  readonly date: "past" | "any" | "none"
  readonly columns: ReadonlyArray<Column>
  readonly prices: ReadonlyArray<Column>
  readonly maxReplyBytes: number
  readonly maxRows: number
}

/**
 * Returns whether a value has the form of an endpoint.
 *
 * @category guards
 * @since 0.1.0
 */
export const isEndpoint = (input: unknown): input is Endpoint =>
  Untyped.hasForm<Endpoint>(
    input,
    ({ columns, name, parameters, path, prices }) =>
      typeof name === "string" && typeof path === "string" && Untyped.isList(parameters) && Untyped.isList(columns) &&
      Untyped.isList(prices)
  )

/**
 * The size limit, in bytes, for replies with a few fields or a short list: 1 MiB. Such replies are far smaller.
 *
 * @category constants
 * @since 0.1.0
 */
export const smallReply = 1_048_576

/**
 * Returns whether the path of an endpoint begins with `/v1/`. All endpoints of the contract do; the public service's account and status
 * pages do not (clause 9-version).
 *
 * @category predicates
 * @since 0.1.0
 */
export const isVersioned = (self: Endpoint): boolean => known(self).path.startsWith("/v1/")

const known = /* @__PURE__ */ Problem.guard("endpoint", "OptionQuote.row", { path: "" })

/**
 * A data mode, or undefined: then the account's plan decides (clause 8.2-default).
 *
 * @category models
 * @since 0.1.0
 */
export type AnyMode = Modes["any"]

/** The modes of queries, as properties so that editors say which there are, and not the name of a type. */
interface Modes {
  readonly any: Modes["uncached"] | DataMode.Cached | DataMode.CachedOrLive | "cached"
  readonly uncached: Exclude<DataMode.Input, DataMode.Cached | DataMode.CachedOrLive | "cached"> | undefined
}

/**
 * A data mode that an endpoint without cached data takes (clause 8.2-cached-unavailable).
 *
 * @category models
 * @since 0.1.0
 */
export type UncachedMode = Modes["uncached"]

/**
 * Forbids these options in a cached mode, because the cache has no data of past days (clause 8.2-cached-unavailable).
 *
 * @category models
 * @since 0.1.0
 */
export type NoneCached<Mode extends AnyMode, Names extends string> = [Mode] extends [undefined] ? unknown
  : [Mode] extends [DataMode.Cached | DataMode.CachedOrLive | "cached"] ? Without<Names>
  : unknown

/**
 * Forbids these options, because others are given that they cannot be combined with.
 *
 * @category models
 * @since 0.1.0
 */
export type Without<Names extends string> = { readonly [Name in Names]?: undefined }

/**
 * The options of every query. `mode` is a value of `DataMode`, or the service's name for one, such as `"live"`. If it is left out, the
 * account's plan decides.
 *
 * @category models
 * @since 0.1.0
 */
export interface General<Mode extends AnyMode> {
  readonly mode?: Mode
  readonly assume?: Assumptions | undefined
}

/**
 * The options of every query for a table. `columns` names the columns to return, all of them if left out, and types the answer.
 *
 * @category models
 * @since 0.1.0
 */
export interface Columnar<Name extends string, Mode extends AnyMode> extends General<Mode> {
  readonly columns?: ReadonlyArray<Name> | undefined
}

/**
 * Which rows of a long reply to return: at most `limit`, from 1 to 50,000, after the first `offset`. Both are parameters of the public
 * service, which returns at most 10,000 rows without a limit. Candles do not take them, and neither do lists of symbols, which may go in
 * several requests.
 *
 * @category models
 * @since 0.1.0
 */
export interface Page extends Partial<Readonly<Record<"limit" | "offset", number | undefined>>> {}
