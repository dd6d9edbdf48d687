import type * as Answer from "@effect-marketdata/core/Answer"
import * as Query from "@effect-marketdata/core/Query"
import * as Reason from "@effect-marketdata/core/Reason"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Request from "effect/Request"
import type * as RequestResolver from "effect/RequestResolver"
import * as Result from "effect/Result"
import type { CacheFallback } from "../policy/CacheFallback.ts"
import type { Incomplete } from "../error/Incomplete.ts"
import { MarketDataError } from "../error/MarketDataError.ts"
import { readerOf, termsOf } from "../call/call.ts"
import { MarketData, run } from "./service.ts"

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

/** A table whose rows have a symbol. */
export interface Rows extends Iterable<{ readonly symbol: string | null }> {}

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
export const join = (
  query: Query.Query<Rows>,
  resolver: RequestResolver.RequestResolver<QuoteRequest>
): Effect.Effect<Quoted<Rows>, MarketDataError<Reason.Reason>, MarketData | CacheFallback> =>
  Effect.contextWith((context: Context.Context<MarketData | CacheFallback>) => {
    const client = Context.get(context, MarketData)
    const policiesOf = readerOf(client)
    const { claim, coalesce } = policiesOf(context)
    // Unlike calls that are joined, these are sent for all callers: each symbol is paid for under its caller's claim.
    const request = requestOf({ query, terms: [client, coalesce, claim, ...termsOf(policiesOf, context)] })
    return Effect.onInterrupt(Effect.request(request, resolver), () => leave(request))
  })

/** The key of queries that may be sent together: everything but the symbol. */
export const keyOf = ({ query, terms }: QuoteRequest): ReadonlyArray<unknown> => [
  Query.target({ ...query, tickers: [] }),
  query.mode?._tag,
  query.assume,
  ...terms
]

/** Sends queries of the same key together, as long as one of their callers waits. */
export const send = (entries: readonly [Entry, ...ReadonlyArray<Entry>]): Effect.Effect<void> =>
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
 * asked for once more by themselves.
 */
const ask = Effect.fnUntraced(function*(
  query: Query.Query<Rows>,
  symbols: ReadonlyArray<string>,
  earlier: ReadonlyArray<Answer.Attempt> = []
): Effect.fn.Return<(symbol: string) => Outcome, never, MarketData | CacheFallback> {
  const exit = yield* Effect.exit(run(listOf(query, symbols)))
  const { answer, failed } = deliveredOf(exit, earlier)
  const rows = new Map([...answer?.data ?? []].map((row) => [row.symbol?.toUpperCase(), row]))
  const present = (symbol: string): Outcome | undefined => {
    const row = rows.get(symbol)
    return answer === undefined || row === undefined ? undefined : Exit.succeed({ row, answer })
  }
  const missing = symbols.filter((symbol) => (present(symbol) ?? failed(query, symbol)) === undefined)
  const fallsBack = query.mode?._tag === "CachedOrLive" && answer?.provenance.sentMode === "cached"
  const again = fallsBack && missing.length > 0 && missing.length < symbols.length
    ? yield* ask(query, missing, [...earlier, ...answer.trace])
    : undefined
  return (symbol) =>
    present(symbol) ?? failed(query, symbol) ?? again?.(symbol) ??
      failure(query, symbol, absence(query), [...earlier, ...answer?.trace ?? []])
})

/** The query about many symbols. What the query of one symbol assumed of their number is dropped. */
const listOf = (query: Query.Query<Rows>, symbols: ReadonlyArray<string>): Query.Query<Rows> => ({
  ...query,
  subject: symbols.length === 1 ? symbols[0]! : `${symbols[0]} and ${symbols.length - 1} more`,
  tickers: symbols,
  assume: { ...query.assume, symbols: undefined }
})

/** The answer to a query about many symbols, and the outcome for a symbol that failed. */
interface Delivered {
  readonly answer: Answer.Answer<Rows> | undefined
  readonly failed: (query: Query.Query, symbol: string) => Outcome | undefined
}

type Failed = MarketDataError<Reason.Reason | Incomplete<Rows, Reason.Reason>>

/** What came of a query. `earlier` are the requests of the rounds before it, which count as sent for each symbol that failed. */
const deliveredOf = (
  exit: Exit.Exit<Answer.Answer<Rows>, Failed>,
  earlier: ReadonlyArray<Answer.Attempt>
): Delivered => {
  if (Exit.isSuccess(exit)) return { answer: exit.value, failed: () => undefined }
  const found = Cause.findError(exit.cause)
  if (Result.isFailure(found)) return { answer: undefined, failed: () => Exit.failCause(found.failure) }
  const { reason } = found.success
  const trace = [...earlier, ...found.success.trace]
  if (reason._tag !== "Incomplete") {
    const after = earlier.length === 0 ? reason : Reason.afterSending(reason)
    return { answer: undefined, failed: (query, symbol) => failure(query, symbol, after, trace) }
  }
  const reasons = new Map(reason.errors.flatMap(({ reason, tickers }) => tickers.map((ticker) => [ticker, reason])))
  return {
    answer: reason.answered,
    failed: (query, symbol) => {
      const reason = reasons.get(symbol)
      return reason && failure(query, symbol, reason, trace)
    }
  }
}

const failure = (
  query: Query.Query,
  symbol: string,
  reason: Reason.Reason,
  trace: ReadonlyArray<Answer.Attempt>
): Outcome => Exit.fail(new MarketDataError({ query: `${query.endpoint.name} ${symbol}`, reason, trace }))

/** The reason if an answer has no row for a symbol. */
const absence = ({ mode }: Query.Query): Reason.Reason =>
  mode?._tag === "Cached" ? new Reason.NoCachedData() : new Reason.NotFound({ cause: "NoData", body: "" })
