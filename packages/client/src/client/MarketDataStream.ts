/**
 * Long queries as streams. A series is asked for period by period, and a long list of tickers in groups. Each part is an event that says
 * how far the whole stream has come.
 *
 * A part is asked for, and paid for, only when it is pulled, unless `concurrency` asks for several at a time. Each part is a query of its
 * own, with its own reservation, consent to live data and retries. A part that fails is an event as well, and does not stop the others.
 *
 * @example
 * ```ts
 * import * as MarketDataStream from "@effect-marketdata/client/MarketDataStream"
 * import * as Console from "effect/Console"
 * import * as Stream from "effect/Stream"
 *
 * export const closes = MarketDataStream.stockCandles("D", "AAPL", { from: "2020-01-01", to: "2026-11-19" }).pipe(
 *   Stream.tap(({ charged, done, of }) => Console.log(`${done} of ${of} years, ${charged} credits`)),
 *   MarketDataStream.answers,
 *   Stream.flatMap(({ data }) => Stream.fromIterable(data.c))
 * )
 * ```
 *
 * @see {@link QuoteResolver} for many callers who ask for one symbol each
 * @see {@link MarketData} for queries with one answer
 * @since 0.1.0
 */
import * as Answer from "@effect-marketdata/core/Answer"
import type * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import type * as DataMode from "@effect-marketdata/core/DataMode"
import * as HttpRequest from "@effect-marketdata/core/HttpRequest"
import * as Period from "@effect-marketdata/core/Period"
import * as Problem from "@effect-marketdata/core/Problem"
import * as Query from "@effect-marketdata/core/Query"
import { InvalidQuery } from "@effect-marketdata/core/Reason"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import * as Rules from "../config/rules.ts"
import { type Made, named, runSingle } from "../endpoints/service.ts"
import { type AnyReason, MarketDataError } from "../error/MarketDataError.ts"
import * as MarketData from "./MarketData.ts"

/**
 * How far a stream has come: `done` of `of` parts, this one included. `charged` and `uncertain` are the credits of all of them so far:
 * what they were charged, and at most in addition.
 *
 * @category models
 * @since 0.1.0
 */
export interface Progress extends Answer.Spent {
  readonly done: number
  readonly of: number
}

/**
 * A part that was answered: the part and its answer.
 *
 * @category models
 * @since 0.1.0
 */
export interface Answered<out Part, out Data> extends Progress {
  readonly _tag: "Answered"
  readonly part: Part
  readonly answer: Answer.Answer<Data>
}

/**
 * A part that failed: the part and its error. A period without data fails with the reason `NotFound`.
 *
 * @category models
 * @since 0.1.0
 */
export interface Failed<out Part, out R extends AnyReason> extends Progress {
  readonly _tag: "Failed"
  readonly part: Part
  readonly error: MarketDataError<R>
}

/**
 * The result of a part.
 *
 * @category models
 * @since 0.1.0
 */
export type Event<Part, Data, R extends AnyReason> = Answered<Part, Data> | Failed<Part, R>

/**
 * The days of one part of a series, both included.
 *
 * @category models
 * @since 0.1.0
 */
export interface Days {
  readonly from: CalendarDate.CalendarDate
  readonly to: CalendarDate.CalendarDate
}

/**
 * How a series is cut: into parts of at most `days` days, 365 by default, because the service returns at most a year of minute candles at
 * once. Each part costs at least 1 credit for each 1000 candles, rounded up, so shorter parts may cost more in total. `concurrency` is how many
 * parts are asked for at a time: a positive integer, 1 by default.
 *
 * @category models
 * @since 0.1.0
 */
export interface Series {
  readonly from: CalendarDate.Input
  readonly to: CalendarDate.Input
  readonly days?: number | undefined
  readonly concurrency?: number | undefined
}

/**
 * How a list of tickers is cut: into parts of at most `size` tickers, 500 by default (clause 8.1-batches), `concurrency` of them at a time.
 *
 * @category models
 * @since 0.1.0
 */
export interface Sizes {
  readonly size?: number | undefined
  readonly concurrency?: number | undefined
}

