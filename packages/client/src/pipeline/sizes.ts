import * as ChainSize from "@effect-marketdata/core/ChainSize"
import type * as OptionChain from "@effect-marketdata/core/OptionChain"
import type * as OptionStrikes from "@effect-marketdata/core/OptionStrikes"
import type * as Provenance from "@effect-marketdata/core/Provenance"
import * as Query from "@effect-marketdata/core/Query"
import type * as Reply from "@effect-marketdata/core/Reply"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as Call from "../call/call.ts"
import * as ChainSizes from "../policy/ChainSizes.ts"

/**
 * Prices a query by the sizes that are remembered of its chain, and remembers those that its replies show, whether the service sent them or they were
 * kept. All prices of one query go by the sizes that were known when it was asked.
 */
export const remembering = <Data, E, R>(
  call: Call.Call,
  query: Query.Query<Data>,
  ask: Effect.Effect<Call.BatchResults<Data>, E, R>
): Effect.Effect<Call.BatchResults<Data>, E, R> => {
  const { baseUrl, sizes } = call.resources
  const chain = sizes === undefined ? undefined : ChainSizes.chainOf(query, baseUrl)
  return sizes === undefined || chain === undefined ? ask : knowing(sizes, chain, call, ask)
}

/** Reads the sizes of the chain, asks, and keeps the sizes that the replies show. */
const knowing = Effect.fnUntraced(function*<Data, E, R>(
  sizes: ChainSizes.Store,
  chain: ChainSizes.Chain,
  call: Call.Call,
  ask: Effect.Effect<Call.BatchResults<Data>, E, R>
) {
  const known = yield* sizes.find(chain)
  call.seen = { sizes: known, now: call.startedAt / 1000 }
  const results = yield* ask
  for (const { query, result } of results) {
    const size = Result.isSuccess(result) ? sizeOf(query, result.success) : undefined
    if (size === undefined || isAmong(known, size)) continue
    // If a store of the program dies, no reply is lost that was paid for.
    yield* Effect.ignoreCause(Effect.suspend(() => sizes.keep(chain, size)))
  }
  return results
})

/** Whether this size, or a later one of the same name, is known already. Each use of a kept reply shows the same size again. */
const isAmong = (known: ReadonlyArray<ChainSize.ChainSize>, size: ChainSize.ChainSize): boolean =>
  known.some((one) =>
    ChainSize.nameOf(one) === ChainSize.nameOf(size) &&
    (one.seenAt > size.seenAt || JSON.stringify(one) === JSON.stringify(size))
  )

/** The size of the chain that a reply shows. Rows of CSV are not counted. */
const sizeOf = (query: Query.Query, reply: Reply.Delivered<unknown>): ChainSize.ChainSize | undefined => {
  if (query.format !== undefined) return undefined
  const { data, provenance } = reply
  if (query.endpoint.kind === "chain") {
    const seenAt = seenAtOf(query, provenance, provenance.updated?.newest)
    const { length: contracts } = data as OptionChain.OptionChain
    return seenAt === undefined ? undefined : ChainSize.ofChain(query, { contracts, seenAt })
  }
  const { expirations, updated } = data as OptionStrikes.OptionStrikes
  const seenAt = seenAtOf(query, provenance, updated)
  return seenAt === undefined ? undefined : ChainSize.ofStrikes(query, { expirations, seenAt })
}

/** The time at which a chain had this size. A cached chain is as old as its newest quote; a chain of a past day no longer changes. */
const seenAtOf = (
  query: Query.Query,
  { receivedAt, status }: Provenance.Provenance,
  newest: number | undefined
): number | undefined =>
  status === 200 || Query.dateOf(query) !== undefined ? receivedAt : newest && Math.min(receivedAt, newest)
