/**
 * Where the answers of jobs go. An application provides its own with a table or a folder, or takes `layerSql`, which keeps them in the
 * database of the jobs.
 *
 * An answer is put here before its query is recorded as answered. If the process dies in between, the query runs again: it is not sent,
 * and `has` is called to see whether the answer arrived. So `put` may be called twice for one query, and must keep one answer.
 *
 * @example
 * ```ts
 * import * as JobSink from "@effect-marketdata/cluster/JobSink"
 * import * as Schemas from "@effect-marketdata/core/Schemas"
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 * import * as Schema from "effect/Schema"
 *
 * // Any place with names will do: here a map in memory.
 * const answers = new Map<string, unknown>()
 *
 * export const inMemory = Layer.succeed(JobSink.JobSink, {
 *   put: ({ id, index, query }, answer) =>
 *     Effect.map(Schema.encodeEffect(Schemas.AnswerTo(query))(answer), (json) => {
 *       answers.set(`${id} ${index}`, json)
 *     }),
 *   has: ({ id, index }) => Effect.sync(() => answers.has(`${id} ${index}`))
 * })
 * ```
 *
 * @see {@link Job} for jobs
 * @since 0.1.0
 */
import type { Answer } from "@effect-marketdata/core/Answer"
import type { Query } from "@effect-marketdata/core/Query"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import * as Stream from "effect/Stream"
import * as Answers from "../wire/answers.ts"
import * as Input from "./input.ts"
import type { JobError } from "./JobError.ts"
import * as Store from "./store.ts"

/**
 * Of which query an answer is: the job's `id`, the `index` of the query in its list, from 0, and the query.
 *
 * @category models
 * @since 0.1.0
 */
export interface Place extends Store.Place {
  readonly query: Query
}

/**
 * Why an answer was not kept: any error that has a message.
 *
 * @category errors
 * @since 0.1.0
 */
export interface Refusal {
  readonly message: string
}

/**
 * Where answers go.
 *
 * - `put`: keeps an answer. One that is kept already may be replaced or left. A failure is tried again for a while; after that the query
 *   counts as lost, because it was paid for
 * - `has`: whether the answer to a query is kept
 *
 * @category services
 * @since 0.1.0
 */
export class JobSink extends Context.Service<JobSink, {
  readonly put: (place: Place, answer: Answer<unknown>) => Effect.Effect<void, Refusal>
  readonly has: (place: Place) => Effect.Effect<boolean, Refusal>
}>()("@effect-marketdata/cluster/JobSink") {}

/**
 * Keeps answers in the database of the jobs, their data as columns. `answers` reads them.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerSql: Layer.Layer<JobSink, JobError, SqlClient.SqlClient> = /* @__PURE__ */ Layer.effect(
  JobSink,
  /* @__PURE__ */ Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    yield* Store.migrate
    return {
      put: (place, answer) =>
        Answers.encode(place.query, answer).pipe(
          Effect.flatMap(Schema.encodeEffect(Stored)),
          Effect.flatMap((text) => Store.keep(place, text)),
          Effect.provideService(SqlClient.SqlClient, sql)
        ),
      has: (place) => Effect.provideService(Store.isKept(place), SqlClient.SqlClient, sql)
    }
  })
)

/** An answer as it is kept: its head as JSON, and its data as the bytes of their columns, in base 64. */
const Stored = Schema.fromJsonString(Schema.Struct({ head: Schema.String, data: Schema.Uint8ArrayFromBase64 }))

/**
 * An answer that `layerSql` kept, with its query.
 *
 * @category models
 * @since 0.1.0
 */
export interface Kept extends Place {
  readonly answer: Answer<unknown>
}

/**
 * Reads the answers that `layerSql` kept of a job, in the order of its queries. It ends with those that are there now.
 *
 * @category queries
 * @since 0.1.0
 */
export const answers = (id: string): Stream.Stream<Kept, JobError, SqlClient.SqlClient> =>
  Stream.unwrap(
    Effect.map(Effect.flatMap(Input.idOf(id), Store.input), ({ queries }) =>
      Stream.mapEffect(Store.kept(id), ({ number, text }) => {
        const query = queries[number]!
        const read = Store.withDatabase(function*() {
          return yield* Answers.decode(query, yield* Schema.decodeEffect(Stored)(text))
        })
        return Effect.map(read, (answer): Kept => ({ id, index: number, query, answer }))
      }))
  )
