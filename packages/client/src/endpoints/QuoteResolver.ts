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
import type * as Answer from "@effect-marketdata/core/Answer"
import type * as DataMode from "@effect-marketdata/core/DataMode"
import type * as Endpoint from "@effect-marketdata/core/Endpoint"
import * as HttpRequest from "@effect-marketdata/core/HttpRequest"
import * as Query from "@effect-marketdata/core/Query"
import * as Reason from "@effect-marketdata/core/Reason"
import type * as StockPrices from "@effect-marketdata/core/StockPrices"
import type * as StockQuotes from "@effect-marketdata/core/StockQuotes"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Request from "effect/Request"
import * as RequestResolver from "effect/RequestResolver"
import * as Result from "effect/Result"
import { readerOf, termsOf } from "../call/call.ts"
import type { Failure, Incomplete } from "../error/Incomplete.ts"
import { MarketDataError } from "../error/MarketDataError.ts"
import type { CacheFallback } from "../policy/CacheFallback.ts"
import { reference } from "../policy/Policies.ts"
import { type Made, MarketData, named, type Reasons, type RequirementsOf, run } from "./service.ts"

/**
 * The row of a table.
 *
 * @category models
 * @since 0.1.0
 */
export type RowOf<Table extends Iterable<unknown>> = Table extends Iterable<infer Row> ? Row : never

/**
 * The row of a symbol, and the answer that it came in. All callers of one request share the answer: it says what the request cost, how
 * old its data are, and what was unusual.
 *
 * @category models
 * @since 0.1.0
 */
export interface Quoted<out Table extends Iterable<unknown>> {
  readonly row: RowOf<Table>
  readonly answer: Answer.Answer<Table>
}

/**
 * A query about one symbol that waits to be sent with others. Two are equal if they ask the same in the same way, so that they can be
 * keys of a cache.
 *
 * - `query`: the query, as a list of that symbol
 * - `terms`: the client, the policies, the claim and the consent under which it is asked
 *
 * @category models
 * @since 0.1.0
 */
export interface QuoteRequest
  extends Request.Request<Quoted<Rows>, MarketDataError<Reason.Reason>, MarketData | CacheFallback>
{
  readonly query: Query.Query<Rows>
  readonly terms: ReadonlyArray<unknown>
}

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
    key: ({ request }) => keyOf(request),
    resolver: (entries) => send(entries)
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
export const Resolver = /* @__PURE__ */ reference("QuoteResolver", () => resolver)

/**
 * What `stockQuote` and `stockPrice` return: an effect that gives the row of a symbol, with the answer that it came in.
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
const withSymbol = <Table, Mode extends DataMode.DataMode | undefined>(made: Made<unknown, Mode>): Made<Table, Mode> =>
  Result.map(made, (query) => {
    const named = query.columns === undefined || query.columns.includes("symbol")
    const columns = named ? query.columns : ["symbol", ...query.columns]
    return { ...query, columns, returns: columns ?? query.returns } as Query.Query<Table, Mode>
  })

const askTogether = <Table extends Rows, Mode extends DataMode.DataMode | undefined>(
  what: string,
  made: Made<Table, Mode>
): AskedTogether<Table, Mode> =>
  (Result.isSuccess(made)
    ? Effect.flatMap(Resolver, (resolver) => join(made.success, resolver))
    // The types of the query decide the rows, the reasons, and whether consent is required.
    : Effect.fail(new MarketDataError({ query: what, reason: made.failure, trace: [] }))) as AskedTogether<Table, Mode>

/** A table whose rows have a symbol. */
interface Rows extends Iterable<{ readonly symbol: string | null }> {}

type Entry = Request.Entry<QuoteRequest>

/** Queries that were sent together, and how many of their callers still wait. */
interface Round {
  readonly abandoned: Deferred.Deferred<void>
  waiting: number
}

/** The round of each query that is being sent. */
const rounds = new WeakMap<QuoteRequest, { readonly entry: Entry; readonly round: Round }>()

const requestOf = /* @__PURE__ */ Request.of<QuoteRequest>()

/** Asks the query of one symbol together with others, under the terms of its caller. */
const join = (query: Query.Query<Rows>, resolver: RequestResolver.RequestResolver<QuoteRequest>) =>
  Effect.contextWith((context: Context.Context<MarketData | CacheFallback>) => {
    const client = Context.get(context, MarketData)
    const policiesOf = readerOf(client)
    const { claim, coalesce } = policiesOf(context)
    // Unlike calls that are joined, these are sent for all callers: each symbol is paid for under its caller's claim.
    const request = requestOf({ query, terms: [client, coalesce, claim, ...termsOf(policiesOf, context)] })
    return Effect.onInterrupt(Effect.request(request, resolver), () => leave(request))
  })

/** The key of queries that may be sent together: everything but the symbol. */
const keyOf = ({ query, terms }: QuoteRequest): ReadonlyArray<unknown> => {
  const target = Query.target({ ...query, tickers: [] })
  return [target, query.mode?._tag, query.assume, ...terms]
}

