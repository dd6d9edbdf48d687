/** A query from its price to its answer: the steps around its requests, the sizes of its chain, its reservation, and what is concluded from its results. */
import * as Answer from "@effect-marketdata/core/Answer"
import * as ChainSize from "@effect-marketdata/core/ChainSize"
import * as Credits from "@effect-marketdata/core/Credits"
import * as Finding from "@effect-marketdata/core/Finding"
import type * as OptionChain from "@effect-marketdata/core/OptionChain"
import type * as OptionStrikes from "@effect-marketdata/core/OptionStrikes"
import * as Provenance from "@effect-marketdata/core/Provenance"
import * as Query from "@effect-marketdata/core/Query"
import * as Reason from "@effect-marketdata/core/Reason"
import type * as Reply from "@effect-marketdata/core/Reply"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Reservation } from "../account/CreditLedger.ts"
import * as Call from "../call/call.ts"
import { Incomplete } from "../error/Incomplete.ts"
import { MarketDataError } from "../error/MarketDataError.ts"
import * as ChainSizes from "../policy/ChainSizes.ts"
import * as Claim from "../policy/Claim.ts"
import { attempt } from "./attempt.ts"
import * as Batches from "./batches.ts"

/**
 * Answers a query. This nesting decides what is paid and what can be interrupted, from the outside in:
 *
 *     coalesce ⊃ remembered sizes ⊃ kept replies ⊃ fallback ⊃ reserve(whole query) ⊃ batches ⊃ retry ⊃ [ IP gate → permit → mark sent → send → read → interpret → record charge ]
 *
 * Credits are reserved only while requests wait or are sent, and the reservation is always settled, by what its requests were charged.
 */
export const run = <Data>(call: Call.Call, query: Query.Query<Data>) =>
  Effect.suspend(() => {
    const keeping = call.resources.keeping?.isPossible(query, call) === true ? call.resources.keeping : undefined
    const asked = Batches.fallback(call, query, (query, batches, ceiling) =>
      reserve(call, query, { requests: batches.length, ceiling }, (reservation) =>
        Batches.all(batches, (batch, number) =>
          Batches.retry(call, batch, attempt(call, batch, { number, isOnly: batches.length === 1 }, reservation)))))
    const keptOrAsked = keeping === undefined ? asked : keeping.answer(call, query, asked)
    const answers = Effect.matchEffect(remembering(call, query, keptOrAsked), {
      onFailure: (reason) =>
        failed(call, query, Call.afterSending(call, reason)),
      onSuccess: (results) =>
        conclude(call, query, results)
    })
    // What may be kept is asked once for all who want it; but a table in a pool is its caller's alone.
    const isShared = keeping !== undefined && call.terms.buffers === undefined || call.terms.coalesce
    return Call.coalesce(call, query, isShared, answers)
  })

/**
 * Prices a query by the sizes that are remembered of its chain, and remembers those that its replies show, whether the service sent them or they were
 * kept. All prices of one query go by the sizes that were known when it was asked.
 */
const remembering = <Results extends Call.BatchResults<unknown>, E, R>(
  call: Call.Call,
  query: Query.Query,
  ask: Effect.Effect<Results, E, R>
) => {
  const { baseUrl, sizes } = call.resources
  const chain = sizes === undefined ? undefined : ChainSizes.chainOf(query, baseUrl)
  return sizes === undefined || chain === undefined ? ask : knowing(sizes, chain, call, ask)
}

