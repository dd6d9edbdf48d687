/** What is left of jobs that are over: their own rows, and the messages and replies of the engine, which are three for each query. */
import * as EntityAddress from "effect/cluster/EntityAddress"
import * as EntityId from "effect/cluster/EntityId"
import * as EntityType from "effect/cluster/EntityType"
import { MessageStorage } from "effect/cluster/MessageStorage"
import * as ShardId from "effect/cluster/ShardId"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import { JobError, JobsUnavailable } from "./JobError.ts"
import * as Store from "./store.ts"
import { workflow } from "./workflow.ts"

/** Removes what the engine keeps of a job. A job that is over is not run again, whatever the engine knows of it. */
const forget = (id: string): Effect.Effect<void, JobError, MessageStorage> =>
  Effect.gen(function*() {
    const { clearAddress } = yield* MessageStorage
    const entityId = EntityId.make(yield* workflow.executionId({ id }))
    // Where an address is in the cluster says nothing of what is stored under it.
    const shardId = ShardId.make("default", 1)
    for (const type of [`Workflow/${workflow._tag}`, "Workflow/-/DurableClock"]) {
      yield* clearAddress(EntityAddress.make({ entityId, shardId, entityType: EntityType.make(type) }))
    }
  }).pipe(
    Effect.mapError((error) => new JobError({ reason: new JobsUnavailable({ detail: String(error.cause) }) }))
  )

/** Removes a job that is over. */
export const remove = (id: string): Effect.Effect<void, JobError, SqlClient.SqlClient | MessageStorage> =>
  Effect.andThen(Store.remove(id), forget(id))

/** How long the engine's rows of a job are kept after its end, for those who still wait for it, in seconds. */
const engineKeeps = 3600

/** Removes again and again what is kept for long enough: all of a job after `keep` milliseconds, if that is a time. */
export const forever = (keep: number): Effect.Effect<never, never, SqlClient.SqlClient | MessageStorage> => {
  const forgotten = new Set<string>()
  const sweep = Effect.gen(function*() {
    for (const id of keep === Infinity ? [] : yield* Store.endedFor(keep / 1000)) yield* remove(id)
    for (const id of yield* Store.endedFor(engineKeeps)) {
      if (forgotten.has(id)) continue
      yield* forget(id)
      forgotten.add(id)
    }
  }).pipe(Effect.catch(({ message }) => Effect.logWarning("what is left of jobs could not be removed", message)))
  return Effect.forever(Effect.andThen(sweep, Effect.sleep("1 hour")))
}
