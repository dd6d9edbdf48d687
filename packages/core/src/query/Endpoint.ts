/**
 * What an endpoint is, as data: the rows from which paths, prices, access and readers are told. A row imports no decoder, so that a
 * planner which only prices queries carries none.
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
import * as Untyped from "../text/untyped.ts"

/**
 * The price rule an endpoint falls under (clause 4-endpoint-kinds): option chains by 4.1; quotes, candles, bulk candles and other
 * endpoints by 8.2; `free` for the public service's account and status pages.
 *
 * @category models
 * @since 0.1.0
 */
export type CostKind = "chain" | "quotes" | "candles" | "bulkCandles" | "other" | "free"

/**
 * What the demo ticker opens without a token (clause 5.5-demo): any option of that underlying, the stock itself, the public service's
 * demo fund, or nothing.
 *
 * @category models
 * @since 0.1.0
 */
export type Demo = "option" | "stock" | "fund" | "none"

/**
 * What the caller knows about a reply beforehand; it turns an open price into a bounded one, and is named in the estimate.
 *
 * - `contracts`, `candles`, `symbols`: how many option contracts, candles or symbols come back. The price is that of exactly this many: a caller who
 *   is not sure says how many it may be at most, and what comes back beyond is recorded as an overrun
 * - `credits`: the most that a reply may cost for which the contract states no price, such as quotes of past days
 * - `historical`: the account is served historical data even without `date` (user type Professional or Unknown); `false` says
 *   that it is not
 * - `kind`: the price rule of an endpoint for which the contract states none (clause 4-endpoint-kinds)
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
 * - `path`: where it lies; `{name}` stands for a path parameter
 * - `listPath`: where it takes many tickers at once, in the `symbols` parameter; undefined where it does not
 * - `parameters`: the query parameters of its own, in the order they are sent; every endpoint under `/v1/` takes `mode` as well
 * - `kind`: the rule of its price; `kindStated` is false where the contract does not say which, and `assume.kind` may choose another
 * - `stated`: whether the contract has the path, or only the public service
 * - `tokenless`: whether it never takes a token
 * - `premium`: whether only paid plans are served
 * - `cached`: whether cached data exist for it (clause 8.2-cached-unavailable)
 * - `date`: whether its `date` must be a past day in New York (clause 4.1-date), may be any, or is not taken
 * - `columns`: the names of the array fields of its reply, in order; none where the reply is not a table
 * - `prices`: those of them that make a reply cost more than one credit on the public service
 * - `maxReplyBytes`, `maxRows`: the largest reply, in bytes without its coding, and the most rows of one; whatever is larger does not come from the
 *   service. Where a reply is not a table, they count the elements of a list
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
export const isEndpoint = (input: unknown): input is Endpoint => {
  const { columns, name, parameters, path, prices } =
    Untyped.fields(input, ["name", "path", "parameters", "columns", "prices"]) ?? {}
  return typeof name === "string" && typeof path === "string" &&
    Untyped.areLists(parameters, columns, prices)
}

/**
 * The bytes of a reply that holds a few fields, or a list that fits a page: what no such reply comes near to.
 *
 * @category constants
 * @since 0.1.0
 */
export const smallReply = 1_048_576

/**
 * Returns whether the path of an endpoint begins with `/v1/`: every endpoint of the contract does, the public service's account and
 * status pages do not (clause 9-version).
 *
 * @category predicates
 * @since 0.1.0
 */
export const isVersioned = (self: Endpoint): boolean => self.path.startsWith("/v1/")

/**
 * A data mode, or none: then the account's plan decides (clause 8.2-default).
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
 * Rules out these names in a cached mode: nothing is cached of days that are over (clause 8.2-cached-unavailable).
 *
 * @category models
 * @since 0.1.0
 */
export type NoneCached<Mode extends AnyMode, Names extends string> = [Mode] extends
  [DataMode.Cached | DataMode.CachedOrLive | "cached"] ? { readonly [Name in Names]?: undefined }
  : unknown

/**
 * What every query takes. `mode` is a value of `DataMode`, or the service's name for one, such as `"live"`; by the account's plan where it is left
 * out.
 *
 * @category models
 * @since 0.1.0
 */
export interface General<Mode extends AnyMode> {
  readonly mode?: Mode
  readonly assume?: Assumptions | undefined
}

/**
 * What every query takes whose answer is a table: the columns to return, all of them where it is left out. They type the answer.
 *
 * @category models
 * @since 0.1.0
 */
export interface Columnar<Name extends string, Mode extends AnyMode> extends General<Mode> {
  readonly columns?: ReadonlyArray<Name> | undefined
}

/**
 * Which rows of a long reply to return: at most `limit`, 1 to 50,000, after the first `offset`. They are the public service's, which returns
 * 10,000 where no limit is named. Its candles have none; and a list of symbols, which may go in several requests, is cut by its symbols.
 *
 * @category models
 * @since 0.1.0
 */
export interface Page {
  readonly limit?: number | undefined
  readonly offset?: number | undefined
}
