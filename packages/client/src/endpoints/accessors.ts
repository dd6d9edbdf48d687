/** An accessor for each endpoint: it takes the arguments of the constructor of the same name in core's `Query`, and asks that query. */
import * as Answer from "@effect-marketdata/core/Answer"
import * as BufferPool from "@effect-marketdata/core/BufferPool"
import type * as DataMode from "@effect-marketdata/core/DataMode"
import * as Query from "@effect-marketdata/core/Query"
import type { NoCachedData, Reason } from "@effect-marketdata/core/Reason"
import * as Effect from "effect/Effect"
import { dual } from "effect/Function"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import { Buffers } from "../call/call.ts"
import type { Failure, Incomplete } from "../error/Incomplete.ts"
import type { AnyReason, MarketDataError } from "../error/MarketDataError.ts"
import * as Policies from "../policy/Policies.ts"
import { ask, askList, type Made, named, namedList } from "./service.ts"

/**
 * Makes the accessor of an endpoint whose queries take one request. If a query is invalid, its error names it by the endpoint and the texts among the
 * arguments, the symbol first. The text of a lookup is left out, because anything may have been pasted there.
 */
const single = <Arguments extends ReadonlyArray<unknown>, Data, Mode extends DataMode.DataMode | undefined>(
  endpoint: string,
  make: (...args: Arguments) => Made<Data, Mode>,
  subjectOf: (args: ReadonlyArray<unknown>) => ReadonlyArray<unknown> = (args) => args.toReversed()
) =>
(...args: Arguments) => ask(named(endpoint, ...subjectOf(args)), make(...args))

/** Makes the accessor of an endpoint whose queries may take several requests. */
const many = <Arguments extends ReadonlyArray<unknown>, Data, Mode extends DataMode.DataMode | undefined>(
  endpoint: string,
  make: (...args: Arguments) => Made<Data, Mode>
) =>
(...args: Arguments) => askList(namedList(endpoint, args[0]), make(...args))

const page = <Data>(endpoint: string, query: Query.Query<Data, undefined>) => ask(endpoint, Result.succeed(query))

/**
 * Asks for the option chain of an underlying (contract 4.1).
 *
 * @see `Query.optionChain` of core for its options
 * @category queries
 * @since 0.1.0
 */
export const optionChain = /* @__PURE__ */ single("optionChain", Query.optionChain)

/**
 * Asks for the quotes of one option (contract 4.2): the current one, that of a past day, or one for each day of a range.
 *
 * @see `Query.optionQuote` of core for its options
 * @category queries
 * @since 0.1.0
 */
export const optionQuote = /* @__PURE__ */ single("optionQuote", Query.optionQuote)

/**
 * Asks for the OCC symbol of a contract that is described by its parts or as a text (contract 4.3).
 *
 * @see `Query.optionLookup` of core for its options
 * @category queries
 * @since 0.1.0
 */
export const optionLookup = /* @__PURE__ */ single("optionLookup", Query.optionLookup, () => [])

/**
 * Asks for the expirations of an underlying's options.
 *
 * @category queries
 * @since 0.1.0
 */
export const optionExpirations = /* @__PURE__ */ single("optionExpirations", Query.optionExpirations)

/**
 * Asks for the strikes of an underlying's options, by expiration.
 *
 * @see `Query.optionStrikes` of core for its options
 * @category queries
 * @since 0.1.0
 */
export const optionStrikes = /* @__PURE__ */ single("optionStrikes", Query.optionStrikes)

/**
 * Asks for the quote of a stock (contract 4.4).
 *
 * @category queries
 * @since 0.1.0
 */
export const stockQuote = /* @__PURE__ */ single("stockQuote", Query.stockQuote)

/**
 * Asks for the quotes of many stocks, in as few requests as possible.
 *
 * @see `Query.stockQuotes` of core for its options
 * @category queries
 * @since 0.1.0
 */
export const stockQuotes = /* @__PURE__ */ many("stockQuotes", Query.stockQuotes)

