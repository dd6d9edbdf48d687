import type * as Answer from "@effect-marketdata/core/Answer"
import * as Credits from "@effect-marketdata/core/Credits"
import * as DataMode from "@effect-marketdata/core/DataMode"
import * as HttpRequest from "@effect-marketdata/core/HttpRequest"
import * as Query from "@effect-marketdata/core/Query"
import * as Reason from "@effect-marketdata/core/Reason"
import type * as Reply from "@effect-marketdata/core/Reply"
import * as Retry from "@effect-marketdata/core/Retry"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as Random from "effect/Random"
import type * as Redacted from "effect/Redacted"
import * as Ref from "effect/Ref"
import type * as Semaphore from "effect/Semaphore"
import { CacheFallback } from "../CacheFallback.ts"
import type { CreditLedger, Reservation } from "../CreditLedger.ts"
import { MarketDataError } from "../MarketDataError.ts"
import * as Policies from "../Policies.ts"
import * as Transport from "./transport.ts"

/** What the client is made of. */
export interface Parts {
  readonly client: HttpClient.HttpClient
  readonly ledger: CreditLedger["Service"]
  readonly permits: Semaphore.Semaphore
  readonly baseUrl: string
  readonly token: Effect.Effect<Redacted.Redacted | undefined>
}

type Trace = Ref.Ref<ReadonlyArray<Answer.Attempt>>

/**
 * Answers a question. This is the nesting that decides money and interruption, from the outside in:
 *
 *     fallback ⊃ prepare ⊃ reserve ⊃ retry ⊃ [ permit → mark sent → send → read → interpret → record charge ]
 */
export const run = <Data>(
  parts: Parts,
  query: Query.Query<Data>
): Effect.Effect<Answer.Answer<Data>, MarketDataError, CacheFallback> =>
  Effect.gen(function*() {
    const trace = yield* Ref.make<ReadonlyArray<Answer.Attempt>>([])
    const result = yield* Effect.result(fallback(parts, trace, query))
    const attempts = yield* Ref.get(trace)
    if (result._tag === "Failure") {
      return yield* new MarketDataError({ query: Query.format(query), reason: result.failure, trace: attempts })
    }
    const { data, findings, provenance } = result.success
    return {
      data,
      findings,
      provenance: { ...provenance, modeAsked: query.mode?._tag },
      credits: {
        estimate: Credits.estimate(query),
        charged: attempts.reduce((sum, attempt) => sum + (attempt.charge?.credits ?? 0), 0)
      },
      trace: attempts
    }
  })

/** Asks for cached data first where the mode says so, and for live data after a miss, if the caller consents to its price. */
const fallback = <Data>(
  parts: Parts,
  trace: Trace,
  query: Query.Query<Data>
): Effect.Effect<Reply.Delivered<Data>, Reason.Reason, CacheFallback> => {
  if (query.mode?._tag !== "CachedOrLive") return reserve(parts, trace, query)
  const live = Query.withMode(query, DataMode.live)
  return reserve(parts, trace, Query.withMode(query, DataMode.cached(query.mode))).pipe(
    Effect.catchTag("NoCachedData", () =>
      Effect.gen(function*() {
        const { decide } = yield* CacheFallback
        yield* decide(query, Credits.estimate(live))
        return yield* reserve(parts, trace, live)
      })),
    Effect.catchTag("UnexpectedNoContent", () => Effect.fail(new Reason.NoLiveData()))
  )
}

/** Sets aside what the question may cost, and settles by what happened, however the use ends. */
const reserve = <Data>(
  parts: Parts,
  trace: Trace,
  query: Query.Query<Data>
): Effect.Effect<Reply.Delivered<Data>, Reason.Reason> =>
  Effect.flatMap(prepare(parts, query), (request) => {
    const bound = Credits.bound(Credits.estimate(query))
    return Effect.acquireUseRelease(
      parts.ledger.reserve(bound),
      (reservation) => retry(attempt(parts, trace, query, request, reservation, bound)),
      (reservation) => reservation.settle
    )
  })

/** Turns a question into the request that will be sent, and refuses what only shows now: its length, and a day that is not past. */
const prepare = Effect.fnUntraced(function*(parts: Parts, query: Query.Query) {
  const now = yield* Clock.currentTimeMillis
  yield* Effect.fromResult(Query.checkDate(query, now / 1000))
  return yield* Effect.fromResult(HttpRequest.make(query, parts.baseUrl))
})

/** Asks again after failures that pass. */
const retry = <A>(attempt: Effect.Effect<A, Reason.Reason>): Effect.Effect<A, Reason.Reason> =>
  Effect.flatMap(Policies.Retry, (policy) => {
    const from = (count: number): Effect.Effect<A, Reason.Reason> =>
      Effect.catch(attempt, (reason) =>
        Effect.flatMap(Random.next, (jitter) => {
          const wait = Retry.wait(policy, { reason, attempt: count, jitter })
          return wait === undefined ? Effect.fail(reason) : Effect.andThen(Effect.sleep(wait), from(count + 1))
        }))
    return from(1)
  })

/** Sends one request within the permits, and writes into both books what came of it. */
const attempt = <Data>(
  parts: Parts,
  trace: Trace,
  query: Query.Query<Data>,
  request: HttpRequest.HttpRequest,
  reservation: Reservation,
  bound: number
): Effect.Effect<Reply.Delivered<Data>, Reason.Reason> => {
  const record = (attempt: Omit<Answer.Attempt, "target">) =>
    Ref.update(trace, (attempts) => [...attempts, { target: request.target, ...attempt }])
  return parts.permits.withPermit(Effect.gen(function*() {
    const token = yield* parts.token
    yield* Transport.checkToken(token, request)
    const strict = (yield* Policies.Findings) === "strict"
    yield* reservation.send(bound)
    const outcome = yield* Transport.send(parts.client, { query, request, token, strict }).pipe(
      Effect.tapError((reason) =>
        Effect.andThen(
          reason.mayHaveBeenCharged ? reservation.lose : reservation.charge(0),
          record({ status: undefined, charge: undefined, reason })
        )
      )
    )
    yield* outcome.charge === undefined ? reservation.lose : reservation.charge(outcome.charge.credits)
    const reason = outcome._tag === "Refused" ? outcome.reason : undefined
    yield* record({ status: outcome.status, charge: outcome.charge, reason })
    return outcome._tag === "Refused" ? yield* Effect.fail(outcome.reason) : outcome
  }))
}
