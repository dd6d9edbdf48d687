import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaGetter from "effect/SchemaGetter"
import * as SchemaIssue from "effect/SchemaIssue"
import * as Workloads from "../plan/Workload.ts"
import { Estimate } from "./answer.ts"
import { Query } from "./query.ts"

const task = /* @__PURE__ */ Schema.Struct({
  query: Query,
  assume: Schema.Json,
  price: Estimate,
  schedule: /* @__PURE__ */ Schema.Struct({ first: Schema.Finite, every: Schema.Finite, times: Schema.Int })
})

const isTask = (input: unknown): input is Workloads.Task =>
  typeof input === "object" && input !== null && "query" in input && "price" in input && "schedule" in input

/** A task as it was made: its schedule and its assumptions are checked again, and its price stays, which a ceiling may have lowered. */
const Task = /* @__PURE__ */ task.pipe(
  /* @__PURE__ */ Schema.decodeTo(/* @__PURE__ */ Schema.declare(isTask, { expected: "a task" }), {
    decode: /* @__PURE__ */ SchemaGetter.transformEffect(({ assume, price, query, schedule }: typeof task.Type) =>
      Workloads.task(query, schedule, assume as object).pipe(
        Result.map((made): Workloads.Task => ({ ...made, price })),
        Result.mapError(({ message }) => new SchemaIssue.InvalidValue({ message }, schedule)),
        Effect.fromResult
      )
    ),
    encode: /* @__PURE__ */ SchemaGetter.transform((made: Workloads.Task) => ({
      ...made,
      // What is left out is not in JSON.
      assume: JSON.parse(JSON.stringify(made.assume)) as Schema.Json
    }))
  })
)

/**
 * The schema of workloads: each task with its query, its assumptions, its price and its schedule.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Workload: Schema.Codec<Workloads.Workload, Schema.Json> = /* @__PURE__ */ Schema.Array(Task)
