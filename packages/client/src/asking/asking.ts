import * as Answer from "@effect-marketdata/core/Answer"
import * as ChainSize from "@effect-marketdata/core/ChainSize"
import * as Credits from "@effect-marketdata/core/Credits"
import type * as Finding from "@effect-marketdata/core/Finding"
import type * as HttpRequest from "@effect-marketdata/core/HttpRequest"
import * as Query from "@effect-marketdata/core/Query"
import type * as Reason from "@effect-marketdata/core/Reason"
import type * as Reply from "@effect-marketdata/core/Reply"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { memoize } from "effect/Function"
import type * as HttpClient from "effect/http/HttpClient"
import type { HttpClientError } from "effect/http/HttpClientError"
import type * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import type * as Semaphore from "effect/Semaphore"
import type { BufferPool } from "@effect-marketdata/core/BufferPool"
import * as Context from "effect/Context"
import * as CreditLedger from "../account/CreditLedger.ts"
import type { IpGuard } from "../account/IpGuard.ts"
import type { BytesInFlight, Turns } from "./pauses.ts"
import type { AnyReason, MarketDataError } from "../error/MarketDataError.ts"
import type { RetryBudget } from "../policy/RetryBudget.ts"
import { RetryPolicy } from "../policy/RetryPolicy.ts"
import * as Claim from "../policy/Claim.ts"
import * as Policies from "../policy/Policies.ts"
import { CacheFallback } from "../policy/CacheFallback.ts"
import { reference } from "../config/reference.ts"

/** What the client is made of: all its queries share it. */
export interface Resources {
  /** Its requests belong to a scope, and are seen by what watches the fiber that sends them. */
  readonly client: HttpClient.HttpClient.With<HttpClientError, Scope.Scope>
  /** Within the `budget` that the client was made under, if any. */
  readonly ledger: CreditLedger.CreditLedger["Service"]
  readonly budget: CreditLedger.CreditLedger["Service"] | undefined
  readonly ipGuard: IpGuard["Service"]
  readonly permits: Semaphore.Semaphore
  readonly policiesOf: (caller: Context.Context<never>) => Terms
  readonly retryPolicy: RetryPolicy["Service"]
  readonly retryBudget: RetryBudget["Service"]
  readonly flights: Flights
  readonly baseUrl: string
  readonly maxSymbols: number | undefined
  readonly maxReplyBytes: number | undefined
  readonly bytesInFlight: BytesInFlight
  readonly turns: Turns
  readonly reread: Rereading
  readonly keeping: Keeping | undefined
  readonly sizes: Sizes | undefined
  readonly tokenIn: "header" | "query"
  readonly hasToken: boolean
  readonly token: Effect.Effect<Redacted.Redacted | undefined>
}

/** One query on its way: on which terms, since when, and each request that was sent for it. */
export interface Asking {
  readonly resources: Resources
  readonly caller: Context.Context<never>
  readonly terms: Terms
  /** The client's, within the budget of the call if it has one. */
  readonly ledger: CreditLedger.CreditLedger["Service"]
  readonly retryPolicy: RetryPolicy["Service"]
  readonly startedAt: number
  trace: ReadonlyArray<Answer.Attempt>
  /** What takes the bytes of the replies to this query; undefined where they are not kept. */
  copies: Copies | undefined
  /** How old the kept reply is that answered, in seconds; undefined where the service answered. */
  age: number | undefined
  /** What was wrong with the kept reply. */
  damage: ReadonlyArray<Finding.Finding>
  /** The sizes that its prices go by; undefined where none are remembered. */
  seen: ChainSize.Seen | undefined
  /** The estimate that was made last. */
  estimated: Estimated | undefined
}

/** An estimate, and what it is of. */
interface Estimated {
  readonly query: Query.Query
  readonly requests: number
  readonly seen: ChainSize.Seen | undefined
  readonly estimate: Credits.Estimate
}

/** What keeps replies, and answers queries with those that it kept. */
export interface Keeping {
  /** Whether a reply to this query may answer another one like it. */
  readonly isPossible: (query: Query.Query, asking: Asking) => boolean
  /** Answers a query with what was kept; asks where nothing was, and keeps what comes. */
  readonly answer: <Data, R>(
    asking: Asking,
    query: Query.Query<Data>,
    ask: Effect.Effect<BatchResults<Data>, Reason.Reason, R>
  ) => Effect.Effect<BatchResults<Data>, Reason.Reason, R>
}

/**
 * Where sizes of chains are remembered. Neither function fails: a store that cannot be read knows none, and one that cannot be written remembers
 * none.
 *
 * - `find`: the sizes of a chain, the latest of each name at least, in any order
 * - `keep`: remembers a size, in place of an earlier one of the same name, see `ChainSize.nameOf`
 */
