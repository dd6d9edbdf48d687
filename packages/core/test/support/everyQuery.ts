/** Queries to every endpoint, for laws that hold for all of them. */
import * as DataMode from "@effect-marketdata/core/DataMode"
import * as OptionChain from "@effect-marketdata/core/OptionChain"
import * as Query from "@effect-marketdata/core/Query"
import type * as Reason from "@effect-marketdata/core/Reason"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { calendarDate, optionSymbol } from "./arbitraries.ts"
import { mode, ticker } from "./queries.ts"

export { ticker }

export const tickers = (maxLength: number): fc.Arbitrary<ReadonlyArray<string>> =>
  fc.array(ticker, { minLength: 1, maxLength })

const optional = <A>(arbitrary: fc.Arbitrary<A>): fc.Arbitrary<A | undefined> =>
  fc.option(arbitrary, { nil: undefined })

const uncached = fc.constantFrom(undefined, DataMode.live, DataMode.delayed)

const dollars = fc.integer({ min: 0, max: 99_999_999 }).map((n) => n / 1000)

const numbers = fc.oneof(
  dollars,
  fc.array(dollars, { minLength: 1, maxLength: 4 }),
  fc.tuple(dollars, dollars).map(([a, b]) => ({ from: Math.min(a, b), to: Math.max(a, b) })),
  dollars.map((above) => ({ above })),
  dollars.map((atLeast) => ({ atLeast })),
  dollars.map((below) => ({ below })),
  dollars.map((atMost) => ({ atMost }))
)

const expirations: fc.Arbitrary<OptionChain.Expirations> = fc.oneof(
  fc.record({ expiration: fc.oneof(fc.constant("all" as const), calendarDate(2000, 2099)) }),
  fc.record({ dte: fc.nat({ max: 1000 }) }),
  fc.record({ month: optional(fc.integer({ min: 1, max: 12 })), year: optional(fc.integer({ min: 2000, max: 2099 })) })
)

/** A query, or why there is none. */
export type Asked = Result.Result<Query.Query, Reason.InvalidQuery>

const asked = (): Record<string, fc.Arbitrary<Asked>> => ({
  optionChain: fc.tuple(
    ticker,
    expirations,
    fc.record({
      strike: optional(numbers),
      side: optional(fc.constantFrom("call" as const, "put" as const)),
      minBid: optional(dollars),
      nonstandard: optional(fc.boolean()),
      weekly: fc.constantFrom(undefined, true as const),
      mode,
      columns: optional(fc.subarray([...OptionChain.row.columns], { minLength: 1 }))
    })
  ).map(([symbol, expirations, rest]) => Query.optionChain(symbol, { ...expirations, ...rest })),
  pastChain: fc.tuple(ticker, calendarDate(2000, 2099), uncached).map(([symbol, date, mode]) =>
    Query.optionChain(symbol, { date, mode })
  ),
  optionQuote: fc.tuple(optionSymbol, mode).map(([symbol, mode]) => Query.optionQuote(symbol, { mode })),
  optionLookup: fc.tuple(ticker, optionSymbol).map(([underlying, { expiration, side, strike }]) =>
    Query.optionLookup({ underlying, expiration, side, strike })
  ),
  optionExpirations: fc.tuple(ticker, optional(dollars)).map(([symbol, strike]) =>
    Query.optionExpirations(symbol, { strike })
  ),
  optionStrikes: fc.tuple(ticker, optional(calendarDate(2000, 2099))).map(([symbol, date]) =>
    Query.optionStrikes(symbol, { date })
  ),
  stockQuote: fc.tuple(ticker, mode).map(([symbol, mode]) => Query.stockQuote(symbol, { mode, include: ["52week"] })),
  stockQuotes: fc.tuple(tickers(20), mode).map(([symbols, mode]) => Query.stockQuotes(symbols, { mode })),
  stockPrices: fc.tuple(tickers(20), mode).map(([symbols, mode]) => Query.stockPrices(symbols, { mode })),
  stockCandles: fc.tuple(
    ticker,
    fc.constantFrom("D" as const, "5" as const, "hourly" as const),
    calendarDate(1970, 2099)
  )
    .map(([symbol, resolution, date]) =>
      Query.stockCandles(resolution, symbol, { from: { date, secondOfDay: 34_200 }, extended: true })
    ),
  stockBulkCandles: fc.tuple(tickers(20), uncached).map(([symbols, mode]) => Query.stockBulkCandles(symbols, { mode })),
  stockEarnings: ticker.map((symbol) => Query.stockEarnings(symbol, { countback: 4 })),
  stockNews: ticker.map((symbol) => Query.stockNews(symbol, { columns: ["headline"] })),
  marketStatus: calendarDate(1970, 2099).map((date) => Query.marketStatus({ country: "US", date })),
  fundCandles: ticker.map((symbol) => Query.fundCandles("3M", symbol)),
  pages: fc.constantFrom(Query.account, Query.serviceStatus, Query.requestHeaders).map((query) => Result.succeed(query))
})

/** A query to any endpoint. */
export const query: fc.Arbitrary<Query.Query> = fc.oneof(...Object.values(asked())).map(Result.getOrThrow)

/** The well-formed query, or a failing test. */
export const made = <A, E>(result: Result.Result<A, E>): A => Result.getOrThrow(result)

/** The parameter that a query was refused for; `undefined` where it was not refused. */
export const refusedFor = (result: Result.Result<unknown, Reason.InvalidQuery>): string | undefined =>
  Result.isFailure(result) ? result.failure.parameter : undefined
