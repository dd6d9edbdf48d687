/** Runs jobs, a few queries of each at a time. Also removes jobs that are over: their own rows, and the engine's message and reply of each. */
import type { MarketData } from "@effect-marketdata/client/MarketData"
import * as Cause from "effect/Cause"
import type { PersistenceError } from "effect/cluster/ClusterError"
import { MessageStorage } from "effect/cluster/MessageStorage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import type * as SqlClient from "effect/sql/SqlClient"
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
      if (settings.keep < Infinity) {
        yield* Effect.forkScoped(Effect.repeat(sweep(settings.keep), Schedule.spaced("1 hour")))
      }
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

const run = Effect.fnUntraced(function*(id: string, settings: Input.Settings) {
  // Input that cannot be read is reported when the patience is over.
  const input = yield* Input.patiently(settings)(Store.input(id), Input.isUnavailable)
  yield* patiently(Store.suspend(id, null))
  const settled = yield* patiently(Store.settled(id))
  let isCancelled = false
  yield* Effect.forEach(input.queries.keys(), (index) =>
    isCancelled || settled.has(index)
      ? Effect.void
      : Effect.map(patiently(JobQuery.ask({ id, index }, input, settings)), (goesOn) => {
        isCancelled ||= !goesOn
      }), { concurrency: settings.concurrency, discard: true })
  yield* patiently(Store.end(id))
})

/** Continues a job if the engine has suspended it. A moment passes between the problem that is recorded and that. */
export const resume = ({ id, problem }: Store.Counts): Effect.Effect<void, never, WorkflowEngine> =>
  Effect.delay(workflow.executionId({ id }), problem === undefined ? 0 : 1000).pipe(
    Effect.flatMap((executionId) => workflow.resume(executionId))
  )

const unavailable = ({ cause }: PersistenceError) =>
  Effect.fail(new JobError({ reason: new JobsUnavailable({ detail: String(cause) }) }))

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