/**
 * A series as a stream of events. The stream itself fails only if a part cannot be asked at all, such as for an invalid option.
 *
 * @category models
 * @since 0.1.0
 */
export type OfSeries<Data, Mode extends DataMode.DataMode | undefined> = Stream.Stream<
  Event<Days, Data, MarketData.Reasons<Mode>["one"]>,
  MarketDataError<InvalidQuery>,
  MarketData.MarketData | MarketData.RequirementsOf<Mode>
>

/**
 * A list of tickers as a stream of events. The stream itself fails only if a part cannot be asked at all, such as for an invalid option.
 *
 * @category models
 * @since 0.1.0
 */
export type OfList<Data, Mode extends DataMode.DataMode | undefined> = Stream.Stream<
  Event<ReadonlyArray<string>, Data, MarketData.Reasons<Mode, Data>["list"]>,
  MarketDataError<InvalidQuery>,
  MarketData.MarketData | MarketData.RequirementsOf<Mode>
>

/**
 * Turns a stream of events into a stream of answers. It fails with the error of the first part that failed.
 *
 * @example
 * ```ts
 * import * as MarketDataStream from "@effect-marketdata/client/MarketDataStream"
 *
 * // What fails ends the stream; without `answers` it is an event, and the stream goes on.
 * export const prices = MarketDataStream.answers(MarketDataStream.stockPrices(["AAPL", "MSFT"]))
 * ```
 *
 * @category combinators
 * @since 0.1.0
 */
export const answers = <Part, Data, R extends AnyReason, E, Requirements>(
  self: Stream.Stream<Event<Part, Data, R>, E, Requirements>
): Stream.Stream<Answer.Answer<Data>, E | MarketDataError<R>, Requirements> =>
  Stream.mapEffect(self, (event) => event._tag === "Answered" ? Effect.succeed(event.answer) : Effect.fail(event.error))

const count = (name: string, given: number, problem: Problem.Problem): Result.Result<number, InvalidQuery> =>
  Number.isInteger(given) && given >= 1 ? Result.succeed(given) : Result.fail(InvalidQuery.of(name, given, problem))

/** Asks the parts of a query in order, each when it is pulled. The queries of all parts are made before the first is asked. */
const streamParts = <Part, Data, Mode extends DataMode.DataMode | undefined, R extends AnyReason, Requirements>(
  what: string,
  parts: Result.Result<ReadonlyArray<Part>, InvalidQuery>,
  make: (part: Part) => Result.Result<Query.Query<Data, Mode>, InvalidQuery>,
  ask: (query: Query.Query<Data, Mode>) => Effect.Effect<Answer.Answer<Data>, MarketDataError<R>, Requirements>,
  concurrency = 1
) => {
  const made = (part: Part) => {
    const query = typeof make === "function" ? make(part) : make
    return Problem.expect(Result.isResult(query), "make", query, "a function that makes queries", "Query.marketStatus")
  }
  // Effect treats NaN as unbounded: all parts would be asked and paid for at once.
  const queries = count("concurrency", concurrency, Rules.requests).pipe(
    Result.flatMap(() => parts),
    Result.flatMap((parts) => Result.all(parts.map((part) => Result.map(made(part), (query) => ({ part, query })))))
  )
  if (Result.isFailure(queries)) {
    return Stream.fail(new MarketDataError({ query: what, reason: queries.failure, trace: [] }))
  }
  const of = queries.success.length
  return Stream.fromIterable(queries.success, { chunkSize: 1 }).pipe(
    Stream.mapEffect(
      ({ part, query }) => Effect.map(Effect.result(ask(query)), (result) => ({ part, result })),
      { concurrency }
    ),
    Stream.mapAccum(() => ({ done: 0, charged: 0, uncertain: 0 }), (before, { part, result }) => {
      const { trace } = Result.isSuccess(result) ? result.success : result.failure
      const { charged, uncertain } = Answer.spent(trace)
      const spent = { charged: before.charged + charged, uncertain: before.uncertain + uncertain }
      const progress = { done: before.done + 1, of, ...spent }
      const event: Event<Part, Data, R> = Result.isSuccess(result)
        ? { _tag: "Answered", part, answer: result.success, ...progress }
        : { _tag: "Failed", part, error: result.failure, ...progress }
      return [progress, [event]]
    })
  )
}