export interface Sizes {
  readonly find: (chain: Chain) => Effect.Effect<ReadonlyArray<ChainSize.ChainSize>>
  readonly keep: (chain: Chain, size: ChainSize.ChainSize) => Effect.Effect<void>
}

/** A chain: the service that has it, by its address, and its underlying, with the past day if it is of one. */
export interface Chain {
  readonly service: string
  readonly chain: string
}

/** Takes the bytes of the replies to one query. */
export interface Copies {
  /** Begins to take the reply to one of its requests, in place of an earlier one to the same. */
  readonly begin: (
    query: Query.Query,
    head: Reply.Head,
    token: Redacted.Redacted | undefined
  ) => (bytes: Uint8Array) => void
}

/** Begins to ask a query for who calls in a context. */
export const start = (resources: Resources, caller: Context.Context<never>): Asking => {
  const terms = resources.policiesOf(caller)
  return {
    resources,
    caller,
    terms,
    ledger: terms.budget === resources.budget ? resources.ledger : CreditLedger.within(resources.ledger, terms.budget),
    retryPolicy: terms.retry ?? resources.retryPolicy,
    startedAt: Context.get(caller, Clock.Clock).currentTimeMillisUnsafe(),
    trace: [],
    copies: undefined,
    age: undefined,
    damage: [],
    seen: undefined,
    estimated: undefined
  }
}

/**
 * What a query costs, or a part of it, in a number of requests, by the sizes that are remembered. A query that takes one request asks for the same
 * estimate three times: before it is sent, at its request, and for its answer.
 */
export const estimate = (asking: Asking, query: Query.Query, requests = 1): Credits.Estimate => {
  const { estimated, seen } = asking
  if (estimated?.query === query && estimated.requests === requests && estimated.seen === seen) {
    return estimated.estimate
  }
  const estimate = Credits.estimate(query, {
    ...requests === 1 ? {} : { requests },
    ...seen === undefined ? {} : { seen }
  })
  asking.estimated = { query, requests, seen, estimate }
  return estimate
}

/** One of the requests that a query is cut into. */
export type Batch<Data> = HttpRequest.Batch<Data>

/** The outcome of one of them. */
export interface BatchResult<out Data> {
  readonly query: Query.Query<Data>
  readonly result: Result.Result<Reply.Delivered<Data>, Reason.Reason>
}

/** The outcome of a query: one for each of its requests, in the order of the query. Never empty. */
export type BatchResults<Data> = ReadonlyArray<BatchResult<Data>>

/** Adds a request to the trace, with its outcome. */
export const record = (asking: Asking, attempt: Answer.Attempt): void => {
  asking.trace = [...asking.trace, Answer.makeAttempt(attempt)]
}

/** How often the same request was sent for this query. */
export const sentBefore = ({ trace }: Asking, { target }: HttpRequest.HttpRequest): number =>
  trace.filter((attempt) => attempt.target === target).length

/** Reads a reply to the query of a name, or finds that it is the last one. */
export type Rereading = <Data>(name: string, reader: Reply.Reader<Data>) => Reply.Reader<Data>

/** A query that asks for no more contracts than its price is for. */
export const limitedByPrice = <Data>(asking: Asking, query: Query.Query<Data>): Query.Query<Data> =>
  asking.seen === undefined ? query : ChainSize.limited(query, estimate(asking, query))

/** How many contracts came back where they were as many as a request of a query was held to, which is one more than was seen: there may be more. */
export const rowsAtLimit = ({ query: part, result }: BatchResult<unknown>, query: Query.Query): number | undefined => {
  const { limit } = part.options
  if (limit === undefined || limit === query.options["limit"] || Result.isFailure(result)) return undefined
  const data = result.success.data as string | { readonly length: number }
  const rows = typeof data === "string" ? data.trimEnd().split("\n").length - 1 : data.length
  return rows === limit ? rows : undefined
}

/**
 * Whether nothing cached was young enough, and that is all that went wrong: the service answered with a success (clause 7.2-success-set), only
 * without data.
 */
export const isMiss = (reason: AnyReason): boolean =>
  reason._tag === "Incomplete" ? reason.errors.every(({ reason }) => isMiss(reason)) : reason._tag === "NoCachedData"

/** A call that several queries share: the terms on which it was made, and how many still wait for it. */
interface Flight {
  readonly terms: ReadonlyArray<unknown>
  readonly fiber: Fiber.Fiber<Answer.Answer<unknown>, MarketDataError>
  waiting: number
}

/** The calls of a client that are under way and may be shared, by what they ask. */
export type Flights = Map<string, Flight>

/**
 * Reads the policies, all of them that decide how a query is asked: those of the call, or else those that the client was made with. Once of each
 * context, because most calls of a program come in one.
 */