/**
 * Asks for the prices of many stocks (contract 4.5), in as few requests as possible.
 *
 * @see `Query.stockPrices` of core for its options
 * @category queries
 * @since 0.1.0
 */
export const stockPrices = /* @__PURE__ */ many("stockPrices", Query.stockPrices)

/**
 * Asks for the candles of a stock.
 *
 * @see `Query.stockCandles` of core for its options
 * @category queries
 * @since 0.1.0
 */
export const stockCandles = /* @__PURE__ */ single("stockCandles", Query.stockCandles)

/**
 * Asks for one daily candle of each of many stocks (contract 4.5), in as few requests as possible.
 *
 * @see `Query.stockBulkCandles` of core for its options
 * @category queries
 * @since 0.1.0
 */
export const stockBulkCandles = /* @__PURE__ */ many("stockBulkCandles", Query.stockBulkCandles)

/**
 * Asks for past and expected earnings of a company.
 *
 * @category queries
 * @since 0.1.0
 */
export const stockEarnings = /* @__PURE__ */ single("stockEarnings", Query.stockEarnings)

/**
 * Asks for news about a company.
 *
 * @category queries
 * @since 0.1.0
 */
export const stockNews = /* @__PURE__ */ single("stockNews", Query.stockNews)

/**
 * Asks for the candles of a fund.
 *
 * @category queries
 * @since 0.1.0
 */
export const fundCandles = /* @__PURE__ */ single("fundCandles", Query.fundCandles)

/**
 * Asks on which days the market is open.
 *
 * @category queries
 * @since 0.1.0
 */
export const marketStatus = /* @__PURE__ */ single("marketStatus", Query.marketStatus)

/**
 * Asks what the service knows of the account, at no cost.
 *
 * @category queries
 * @since 0.1.0
 */
export const account = /* @__PURE__ */ page("account", Query.account)

/**
 * Asks whether the parts of the service work, at no cost.
 *
 * @category queries
 * @since 0.1.0
 */
export const serviceStatus = /* @__PURE__ */ page("serviceStatus", Query.serviceStatus)

/**
 * Asks which headers reach the service, at no cost.
 *
 * @category queries
 * @since 0.1.0
 */
export const requestHeaders = /* @__PURE__ */ page("requestHeaders", Query.requestHeaders)

/**
 * An answer that may lack some tickers. `missing` names them and `errors` says why; both are empty if the answer is whole.
 *
 * @category models
 * @since 0.1.0
 */
export interface PartialAnswer<out Data, out R extends Reason = Reason> extends Answer.Answer<Data> {
  readonly missing: ReadonlyArray<string>
  readonly errors: ReadonlyArray<Failure<R>>
}

/**
 * Accepts part of an answer: the failure `Incomplete` becomes an answer that names what is missing. Any other failure stays a failure.
 *
 * @example
 * ```ts
 * import * as MarketData from "@effect-marketdata/client/MarketData"
 * import * as Console from "effect/Console"
 * import * as Effect from "effect/Effect"
 *
 * export const prices = MarketData.stockPrices(["AAPL", "MSFT"]).pipe(
 *   MarketData.partial,
 *   Effect.tap(({ missing }) => Console.log(`${missing.length} tickers are missing`))
 * )
 * ```
 *
 * @see {@link whenCached} for a cached miss
 * @category combinators
 * @since 0.1.0
 */
export const partial = <Data, R extends Reason, Requirements>(
  self: Effect.Effect<Answer.Answer<Data>, MarketDataError<R | Incomplete<Data, R>>, Requirements>
): Effect.Effect<PartialAnswer<Data, R>, MarketDataError<R>, Requirements> =>
  Effect.matchEffect(self, {
    onSuccess: (answer) => Effect.succeed(Answer.make({ ...answer, missing: [], errors: [] })),
    onFailure: (error): Effect.Effect<PartialAnswer<Data, R>, MarketDataError<R>> => {
      const { reason } = error
      // Without that one reason, the others are what is left.
      if (reason._tag !== "Incomplete") return Effect.fail(error as MarketDataError<R>)
      const { answered, errors, missing } = reason
      return Effect.succeed(Answer.make({ ...answered, missing, errors }))
    }
  })

