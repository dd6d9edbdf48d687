import * as Schema from "effect/Schema"
import * as Workflow from "effect/workflow/Workflow"
import { JobError } from "./JobError.ts"

/**
 * The workflow of a job. Its input is in the database, where it is compared with what is started under the same name. A failure is no end:
 * what was paid for is written down, and the job goes on where it stood once it is resumed.
 */
export const workflow = Workflow.make("effect-marketdata/Job", {
  payload: { id: Schema.String },
  idempotencyKey: ({ id }) => id,
  error: JobError
}).annotate(Workflow.SuspendOnFailure, true)
