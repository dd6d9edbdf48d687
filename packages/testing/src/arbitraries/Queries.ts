/**
 * Queries to the service, for fast-check: every endpoint, every data mode that it takes, and filters that go together.
 *
 * @example
 * ```ts
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Queries from "@effect-marketdata/testing/Queries"
 * import * as fc from "fast-check"
 *
 * const [query] = fc.sample(Queries.byEndpoint.stockPrices, { seed: 1, numRuns: 1 })
 * Query.target(query!).startsWith("/v1/stocks/prices/?symbols=") // => true
 * ```
 *
 * @since 0.1.0
 */
import { DataMode, type Endpoint, OptionChain, type Period, Query, type Reason } from "@effect-marketdata/core"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import * as Options from "./chainOptions.ts"
import * as Days from "./Days.ts"
import * as OptionSymbols from "./OptionSymbols.ts"
import * as Strikes from "./Strikes.ts"

/**
 * Tickers as the service takes them: 1 to 32 letters, digits, or any of `. - _ ^ $`, not points alone. Those that need encoding and those of
 * the market are among them.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const ticker: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom("AAPL", "SPX", "BRK.B", "^VIX", "BTC-USD", "$SPX"),
  fc.tuple(
    fc.constantFrom(..."ABCXYZabcxyz0189"),
    fc.string({ unit: fc.constantFrom(..."ABCXYZabcxyz0189.-_^$"), maxLength: 31, size: "max" })
  ).map(([first, rest]) => first + rest)
)

const upToTwelve = { minLength: 1, maxLength: 12, size: "max" } as const

/**
 * Lists of tickers: one to twelve, which may repeat.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const tickers: fc.Arbitrary<ReadonlyArray<string>> = fc.array(ticker, upToTwelve)

/**
 * Long lists of tickers: as many as need several requests, by their number or by their length in bytes.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const manyTickers: fc.Arbitrary<ReadonlyArray<string>> = fc.tuple(
  fc.integer({ min: 1, max: 1500 }),
  fc.integer({ min: 4, max: 32 }),
  fc.constantFrom("A", "^", "$", ".")
).map(([count, length, filling]) => Array.from({ length: count }, (_, index) => `T${index}`.padEnd(length, filling)))

/**
 * Live, delayed, or no mode: those that every endpoint takes.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const uncachedMode: fc.Arbitrary<DataMode.Live | DataMode.Delayed | undefined> = fc.constantFrom(
  undefined,
  DataMode.live,
  DataMode.delayed
)

const maxAge = Options.optional(fc.oneof(
  fc.integer({ min: 1, max: 600 }).map((minutes) => `${minutes} minutes` as const),
  Days.instant.map((epochSeconds) => ({ _tag: "Absolute", epochSeconds }) as const)
))

/**
 * Every mode of the contract, and none; cached ones with a greatest age or without.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const mode: fc.Arbitrary<
  DataMode.Live | DataMode.Delayed | DataMode.Cached | DataMode.CachedOrLive | undefined
> = fc.oneof(
  uncachedMode,
  maxAge.map((maxAge) => DataMode.cached({ maxAge })),
  maxAge.map((maxAge) => DataMode.cachedOrLive({ maxAge }))
)

const pastDay = Days.day({ year: 2005, month: 1, day: 1 }, { year: 2025, month: 12, day: 31 })

const numbers = Options.numbers(Strikes.strike, 4, ["above", "atLeast", "below", "atMost"])

/** Filters by strike or by delta, of which the service takes only one. */
const chosen: fc.Arbitrary<object> = fc.oneof(
  fc.constant({}),
  numbers.map((strike) => ({ strike })),
  Options.numbers(fc.constantFrom(0.05, 0.3, 0.5, 0.99), 3, ["above", "atMost"]).map((delta) => ({ delta }))
)

const days = Options.days(Days.anyDay)

const prices = Options.pair(Strikes.strike, (a, b) => a > b)

