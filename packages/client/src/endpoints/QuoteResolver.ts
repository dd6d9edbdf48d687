/**
 * Queries about one symbol each, sent together. Quotes that many fibers ask for at the same time go in few requests, and each caller gets
 * the row of its own symbol. A request for cached data costs one credit for any number of symbols (clause 8.2-cost-quotes).
 *
 * @example
 * ```ts
 * import * as QuoteResolver from "@effect-marketdata/client/QuoteResolver"
 * import * as DataMode from "@effect-marketdata/core/DataMode"
 * import * as Effect from "effect/Effect"
 *
 * const last = (symbol: string) =>
 *   QuoteResolver.stockQuote(symbol, { mode: DataMode.cached() }).pipe(Effect.map(({ row }) => row.last))
 *
 * // One request for all three.
 * export const lasts = Effect.forEach(["AAPL", "MSFT", "SPY"], last, { concurrency: "unbounded" })
 * ```
 *
 * @see {@link MarketDataStream} for one long list of symbols
 * @see {@link MarketData} whose `stockQuotes` takes a list
 * @since 0.1.0
 */
import type * as Endpoint from "@effect-marketdata/core/Endpoint"
import type * as StockPrices from "@effect-marketdata/core/StockPrices"
import type * as StockQuotes from "@effect-marketdata/core/StockQuotes"
import * as HttpRequest from "@effect-marketdata/core/HttpRequest"
import * as Query from "@effect-marketdata/core/Query"
import type * as Reason from "@effect-marketdata/core/Reason"
import type * as DataMode from "@effect-marketdata/core/DataMode"
import * as Effect from "effect/Effect"
import * as RequestResolver from "effect/RequestResolver"
import * as Result from "effect/Result"
import { type MarketData, named, type Reasons, type RequirementsOf } from "./service.ts"
import * as Together from "./together.ts"
import { MarketDataError } from "../error/MarketDataError.ts"
import type { Quoted, QuoteRequest } from "./together.ts"
import { reference } from "../config/reference.ts"

/**
 * The result for one caller, a query that waits to be sent with others, and the row of a table.
 *
 * @since 0.1.0
 */
export type { Quoted, QuoteRequest, RowOf } from "./together.ts"

/**
 * Sends queries together that are asked at the same time of the same client, in the same mode, for the same columns and under the same
 * policies and claim: at most 500 symbols in a request, each once. If one request fails, the others go on. A request for which no caller waits any
 * more is interrupted, and its credits are settled.
 *
 * @category constructors
 * @since 0.1.0
 */
export const resolver: RequestResolver.RequestResolver<QuoteRequest> = /* @__PURE__ */ RequestResolver.batchN(
  /* @__PURE__ */ RequestResolver.makeGrouped<QuoteRequest, ReadonlyArray<unknown>>({
    key: ({ request }) => Together.keyOf(request),
    resolver: Together.send
  }),
  HttpRequest.recommendedSymbols
)

/**
 * The resolver that sends the queries. It is `resolver` by default; provide another one to wait longer for other callers
 * (`RequestResolver.setDelay`). What `RequestResolver.withCache` keeps never expires, failures included: to cache prices, put a `Cache` with a time to
 * live around `stockPrice`.
 *
 * @example
 * ```ts
 * import * as QuoteResolver from "@effect-marketdata/client/QuoteResolver"
 * import * as Effect from "effect/Effect"
 * import * as RequestResolver from "effect/RequestResolver"
 *
 * // Collects what is asked for within 20 milliseconds.
 * export const quote = QuoteResolver.stockQuote("AAPL").pipe(
 *   Effect.provideService(QuoteResolver.Resolver, RequestResolver.setDelay(QuoteResolver.resolver, "20 millis"))
 * )
 * ```
 *
 * @category references
 * @since 0.1.0
 */
export const Resolver = /* @__PURE__ */ reference<RequestResolver.RequestResolver<QuoteRequest>>(
  "QuoteResolver",
  () => resolver
)

/**
 * The effect that returns the row of a symbol, with the answer that it came in.
 *
 * @category models
 * @since 0.1.0
 */
