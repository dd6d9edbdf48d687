/**
 * Runs jobs, a few queries of each at a time, and pays for each query once, however often it is asked: all runs have the same claim, and the ledger lets only
 * the first one send. The others find what it has left: an outcome, an answer in the sink, or its charge in the ledger. Also removes jobs that are over: their
 * own rows, and the engine's message and reply of each.
 */
import * as CacheFallback from "@effect-marketdata/client/CacheFallback"
import * as Claim from "@effect-marketdata/client/Claim"
import { MarketData, partial, type PartialAnswer } from "@effect-marketdata/client/MarketData"
import * as Answer from "@effect-marketdata/core/Answer"
import * as SqlLedger from "@effect-marketdata/sql/SqlLedger"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as EntityAddress from "effect/cluster/EntityAddress"
import * as EntityId from "effect/cluster/EntityId"
import * as EntityType from "effect/cluster/EntityType"
import { MessageStorage } from "effect/cluster/MessageStorage"
import * as ShardId from "effect/cluster/ShardId"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import type * as SqlClient from "effect/sql/SqlClient"
import * as Workflow from "effect/workflow/Workflow"
import type { WorkflowEngine } from "effect/workflow/WorkflowEngine"
import { randomUUID } from "node:crypto"
import * as Terms from "../wire/terms.ts"
import * as Input from "./input.ts"
import { JobError, JobsUnavailable } from "./JobError.ts"
import * as JobSink from "./JobSink.ts"
import * as Store from "./store.ts"

/**
 * The workflow of a job. Its input is in the database, where it is compared with later starts under the same name. A failure suspends it: what was paid for
 * is recorded, and a resumed job continues where it stopped.
 */
export const workflow = Workflow.make("effect-marketdata/Job", {
  payload: { id: Schema.String },
  idempotencyKey: ({ id }) => id,
  error: JobError
}).annotate(Workflow.SuspendOnFailure, true)

/** Runs the jobs that come to this machine. */
export const layer = (options: Input.RunnerOptions) =>
  Layer.unwrap(
    Effect.gen(function*() {
      const settings = yield* Effect.fromResult(Input.settingsOf(options))
      yield* Store.migrate
      if (settings.keep < Infinity) {
        yield* Effect.forkScoped(Effect.repeat(sweep(settings.keep), Schedule.spaced("1 hour")))
      }
      return workflow.toLayer(({ id }) => Effect.tapCause(runJob(id, settings), recordProblem(id)))
    })
  )

/** Waits until the database is available, however long that takes: a failure would suspend the job. */
const patiently = <A, R>(effect: Effect.Effect<A, JobError, R>) =>
  Input.patiently({ patience: Infinity })(effect, Input.isUnavailable)

/** Records why a job is suspended. An interruption is a move to another machine. */
const recordProblem = (id: string) => (cause: Cause.Cause<unknown>) =>
  Cause.hasInterruptsOnly(cause)
    ? Effect.void
    : Effect.ignore(patiently(Store.suspend(id, Cause.prettyErrors(cause)[0]!.message)))

/** The key of a query's claim. Each time that the query may be paid for again has another one. */
const keyOf = ({ id, index }: Store.Place, asks: number): string =>
  `job ${id} query ${index}${asks === 1 ? "" : ` ask ${asks}`}`

/** Temporary reasons that are not about the query. It can be asked again safely, because its claim keeps it from being sent twice. */
const isTemporary = ({ _tag }: { readonly _tag: string }): boolean =>
  ["GatewayUnavailable", "LedgerUnavailable", "GuardUnavailable", "IpBlocked"].includes(_tag)

/** The next wait in seconds: twice as long, up to 30. */
const longer = (seconds: number): number => Math.min(30, seconds * 2)

/** Asks one query, and returns whether the job goes on. */
export const ask = Effect.fnUntraced(function*(place: Store.Place, input: Input.Input, settings: Input.Settings) {
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
  const keep = ({ missing, ...answer }: PartialAnswer<unknown>) => {
    const { charged: credits, uncertain } = answer.credits
    return Input.patiently(settings)(sink.put({ ...place, query }, Answer.make(answer))).pipe(
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
    const isKept = yield* Effect.orElseSucceed(Input.patiently(settings)(sink.has({ ...place, query })), () => false)
    if (isKept) return yield* Effect.as(settle({ _tag: "Answered", ...cost, missing: [] }), Store.over)
    if (input.whenLost === "askAgain" || cost.credits + cost.uncertain === 0) {
      const again = yield* Store.again(place, asks, cost)
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
    const asking = partial(run(query)).pipe(
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
    } else if (!isTemporary(error.reason)) {
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

const runJob = Effect.fnUntraced(function*(id: string, settings: Input.Settings) {
  // Input that cannot be read is reported when the patience is over.
  const input = yield* Input.patiently(settings)(Store.input(id), Input.isUnavailable)
  yield* patiently(Store.suspend(id, null))
  const settled = yield* patiently(Store.settled(id))
  let isCancelled = false
  yield* Effect.forEach(input.queries.keys(), (index) =>
    isCancelled || settled.has(index)
      ? Effect.void
      : Effect.map(patiently(ask({ id, index }, input, settings)), (goesOn) => {
        isCancelled ||= !goesOn
      }), { concurrency: settings.concurrency, discard: true })
  yield* patiently(Store.end(id))
})

/** Continues a job if the engine has suspended it. A moment passes between the problem that is recorded and that. */
export const resume = ({ id, problem }: Store.Progress): Effect.Effect<void, never, WorkflowEngine> =>
  Effect.delay(workflow.executionId({ id }), problem === undefined ? 0 : 1000).pipe(
    Effect.flatMap((executionId) => workflow.resume(executionId))
  )

const unavailable = ({ cause }: { readonly cause: unknown }) =>
  Effect.fail(new JobError({ reason: new JobsUnavailable({ detail: String(cause) }) }))

/** Hands a job to the engine, which dies of a database that is away, and of runners that do not run jobs. */
export const begin = (id: string): Effect.Effect<unknown, JobError, WorkflowEngine> =>
  Effect.catchDefect(workflow.execute({ id }, { discard: true }), (cause) => unavailable({ cause }))

/** Removes what the engine keeps of a job. A job that is over does not run again without it. */
const forget = Effect.fnUntraced(function*(id: string) {
  const { clearAddress } = yield* MessageStorage
  const entityId = EntityId.make(yield* workflow.executionId({ id }))
  const entityType = EntityType.make(`Workflow/${workflow._tag}`)
  // Stored messages do not depend on the shard of an address, so any shard will do.
  yield* clearAddress(EntityAddress.make({ entityId, entityType, shardId: ShardId.make("default", 1) }))
}, Effect.catch(unavailable))

/** Removes a job that is over. Its own rows go last: as long as they exist it does not run again, and a removal that failed half way can be repeated. */
export const remove = (id: string): Effect.Effect<void, JobError, SqlClient.SqlClient | MessageStorage> =>
  Effect.flatMap(
    Store.progress(id),
    ({ ended }) => Effect.andThen(ended === undefined ? Effect.void : forget(id), Store.remove(id))
  )

/** Removes jobs that ended more than `keep` milliseconds ago. */
const sweep = (keep: number) => {
  const say = ({ message }: JobError) => Effect.logWarning("what is left of jobs could not be removed", message)
  return Effect.gen(function*() {
    for (const id of yield* Store.endedFor(keep / 1000)) {
      // A job of another version must not keep the others from being removed.
      yield* Effect.catchIf(remove(id), (error) => !Input.isUnavailable(error), say)
    }
  }).pipe(Effect.catch(say))
}
