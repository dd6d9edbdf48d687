import * as ChainSize from "@effect-marketdata/core/ChainSize"
import type * as OptionChain from "@effect-marketdata/core/OptionChain"
import type * as OptionStrikes from "@effect-marketdata/core/OptionStrikes"
import type * as Provenance from "@effect-marketdata/core/Provenance"
import * as Query from "@effect-marketdata/core/Query"
import type * as Reply from "@effect-marketdata/core/Reply"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as Asking from "../asking/asking.ts"
import * as ChainSizes from "../cache/ChainSizes.ts"

/**
 * Prices a query by the sizes that are remembered of its chain, and remembers what its replies show, also those that were kept. Each price of one
 * query goes by the same sizes: those that were known when it was asked.
 */
export const remembering = <Data, E, R>(
  asking: Asking.Asking,
  query: Query.Query<Data>,
  ask: Effect.Effect<Asking.BatchResults<Data>, E, R>
): Effect.Effect<Asking.BatchResults<Data>, E, R> => {
  const { baseUrl, sizes } = asking.resources
  const chain = sizes === undefined ? undefined : ChainSizes.chainOf(query, baseUrl)
  return sizes === undefined || chain === undefined ? ask : knowing(sizes, chain, asking, ask)
}

/** Asks by the sizes that are known of the chain, and keeps those that the replies show. */
const knowing = Effect.fnUntraced(function*<Data, E, R>(
  sizes: Asking.Sizes,
  chain: Asking.Chain,
  asking: Asking.Asking,
  ask: Effect.Effect<Asking.BatchResults<Data>, E, R>
) {
  const known = yield* sizes.find(chain)
  asking.seen = { sizes: known, now: asking.startedAt / 1000 }
  const results = yield* ask
  for (const { query, result } of results) {
    const size = Result.isSuccess(result) ? sizeOf(query, result.success) : undefined
    if (size !== undefined && !isAmong(known, size)) yield* sizes.keep(chain, size)
  }
  return results
})

/** Whether a size, or a later one of the same name, is known. A reply that was kept shows it again and again. */
const isAmong = (known: ReadonlyArray<ChainSize.ChainSize>, size: ChainSize.ChainSize): boolean =>
  known.some((one) =>
    ChainSize.nameOf(one) === ChainSize.nameOf(size) &&
    (one.seenAt > size.seenAt || JSON.stringify(one) === JSON.stringify(size))
  )

/** What a reply shows of the size of its chain. A text in CSV is not counted. */
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

/** When a chain was so: what the service had in its cache is as old as its newest quote. What was so on a past day does not age. */
const seenAtOf = (
  query: Query.Query,
  { receivedAt, status }: Provenance.Provenance,
  newest: number | undefined
): number | undefined =>
  status === 200 || Query.dateOf(query) !== undefined ? receivedAt : newest && Math.min(receivedAt, newest)