export type AskedTogether<Table extends Iterable<unknown>, Mode extends DataMode.DataMode | undefined> = Effect.Effect<
  Quoted<Table>,
  MarketDataError<Reasons<Mode>["one"]>,
  MarketData | RequirementsOf<Mode>
>

/**
 * Asks for the quote of one stock, together with callers who ask for others at the same time. The column `symbol` is always included.
 *
 * Fails with a `MarketDataError` like `MarketData.stockQuotes`. If the answer has no row for the symbol, only its own caller fails: with
 * `NoCachedData` in a cached mode, otherwise with `NotFound`. In the mode `cachedOrLive` the symbols that are not in the cache are asked
 * for live, together, and with consent.
 *
 * @example
 * ```ts
 * import * as QuoteResolver from "@effect-marketdata/client/QuoteResolver"
 * import * as Effect from "effect/Effect"
 *
 * // Two calls, one request.
 * export const quotes = Effect.all(["AAPL", "MSFT"].map((symbol) => QuoteResolver.stockQuote(symbol)), {
 *   concurrency: "unbounded"
 * })
 * ```
 *
 * @category queries
 * @since 0.1.0
 */
export const stockQuote = <
  const Name extends StockQuotes.BaseColumn = StockQuotes.BaseColumn,
  const Mode extends Endpoint.AnyMode = undefined,
  const With extends Exclude<StockQuotes.Extra, "52week"> = never
>(
  symbol: string,
  options: StockQuotes.Options<Name, Mode, With> = {}
): AskedTogether<StockQuotes.StockQuotes<Name | "symbol" | StockQuotes.ColumnsOf<With>>, DataMode.Of<Mode>> =>
  askTogether(named("stockQuote", symbol), withSymbol(Query.stockQuotes<Name, Mode, With>([symbol], options)))

/**
 * Asks for the price of one stock, together with callers who ask for others at the same time. It fails like `stockQuote`.
 *
 * @example
 * ```ts
 * import * as QuoteResolver from "@effect-marketdata/client/QuoteResolver"
 * import * as Effect from "effect/Effect"
 *
 * export const prices = Effect.all(["AAPL", "MSFT"].map((symbol) => QuoteResolver.stockPrice(symbol)), {
 *   concurrency: "unbounded"
 * })
 * ```
 *
 * @category queries
 * @since 0.1.0
 */
export const stockPrice = <
  const Name extends StockPrices.Column = StockPrices.Column,
  const Mode extends Endpoint.AnyMode = undefined
>(
  symbol: string,
  options: StockPrices.Options<Name, Mode> = {}
): AskedTogether<StockPrices.StockPrices<Name | "symbol">, DataMode.Of<Mode>> =>
  askTogether(named("stockPrice", symbol), withSymbol(Query.stockPrices<Name, Mode>([symbol], options)))

/** Adds the column `symbol` if it was not asked for: rows are found by it. */
const withSymbol = <Table, Mode extends DataMode.DataMode | undefined>(
  made: Result.Result<Query.Query<unknown, Mode>, Reason.InvalidQuery>
): Result.Result<Query.Query<Table, Mode>, Reason.InvalidQuery> =>
  Result.map(made, (query) => {
    const named = query.columns === undefined || query.columns.includes("symbol")
    const columns = named ? query.columns : ["symbol", ...query.columns]
    return { ...query, columns, returns: columns ?? query.returns } as Query.Query<Table, Mode>
  })

const askTogether = <Table extends Together.Rows, Mode extends DataMode.DataMode | undefined>(
  what: string,
  made: Result.Result<Query.Query<Table, Mode>, Reason.InvalidQuery>
): AskedTogether<Table, Mode> =>
  Effect.fromResult(made).pipe(
    Effect.mapError((reason) => new MarketDataError({ query: what, reason, trace: [] })),
    Effect.flatMap((query) => Effect.flatMap(Resolver, (resolver) => Together.join(query, resolver)))
    // The types of the query decide the rows, the reasons, and whether consent is required.
  ) as AskedTogether<Table, Mode>
