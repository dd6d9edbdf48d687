/**
 * Asks one query of a job, as often as its activity runs, and pays for it once. All runs have the same claim, and the ledger lets only the first one send.
 * The others find what it has left: an outcome, an answer in the sink, or its charge in the ledger.
 */
import * as CacheFallback from "@effect-marketdata/client/CacheFallback"
import * as Claim from "@effect-marketdata/client/Claim"
import { MarketData, partial, type PartialAnswer } from "@effect-marketdata/client/MarketData"
import type { MarketDataError } from "@effect-marketdata/client/MarketDataError"
import * as Answer from "@effect-marketdata/core/Answer"
import type { Reason } from "@effect-marketdata/core/Reason"
import * as SqlLedger from "@effect-marketdata/sql/SqlLedger"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import type * as SqlClient from "effect/sql/SqlClient"
import { randomUUID } from "node:crypto"
import * as Terms from "../wire/terms.ts"
import * as Input from "./input.ts"
import type { JobError } from "./JobError.ts"
import * as JobSink from "./JobSink.ts"
import * as Store from "./store.ts"

type Asked = Result.Result<PartialAnswer<unknown>, MarketDataError<Reason>>

/** The key of a query's claim. Each time that the query may be paid for again has another one. */
const keyOf = ({ id, index }: Store.Place, asks: number): string =>
  `job ${id} query ${index}${asks === 1 ? "" : ` ask ${asks}`}`

/** Temporary reasons that are not about the query. It can be asked again safely, because its claim keeps it from being sent twice. */
const passes = ({ _tag }: { readonly _tag: string }): boolean =>
  ["GatewayUnavailable", "LedgerUnavailable", "GuardUnavailable", "IpBlocked"].includes(_tag)

/** The next wait in seconds: twice as long, up to 30. */
const longer = (seconds: number): number => Math.min(30, seconds * 2)

/** Asks one query, and returns whether the job goes on. */
export const ask = Effect.fnUntraced(function*(
  place: Store.Place,
  input: Input.Input,
  settings: Input.Settings
): Effect.fn.Return<boolean, JobError, MarketData | JobSink.JobSink | SqlClient.SqlClient> {
  const { run } = yield* MarketData
  const sink = yield* JobSink.JobSink
  const query = input.queries[place.index]!
  const bound = Terms.costOf(query, input.consent).max
  const ends = (yield* Clock.currentTimeMillis) + settings.patience
  const isLate = Effect.map(Clock.currentTimeMillis, (now) => now >= ends)
  const settle = (outcome: Store.Outcome) =>
    Input.patiently(settings)(Store.settle(place, outcome), Input.isUnavailable)

  /** What a run under this claim cost, by the ledger. `isFinal` is false while it may still be answered. */
  const costOf = (asks: number) =>
    Effect.match(SqlLedger.claimed({ ...settings.ledger, key: keyOf(place, asks) }), {
      onFailure: () => ({ credits: 0, uncertain: bound, isFinal: false }),
      // A ledger outside of this database has no claims that can be read: the run cost at most its bound.
      onSuccess: (claimed) => ({
        credits: claimed?.credits ?? 0,
        uncertain: claimed?.uncertain ?? bound,
        isFinal: claimed?.state !== "sent"
      })
    })

  /** Puts an answer into the sink, and then records it. */
  const keep = ({ credits: spent, data, findings, missing, provenance, trace }: PartialAnswer<unknown>) => {
    const { charged: credits, uncertain } = spent
    const answer = Answer.make({ data, findings, provenance, credits: spent, trace })
    return Input.patiently(settings)(sink.put({ ...place, query }, answer)).pipe(
      Effect.matchEffect({
        onSuccess: () => settle({ _tag: "Answered", credits, uncertain, missing }),
        onFailure: ({ message }) =>
          settle({ _tag: "Lost", credits, uncertain, detail: `the answer could not be kept: ${message}` })
      })
    )
  }

  /** Waits until an earlier run is over, and settles it. */
  const lookUp = Effect.fnUntraced(function*(asks: number) {
    for (let wait = 1;; wait = longer(wait)) {
      const begun = yield* Store.begin(place, bound)
      if (begun._tag !== "Ask" || begun.asks !== asks) return begun
      const { isFinal, ...cost } = yield* costOf(asks)
      if (isFinal || (yield* isLate)) return yield* settleEarlier(asks, cost)
      yield* Effect.sleep(Duration.seconds(wait))
    }
  })

  /** Records what an earlier run has left, or asks again if the job allows it or the run cost nothing. */
  const settleEarlier = Effect.fnUntraced(function*(asks: number, cost: Store.Cost) {
    const isKept = yield* Effect.orElseSucceed(
      Input.patiently(settings)(sink.has({ ...place, query })),
      () => false
    )
    if (isKept) return yield* Effect.as(settle({ _tag: "Answered", ...cost, missing: [] }), Store.over)
    if (input.whenLost === "askAgain" || cost.credits + cost.uncertain === 0) {
      const again = yield* Store.again(place, { asks, cost })
      if (again !== undefined) return again
    }
    const detail = cost.uncertain === 0
      ? "an earlier run was charged, and its answer was lost"
      : "an earlier run was sent, and nobody can tell what it was charged"
    return yield* Effect.as(settle({ _tag: "Lost", ...cost, detail }), Store.over)
  })

  let begun = yield* Store.begin(place, bound)
  for (let wait = 1; begun._tag === "Ask";) {
    const { asks } = begun
    const asking: Effect.Effect<Asked, JobError, SqlClient.SqlClient> = partial(run(query)).pipe(
      Effect.provideService(Claim.Current, { key: keyOf(place, asks), run: randomUUID() }),
      Effect.provide(CacheFallback.layerUpTo(input.consent)),
      Effect.result,
      Effect.tap((asked) => Result.isSuccess(asked) ? keep(asked.success) : Effect.void)
    )
    // What was sent is paid for: its answer is awaited and kept even if the job moves meanwhile, or the database or the sink is away.
    const asked = yield* Fiber.join(yield* Effect.forkDetach(asking, { startImmediately: true }))
    if (Result.isSuccess(asked)) return true
    const error = asked.failure
    if (error.reason._tag === "AlreadySent") {
      begun = yield* lookUp(asks)
    } else if (!passes(error.reason)) {
      const { charged, uncertain } = Answer.spent(error.trace)
      yield* settle({ _tag: "Failed", credits: charged, uncertain, error })
      return true
    } else if ((yield* isLate) || (yield* Store.isCancelled(place.id))) {
      const { credits, uncertain } = error.reason.cost === "none" ? Store.free : yield* costOf(asks)
      yield* settle({ _tag: "Failed", credits, uncertain, error })
      return true
    } else {
      yield* Effect.sleep(Duration.seconds(wait))
      wait = longer(wait)
    }
  }
  return begun._tag !== "Cancelled"
})
