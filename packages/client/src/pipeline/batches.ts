/**
 * The requests of a query, one for each batch of its symbols: in which mode they are asked, how the query is cut into them, how all are sent and each is
 * retried, and how their results are joined.
 */
import * as Credits from "@effect-marketdata/core/Credits"
import * as DataMode from "@effect-marketdata/core/DataMode"
import * as HttpRequest from "@effect-marketdata/core/HttpRequest"
import * as Query from "@effect-marketdata/core/Query"
import * as Reason from "@effect-marketdata/core/Reason"
import * as Reply from "@effect-marketdata/core/Reply"
import * as Retry from "@effect-marketdata/core/Retry"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Call from "../call/call.ts"
import * as Checked from "../config/checked.ts"
import { CacheFallback } from "../policy/CacheFallback.ts"
import * as Observe from "../telemetry/observe.ts"

/** Sends the requests of a query in one of the service's modes, within one reservation that never exceeds `ceiling`. */
type Ask<Data> = (
  query: Query.Query<Data>,
  batches: ReadonlyArray<Call.Batch<Data>>,
  ceiling: number
) => Effect.Effect<Call.BatchResults<Data>, Reason.Reason>

/**
 * Asks for cached data first if the mode says so. What is not in the cache, and only that, is then asked for as live data, if the caller consents to
 * the price (clause 8.3-fallback).
 */
export const fallback = <Data>(call: Call.Call, query: Query.Query<Data>, ask: Ask<Data>) => {
  const { mode } = query
  return mode?._tag === "CachedOrLive"
    ? askTwice(call, query, Query.withMode(query, DataMode.cached(mode)), ask)
    : askOnce(call, query, ask)
}

/** Asks for cached data, and then for what was not in the cache. */
const askTwice = Effect.fnUntraced(function*<Data>(
  call: Call.Call,
  query: Query.Query<Data>,
  cached: Query.Query<Data>,
  ask: Ask<Data>
): Effect.fn.Return<Call.BatchResults<Data>, Reason.Reason, CacheFallback> {
  const first = yield* askOnce(call, cached, ask)
  const missed = first.filter(({ result }) => Result.isFailure(result) && Call.isMiss(result.failure))
  if (missed.length === 0) return first
  const live = Query.withMode({ ...query, tickers: missed.flatMap(({ query }) => query.tickers) }, DataMode.live)
  const second = yield* Effect.result(askLive(call, query, live, missed, ask))
  return first.map((part) => {
    const at = missed.indexOf(part)
    if (at === -1) return part
    const answered = Result.isFailure(second) ? { ...part, result: Result.fail(second.failure) } : second.success[at]!
    return { ...answered, result: Result.mapError(answered.result, (reason) => Call.afterSending(call, reason)) }
  })
})

/** The reason why live data are missing: the status of a cached miss, as the reply to a live request, says that the service has no live data. */
const ofLive = (reason: Reason.Reason): Reason.Reason =>
  reason._tag === "UnexpectedNoContent" ? new Reason.NoLiveData({ charged: reason.charged }) : reason

/** Asks for live data of what was `missed`, if the caller consents to the price. */
const askLive = Effect.fnUntraced(function*<Data>(
  call: Call.Call,
  query: Query.Query<Data>,
  live: Query.Query<Data>,
  missed: Call.BatchResults<Data>,
  ask: Ask<Data>
): Effect.fn.Return<Call.BatchResults<Data>, Reason.Reason, CacheFallback> {
  const { decide } = yield* CacheFallback
  const price = Call.estimate(call, live, missed.length)
  const isCeiling = (decision: unknown) => decision === undefined || typeof decision === "number"
  const ceiling = yield* Checked.decided(decide, [query, price], isCeiling, "CacheFallback")
  const batches = yield* Effect.forEach(missed, (part) => {
    const limited = Call.limitedByPrice(call, Query.withMode(part.query, DataMode.live), ceiling)
    const made = Effect.fromResult(HttpRequest.make(limited, call.resources.baseUrl))
    return Effect.map(made, (request) => ({ query: limited, request }))
  })
  // Without types `decide` may return undefined: then the caller has consented to the price that it was given.
  const results = yield* ask(live, batches, ceiling ?? Credits.bound(price))
  return results.map(({ query, result }) => ({ query, result: Result.mapError(result, ofLive) }))
})

/**
 * Cuts a query into requests, and checks what can only be checked now: the length of their lines, and that a day is past. A token in the query string
 * takes part of each line (clause 8.1-request-line).
 */
