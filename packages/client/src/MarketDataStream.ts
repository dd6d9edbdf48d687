/**
 * Long questions as streams: a series is asked period by period, a long list of tickers some at a time, and each part is an event with how
 * far the whole has come.
 *
 * Nothing is asked for, or paid, before it is wanted, unless `concurrency` says so: whoever takes the first part of a stream pays for that
 * one. Each part is a question of its own, with its own reservation, its own consent to live data and its own retries, and one that fails is
 * an event as well: it takes nothing from the others.
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
 * @since 0.1.0
 */
import * as Answer from "@effect-marketdata/core/Answer"
import type * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import type * as DataMode from "@effect-marketdata/core/DataMode"
import type * as Endpoint from "@effect-marketdata/core/Endpoint"
import type * as FundCandles from "@effect-marketdata/core/FundCandles"
import * as Period from "@effect-marketdata/core/Period"
import type * as StockBulkCandles from "@effect-marketdata/core/StockBulkCandles"
import type * as StockCandles from "@effect-marketdata/core/StockCandles"
import type * as StockPrices from "@effect-marketdata/core/StockPrices"
import type * as StockQuotes from "@effect-marketdata/core/StockQuotes"
import * as HttpRequest from "@effect-marketdata/core/HttpRequest"
import * as Query from "@effect-marketdata/core/Query"
import { InvalidQuery } from "@effect-marketdata/core/Reason"
import type * as StockEarnings from "@effect-marketdata/core/StockEarnings"
import type * as StockNews from "@effect-marketdata/core/StockNews"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { runSingle } from "./internal/service.ts"
import * as MarketData from "./MarketData.ts"
import { named } from "./internal/named.ts"
import { type AnyReason, MarketDataError } from "./MarketDataError.ts"

/**
 * How far a stream has come: `done` parts of `of`, the present one included, the credits that all of them were charged, and those that they
 * may have been charged in addition, at most.
 *
 * @category models
 * @since 0.1.0
 */
export interface Progress extends Answer.Spent {
  readonly done: number
  readonly of: number
}

/**
 * A part that was answered: which one, and what with.
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
 * A part that failed: which one, and why. A period without data is one, with the reason `NotFound`.
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
 * What became of a part.
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
 * How a series is cut: into parts of at most `days` days, a year by default, which is as much of minute candles as the service gives at
 * once. A part of a thousand candles counts whole, so that shorter parts may cost more.
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
 * How a list of tickers is cut: into parts of at most `size` tickers, 500 by default (clause 8.1-batches).
 *
 * @category models
 * @since 0.1.0
 */
export interface Sizes {
  readonly size?: number | undefined
  readonly concurrency?: number | undefined
}

/**
 * A series as a stream. It fails only where a part cannot be asked at all.
 *
 * @category models
 * @since 0.1.0
 */
export type OfSeries<Data, Mode extends DataMode.DataMode | undefined> = Stream.Stream<
  Event<Days, Data, MarketData.ReasonFor<Mode>>,
  MarketDataError<InvalidQuery>,
  MarketData.MarketData | MarketData.RequirementsOf<Mode>
>

/**
 * A list as a stream. It fails only where a part cannot be asked at all.
 *
 * @category models
 * @since 0.1.0
 */
export type OfList<Data, Mode extends DataMode.DataMode | undefined> = Stream.Stream<
  Event<ReadonlyArray<string>, Data, Reasons<MarketData.ListErrorFor<Data, Mode>>>,
  MarketDataError<InvalidQuery>,
  MarketData.MarketData | MarketData.RequirementsOf<Mode>
>

type Reasons<E> = E extends MarketDataError<infer R> ? R : never

/**
 * Keeps the answers of a stream, and fails with the first part that did.
 *
 * @category combinators
 * @since 0.1.0
 */
export const answers = <Part, Data, R extends AnyReason, E, Requirements>(
  self: Stream.Stream<Event<Part, Data, R>, E, Requirements>
): Stream.Stream<Answer.Answer<Data>, E | MarketDataError<R>, Requirements> =>
  Stream.mapEffect(
    self,
    (event): Effect.Effect<Answer.Answer<Data>, MarketDataError<R>> =>
      event._tag === "Answered" ? Effect.succeed(event.answer) : Effect.fail(event.error)
  )

