/** What a query is, whatever its endpoint: how it is checked, changed, and written. The constructors are in `endpoints/Query.ts`. */
import { dual } from "effect/Function"
import * as Result from "effect/Result"
import * as CalendarDate from "../time/CalendarDate.ts"
import * as DataMode from "../account/DataMode.ts"
import * as NewYork from "../time/NewYork.ts"
import * as Endpoint from "./Endpoint.ts"
import * as Encoding from "./encoding.ts"
import { made } from "./made.ts"
import * as Modes from "./mode.ts"
import { refuse } from "./parameter.ts"
import * as Rules from "./rules.ts"
import * as Untyped from "../text/untyped.ts"
import * as MaxAge from "../time/MaxAge.ts"
import type { InvalidQuery } from "../reason/Reason.ts"

/**
 * What the caller knows about a reply beforehand.
 *
 * @since 0.1.0
 */
export type { Assumptions } from "./Endpoint.ts"

/**
 * A well-formed query, as plain data. `Data` is what its answer holds; `Mode` the data mode it asks in. `JSON.stringify` prints the name of
 * its endpoint and what was asked, which `Schemas.Query` reads; what is spread into another object is no longer printed so.
 *
 * - `endpoint`: the row of the endpoint that it goes to
 * - `kind`: the rule of its price
 * - `path`: the finished path, encoded; `segments` are what stands in its places, by their names, not yet encoded
 * - `tickers`: the stocks, funds or underlyings it is about, each once; where `list` says so they are sent in the `symbols` parameter
 * - `parameters`: the endpoint's own query parameters, not yet encoded
 * - `columns`: the columns asked for by name; `returns` are those that the reply should have
 * - `historical`: whether it is about days that are over
 * - `cacheable`: whether it may be asked in a cached mode (clause 8.2-cached-unavailable)
 * - `format`: `csv` where the answer is to be a text, see `asCsv`
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
  readonly parameters: ReadonlyArray<readonly [name: string, value: string]>
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
 * Returns whether a value is a query. The result of a constructor is not: the query is inside of it.
 *
 * @category guards
 * @since 0.1.0
 */
export const isQuery = (input: unknown): input is Query => {
  const { columns, endpoint, parameters, path, returns, tickers } =
    Untyped.fields(input, ["endpoint", "path", "tickers", "parameters", "columns", "returns"]) ?? {}
  return Endpoint.isEndpoint(endpoint) && typeof path === "string" &&
    Untyped.areLists(tickers, parameters, returns, columns ?? [])
}

/**
 * Checks that a value is a query, for functions that untyped code may hand something else; fails with `InvalidQuery`.
 *
 * @category guards
 * @since 0.1.0
 */
export const check = (
  input: unknown,
  is: (input: unknown) => input is Query = isQuery
): Result.Result<Query, InvalidQuery> =>
  is(input)
    ? Result.succeed(input)
    : refuse("query", input, Rules.query)

/**
 * Turns a query into the same query in another mode. Its greatest age is that of the mode, or else its own; it stays with cached modes
 * only (clause 8.3-fallback).
 *
 * A query that has no cached data does not turn into a cached one, and a value that is not a mode does not become one: `HttpRequest.make`
 * and `Credits.estimate` refuse either.
 *
 * @category combinators
 * @since 0.1.0
 */
export const withMode: {
  <Mode extends Sendable>(mode: Mode): <Data>(self: Query<Data>) => Query<Data, Mode>
  <Data, Mode extends Sendable>(self: Query<Data>, mode: Mode): Query<Data, Mode>
} = dual(2, <Data, Mode extends Sendable>(self: Query<Data>, mode: Mode): Query<Data, Mode> => {
  const read = Modes.read("mode", mode)
  const asked = Result.isSuccess(read) ? read.success.mode : mode
  const maxAge = Result.isSuccess(read) && DataMode.isCached(asked) ? read.success.maxAge ?? self.maxAge : undefined
  return made({ ...self, mode: (maxAge ? { ...asked, maxAge } : asked) as Mode, maxAge })
})

/** A mode of the service's own. */
type Sendable = Exclude<DataMode.DataMode, DataMode.CachedOrLive>

/**
 * Turns a query into the same query for a text in CSV (clause 4.5-general-params): a line with the names of the columns, and one for each
 * row. The cells are the service's own words, and nobody compares them with each other. It costs the same.
 *
 * The contract names the parameter `format` and states no value of it; `csv` is the public service's. Its account and status pages have no
 * other form than their own: `HttpRequest.make` refuses them.
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
  made({ ...(self as Query<never, Mode>), format: "csv" })

/**
 * Returns the day that a query is about, if it names one.
 *
 * @category getters
 * @since 0.1.0
 */
export const dateOf = (self: Query): string | undefined => self.parameters.find(([name]) => name === "date")?.[1]

/**
 * Checks that a query about a past day is about one, in New York, at the moment `now` in epoch seconds; today counts as current data
 * (clause 4.1-date). Fails with `InvalidQuery`. Endpoints that may be asked about days to come take any day.
 *
 * @category constructors
 * @since 0.1.0
 */
export const checkDate = (self: Query, now: number): Result.Result<void, InvalidQuery> => {
  const date = self.endpoint.date === "past" ? dateOf(self) : undefined
  const today = NewYork.dateOf(now)
  return date === undefined || date < CalendarDate.format(today)
    ? Result.succeed(undefined)
    : refuse("date", date, Rules.past(CalendarDate.format(CalendarDate.addDays(today, -1))))
}

/**
 * What is open to everyone: the stock and the options of one ticker, and the public service's one fund.
 *
 * @category models
 * @since 0.1.0
 */
export interface Demo {
  readonly ticker?: string | undefined
  readonly fund?: string | undefined
}

/**
 * Returns whether a query is answered without a token (clause 5.5-demo): every ticker in it is the demo ticker, `AAPL` unless `demo`
 * says otherwise. Without a token the data are historical, with no `date` needed.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isDemo = (self: Query, demo: Demo = {}): boolean => {
  const { ticker = "AAPL", fund = "VFINX" } = demo
  const opened = { option: ticker, stock: ticker, fund, none: undefined }[self.endpoint.demo]
  return self.tickers.length > 0 && self.tickers.every((name) => name.toUpperCase() === opened)
}

/**
 * Returns whether a query needs a token: every one does but the demo case, and the public service's status page
 * (clause 5.1-token-everywhere).
 *
 * @category predicates
 * @since 0.1.0
 */
export const needsToken = (self: Query, demo?: Demo): boolean => !self.endpoint.tokenless && !isDemo(self, demo)

/**
 * Returns path and query as one finished text, the way it goes on the wire; nothing after this rewrites it (clause 7.3-url-shape).
 *
 * @category getters
 * @since 0.1.0
 */
export const target = (self: Query): string => {
  const parameters = [...self.parameters]
  if (self.list) parameters.unshift(["symbols", self.tickers.join(",")])
  if (self.columns !== undefined) parameters.push(["columns", self.columns.join(",")])
  if (self.format !== undefined) parameters.push(["format", self.format])
  if (self.mode !== undefined) parameters.push(["mode", DataMode.parameter(self.mode)])
  if (self.maxAge !== undefined) parameters.push(["maxage", MaxAge.format(self.maxAge)])
  return parameters.length === 0 ? self.path : `${self.path}?${Encoding.queryString(parameters)}`
}

/**
 * Describes a query in a few words, for messages and traces.
 *
 * @category formatting
 * @since 0.1.0
 */
export const format = (self: Query): string => `${self.endpoint.name} ${self.subject}`.trimEnd()