/**
 * Asks for a range of days part by part. `make` makes the query of a part, and `what` names the query in errors.
 *
 * @example
 * ```ts
 * import * as MarketDataStream from "@effect-marketdata/client/MarketDataStream"
 * import * as Query from "@effect-marketdata/core/Query"
 *
 * // The market days of five years, at most 100 days in one query.
 * export const days = MarketDataStream.byPeriod(
 *   "marketStatus",
 *   { from: "2022-01-01", to: "2026-12-31", days: 100 },
 *   ({ from, to }) => Query.marketStatus({ from, to })
 * )
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const byPeriod = <Data, Mode extends DataMode.DataMode | undefined>(
  what: string,
  series: Series,
  make: (part: Days) => Result.Result<Query.Query<Data, Mode>, InvalidQuery>
): OfSeries<Data, Mode> => {
  const { concurrency, days = 365, from, to } = { ...series }
  return streamParts(what, Period.split({ from, to }, days), make, runSingle, concurrency)
}

/**
 * Asks for many tickers, a group at a time. `make` makes the query of a part, and `what` names the query in errors.
 *
 * @category constructors
 * @since 0.1.0
 */
export const byTickers = <Data, Mode extends DataMode.DataMode | undefined>(
  what: string,
  symbols: ReadonlyArray<string>,
  sizes: Sizes,
  make: (part: ReadonlyArray<string>) => Result.Result<Query.Query<Data, Mode>, InvalidQuery>
): OfList<Data, Mode> => {
  const { concurrency, size = HttpRequest.recommendedSymbols } = { ...sizes }
  // A value that is not a list is passed on: the constructor of the query refuses it.
  const parts = Array.isArray(symbols)
    ? Result.map(count("size", size, Rules.tickers), (size) => Arr.chunksOf(symbols, size))
    : Result.succeed([symbols])
  return streamParts(what, parts, make, MarketData.run, concurrency)
}

/** The options of a series. `limit` and `offset` are ruled out: they choose rows of one reply, not of the series. */
type WholeSeries = Series & { readonly limit?: undefined; readonly offset?: undefined }

/** Makes the stream of an endpoint about one symbol, period by period. */
const periodsOf = <Options extends object, Data, Mode extends DataMode.DataMode | undefined>(
  endpoint: string,
  make: (symbol: string, options?: Options) => Made<Data, Mode>
) =>
(symbol: string, options: Options & WholeSeries): OfSeries<Data, Mode> =>
  byPeriod(named(endpoint, symbol), options, (part) => make(symbol, { ...askedOf(options), ...part }))

/** Makes the stream of an endpoint of candles, period by period. */
const candlesOf = <Resolution extends string, Options extends object, Data, Mode extends DataMode.DataMode | undefined>(
  endpoint: string,
  make: (resolution: Resolution, symbol: string, options?: Options) => Made<Data, Mode>
) =>
(resolution: Resolution, symbol: string, options: Options & WholeSeries): OfSeries<Data, Mode> => {
  const makeOf = (part: Days) => make(resolution, symbol, { ...askedOf(options), ...part })
  return byPeriod(named(endpoint, symbol, resolution), options, makeOf)
}

/** Makes the stream of an endpoint about many tickers, a group at a time. */
const partsOf = <Options extends object, Data, Mode extends DataMode.DataMode | undefined>(
  endpoint: string,
  make: (symbols: ReadonlyArray<string>, options?: Options) => Made<Data, Mode>
) =>
(symbols: ReadonlyArray<string>, options?: Options & Sizes): OfList<Data, Mode> =>
  byTickers(endpoint, symbols, { ...options }, (part) => make(part, askedOf(options)))