/** Asks the parts of a question in order, each when it is wanted. All of them are made before the first is asked. */
const inParts = <Part, Data, Mode extends DataMode.DataMode | undefined, R extends AnyReason>(
  what: string,
  parts: Result.Result<ReadonlyArray<Part>, InvalidQuery>,
  make: (part: Part) => Result.Result<Query.Query<Data, Mode>, InvalidQuery>,
  ask: (
    query: Query.Query<Data, Mode>
  ) => Effect.Effect<Answer.Answer<Data>, MarketDataError<R>, MarketData.MarketData | MarketData.RequirementsOf<Mode>>,
  concurrency = 1
): Stream.Stream<
  Event<Part, Data, R>,
  MarketDataError<InvalidQuery>,
  MarketData.MarketData | MarketData.RequirementsOf<Mode>
> => {
  const questions = Result.flatMap(
    parts,
    (parts) => Result.all(parts.map((part) => Result.map(make(part), (query) => ({ part, query }))))
  )
  if (Result.isFailure(questions)) {
    return Stream.fail(new MarketDataError({ query: what, reason: questions.failure, trace: [] }))
  }
  const of = questions.success.length
  return Stream.fromIterable(questions.success, { chunkSize: 1 }).pipe(
    Stream.mapEffect(
      ({ part, query }) => Effect.map(Effect.result(ask(query)), (result) => ({ part, result })),
      { concurrency }
    ),
    Stream.mapAccum(() => ({ done: 0, charged: 0, uncertain: 0 }), (before, { part, result }) => {
      const { trace } = Result.isSuccess(result) ? result.success : result.failure
      const { charged, uncertain } = Answer.spent(trace)
      const progress = {
        done: before.done + 1,
        of,
        charged: before.charged + charged,
        uncertain: before.uncertain + uncertain
      }
      const event: Event<Part, Data, R> = Result.isSuccess(result)
        ? { _tag: "Answered", part, answer: result.success, ...progress }
        : { _tag: "Failed", part, error: result.failure, ...progress }
      return [progress, [event]]
    })
  )
}

/**
 * Asks a question of a range of days part by part; `make` makes the question of a part.
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
  return inParts(what, Period.split({ from, to }, days), make, runSingle, concurrency)
}

/**
 * Asks a question about many tickers some at a time; `make` makes the question of a part.
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
  // What is no list cannot be cut: the constructor of the question refuses it.
  const parts = Array.isArray(symbols) ? chunks(symbols, size) : Result.succeed([symbols])
  return inParts(what, parts, make, MarketData.run, concurrency)
}

const chunks = (
  symbols: ReadonlyArray<string>,
  size: number
): Result.Result<ReadonlyArray<ReadonlyArray<string>>, InvalidQuery> =>
  Number.isInteger(size) && size >= 1
    ? Result.succeed(
      Array.from({ length: Math.ceil(symbols.length / size) }, (_, index) =>
        symbols.slice(index * size, (index + 1) * size))
    )
    : Result.fail(new InvalidQuery({ parameter: "size", value: String(size), rule: "a part has 1 ticker or more" }))

/** The options of a question, without those that say how it is cut. */
const askedOf = <Options extends Partial<Series> & Sizes>(
  options: Options
): Omit<Options, "concurrency" | "days" | "size"> => {
  const { concurrency: _concurrency, days: _days, size: _size, ...asked } = { ...options }
  return asked
}

/**
 * The candles of a stock, period by period.
 *
 * @category series
 * @since 0.1.0
 */
export const stockCandles = <
  const Name extends StockCandles.Column = StockCandles.Column,
  const Mode extends Endpoint.UncachedMode = undefined
>(
  resolution: StockCandles.Resolution,
  symbol: string,
  options: Endpoint.Columnar<Name, Mode> & Series & {
    readonly extended?: boolean | undefined
    readonly adjustsplits?: boolean | undefined
    readonly adjustdividends?: boolean | undefined
  }
): OfSeries<StockCandles.StockCandles<Name>, Mode> =>
  byPeriod(
    named("stockCandles", symbol, resolution),
    options,
    (part) => Query.stockCandles<Name, Mode>(resolution, symbol, { ...askedOf(options), ...part })
  )

