import * as Answer from "@effect-marketdata/core/Answer"
import type { BufferPool } from "@effect-marketdata/core/BufferPool"
import * as ChainSize from "@effect-marketdata/core/ChainSize"
import * as Credits from "@effect-marketdata/core/Credits"
import type * as Finding from "@effect-marketdata/core/Finding"
import type * as HttpRequest from "@effect-marketdata/core/HttpRequest"
import * as LastReplies from "@effect-marketdata/core/LastReplies"
import * as Query from "@effect-marketdata/core/Query"
import * as Reason from "@effect-marketdata/core/Reason"
import type * as Reply from "@effect-marketdata/core/Reply"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { memoize } from "effect/Function"
import type * as HttpClient from "effect/http/HttpClient"
import type { HttpClientError } from "effect/http/HttpClientError"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import * as CreditLedger from "../account/CreditLedger.ts"
import { IpGuard } from "../account/IpGuard.ts"
import * as Checked from "../config/checked.ts"
import * as MarketDataConfig from "../config/MarketDataConfig.ts"
import type { AnyReason, MarketDataError } from "../error/MarketDataError.ts"
import { CacheFallback } from "../policy/CacheFallback.ts"
import { ChainSizes } from "../policy/ChainSizes.ts"
import * as Claim from "../policy/Claim.ts"
import * as Policies from "../policy/Policies.ts"
import * as RetryBudget from "../policy/RetryBudget.ts"
import * as RetryPolicy from "../policy/RetryPolicy.ts"
import * as Pauses from "./pauses.ts"

/**
 * Makes what all queries of a client share, with what was provided to it: `made` is its context. The requests of `client` belong to a scope, and pass through
 * the `Watch` of the fiber that sends them.
 */
export const resourcesOf = Effect.fnUntraced(function*(
  options: MarketDataConfig.MarketDataConfig,
  made: Context.Context<never>,
  client: HttpClient.HttpClient.With<HttpClientError, Scope.Scope>,
  keeping: Keeping | undefined
) {
  const { maxBytesInFlight = largestReply, maxInFlight = defaultInFlight, token } = options
  const budget = yield* CreditLedger.Budget
  return {
    client,
    keeping,
    // A copy: what was checked stays as it was, whatever the program does with its object.
    options: { ...options },
    baseUrl: options.baseUrl ?? MarketDataConfig.publicBaseUrl,
    token: token === undefined || Redacted.isRedacted(token) ? Effect.succeed(token) : Effect.map(token, Checked.token),
    /** The ledger of the client, within the `budget` that was provided to it, if any. */
    ledger: CreditLedger.capped(yield* CreditLedger.CreditLedger, budget),
    budget,
    ipGuard: yield* IpGuard,
    permits: yield* Semaphore.make(maxInFlight),
    policiesOf: policiesIn(made),
    retryPolicy: yield* provided(RetryPolicy.RetryPolicy, Effect.sync(() => RetryPolicy.make())),
    retryBudget: yield* provided(RetryBudget.RetryBudget, RetryBudget.makeMemory(options.retries)),
    flights: new Map() as Flights,
    countReply: Pauses.bytesInFlight({ most: maxBytesInFlight, share: shareOfOne }),
    turns: Pauses.turns(),
    reread: rereading(options.maxKeptBytes),
    sizes: Context.getOrUndefined(made, ChainSizes)
  }
})

export type Resources = Effect.Success<ReturnType<typeof resourcesOf>>

/** The services that clients made for themselves, because none was provided. */
export const own = new WeakSet<object>()

/** The service that was provided, or else one that a client makes for itself. */
export const provided = <Identifier, Service extends object>(
  key: Context.Key<Identifier, Service>,
  make: Effect.Effect<Service>
): Effect.Effect<Service> => {
  const forItself = Effect.tap(make, (service) => Effect.sync(() => own.add(service)))
  return Effect.flatMap(Effect.serviceOption(key), Option.match({ onNone: () => forItself, onSome: Effect.succeed }))
}

/** How many bytes each reply may read without waiting for others; replies of most endpoints are never larger. */
const shareOfOne = 1_048_576

/** The bytes of the largest reply that there can be. */
const largestReply = 134_217_728