/** Sends queries of the same key together, as long as one of their callers waits. */
const send = (entries: readonly [Entry, ...ReadonlyArray<Entry>]): Effect.Effect<void> =>
  Effect.suspend(() => {
    const [{ context, request: { query } }] = entries
    const round: Round = { abandoned: Deferred.makeUnsafe(), waiting: entries.length }
    for (const entry of entries) rounds.set(entry.request, { entry, round })
    const answered = Effect.provideContext(ask(query, [...new Set(entries.map(symbolOf))]), context)
    const abandoned = Effect.as(Deferred.await(round.abandoned), () => Exit.interrupt())
    return Effect.map(Effect.raceFirst(answered, abandoned), (outcomeOf) => {
      for (const entry of entries) entry.completeUnsafe(outcomeOf(symbolOf(entry)))
    })
  })

/** The symbol of a caller, in upper case: two spellings are one symbol, as in a list. */
const symbolOf = ({ request }: Entry): string => request.query.subject.toUpperCase()

/** A caller leaves. A request that a cache of the resolver made is not left: other callers may wait for it. */
const leave = (request: QuoteRequest): Effect.Effect<void> =>
  Effect.suspend(() => {
    const found = rounds.get(request)
    if (found === undefined || found.entry.uninterruptible) return Effect.void
    rounds.delete(request)
    found.round.waiting--
    return found.round.waiting === 0 ? Deferred.succeed(found.round.abandoned, undefined) : Effect.void
  })

/** The outcome for a symbol. */
type Outcome = Exit.Exit<Quoted<Rows>, MarketDataError<Reason.Reason>>

/**
 * Asks about symbols in one query. The mode `cachedOrLive` falls back to live data only if none of them is in the cache; if some are, the others are
 * asked for once more by themselves. `earlier` are the requests of the round before, which count as sent for each symbol that failed.
 */
const ask = Effect.fnUntraced(function*(
  query: Query.Query<Rows>,
  symbols: ReadonlyArray<string>,
  earlier: ReadonlyArray<Answer.Attempt> = []
): Effect.fn.Return<(symbol: string) => Outcome, never, MarketData | CacheFallback> {
  const exit = yield* Effect.exit(delivered(run(listOf(query, symbols))))
  if (Exit.isFailure(exit)) {
    const found = Cause.findError(exit.cause)
    if (Result.isFailure(found)) return () => Exit.failCause(found.failure)
    const { reason, trace } = found.success
    const after = earlier.length === 0 ? reason : Reason.afterSending(reason)
    return (symbol) => failure(query, symbol, after, [...earlier, ...trace])
  }
  const { answered: answer, errors } = exit.value
  const trace = [...earlier, ...answer.trace]
  const outcomes = new Map<string | undefined, Outcome>()
  for (const { reason, tickers } of errors) {
    for (const ticker of tickers) outcomes.set(ticker, failure(query, ticker, reason, trace))
  }
  for (const row of answer.data) outcomes.set(row.symbol?.toUpperCase(), Exit.succeed({ row, answer }))
  const missing = symbols.filter((symbol) => !outcomes.has(symbol))
  const fallsBack = query.mode?._tag === "CachedOrLive" && answer.provenance.sentMode === "cached"
  const again = fallsBack && missing.length > 0 && missing.length < symbols.length
    ? yield* ask(query, missing, trace)
    : undefined
  return (symbol) => outcomes.get(symbol) ?? again?.(symbol) ?? failure(query, symbol, absence(query), trace)
})

type Delivered = Pick<Incomplete<Rows>, "answered"> & { readonly errors: ReadonlyArray<Failure> }

/** The answer as the client gave it, and why a part of it failed. */
const delivered = <R>(
  asked: Effect.Effect<Answer.Answer<Rows>, MarketDataError<Reason.Reason | Incomplete<Rows>>, R>
) =>
  Effect.matchEffect(asked, {
    onSuccess: (answered) => Effect.succeed<Delivered>({ answered, errors: [] }),
    onFailure: (error): Effect.Effect<Delivered, MarketDataError<Reason.Reason>> =>
      error.reason._tag === "Incomplete"
        ? Effect.succeed(error.reason)
        : Effect.fail(error as MarketDataError<Reason.Reason>)
  })

/** The query about many symbols. What the query of one symbol assumed of their number is dropped. */
const listOf = (query: Query.Query<Rows>, symbols: ReadonlyArray<string>): Query.Query<Rows> => {
  const subject = symbols.length === 1 ? symbols[0]! : `${symbols[0]} and ${symbols.length - 1} more`
  return { ...query, subject, tickers: symbols, assume: { ...query.assume, symbols: undefined } }
}

const failure = (query: Query.Query, symbol: string, reason: Reason.Reason, trace: ReadonlyArray<Answer.Attempt>) =>
  Exit.fail(new MarketDataError({ query: `${query.endpoint.name} ${symbol}`, reason, trace }))

/** The reason if an answer has no row for a symbol. */
const absence = ({ mode }: Query.Query): Reason.Reason =>
  mode?._tag === "Cached" ? new Reason.NoCachedData() : new Reason.NotFound({ cause: "NoData", body: "" })
