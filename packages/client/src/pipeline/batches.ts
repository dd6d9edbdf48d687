import * as HttpRequest from "@effect-marketdata/core/HttpRequest"
import * as Query from "@effect-marketdata/core/Query"
import type * as Reason from "@effect-marketdata/core/Reason"
import * as Reply from "@effect-marketdata/core/Reply"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type { Failure } from "../error/Incomplete.ts"
import * as Asking from "../asking/asking.ts"

/**
 * Cuts a query into requests, and refuses what only shows now: their length, and a day that is not past. A token that goes in the query
 * takes its place in each line (clause 8.1-request-line).
 */
export const prepare = <Data>(
  asking: Asking.Asking,
  query: Query.Query<Data>
): Effect.Effect<ReadonlyArray<Asking.Batch<Data>>, Reason.InvalidQuery | Reason.RequestLineTooLong> =>
  Effect.clockWith((clock) => {
    const { baseUrl, maxSymbols, token, tokenIn } = asking.resources
    const dated = Query.checkDate(query, clock.currentTimeMillisUnsafe() / 1000)
    if (Result.isFailure(dated)) return Effect.fail(dated.failure)
    const cut = (queryToken: Redacted.Redacted | undefined) =>
      Effect.fromResult(HttpRequest.batches(Asking.limitedByPrice(asking, query), { baseUrl, maxSymbols, queryToken }))
    return tokenIn === "query" ? Effect.flatMap(token, cut) : cut(undefined)
  })

/** Sends all requests at once, within the client's permits. One that fails takes nothing from the others. */
export const all = <Data>(
  batches: ReadonlyArray<Asking.Batch<Data>>,
  ask: (batch: Asking.Batch<Data>, number: number) => Effect.Effect<Reply.Delivered<Data>, Reason.Reason>
): Effect.Effect<Asking.BatchResults<Data>> => {
  const askOne = (batch: Asking.Batch<Data>, number: number): Effect.Effect<Asking.BatchResult<Data>> =>
    Effect.map(Effect.result(ask(batch, number)), (result) => ({ query: batch.query, result }))
  return batches.length === 1
    ? Effect.map(askOne(batches[0]!, 0), (only) => [only])
    : Effect.forEach(batches, askOne, { concurrency: "unbounded" })
}

/** What the requests of a query delivered together. */
export type Joined<Data> =
  | { readonly _tag: "Whole"; readonly delivered: Delivered<Data> }
  | { readonly _tag: "Some"; readonly delivered: Delivered<Data>; readonly missing: Missing }
  | { readonly _tag: "None"; readonly reason: Reason.Reason }

type Delivered<Data> = Pick<Reply.Delivered<Data>, "data" | "findings" | "provenance">

interface Missing {
  readonly missing: ReadonlyArray<string>
  readonly errors: readonly [Failure, ...ReadonlyArray<Failure>]
}

/** Joins what was delivered, in the order of the query, and names what was not (clause 8.1-batches). */
export const join = <Data>(query: Query.Query<Data>, results: Asking.BatchResults<Data>): Joined<Data> => {
  const only = results.length === 1 ? results[0]!.result : undefined
  if (only !== undefined && Result.isSuccess(only)) return { _tag: "Whole", delivered: only.success }
  const delivered = results.flatMap(({ result }) => Result.isSuccess(result) ? [result.success] : [])
  const failures = results.flatMap(({ query, result }): ReadonlyArray<Failure> =>
    Result.isFailure(result) ? [{ tickers: query.tickers, reason: result.failure }] : []
  )
  const [first, ...rest] = delivered
  const [failed, ...others] = failures
  // A miss is not a failure of the service: where something else went wrong too, that is told.
  if (first === undefined) {
    return { _tag: "None", reason: (failures.find(({ reason }) => !Asking.isMiss(reason)) ?? failed!).reason }
  }
  const whole = Reply.join(query, [first, ...rest])
  if (failed === undefined) return { _tag: "Whole", delivered: whole }
  const errors = [failed, ...others] as const
  return { _tag: "Some", delivered: whole, missing: { missing: errors.flatMap(({ tickers }) => tickers), errors } }
}
