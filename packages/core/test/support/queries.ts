/** Queries for tests. */
import type * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as DataMode from "@effect-marketdata/core/DataMode"
import type * as OptionChain from "@effect-marketdata/core/OptionChain"
import * as Query from "@effect-marketdata/core/Query"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { calendarDate, optionSymbol, side } from "./arbitraries.ts"
import { names } from "./chains.ts"

/** What can be asked of a chain, the types of mode and columns left open. */
export interface Options {
  readonly mode?: DataMode.DataMode | undefined
  readonly date?: CalendarDate.Input | undefined
  readonly expiration?: CalendarDate.Input | undefined
  readonly side?: "call" | "put" | undefined
  readonly columns?: ReadonlyArray<OptionChain.Column> | undefined
  readonly assume?: Query.Assumptions | undefined
}

/** A query about the chain of AAPL. */
export const chain = (options: Options = {}, underlying = "AAPL"): Query.Query<OptionChain.OptionChain> =>
  Result.getOrThrow(Query.optionChain(underlying, options))

const maxAge = fc.option(fc.integer({ min: 1, max: 600 }).map((minutes) => `${minutes} minutes` as const), {
  nil: undefined
})

/** Every mode, and none. */
export const mode: fc.Arbitrary<DataMode.DataMode | undefined> = fc.oneof(
  fc.constantFrom(undefined, DataMode.live, DataMode.delayed),
  maxAge.map((maxAge) => DataMode.cached({ maxAge })),
  maxAge.map((maxAge) => DataMode.cachedOrLive({ maxAge }))
)

export const ticker: fc.Arbitrary<string> = fc.string({
  unit: fc.constantFrom(..."ABCXYZabcxyz0189.-_^$"),
  minLength: 1,
  maxLength: 32
}).filter((text) => /[^.]/.test(text))

const optional = <A>(value: fc.Arbitrary<A>): fc.Arbitrary<A | undefined> => fc.option(value, { nil: undefined })

/** Options that go together: no day with cached data. */
const options: fc.Arbitrary<Options> = fc.record({
  mode,
  date: optional(calendarDate(2005, 2026)),
  expiration: optional(fc.oneof(fc.constant("all"), calendarDate(2000, 2099))),
  side: optional(side),
  columns: optional(fc.shuffledSubarray([...names], { minLength: 1 })),
  assume: fc.record({ contracts: optional(fc.nat({ max: 30_000 })), historical: optional(fc.boolean()) })
}).map((options) =>
  options.mode?._tag === "Cached" || options.mode?._tag === "CachedOrLive" ? { ...options, date: undefined } : options
)

/** Well-formed queries of every kind. */
const query: fc.Arbitrary<Query.Query<OptionChain.OptionChain>> = fc.tuple(ticker, options).map((
  [ticker, options]
) => chain(options, ticker))

const symbols = fc.uniqueArray(ticker, { minLength: 1, maxLength: 12 })
const uncached = fc.constantFrom(undefined, DataMode.live, DataMode.delayed)
const pastDay = calendarDate(2005, 2025)
const ask = (query: Result.Result<Query.Query, unknown>): Query.Query => Result.getOrThrow(query)

/** Well-formed queries to every endpoint that has a price of its own. */
export const anyKind: fc.Arbitrary<Query.Query> = fc.oneof(
  query,
  fc.tuple(symbols, mode).map(([symbols, mode]) => ask(Query.stockQuotes(symbols, { mode }))),
  fc.tuple(symbols, mode).map(([symbols, mode]) => ask(Query.stockPrices(symbols, { mode }))),
  fc.tuple(ticker, mode).map(([symbol, mode]) => ask(Query.stockQuote(symbol, { mode }))),
  fc.tuple(optionSymbol, mode).map(([symbol, mode]) => ask(Query.optionQuote(symbol, { mode }))),
  fc.tuple(optionSymbol, pastDay, uncached).map(([symbol, date, mode]) =>
    ask(Query.optionQuote(symbol, { date, mode }))
  ),
  fc.tuple(ticker, pastDay, uncached).map(([symbol, from, mode]) =>
    ask(Query.stockCandles("D", symbol, { from, mode }))
  ),
  fc.tuple(symbols, uncached).map(([symbols, mode]) => ask(Query.stockBulkCandles(symbols, { mode }))),
  fc.tuple(ticker, uncached).map(([symbol, mode]) => ask(Query.optionExpirations(symbol, { mode }))),
  fc.constant(Query.account)
)