/**
 * Times that are told from that of the request, as the public service reads them.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const relative: fc.Arbitrary<Period.Relative> = fc.oneof(
  fc.constantFrom("now", "today", "yesterday", "last session"),
  fc.tuple(
    fc.integer({ min: 1, max: 500 }),
    fc.constantFrom("minute", "hours", "day", "days", "weeks", "months", "year"),
    fc.boolean()
  ).map(([count, unit, ago]) => ago ? `${count} ${unit} ago` as const : `-${count} ${unit}` as const)
)

/** The days of a series: one, a range with one end or both, relative ones, the last rows before a day, or none. */
const period = fc.oneof(
  fc.constant({}),
  fc.oneof(Days.anyDay, relative).map((date) => ({ date })),
  days,
  fc.record({ from: Options.optional(relative), to: Options.optional(relative) }),
  fc.record({ countback: fc.integer({ min: 1, max: 5000 }), to: Options.optional(fc.oneof(Days.anyDay, relative)) })
)

/** The same without one day, for candles. */
const range = period.map((period) => "date" in period ? {} : period)

const page: fc.Arbitrary<Endpoint.Page> = fc.record({
  limit: Options.optional(fc.integer({ min: 1, max: 50_000 })),
  offset: Options.optional(fc.nat({ max: 100_000 }))
})

const expirations: fc.Arbitrary<OptionChain.Expirations> = fc.oneof(
  fc.constant({}),
  days,
  fc.record({ expiration: fc.oneof(fc.constant("all" as const), Days.anyDay) }),
  fc.record({ dte: fc.nat({ max: 1000 }) }),
  fc.record({
    month: Options.optional(fc.integer({ min: 1, max: 12 })),
    year: Options.optional(fc.integer({ min: 2000, max: 2099 }))
  })
)

const assume: fc.Arbitrary<Query.Assumptions> = fc.record({
  contracts: Options.optional(fc.nat({ max: 30_000 })),
  historical: Options.optional(fc.boolean())
})

type Made = Result.Result<Query.Query, unknown>

/** What is drawn for some endpoints besides what their rows tell: filters, columns and assumptions of all kinds. */
const own: { readonly [Name in Query.EndpointName]?: fc.Arbitrary<Made> } = {
  optionChain: fc.oneof(
    fc.tuple(
      ticker,
      expirations,
      fc.record({
        chosen,
        side: Options.optional(OptionSymbols.side),
        bids: Options.optional(prices.map(([minBid, maxBid]) => ({ minBid, maxBid }))),
        asks: Options.optional(prices.map(([minAsk, maxAsk]) => ({ minAsk, maxAsk }))),
        page,
        nonstandard: Options.optional(fc.boolean()),
        cycles: fc.constantFrom({}, { weekly: true }, { monthly: true, quarterly: true }, { weekly: false }),
        others: fc.record({
          strikeLimit: fc.integer({ min: 1, max: 100 }),
          range: fc.constantFrom("itm", "otm", "all"),
          maxBidAskSpread: Strikes.strike,
          maxBidAskSpreadPct: fc.constantFrom(0.001, 0.5),
          minOpenInterest: fc.nat({ max: 10_000 }),
          minVolume: fc.nat({ max: 10_000 })
        }, { requiredKeys: [] }),
        columns: Options.optional(fc.shuffledSubarray([...OptionChain.row.columns], { minLength: 1 })),
        mode,
        assume
      })
    ).map(([underlying, expirations, { asks, bids, chosen, cycles, others, page, ...rest }]) => {
      const filters = { ...rest, ...cycles, ...others, ...chosen, ...page, ...bids, ...asks }
      return Query.optionChain(underlying, { ...expirations, ...filters })
    }),
    fc.tuple(ticker, pastDay, uncachedMode, assume).map(([underlying, date, mode, assume]) =>
      Query.optionChain(underlying, { date, mode, assume })
    )
  ),
  optionQuote: fc.oneof(
    fc.tuple(OptionSymbols.optionSymbol, mode).map(([symbol, mode]) => Query.optionQuote(symbol, { mode })),
    fc.tuple(OptionSymbols.optionSymbol, pastDay, uncachedMode).map(([symbol, date, mode]) =>
      Query.optionQuote(symbol, { date, mode })
    ),
    fc.tuple(OptionSymbols.optionSymbol, days, uncachedMode, page).map(([symbol, days, mode, page]) =>
      Query.optionQuote(symbol, { ...days, mode, ...page })
    )
  ),
  optionLookup: fc.tuple(ticker, OptionSymbols.optionSymbol, uncachedMode).map(([underlying, symbol, mode]) => {
    const { expiration, side, strike } = symbol
    return Query.optionLookup({ underlying, expiration, side, strike }, { mode })
  }),
  optionExpirations: fc.tuple(ticker, Options.optional(Strikes.strike), uncachedMode).map(
    ([underlying, strike, mode]) => Query.optionExpirations(underlying, { strike, mode })
  ),
  stockQuotes: fc.oneof(
    fc.tuple(ticker, mode).map(([symbol, mode]) => Query.stockQuote(symbol, { mode, include: ["52week"] })),
    fc.tuple(tickers, mode).map(([symbols, mode]) => Query.stockQuotes(symbols, { mode }))
  ),
  stockCandles: fc.oneof(
    fc.tuple(fc.constantFrom("D", "5", "hourly"), ticker, Days.day({ year: 1970, month: 1, day: 1 }), uncachedMode)
      .map(([resolution, symbol, date, mode]) =>
        Query.stockCandles(resolution, symbol, { from: { date, secondOfDay: 34_200 }, extended: true, mode })
      ),
    fc.tuple(fc.constantFrom("D", "1", "2W"), ticker, range, uncachedMode).map(([resolution, symbol, range, mode]) =>
      Query.stockCandles(resolution, symbol, { ...range, mode })
    )
  ),
  stockBulkCandles: fc.tuple(tickers, Options.optional(fc.oneof(Days.anyDay, relative)), uncachedMode).map(
    ([symbols, date, mode]) => Query.stockBulkCandles(symbols, { date, mode })
  )
}

