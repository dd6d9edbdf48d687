/** What a query is, whatever its endpoint: how it is checked, changed, and written. The constructors are in `endpoints/Query.ts`. */
import { dual } from "effect/Function"
import * as Result from "effect/Result"
import * as DataMode from "../account/DataMode.ts"
import type { InvalidQuery } from "../reason/Reason.ts"
import * as Untyped from "../text/untyped.ts"
import * as CalendarDate from "../time/CalendarDate.ts"
import * as MaxAge from "../time/MaxAge.ts"
import * as NewYork from "../time/NewYork.ts"
import * as Endpoint from "./Endpoint.ts"
import { isSound, made, parametersOf, soundly } from "./made.ts"
import { dataMode, encodeText, isValue, queryString, refuse, type Resolution, type Values } from "./parameter.ts"
import * as Rules from "./rules.ts"

/**
 * What the caller knows about a reply beforehand.
 *
 * @since 0.1.0
 */
export type { Assumptions } from "./Endpoint.ts"

/**
 * A well-formed query, as plain data. `Data` is the type of its answer's data, `Mode` that of its data mode. `JSON.stringify` prints the
 * name of the endpoint and what was asked, and `Schemas.Query` reads that. A copy made by spreading prints its fields instead.
 *
 * - `endpoint`: the endpoint that it goes to
 * - `kind`: the rule of its price
 * - `path`: the finished path, encoded; `segments` are the parts that were put into it, by name and not encoded
 * - `tickers`: the stocks, funds or underlyings that it is about, each once; if `list` is true they are sent in the `symbols` parameter
 * - `options`: what it was made from beside its tickers, by name; the endpoint's own query parameters are written from it
 * - `resolution`: of candles, how long each is
 * - `columns`: the columns that were asked for by name; `returns` are the columns that the reply should have
 * - `historical`: whether it is about past days
 * - `cacheable`: whether it may be asked in a cached mode (clause 8.2-cached-unavailable)
 * - `format`: `csv` if the answer is a text, see `asCsv`
 *
 * @category models
 * @since 0.1.0
 */
export interface Query<
  out Data = unknown,
  out Mode extends DataMode.DataMode | undefined = DataMode.DataMode | undefined
> {
  /** Only there for the type: a query does not hold its answer. */
  readonly "~Data"?: Data
  readonly endpoint: Endpoint.Endpoint
  readonly kind: Endpoint.CostKind
  readonly subject: string
  readonly path: string
  readonly segments: Readonly<Record<string, string>>
  readonly tickers: ReadonlyArray<string>
  readonly list: boolean
  readonly options: Values
  readonly resolution?: Resolution | undefined
  readonly columns: ReadonlyArray<string> | undefined
  readonly returns: ReadonlyArray<string>
  readonly historical: boolean
  readonly cacheable: boolean
  readonly mode: Mode
  readonly maxAge: MaxAge.MaxAge | undefined
  readonly assume: Endpoint.Assumptions
  readonly format?: "csv" | undefined
}

/**
 * Returns whether a value is a query. A constructor returns a `Result`, which is not a query itself but holds one.
 *
 * @category guards
 * @since 0.1.0
 */
export const isQuery = (input: unknown): input is Query =>
  isSound(input) ||
  Untyped.hasForm<Query>(
    input,
    ({ columns, endpoint, options, path, returns, tickers }) =>
      Endpoint.isEndpoint(endpoint) && typeof path === "string" && Untyped.isList(tickers) &&
      [...Untyped.entries(options)!.values()].every(isValue) && Untyped.isList(returns) &&
      (columns == null || Untyped.isList(columns))
  )

/**
 * Checks that a value is a query, for functions that untyped code may call. Returns the query, and fails with `InvalidQuery` for anything
 * else.
 *
 * @category guards
 * @since 0.1.0
 */
