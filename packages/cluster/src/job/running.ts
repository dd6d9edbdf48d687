/** How a job runs: one activity for each query, and only a few of them at once. */
import type { MarketData } from "@effect-marketdata/client/MarketData"
import * as Cause from "effect/Cause"
import type { MessageStorage } from "effect/cluster/MessageStorage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type * as SqlClient from "effect/sql/SqlClient"
import * as Activity from "effect/workflow/Activity"
import type { WorkflowEngine } from "effect/workflow/WorkflowEngine"
import * as Asking from "./asking.ts"
import { JobError } from "./JobError.ts"
import type { JobSink } from "./JobSink.ts"
import * as Removing from "./removing.ts"
import * as Settings from "./settings.ts"
import * as Store from "./store.ts"
import { workflow } from "./workflow.ts"

/** Runs the jobs that come to this machine. */
export const layer = (
  options: Settings.RunnerOptions
): Layer.Layer<never, JobError, MarketData | JobSink | MessageStorage | SqlClient.SqlClient | WorkflowEngine> =>
  Layer.unwrap(
    Effect.gen(function*() {
      const settings = yield* Effect.fromResult(Settings.of(options))
      yield* Store.migrate
      yield* Effect.forkScoped(Removing.forever(settings.keep))
      return workflow.toLayer(({ id }) =>
        Effect.tapCause(run(id, settings), (cause) =>
          // An interruption is a move to another machine.
          Cause.hasInterruptsOnly(cause) ? Effect.void : Effect.ignore(Store.suspend(id, Cause.squash(cause))))
      )
    })
  )

const run = (id: string, settings: Settings.Settings) =>
  Effect.gen(function*() {
    const patiently = <A, R>(effect: Effect.Effect<A, JobError, R>) =>
      Settings.patiently(settings)(effect, Settings.isUnavailable)
    const input = yield* patiently(Store.input(id))
    yield* patiently(Store.goOn(id))
    // What is over need not be looked up in the engine, one by one.
    const settled = yield* patiently(Store.settled(id))
    let isCancelled = false
    yield* Effect.forEach(input.queries.keys(), (index) => {
      if (isCancelled || settled.has(index)) return Effect.void
      return Activity.make({
        name: `query ${index}`,
        success: Schema.Boolean,
        error: JobError,
        execute: Asking.ask({ id, index }, input, settings)
      }).pipe(
        // What failed once is not tried again under the same number.
        Activity.retry({ while: Settings.isUnavailable }),
        Effect.map((goesOn) => {
          isCancelled ||= !goesOn
        })
      )
    }, { concurrency: settings.concurrency, discard: true })
    yield* patiently(Store.end(id))
  })