/** The limit of the public service; the contract states none, so it is only the default (clause 8.5-not-shown). */
const defaultInFlight = 50

/** Fast functions of Node, Bun and Deno, which browsers do not have. */
const { Buffer: platform } = globalThis as {
  readonly Buffer?: {
    readonly compare: (a: Uint8Array, b: Uint8Array) => number
    readonly allocUnsafeSlow: (size: number) => { readonly buffer: ArrayBufferLike }
  }
}

/** Allocates a buffer without filling it with zeros. */
export const allocate = platform && ((size: number): ArrayBufferLike => platform.allocUnsafeSlow(size).buffer)

/** Compares bytes at the speed of memory. */
const isEqual = platform && ((a: Uint8Array, b: Uint8Array): boolean => platform.compare(a, b) === 0)

/** Keeps the last replies of a client, so that equal ones are not decoded again. If `maxBytes` is 0, each reply is decoded. */
const rereading = (maxBytes = 0): Rereading => {
  if (maxBytes === 0) return (_, reader) => reader
  const replies = LastReplies.make({ maxBytes, isEqual })
  return (name, reader) => LastReplies.reader(replies, name, reader)
}

/** A query that is being asked: its terms, when it began, and each request that was sent for it. */
export class Call {
  readonly resources: Resources
  readonly caller: Context.Context<never>
  readonly terms: Terms
  /** The client's ledger, within the budget of the call if it has one. */
  readonly ledger: CreditLedger.CreditLedger["Service"]
  readonly retryPolicy: RetryPolicy.RetryPolicy["Service"]
  readonly startedAt: number
  /** The same by the monotonic clock, in nanoseconds. */
  readonly startedNanos: bigint
  trace: ReadonlyArray<Answer.Attempt> = []
  /** Copies the bytes of the replies to this query; undefined if they are not kept. */
  copy: Copy | undefined
  /** The age of the kept reply that answered, in seconds; undefined if the service answered. */
  age: number | undefined
  /** What was wrong with the kept reply. */
  damage: ReadonlyArray<Finding.Finding> = []
  /** The sizes that its prices are computed from; undefined if none are remembered. */
  seen: ChainSize.Seen | undefined
  /** The estimate that was made last. */
  estimated: { readonly query: Query.Query; readonly requests: number; readonly estimate: Credits.Estimate } | undefined

  /** Begins to ask a query that was called in the context `caller`. */
  constructor(resources: Resources, caller: Context.Context<never>) {
    const { budget, ledger, policiesOf, retryPolicy } = resources
    const terms = policiesOf(caller)
    const clock = Context.get(caller, Clock.Clock)
    this.resources = resources
    this.caller = caller
    this.terms = terms
    this.ledger = terms.budget === budget ? ledger : CreditLedger.capped(ledger, terms.budget)
    this.retryPolicy = terms.retry ?? retryPolicy
    this.startedAt = clock.currentTimeMillisUnsafe()
    this.startedNanos = clock.monotonicTimeNanosUnsafe()
  }
}

/** What keeps replies, and answers queries with those that it kept. */
export interface Keeping {
  /** Whether a reply to this query may answer another one like it. */
  readonly isPossible: (query: Query.Query, call: Call) => boolean
  /** Answers a query with what was kept; asks where nothing was, and keeps what comes. */
  readonly answer: <Data, R>(
    call: Call,
    query: Query.Query<Data>,
    ask: Effect.Effect<BatchResults<Data>, Reason.Reason, R>
  ) => Effect.Effect<BatchResults<Data>, Reason.Reason, R>
}

/** Begins the copy of a reply to one of the requests of a query, which replaces that of an earlier attempt; returns what takes its bytes. */
export type Copy = (
  query: Query.Query,
  head: Reply.Head,
  token: Redacted.Redacted | undefined
) => (bytes: Uint8Array) => void

/** How long a query has been asked, in milliseconds, also if the system's clock was set meanwhile. */
export const elapsed = ({ startedNanos }: Call): Effect.Effect<number> =>
  Effect.map(Clock.Clock, (clock) => Math.round(Number(clock.monotonicTimeNanosUnsafe() - startedNanos) / 1e6))