/**
 * Turns a cached miss into `None`: the service answered, and nothing in its cache is young enough (clause 8.3-miss). A miss is free. Any
 * other failure stays a failure. For a query about many tickers it is `None` if none of them is in the cache; if only some are, the
 * failure is `Incomplete`, see `partial`.
 *
 * @example
 * ```ts
 * import * as MarketData from "@effect-marketdata/client/MarketData"
 * import * as DataMode from "@effect-marketdata/core/DataMode"
 * import * as Effect from "effect/Effect"
 * import * as Option from "effect/Option"
 *
 * export const contracts = MarketData.whenCached(MarketData.optionChain("SPX", { mode: DataMode.cached() })).pipe(
 *   Effect.map(Option.match({ onNone: () => 0, onSome: ({ data }) => data.length }))
 * )
 * ```
 *
 * @see {@link partial} for part of an answer
 * @category combinators
 * @since 0.1.0
 */
export const whenCached = <Data, R extends AnyReason, Requirements>(
  self: Effect.Effect<Answer.Answer<Data>, MarketDataError<R>, Requirements>
): Effect.Effect<Option.Option<Answer.Answer<Data>>, MarketDataError<Exclude<R, NoCachedData>>, Requirements> =>
  Effect.matchEffect(self, {
    onSuccess: (answer) => Effect.succeed(Option.some(answer)),
    onFailure: (error) =>
      error.reason._tag === "NoCachedData"
        ? Effect.succeed(Option.none())
        // Without that one reason, the others are what is left.
        : Effect.fail(error as MarketDataError<Exclude<R, NoCachedData>>)
  })

/**
 * Takes the memory for an answer's table from a pool, and gives it back when the scope closes. A program that polls large chains and
 * keeps none of them then leaves almost nothing to the garbage collector. After the scope every use of the table throws, and its columns
 * are empty; keep rows with `ColumnTable.pick`. The call is not shared with others (`Policies.Coalesce`), and its reply is not compared
 * with the last one (`maxKeptBytes`).
 *
 * @example
 * ```ts
 * import * as MarketData from "@effect-marketdata/client/MarketData"
 * import * as BufferPool from "@effect-marketdata/core/BufferPool"
 * import * as Effect from "effect/Effect"
 * import * as Schedule from "effect/Schedule"
 *
 * const pool = BufferPool.make()
 *
 * export const volumes = Effect.scoped(
 *   MarketData.optionChain("SPX", { mode: "cached" }).pipe(
 *     MarketData.pooled(pool),
 *     Effect.map(({ data }) => data.volume.reduce((sum, volume) => sum + volume, 0))
 *   )
 * ).pipe(Effect.repeat(Schedule.spaced("5 seconds")))
 * ```
 *
 * @category combinators
 * @since 0.1.0
 */
export const pooled: {
  (pool: BufferPool.BufferPool): <Data, E, R>(
    self: Effect.Effect<Answer.Answer<Data>, E, R>
  ) => Effect.Effect<Answer.Answer<Data>, E, R | Scope.Scope>
  <Data, E, R>(
    self: Effect.Effect<Answer.Answer<Data>, E, R>,
    pool: BufferPool.BufferPool
  ): Effect.Effect<Answer.Answer<Data>, E, R | Scope.Scope>
} = dual(
  2,
  <Data, E, R>(self: Effect.Effect<Answer.Answer<Data>, E, R>, pool: BufferPool.BufferPool) =>
    Effect.uninterruptibleMask((restore) => {
      const asked = self.pipe(Effect.provideService(Buffers, pool), Effect.provideService(Policies.Coalesce, false))
      // Without a scope nothing is asked, which would be paid for.
      return Effect.flatMap(
        Effect.andThen(Effect.scope, restore(asked)),
        (answer) => Effect.map(BufferPool.lend(pool, answer.data), (data) => Answer.make({ ...answer, data }))
      )
    })
)