export const check = (
  input: unknown,
  is: (input: unknown) => input is Query = isQuery
): Result.Result<Query, InvalidQuery> => is(input) ? Result.succeed(input) : refuse("query", input, Rules.query)

/**
 * Returns a query unchanged. Throws `InvalidQuery` for anything else, such as the `Result` that a constructor returns.
 *
 * @internal
 */
export const known = <Q extends Query>(self: Q): Q =>
  typeof (self as Partial<Query> | null | undefined)?.endpoint === "object" ? self : Result.getOrThrow(check(self)) as Q

/**
 * Returns the same query in another mode. A cached mode keeps its own `maxAge`, or else takes that of the query; other modes have none
 * (clause 8.3-fallback).
 *
 * It never fails. A cached mode for a query without cached data, and a value that is not a mode, are refused later, by `HttpRequest.make`
 * and `Credits.estimate`.
 *
 * @example
 * ```ts
 * import * as DataMode from "@effect-marketdata/core/DataMode"
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Result from "effect/Result"
 *
 * Result.map(Query.stockPrices(["AAPL"]), (query) => Query.target(Query.withMode(query, DataMode.delayed)))
 * // => Result.succeed("/v1/stocks/prices/?symbols=AAPL&mode=delayed")
 * ```
 *
 * @category combinators
 * @since 0.1.0
 */
export const withMode: {
  <Mode extends DataMode.DataMode>(mode: Mode): <Data>(self: Query<Data>) => Query<Data, Mode>
  <Data, Mode extends DataMode.DataMode>(self: Query<Data>, mode: Mode): Query<Data, Mode>
} = dual(2, <Data, Mode extends DataMode.DataMode>(self: Query<Data>, mode: Mode): Query<Data, Mode> => {
  const read = dataMode("mode", mode)
  const asked = Result.isSuccess(read) ? read.success.mode : mode
  const maxAge = Result.isSuccess(read) && DataMode.isCached(asked)
    ? read.success.maxAge ?? known(self).maxAge
    : undefined
  const moded: Query<Data, Mode> = { ...known(self), mode: (maxAge ? { ...asked, maxAge } : asked) as Mode, maxAge }
  return isSound(self) && Result.isSuccess(read) && (self.cacheable || !DataMode.isCached(asked))
    ? soundly(moded)
    : made(moded)
})

/**
 * Returns the same query for a reply in CSV (clause 4.5-general-params). Its answer is a text: a line with the names of the columns, and
 * a line for each row. The cells stand as the service wrote them and are not checked. It costs the same.
 *
 * The contract names the parameter `format` without any value; `csv` is a value of the public service. Its account and status pages have
 * no CSV: `HttpRequest.make` refuses them.
 *
 * @example
 * ```ts
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Result from "effect/Result"
 *
 * const prices = Query.stockPrices(["AAPL", "MSFT"], { columns: ["symbol", "mid"] })
 * Result.map(prices, (query) => Query.target(Query.asCsv(query)))
 * // => Result.succeed("/v1/stocks/prices/?symbols=AAPL,MSFT&columns=symbol,mid&format=csv")
 * ```
 *
 * @category combinators
 * @since 0.1.0
 */
export const asCsv = <Mode extends DataMode.DataMode | undefined>(self: Query<unknown, Mode>): Query<string, Mode> =>
  made({ ...known(self as Query<never, Mode>), format: "csv" })

/**
 * Returns the `date` of a query as it is sent, or undefined if it has none.
 *
 * @category getters
 * @since 0.1.0
 */
export const dateOf = (self: Query): string | undefined => {
  const { date } = known(self).options
  return typeof date === "string" ? date : undefined
}

/**
 * Returns the endpoint's own parameters of a query as they are sent, in that order and not yet encoded.
 *
 * @example
 * ```ts
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Result from "effect/Result"
 *
 * Result.map(Query.optionChain("SPX", { dte: 30, strike: { above: 6000 } }), Query.parameters)
 * // => Result.succeed([["dte", "30"], ["strike", ">6000"]])
 * ```
 *
 * @category getters
 * @since 0.1.0
 */