/**
 * Estimates a query, or a part of it, by the remembered sizes, which are read before the first estimate. The last one is kept, because a query of one
 * request needs the same one three times: to reserve, to send, and to answer.
 */
export const estimate = (call: Call, query: Query.Query, requests = 1): Credits.Estimate => {
  const { estimated, seen } = call
  if (estimated?.query === query && estimated.requests === requests) return estimated.estimate
  // Only a list takes several requests. Most prices assume nothing then, which needs no check.
  const estimate = Credits.estimate(query, { requests: query.list ? requests : undefined, seen })
  call.estimated = { query, requests, estimate }
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
export const record = (call: Call, attempt: Answer.Attempt): void => {
  call.trace = [...call.trace, Answer.makeAttempt(attempt)]
}

/** Adds to the reason of a ledger or a guard what only the trace knows: that earlier requests of the query were sent and failed, and whether they were free. */
export const afterSending = ({ trace }: Call, reason: Reason.Reason): Reason.Reason => {
  const failures = trace.flatMap(({ reason }) => reason ?? [])
  if (failures.length === 0) return reason
  return Reason.afterSending(reason, failures.every(({ cost }) => cost === "none") ? "free" : true)
}

/** How often the same request was sent for this query. */
export const sentBefore = ({ trace }: Call, { target }: HttpRequest.HttpRequest): number =>
  trace.filter((attempt) => attempt.target === target).length

/** Makes a reader for the next reply to the query of this name, which recognises the same bytes as last time. */
export type Rereading = <Data>(name: string, reader: Reply.Reader<Data>) => Reply.Reader<Data>

/** The query with a limit of as many contracts as its price covers, or of an assumed price the ceiling that was consented to. */
export const limitedByPrice = <Data>(call: Call, query: Query.Query<Data>, ceiling = Infinity): Query.Query<Data> =>
  call.seen === undefined && ceiling === Infinity ? query : ChainSize.limited(query, estimate(call, query), ceiling)

/** How many contracts a request returned if that is its whole limit, which `limitedByPrice` added: there may be more. Undefined otherwise. */
export const rowsAtLimit = ({ query: part, result }: BatchResult<unknown>, query: Query.Query): number | undefined => {
  const { limit } = part.options
  if (limit === undefined || limit === query.options["limit"] || Result.isFailure(result)) return undefined
  const data = result.success.data as string | { readonly length: number }
  const rows = typeof data === "string" ? data.trimEnd().split("\n").length - 1 : data.length
  return rows === limit ? rows : undefined
}

/**
 * Whether the only failure is that no cached data were young enough: the service answered with a success (clause 7.2-success-set), but without data.
 */
export const isMiss = (reason: AnyReason): boolean =>
  reason._tag === "Incomplete" ? reason.errors.every(({ reason }) => isMiss(reason)) : reason._tag === "NoCachedData"

/** A call that several callers share: its terms, its fiber, and how many callers still wait for it. */
interface Flight {
  readonly terms: ReadonlyArray<unknown>
  readonly fiber: Fiber.Fiber<Answer.Answer<unknown>, MarketDataError>
  waiting: number
}

/** The calls of a client that are under way and may be shared, by the key of their query. */
export type Flights = Map<string, Flight>

/**
 * Makes what reads all policies that decide how a query is asked: those of the call, or else those that the client was made with. It reads each context
 * once, because most calls of a program have the same one.
 */
export const policiesIn = (made: Context.Context<never>) =>
  memoize((caller: Context.Context<never>) => {
    const read = <A>(policy: Context.Reference<A>): A =>
      Context.get(caller.mapUnsafe.has(policy.key) ? caller : made, policy)
    return {
      budget: read(CreditLedger.Budget),
      findings: read(Policies.Findings),
      figures: read(Policies.RecordedFigures),
      /** Undefined if the client's own policy applies. */
      retry: Context.getOrUndefined(caller, RetryPolicy.RetryPolicy),
      attemptTimeout: read(Policies.AttemptTimeout),
      /** The pool of the memory of tables; undefined if tables allocate their own. */
      buffers: Context.get(caller, Buffers),
      coalesce: read(Policies.Coalesce),
      ipPolicy: read(Policies.IpRule),
      /** How old a kept reply may be; undefined if its freshness alone decides. */
      acceptAge: read(Policies.AcceptAge),
      claim: read(Claim.Current)
    }
  })

/** The policies that apply to a query. */
type Terms = Readonly<ReturnType<ReturnType<typeof policiesIn>>>

/** The pool that a call takes the memory of its table from. */
export const Buffers = /* @__PURE__ */ Policies.reference<BufferPool | undefined>("Buffers", () => undefined)

type Answering<Data> = Effect.Effect<Answer.Answer<Data>, MarketDataError, CacheFallback>

/**
 * Lets equal queries on equal terms share one call, if `isShared`. The call runs in a fiber of its own as long as any caller waits for it; when the last
 * caller is interrupted, the call is interrupted too, and its ledgers are settled.
 */
export const coalesce = <Data>(call: Call, query: Query.Query<Data>, isShared: boolean, ask: Answering<Data>) =>
  isShared ? Effect.uninterruptibleMask((restore) => share(restore, call, query, ask)) : ask

/** Joins the call that is under way, or begins it. */
const share = Effect.fnUntraced(function*<Data>(
  restore: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>,
  { caller, resources: { flights, policiesOf } }: Call,
  query: Query.Query<Data>,
  ask: Answering<Data>
) {
  const terms = termsOf(policiesOf, caller)
  const key = keyOf(query)
  const fork = Effect.runForkWith(yield* Effect.context<CacheFallback>())
  // From here on nothing yields until the call is in `flights`: another fiber would find none, and begin a second one.
  const present = flights.get(key)
  if (present !== undefined && !isSame(present.terms, terms)) return yield* restore(ask)
  // The call begins in the next turn of the scheduler, as a fiber that an effect forks does.
  const flight = present ?? { terms, fiber: fork(Effect.andThen(Effect.yieldNow, ask)), waiting: 0 }
  flights.set(key, flight)
  flight.waiting++
  const joined = Fiber.join(flight.fiber)
  // A caller who joins a call is not refused for the claim of the caller who began it.
  const own = present === undefined ? joined : Effect.catchReason(joined, "MarketDataError", "AlreadySent", () => ask)
  // Queries with the same key, columns included, have data of the same type.
  return (yield* Effect.onExit(restore(own), () => leave(flights, key, flight))) as Answer.Answer<Data>
})

/** A caller leaves. A call that is over or has no callers can no longer be joined; without callers it is interrupted. */
const leave = (flights: Flights, key: string, flight: Flight): Effect.Effect<void> =>
  Effect.suspend(() => {
    flight.waiting--
    const isOver = flight.fiber.pollUnsafe() !== undefined
    if ((isOver || flight.waiting === 0) && flights.get(key) === flight) flights.delete(key)
    return flight.waiting === 0 ? Fiber.interrupt(flight.fiber) : Effect.void
  })

/** The key of a query: its target, and what the target does not show, which is the mode `cachedOrLive` and the assumptions. */
const keyOf = (query: Query.Query) => JSON.stringify([Query.target(query), query.mode?._tag ?? null, query.assume])

/** The terms that two calls must share to be one, as a list. The claim is not among them, because a caller who joins sends nothing; nor is `coalesce`. */
export const termsOf = (policiesOf: Resources["policiesOf"], caller: Context.Context<never>) => {
  const { claim: _claim, coalesce: _coalesce, ...terms } = policiesOf(caller)
  return [...Object.values(terms), Context.getOrUndefined(caller, CacheFallback)]
}

/** How each client reads policies, for `QuoteResolver`, which compares terms before it calls a client. */
const readers = new WeakMap<object, Resources["policiesOf"]>()

/** Remembers how a client reads policies. */
export const readBy = <Client extends object>(client: Client, policiesOf: Resources["policiesOf"]): Client => {
  readers.set(client, policiesOf)
  return client
}

const usual = /* @__PURE__ */ policiesIn(/* @__PURE__ */ Context.empty())

/** How a client reads policies. For a client that this package did not make, the policies of the call apply. */
export const readerOf = (client: object): Resources["policiesOf"] => readers.get(client) ?? usual

const isSame = (one: ReadonlyArray<unknown>, other: ReadonlyArray<unknown>): boolean =>
  one.every((term, index) => Object.is(term, other[index]))