const askOnce = <Data>(call: Call.Call, query: Query.Query<Data>, ask: Ask<Data>) =>
  Effect.clockWith((clock) => {
    const { baseUrl, options: { maxSymbols, tokenIn }, token } = call.resources
    const dated = Query.checkDate(query, clock.currentTimeMillisUnsafe() / 1000)
    if (Result.isFailure(dated)) return Effect.fail(dated.failure)
    const cut = (queryToken: Redacted.Redacted | undefined) => {
      const batches = HttpRequest.batches(Call.limitedByPrice(call, query), { baseUrl, maxSymbols, queryToken })
      return Result.isSuccess(batches) ? ask(query, batches.success, Infinity) : Effect.fail(batches.failure)
    }
    return tokenIn === "query" ? Effect.flatMap(token, cut) : cut(undefined)
  })

/** Sends all requests at once, as far as the client's permits allow. The others go on if one fails. */
export const all = <Data>(
  batches: ReadonlyArray<Call.Batch<Data>>,
  ask: (batch: Call.Batch<Data>, number: number) => Effect.Effect<Reply.Delivered<Data>, Reason.Reason>
): Effect.Effect<Call.BatchResults<Data>> => {
  const askOne = (batch: Call.Batch<Data>, number: number): Effect.Effect<Call.BatchResults<Data>> =>
    Effect.match(ask(batch, number), {
      onFailure: (reason) => [{ query: batch.query, result: Result.fail(reason) }],
      onSuccess: (delivered) => [{ query: batch.query, result: Result.succeed(delivered) }]
    })
  return batches.length === 1
    ? askOne(batches[0]!, 0)
    : Effect.map(Effect.forEach(batches, askOne, { concurrency: "unbounded" }), (all) => all.flat())
}

/**
 * Retries after temporary failures, as the retry policy and the retry budget allow, until the deadline of the query. The deadline counts from the
 * start of the query and is applied to each request by itself, so that the results of other requests are kept.
 */
export const retry = <A>(call: Call.Call, batch: Call.Batch<unknown>, attempt: Effect.Effect<A, Reason.Reason>) => {
  const { deadline } = call.retryPolicy
  const attempts = Effect.catch(attempt, (reason) => again(call, batch, attempt, reason))
  if (deadline === undefined) return attempts
  // A wait or an attempt is interrupted at the deadline of the query; such an attempt counts as lost.
  return Effect.flatMap(Call.elapsed(call), (elapsed) =>
    Effect.timeoutOrElse(attempts, {
      // A deadline of `NaN` has passed, as in core's rule.
      duration: Math.max(0, deadline - elapsed) || 0,
      orElse: () => {
        const mayHaveBeenCharged = call.trace.some(({ reason, target }) =>
          target === batch.request.target && (reason?.cost === "possible" || reason?.cost === "full")
        )
        return Effect.fail(new Reason.TimedOut({ limit: "deadline", milliseconds: deadline, mayHaveBeenCharged }))
      }
    }))
}

/** Retries after a first failure. */
const again = Effect.fnUntraced(function*<A>(
  call: Call.Call,
  batch: Call.Batch<unknown>,
  attempt: Effect.Effect<A, Reason.Reason>,
  first: Reason.Reason
) {
  const decide = yield* call.retryPolicy.start
  let reason = first
  for (let count = 1, lost = 0;; count++) {
    if (Retry.isLost(reason)) lost++
    const failure = { query: batch.query, reason, attempt: count, lost, elapsed: yield* Call.elapsed(call) }
    const decided = yield* Checked.decided(decide, [failure], isDecision, "RetryPolicy")
    if (decided._tag === "Stop" || !(yield* call.resources.retryBudget.take)) return yield* Effect.fail(reason)
    yield* Observe.retry(batch.query, reason, decided.milliseconds)
    yield* Effect.sleep(decided.milliseconds)
    const next = yield* Effect.result(attempt)
    if (Result.isSuccess(next)) return next.success
    reason = Call.afterSending(call, next.failure)
  }
})

const isDecision = (given: unknown): boolean =>
  Checked.has({ _tag: (tag) => tag === "Stop" })(given) ||
  Checked.has({ _tag: (tag) => tag === "Wait", milliseconds: (wait) => typeof wait === "number" && wait >= 0 })(given)

/** Joins what was delivered, in the order of the query (clause 8.1-batches), beside what came of the requests that delivered nothing; fails if all did. */
export const join = <Data>(query: Query.Query<Data>, results: Call.BatchResults<Data>) => {
  const only = results.length === 1 ? results[0]!.result : undefined
  if (only !== undefined && Result.isSuccess(only)) return Result.succeed({ delivered: only.success, failures: [] })
  const [first, ...rest] = results.flatMap(({ result }) => Result.isSuccess(result) ? [result.success] : [])
  const failures = results.flatMap(({ query, result }) =>
    Result.isFailure(result) ? [{ tickers: query.tickers, reason: result.failure }] : []
  )
  // A miss is not a failure of the service: if another request failed for another reason, that reason is reported.
  return first === undefined
    ? Result.fail((failures.find(({ reason }) => !Call.isMiss(reason)) ?? failures[0]!).reason)
    : Result.succeed({ delivered: Reply.join(query, [first, ...rest]), failures })
}