/** The options of the query of a part, without those that say how to cut it. */
const askedOf = <Options extends object>(options: (Options & Partial<Series> & Sizes) | undefined): Options => {
  // What is not an object is passed on, and the constructor of the query refuses it.
  if (typeof options !== "object") return options as unknown as Options
  const { concurrency: _concurrency, days: _days, size: _size, ...asked } = { ...options }
  return asked as unknown as Options
}

/**
 * The candles of a stock, period by period.
 *
 * @example
 * ```ts
 * import * as MarketDataStream from "@effect-marketdata/client/MarketDataStream"
 * import * as Stream from "effect/Stream"
 *
 * export const closes = MarketDataStream.stockCandles("D", "AAPL", { from: "2016-01-01", to: "2026-11-19" }).pipe(
 *   MarketDataStream.answers,
 *   Stream.runCollect
 * )
 * ```
 *
 * @category queries
 * @since 0.1.0
 */
export const stockCandles = /* @__PURE__ */ candlesOf("stockCandles", Query.stockCandles)

/**
 * The candles of a fund, period by period.
 *
 * @example
 * ```ts
 * import * as MarketDataStream from "@effect-marketdata/client/MarketDataStream"
 *
 * export const days = MarketDataStream.answers(
 *   MarketDataStream.fundCandles("D", "VFINX", { from: "2020-01-01", to: "2026-11-19" })
 * )
 * ```
 *
 * @category queries
 * @since 0.1.0
 */
export const fundCandles = /* @__PURE__ */ candlesOf("fundCandles", Query.fundCandles)

/**
 * Past and expected earnings of a company, period by period.
 *
 * @example
 * ```ts
 * import * as MarketDataStream from "@effect-marketdata/client/MarketDataStream"
 *
 * export const earnings = MarketDataStream.answers(
 *   MarketDataStream.stockEarnings("AAPL", { from: "2020-01-01", to: "2026-11-19" })
 * )
 * ```
 *
 * @category queries
 * @since 0.1.0
 */
export const stockEarnings = /* @__PURE__ */ periodsOf("stockEarnings", Query.stockEarnings)

/**
 * News about a company, period by period.
 *
 * @example
 * ```ts
 * import * as MarketDataStream from "@effect-marketdata/client/MarketDataStream"
 *
 * export const news = MarketDataStream.answers(MarketDataStream.stockNews("AAPL", { from: "2026-10-01", to: "2026-11-19" }))
 * ```
 *
 * @category queries
 * @since 0.1.0
 */
export const stockNews = /* @__PURE__ */ periodsOf("stockNews", Query.stockNews)

/**
 * The quotes of many stocks, a group at a time.
 *
 * @example
 * ```ts
 * import * as MarketDataStream from "@effect-marketdata/client/MarketDataStream"
 * import * as Stream from "effect/Stream"
 *
 * export const quotes = Stream.runCollect(MarketDataStream.answers(MarketDataStream.stockQuotes(["AAPL", "MSFT"])))
 * ```
 *
 * @category queries
 * @since 0.1.0
 */
export const stockQuotes = /* @__PURE__ */ partsOf("stockQuotes", Query.stockQuotes)

/**
 * The prices of many stocks, a group at a time.
 *
 * @example
 * ```ts
 * import * as MarketDataStream from "@effect-marketdata/client/MarketDataStream"
 * import * as Stream from "effect/Stream"
 *
 * export const prices = Stream.runCollect(MarketDataStream.answers(MarketDataStream.stockPrices(["AAPL", "MSFT"])))
 * ```
 *
 * @category queries
 * @since 0.1.0
 */
export const stockPrices = /* @__PURE__ */ partsOf("stockPrices", Query.stockPrices)

/**
 * One daily candle of each of many stocks, a group at a time.
 *
 * @example
 * ```ts
 * import * as MarketDataStream from "@effect-marketdata/client/MarketDataStream"
 * import * as Stream from "effect/Stream"
 *
 * export const days = Stream.runCollect(MarketDataStream.answers(MarketDataStream.stockBulkCandles(["AAPL", "MSFT"])))
 * ```
 *
 * @category queries
 * @since 0.1.0
 */
export const stockBulkCandles = /* @__PURE__ */ partsOf("stockBulkCandles", Query.stockBulkCandles)