export const parameters = (self: Query): ReadonlyArray<readonly [name: string, value: string]> =>
  parametersOf(known(self)).map(([name, value]) => [name, String(value)])

/**
 * Checks that the `date` of a query is a past day in New York at the moment `now`, in epoch seconds; today counts as current data (clause
 * 4.1-date). Fails with `InvalidQuery`. Endpoints whose `date` may lie in the future accept any day.
 *
 * @category constructors
 * @since 0.1.0
 */
export const checkDate = (self: Query, now: number): Result.Result<void, InvalidQuery> => {
  const date = known(self).endpoint.date === "past" ? dateOf(self) : undefined
  if (date === undefined) return Result.void
  const today = NewYork.dateOf(now)
  if (date < CalendarDate.format(today)) return Result.void
  return refuse("date", date, Rules.past(CalendarDate.format(CalendarDate.addDays(today, -1))))
}

/**
 * What is open without a token: the stock and the options of one ticker, and one fund of the public service.
 *
 * @category models
 * @since 0.1.0
 */
export interface Demo extends Partial<Readonly<Record<"ticker" | "fund", string | undefined>>> {}

/**
 * Returns whether the service answers a query without a token (clause 5.5-demo): each of its tickers is the demo ticker, which is `AAPL`
 * unless `demo` names another. The data are then historical, even without a `date`.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isDemo = (self: Query, demo?: Demo): boolean => {
  const { ticker = "AAPL", fund = "VFINX" } = { ...demo }
  const opened = { option: ticker, stock: ticker, fund, none: undefined }[known(self).endpoint.demo]
  return self.tickers.length > 0 && self.tickers.every((name) => name.toUpperCase() === opened)
}

/**
 * Returns whether a query needs a token (clause 5.1-token-everywhere). Only queries about the demo ticker, and the public service's
 * status page, need none.
 *
 * @category predicates
 * @since 0.1.0
 */
export const needsToken = (self: Query, demo?: Demo): boolean => !known(self).endpoint.tokenless && !isDemo(self, demo)

/**
 * Returns path and query string as they go over the wire, without a token (clause 7.3-url-shape).
 *
 * @category getters
 * @since 0.1.0
 */
export const target = (self: Query): string => {
  const all = [...parameters(self)]
  if (self.list) all.unshift(["symbols", self.tickers.join(",")])
  if (self.columns !== undefined) all.push(["columns", self.columns.join(",")])
  if (self.format !== undefined) all.push(["format", self.format])
  if (self.mode !== undefined) all.push(["mode", DataMode.parameter(self.mode)])
  if (self.maxAge !== undefined) all.push(["maxage", MaxAge.format(self.maxAge)])
  return all.length === 0 ? self.path : `${self.path}?${queryString(all)}`
}

/**
 * Cuts the tickers of a list, in their order, into as few parts as the number of symbols and the bytes of a target allow (clause 8.1-batches).
 *
 * @internal
 */
export const cut = (self: Query, maxSymbols: number, maxBytes: number): ReadonlyArray<ReadonlyArray<string>> => {
  const parts: Array<Array<string>> = []
  const empty = target({ ...self, tickers: [] }).length - 1
  let bytes = Infinity
  for (const ticker of self.tickers) {
    const more = 1 + encodeText(ticker).length
    const isFull = bytes + more > maxBytes || parts.at(-1)!.length === maxSymbols
    if (isFull) parts.push([])
    bytes = more + (isFull ? empty : bytes)
    parts.at(-1)!.push(ticker)
  }
  return parts
}

/**
 * Prints a query in a few words, for messages and traces: `optionChain SPX`.
 *
 * @category formatting
 * @since 0.1.0
 */
export const format = (self: Query): string => `${known(self).endpoint.name} ${self.subject}`.trimEnd()