const constructors: Readonly<Record<string, unknown>> = { ...Query }

/**
 * Calls the constructor of an endpoint by its name, without types.
 *
 * @internal
 */
export const ask = (
  name: Query.EndpointName,
  ...args: ReadonlyArray<unknown>
): Result.Result<Query.Query, Reason.InvalidQuery> => {
  const made = constructors[name]
  return typeof made === "function" ? made(...args) : Result.succeed(made as Query.Query)
}

/** Drawn from the row alone: what its path needs, and the parameters that many endpoints share. */
const byRow = (row: Query.AnyEndpoint): fc.Arbitrary<Made> => {
  const takes = (name: string): boolean => row.parameters.some((own) => own === name)
  const subject: ReadonlyArray<fc.Arbitrary<unknown>> = [
    ...row.path.includes("{resolution}") ? [fc.constantFrom("D", "2W", "3M")] : [],
    ...row.listPath !== undefined ? [tickers] : /\{(symbol|underlyingSymbol)\}/.test(row.path) ? [ticker] : []
  ]
  const options = fc.record({
    mode: row.cached ? mode : uncachedMode,
    days: !takes("countback") ? fc.constant({}) : takes("date") ? period : range,
    page: takes("limit") ? page : fc.constant({}),
    columns: row.columns.length === 0
      ? fc.constant(undefined)
      : Options.optional(fc.shuffledSubarray([...row.columns], { minLength: 1 }))
  }).map(({ columns, days, mode, page }) => ({ mode, ...days, ...page, ...columns === undefined ? {} : { columns } }))
  return fc.tuple(fc.tuple(...subject), options).map(([subject, options]) => ask(row.name, ...subject, options))
}

/**
 * Well-formed queries, by the endpoint that they go to. Those to the chain come with columns, assumptions, and filters of all kinds
 * but settlement; a query about a past day is in no cached mode.
 *
 * @category queries
 * @since 0.1.0
 */
export const byEndpoint: Readonly<Record<Query.EndpointName, fc.Arbitrary<Query.Query>>> = Object.fromEntries(
  Object.values(Query.endpoints).map((row) => [row.name, (own[row.name] ?? byRow(row)).map(Result.getOrThrow)])
) as Record<Query.EndpointName, fc.Arbitrary<Query.Query>>

/**
 * A well-formed query to any endpoint; all are equally likely.
 *
 * @category queries
 * @since 0.1.0
 */
export const query: fc.Arbitrary<Query.Query> = fc.oneof(...Object.values(byEndpoint))
