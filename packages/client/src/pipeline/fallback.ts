import * as Credits from "@effect-marketdata/core/Credits"
import * as DataMode from "@effect-marketdata/core/DataMode"
import * as HttpRequest from "@effect-marketdata/core/HttpRequest"
import * as Query from "@effect-marketdata/core/Query"
import * as Reason from "@effect-marketdata/core/Reason"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Checked from "../config/checked.ts"
import { CacheFallback } from "../policy/CacheFallback.ts"
import * as Asking from "../asking/asking.ts"
import * as Batches from "./batches.ts"

/** Asks the requests of a query in one of the service's modes, within one reservation that never passes `ceiling`. */
type Ask<Data> = (
  query: Query.Query<Data>,
  batches: ReadonlyArray<Asking.Batch<Data>>,
  ceiling: number
) => Effect.Effect<Asking.BatchResults<Data>, Reason.Reason>

/**
 * Asks for cached data first where the mode says so. What is not in the cache, and only that, is asked for once more as live data, if the
 * caller consents to its price (clause 8.3-fallback).
 */
export const fallback = <Data>(
  asking: Asking.Asking,
  query: Query.Query<Data>,
  ask: Ask<Data>
): Effect.Effect<Asking.BatchResults<Data>, Reason.Reason, CacheFallback> => {
  const { mode } = query
  if (mode?._tag !== "CachedOrLive") {
    return Effect.flatMap(Batches.prepare(asking, query), (batches) => ask(query, batches, Infinity))
  }
  return askTwice(asking, query, Query.withMode(query, DataMode.cached(mode)), ask)
}

/** Asks for cached data, and then for what was not in the cache. */
const askTwice = Effect.fnUntraced(function*<Data>(
  asking: Asking.Asking,
  query: Query.Query<Data>,
  cached: Query.Query<Data>,
  ask: Ask<Data>
): Effect.fn.Return<Asking.BatchResults<Data>, Reason.Reason, CacheFallback> {
  const first = yield* ask(cached, yield* Batches.prepare(asking, cached), Infinity)
  const missed = first.filter(({ result }) => Result.isFailure(result) && Asking.isMiss(result.failure))
  if (missed.length === 0) return first
  const live = Query.withMode({ ...query, tickers: missed.flatMap(({ query }) => query.tickers) }, DataMode.live)
  const second = yield* Effect.result(askLive(asking, query, live, missed, ask))
  return first.map((part) => {
    const at = missed.indexOf(part)
    if (at === -1) return part
    return Result.isFailure(second) ? { ...part, result: Result.fail(second.failure) } : second.success[at]!
  })
})

const askLive = Effect.fnUntraced(function*<Data>(
  asking: Asking.Asking,
  query: Query.Query<Data>,
  live: Query.Query<Data>,
  missed: Asking.BatchResults<Data>,
  ask: Ask<Data>
): Effect.fn.Return<Asking.BatchResults<Data>, Reason.Reason, CacheFallback> {
  const { decide } = yield* CacheFallback
  const price = Asking.estimate(asking, live, missed.length)
  const ceiling = yield* Checked.decided(
    decide,
    [query, price],
    (ceiling: unknown) => ceiling === undefined || typeof ceiling === "number",
    "CacheFallback",
    "CacheFallback.layerUpTo(500)"
  )
  const batches = yield* Effect.forEach(missed, (part) => {
    const query = Asking.limitedByPrice(asking, Query.withMode(part.query, DataMode.live))
    return Effect.map(
      Effect.fromResult(HttpRequest.make(query, asking.resources.baseUrl)),
      (request) => ({ query, request })
    )
  })
  // Who writes `decide` without types may give nothing, and has then consented to the price that was shown.
  return (yield* ask(live, batches, ceiling ?? Credits.bound(price))).map(({ query, result }) => ({
    query,
    result: Result.mapError(
      result,
      (reason) => reason._tag === "UnexpectedNoContent" ? new Reason.NoLiveData({ charged: reason.charged }) : reason
    )
  }))
})