/** Reads the sizes of the chain, asks, and keeps the sizes that the replies show. */
const knowing = Effect.fnUntraced(function*<Results extends Call.BatchResults<unknown>, E, R>(
  sizes: ChainSizes.Store,
  chain: ChainSizes.Chain,
  call: Call.Call,
  ask: Effect.Effect<Results, E, R>
) {
  const known = yield* sizes.find(chain)
  call.seen = { sizes: known, now: call.startedAt / 1000 }
  call.estimated = undefined
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
const seenAtOf = (query: Query.Query, { receivedAt, status }: Provenance.Provenance, newest: number | undefined) =>
  status === 200 || Query.dateOf(query) !== undefined ? receivedAt : newest && Math.min(receivedAt, newest)

/**
 * Reserves what the query may cost, and settles the reservation after its use. In memory, reserving is one step that never waits. In a database each step is
 * a transaction, so a query of one request is reserved together with the mark of that request. Everywhere the charge of an only request closes the reservation.
 */
const reserve = <A>(
  call: Call.Call,
  query: Query.Query,
  { ceiling, requests }: { readonly requests: number; readonly ceiling: number },
  use: (reservation: Reservation) => Effect.Effect<A>
): Effect.Effect<A, Reason.Reason> => {
  const { caller, ledger, terms: { claim } } = call
  const price = Call.estimate(call, query, requests)
  const claimed = Claim.check(claim)
  const reserved = ledger.reserve(Credits.bound(price), query, ceiling, requests)
  const made: Effect.Effect<Reservation, Reason.Reason> = Result.isFailure(claimed)
    ? Effect.fail(claimed.failure)
    // The ledger takes the claim from the context, in which one that was provided to the client is not yet. Most calls need no copy of it.
    : Context.get(caller, Claim.Current) === claim
    ? reserved
    : Effect.provideService(reserved, Claim.Current, claim)
  return Effect.acquireUseRelease(
    Effect.mapError(made, (reason) => reason._tag === "CreditBudgetExceeded" ? advise(query, price, reason) : reason),
    use,
    (reservation) => reservation.settle
  )
}

/** Adds to a refusal of the ledger which size the price was computed from, and how the query could cost less. */
const advise = (query: Query.Query, price: Credits.Estimate, reason: Reason.CreditBudgetExceeded) => {
  const [size, advice] = [ChainSize.assumedBy(price), Credits.advice(query, reason.available)]
  // Spreading an error does not copy its cause.
  return new Reason.CreditBudgetExceeded({ ...reason, cause: reason.cause, size, advice })
}

/** The error of a query, with the requests that were sent for it. */
const failed = ({ trace }: Call.Call, query: Query.Query, reason: MarketDataError["reason"]) =>
  Effect.fail(new MarketDataError({ query: Query.format(query), reason, trace }))

/** Makes the result of the query from those of its requests: an answer, part of one, or an error. */
const conclude = <Data>(call: Call.Call, query: Query.Query<Data>, results: Call.BatchResults<Data>) => {
  const { age, damage, trace } = call
  const joined = Batches.join(query, results)
  if (Result.isFailure(joined)) return failed(call, query, Call.afterSending(call, joined.failure))
  const { delivered: { data, findings, provenance: delivered }, failures: [missed, ...others] } = joined.success
  const provenance = { ...delivered, requestedMode: query.mode?._tag }
  const credits = { estimate: Call.estimate(call, query, results.length), ...Answer.spent(trace) }
  const answer: Answer.Answer<Data> = Answer.make({
    data,
    findings: [
      ...findings,
      ...damage,
      ...spentElsewhere(trace),
      ...overrun(credits),
      ...results.flatMap((result) => sizeReached(Call.rowsAtLimit(result, query)))
    ],
    provenance: age === undefined ? provenance : Provenance.local(provenance, age),
    credits,
    trace
  })
  if (missed === undefined) return Effect.succeed(answer)
  const errors = [missed, ...others] as const
  const missing = errors.flatMap(({ tickers }) => tickers)
  return failed(call, query, new Incomplete({ answered: answer, missing, errors }))
}

/** The finding for credits that are gone by the service's figures, and that no request of this program explains. */
const spentElsewhere = (trace: ReadonlyArray<Answer.Attempt>): ReadonlyArray<Finding.Finding> => {
  const showing = trace.filter(({ elsewhere }) => elsewhere > 0)
  if (showing.length === 0) return []
  const credits = showing.reduce((sum, { elsewhere }) => sum + elsewhere, 0)
  const received = `${Credits.formatAmount(credits)} spent elsewhere`
  return [Finding.ofWhole("SpentElsewhere", Credits.formatAmount(0), received, showing.length)]
}

/** The finding for a charge above the highest price of the estimate. */
const overrun = ({ charged, estimate }: Answer.Credits): ReadonlyArray<Finding.Finding> => {
  const bound = Credits.bound(estimate)
  if (charged <= bound) return []
  return [Finding.ofWhole("Overrun", `at most ${Credits.formatAmount(bound)}`, Credits.formatAmount(charged))]
}

/** The finding for a chain that has reached the limit from its remembered size: the service does not say whether there are more contracts. */
const sizeReached = (rows: number | undefined): ReadonlyArray<Finding.Finding> =>
  rows === undefined
    ? []
    : [Finding.ofWhole("SizeReached", `fewer than ${rows} contracts`, `${rows}, and perhaps more`)]
