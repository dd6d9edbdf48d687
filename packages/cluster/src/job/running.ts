/**
 * Runs jobs: one activity for each query, a few at a time. Also removes jobs that are over: their own rows, and the messages and replies of the engine, three
 * for each query.
 */
import type { MarketData } from "@effect-marketdata/client/MarketData"
import * as Cause from "effect/Cause"
import { PersistenceError } from "effect/cluster/ClusterError"
import { MessageStorage } from "effect/cluster/MessageStorage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type * as SqlClient from "effect/sql/SqlClient"
import * as Activity from "effect/workflow/Activity"
import type { WorkflowEngine } from "effect/workflow/WorkflowEngine"
import * as EntityAddress from "effect/cluster/EntityAddress"
import * as EntityId from "effect/cluster/EntityId"
import * as EntityType from "effect/cluster/EntityType"
import * as ShardId from "effect/cluster/ShardId"
import * as Workflow from "effect/workflow/Workflow"
import * as JobQuery from "./query.ts"
import type { JobSink } from "./JobSink.ts"
import * as Input from "./input.ts"
import * as Store from "./store.ts"
import { JobError, JobsUnavailable } from "./JobError.ts"

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
export const layer = (
  options: Input.RunnerOptions
): Layer.Layer<never, JobError, MarketData | JobSink | MessageStorage | SqlClient.SqlClient | WorkflowEngine> =>
  Layer.unwrap(
    Effect.gen(function*() {
      const settings = yield* Effect.fromResult(Input.settingsOf(options))
      yield* Store.migrate
      yield* Effect.forkScoped(forever(settings.keep))
      return workflow.toLayer(({ id }) => Effect.tapCause(run(id, settings), told(id)))
    })
  )

/** Waits until the database is available, however long that takes: a failure would suspend the job. */
const patiently = <A, R>(effect: Effect.Effect<A, JobError, R>) =>
  Input.patiently({ patience: Infinity })(effect, Input.isUnavailable)

/** Records why a job is suspended. An interruption is a move to another machine. */
const told = (id: string) => (cause: Cause.Cause<unknown>) =>
  Cause.hasInterruptsOnly(cause)
    ? Effect.void
    : Effect.ignore(patiently(Store.suspend(id, Cause.prettyErrors(cause)[0]!.message)))

const unavailable = ({ cause }: PersistenceError) =>
  Effect.fail(new JobError({ reason: new JobsUnavailable({ detail: String(cause) }) }))

const run = (id: string, settings: Input.Settings) =>
  Effect.gen(function*() {
    // Input that cannot be read is reported when the patience is over.
    const input = yield* Input.patiently(settings)(Store.input(id), Input.isUnavailable)
    yield* patiently(Store.suspend(id, null))
    // Queries that are over are skipped: the engine would look each of them up.
    const settled = yield* patiently(Store.settled(id))
    let isCancelled = false
    yield* Effect.forEach(input.queries.keys(), (index) => {
      if (isCancelled || settled.has(index)) return Effect.void
      const isOver = patiently(Store.isOver({ id, index }))
      return Activity.make({
        name: `query ${index}`,
        success: Schema.Boolean,
        error: JobError,
        execute: Effect.tapCause(patiently(JobQuery.ask({ id, index }, input, settings)), told(id))
      }).pipe(
        // The engine stores each query before it runs it, and dies if the database is not there.
        Effect.catchDefect((defect) => defect instanceof PersistenceError ? unavailable(defect) : Effect.die(defect)),
        patiently,
        Effect.map((goesOn) => {
          isCancelled ||= !goesOn
        }),
        // If the database is away when the engine stores that a query is over, the engine itself never hears of it.
        Effect.raceFirst(Effect.repeat(Effect.delay(isOver, "30 seconds"), { until: Boolean }))
      )
    }, { concurrency: settings.concurrency, discard: true })
    yield* patiently(Store.end(id))
  })

/** Continues a job if the engine has suspended it. A moment passes between the problem that is recorded and that. */
export const resume = ({ id, problem }: Store.Counts): Effect.Effect<void, never, WorkflowEngine> =>
  Effect.delay(workflow.executionId({ id }), problem === undefined ? 0 : 1000).pipe(
    Effect.flatMap((executionId) => workflow.resume(executionId))
  )

/** Removes what the engine keeps of a job. A job that is over does not run again without it. */
const forget = Effect.fnUntraced(function*(id: string) {
  const { clearAddress } = yield* MessageStorage
  const entityId = EntityId.make(yield* workflow.executionId({ id }))
  // Stored messages do not depend on the shard of an address, so any shard will do.
  const shardId = ShardId.make("default", 1)
  for (const type of [`Workflow/${workflow._tag}`, "Workflow/-/DurableClock"]) {
    yield* clearAddress(EntityAddress.make({ entityId, shardId, entityType: EntityType.make(type) }))
  }
}, Effect.catch(unavailable))

/** Removes a job that is over. Its own rows go last: as long as they exist it does not run again, and a removal that failed half way can be repeated. */
export const remove = (id: string): Effect.Effect<void, JobError, SqlClient.SqlClient | MessageStorage> =>
  Effect.flatMap(
    Store.progress(id),
    ({ ended }) => Effect.andThen(ended === undefined ? Effect.void : forget(id), Store.remove(id))
  )

/** How long the engine's rows of a job are kept after its end, for programs that still wait for it, in seconds. */
const engineKeeps = 3600

/** Removes, every hour, jobs that ended more than `keep` milliseconds ago, and the engine's rows of others. */
const forever = (keep: number): Effect.Effect<never, never, SqlClient.SqlClient | MessageStorage> => {
  const forgotten = new Set<string>()
  const say = ({ message }: JobError) => Effect.logWarning("what is left of jobs could not be removed", message)
  const sweep = Effect.gen(function*() {
    for (const id of keep === Infinity ? [] : yield* Store.endedFor(keep / 1000)) {
      // A job of another version must not keep the others from being removed.
      yield* Effect.catchIf(remove(id), (error) => !Input.isUnavailable(error), say)
    }
    for (const id of yield* Store.endedFor(engineKeeps)) {
      if (forgotten.has(id)) continue
      yield* forget(id)
      forgotten.add(id)
    }
  }).pipe(Effect.catch(say))
  return Effect.forever(Effect.andThen(sweep, Effect.sleep("1 hour")))
}