/**
 * The candles of a fund, period by period.
 *
 * @category series
 * @since 0.1.0
 */
export const fundCandles = <
  const Name extends FundCandles.Column = FundCandles.Column,
  const Mode extends Endpoint.UncachedMode = undefined
>(
  resolution: FundCandles.Resolution,
  symbol: string,
  options: Endpoint.Columnar<Name, Mode> & Series
): OfSeries<FundCandles.FundCandles<Name>, Mode> =>
  byPeriod(
    named("fundCandles", symbol, resolution),
    options,
    (part) => Query.fundCandles<Name, Mode>(resolution, symbol, { ...askedOf(options), ...part })
  )

/**
 * Past and expected earnings of a company, period by period.
 *
 * @category series
 * @since 0.1.0
 */
export const stockEarnings = <
  const Name extends StockEarnings.Column = StockEarnings.Column,
  const Mode extends Endpoint.UncachedMode = undefined
>(
  symbol: string,
  options: Endpoint.Columnar<Name, Mode> & Series
): OfSeries<StockEarnings.StockEarnings<Name>, Mode> =>
  byPeriod(
    named("stockEarnings", symbol),
    options,
    (part) => Query.stockEarnings<Name, Mode>(symbol, { ...askedOf(options), ...part })
  )

/**
 * News about a company, period by period.
 *
 * @category series
 * @since 0.1.0
 */
export const stockNews = <
  const Name extends StockNews.Column = StockNews.Column,
  const Mode extends Endpoint.UncachedMode = undefined
>(
  symbol: string,
  options: Endpoint.Columnar<Name, Mode> & Series
): OfSeries<StockNews.StockNews<Name>, Mode> =>
  byPeriod(
    named("stockNews", symbol),
    options,
    (part) => Query.stockNews<Name, Mode>(symbol, { ...askedOf(options), ...part })
  )

/**
 * The quotes of many stocks, some at a time.
 *
 * @category lists
 * @since 0.1.0
 */
export const stockQuotes = <
  const Name extends StockQuotes.BaseColumn = StockQuotes.BaseColumn,
  const Mode extends Endpoint.AnyMode = undefined,
  const With extends Exclude<StockQuotes.Extra, "52week"> = never
>(
  symbols: ReadonlyArray<string>,
  options: StockQuotes.Options<Name, Mode, With> & Sizes = {}
): OfList<StockQuotes.StockQuotes<Name | StockQuotes.ColumnsOf<With>>, Mode> =>
  byTickers("stockQuotes", symbols, options, (part) => Query.stockQuotes<Name, Mode, With>(part, askedOf(options)))

/**
 * The prices of many stocks, some at a time.
 *
 * @category lists
 * @since 0.1.0
 */
export const stockPrices = <
  const Name extends StockPrices.Column = StockPrices.Column,
  const Mode extends Endpoint.AnyMode = undefined
>(
  symbols: ReadonlyArray<string>,
  options: StockPrices.Options<Name, Mode> & Sizes = {}
): OfList<StockPrices.StockPrices<Name>, Mode> =>
  byTickers("stockPrices", symbols, options, (part) => Query.stockPrices<Name, Mode>(part, askedOf(options)))

/**
 * One daily candle of each of many stocks, some at a time.
 *
 * @category lists
 * @since 0.1.0
 */
export const stockBulkCandles = <
  const Name extends StockBulkCandles.Column = StockBulkCandles.Column,
  const Mode extends Endpoint.UncachedMode = undefined
>(
  symbols: ReadonlyArray<string>,
  options: StockBulkCandles.Options<Name, Mode> & Sizes = {}
): OfList<StockBulkCandles.StockBulkCandles<Name>, Mode> =>
  byTickers("stockBulkCandles", symbols, options, (part) => Query.stockBulkCandles<Name, Mode>(part, askedOf(options)))