export const policiesIn = (made: Context.Context<never>) =>
  memoize((caller: Context.Context<never>) => {
    const read = <A>(policy: Context.Reference<A>): A =>
      Context.get(caller.mapUnsafe.has(policy.key) ? caller : made, policy)
    return {
      budget: read(CreditLedger.Budget),
      findings: read(Policies.Findings),
      figures: read(Policies.RecordedFigures),
      /** Undefined where the client's own holds. */
      retry: Context.getOrUndefined(caller, RetryPolicy),
      attemptTimeout: read(Policies.AttemptTimeout),
      /** Where tables take their memory from; undefined where it is fresh. */
      buffers: Context.get(caller, Buffers),
      coalesce: read(Policies.Coalesce),
      ipPolicy: read(Policies.IpRule),
      /** How old a kept reply may be; undefined where its freshness alone decides. */
      acceptAge: read(Policies.AcceptAge),
      claim: read(Claim.Current)
    }
  })

/** What the policies say where a query is asked. */
type Terms = Readonly<ReturnType<ReturnType<typeof policiesIn>>>

/** The pool that a call takes the memory of its table from. */
export const Buffers = /* @__PURE__ */ reference<BufferPool | undefined>("Buffers", () => undefined)

type Asked<Data> = Effect.Effect<Answer.Answer<Data>, MarketDataError, CacheFallback>

/**
 * Lets queries that ask the same on the same terms share one call, where the policy says so, or a kept reply would answer the second one. The call belongs to none of them: it goes on
 * as long as one waits for it, and when the last one leaves it is interrupted, and its ledgers are settled.
 */
export const coalesce = <Data>(
  asking: Asking,
  query: Query.Query<Data>,
  isShared: boolean,
  ask: Asked<Data>
): Asked<Data> => isShared ? Effect.uninterruptibleMask((restore) => share(restore, asking, query, ask)) : ask

/** Joins the call that is under way, or begins it. */
const share = Effect.fnUntraced(function*<Data>(
  restore: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>,
  { caller, resources: { flights, policiesOf } }: Asking,
  query: Query.Query<Data>,
  ask: Asked<Data>
) {
  const terms = termsOf(policiesOf, caller)
  const key = keyOf(query)
  const fork = Effect.runForkWith(yield* Effect.context<CacheFallback>())
  // From here on nothing gives way to another fiber, which would find no call yet, and begin one of its own.
  const present = flights.get(key)
  if (present !== undefined && !isSame(present.terms, terms)) return yield* restore(ask)
  // A call begins in a turn of its own, as what is forked in an effect does.
  const flight = present ?? { terms, fiber: fork(Effect.andThen(Effect.yieldNow, ask)), waiting: 0 }
  flights.set(key, flight)
  flight.waiting++
  const joined = Fiber.join(flight.fiber)
  // A caller with another claim, or none, is not refused for the claim of the first caller.
  const own = present === undefined ? joined : Effect.catchReason(joined, "MarketDataError", "AlreadySent", () => ask)
  // What asks the same, down to its columns, is answered with the same data.
  return (yield* Effect.onExit(restore(own), () => leave(flights, key, flight))) as Answer.Answer<Data>
})

/** One waits less; nobody joins a call that is over, or that nobody waits for. */
const leave = (flights: Flights, key: string, flight: Flight): Effect.Effect<void> =>
  Effect.suspend(() => {
    flight.waiting--
    const isOver = flight.fiber.pollUnsafe() !== undefined
    if ((isOver || flight.waiting === 0) && flights.get(key) === flight) flights.delete(key)
    return flight.waiting === 0 ? Fiber.interrupt(flight.fiber) : Effect.void
  })

/** All that is asked: the target does not tell a mode of ours from the service's, nor what is assumed. */
const keyOf = (query: Query.Query): string =>
  JSON.stringify([Query.target(query), query.mode?._tag ?? null, query.assume])

/** All that decides how it is asked, besides the client. A claim does not: who joins a call sends nothing, and claims nothing. Nor does that it is shared. */
export const termsOf = (
  policiesOf: Resources["policiesOf"],
  caller: Context.Context<never>
): ReadonlyArray<unknown> => {
  const { claim: _claim, coalesce: _coalesce, ...terms } = policiesOf(caller)
  return [...Object.values(terms), Context.getOrUndefined(caller, CacheFallback)]
}

/** How each client reads policies, for what is put together before it is asked. */
const readers = new WeakMap<object, Resources["policiesOf"]>()

/** Remembers how a client reads policies. */
export const readBy = <Client extends object>(
  client: Client,
  { policiesOf }: Pick<Resources, "policiesOf">
): Client => {
  readers.set(client, policiesOf)
  return client
}

const usual = /* @__PURE__ */ policiesIn(/* @__PURE__ */ Context.empty())

/** How a client reads policies; one that is not ours has none of its own. */
export const readerOf = (client: object): Resources["policiesOf"] => readers.get(client) ?? usual

const isSame = (one: ReadonlyArray<unknown>, other: ReadonlyArray<unknown>): boolean =>
  one.every((term, index) => Object.is(term, other[index]))
