/**
 * Jobs in the database: what was asked, and what became of each query. A query is held to the budget here, in one transaction with those of
 * all machines: what is under way counts with its bound, and what is over with what it was charged, certainly or perhaps.
 */
import type { DatabaseError } from "@effect-marketdata/sql/DatabaseError"
import * as Tables from "@effect-marketdata/sql/Tables"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Stream from "effect/Stream"
import * as Input from "./input.ts"
import { JobError, JobsUnavailable, NameInUse, OtherVersion, UnknownJob } from "./JobError.ts"
import * as Outcomes from "./outcome.ts"

const unavailable = ({ message }: { readonly message: string }) =>
  new JobError({ reason: new JobsUnavailable({ detail: message }) })

/** Runs statements, and says as a `JobError` what is wrong. */
export const asking = <A, E extends JobError = never>(
  statements: (sql: SqlClient.SqlClient) => Effect.Effect<A, E | SqlError | Schema.SchemaError | DatabaseError>
): Effect.Effect<A, JobError, SqlClient.SqlClient> =>
  Effect.flatMap(SqlClient.SqlClient, statements).pipe(
    Effect.mapError((error) => error instanceof JobError ? error : unavailable(error))
  )

/** The same in one transaction. */
const together = <A, E extends JobError = never>(
  statements: (sql: SqlClient.SqlClient) => Effect.Effect<A, E | SqlError | Schema.SchemaError | DatabaseError>
): Effect.Effect<A, JobError, SqlClient.SqlClient> =>
  asking((sql) => Effect.provideService(Tables.transaction(statements(sql)), SqlClient.SqlClient, sql))

/** Makes the tables. */
export const migrate: Effect.Effect<void, JobError, SqlClient.SqlClient> = Effect.mapError(Tables.migrate, unavailable)

/** The time by the database: a job may begin on one machine and end on another. */
const now = (sql: SqlClient.SqlClient) => Effect.provideService(Tables.now, SqlClient.SqlClient, sql)

interface JobRow {
  readonly version: unknown
  readonly input: string
  readonly queries: unknown
  readonly budget: unknown
  readonly started: unknown
  readonly cancelled: unknown
  readonly ended: unknown
  readonly problem: string | null
}

const rowOf = (sql: SqlClient.SqlClient, id: string): Effect.Effect<JobRow, JobError | SqlError> =>
  Effect.flatMap(
    sql<
      JobRow
    >`SELECT version, input, queries, budget, started, cancelled, ended, problem FROM marketdata_job WHERE id = ${id}`,
    ([row]) => {
      if (row === undefined) return Effect.fail(new JobError({ reason: new UnknownJob({ id }) }))
      const found = Number(row.version)
      return found === Input.version
        ? Effect.succeed(row)
        : Effect.fail(new JobError({ reason: new OtherVersion({ id, found, known: Input.version }) }))
    }
  )

/** Writes a job down, or sees that it is the one that is there. */
export const insert = (id: string, input: Input.Input): Effect.Effect<void, JobError, SqlClient.SqlClient> =>
  together((sql) =>
    Effect.gen(function*() {
      const written = yield* Schema.encodeEffect(Input.Stored)(input)
      yield* sql`INSERT INTO marketdata_job ${
        sql.insert({
          id,
          version: Input.version,
          input: written,
          queries: input.queries.length,
          budget: input.budget,
          started: yield* now(sql)
        })
      } ON CONFLICT (id) DO NOTHING`
      const present = yield* rowOf(sql, id)
      if (present.input !== written) return yield* new JobError({ reason: new NameInUse({ id }) })
    })
  )

/** Reads what a job asks. */
export const input = (id: string): Effect.Effect<Input.Input, JobError, SqlClient.SqlClient> =>
  asking((sql) => Effect.flatMap(rowOf(sql, id), ({ input }) => Schema.decodeEffect(Input.Stored)(input)))

/** The queries that are over. */
export const settled = (id: string): Effect.Effect<ReadonlySet<number>, JobError, SqlClient.SqlClient> =>
  asking((sql) =>
    Effect.map(
      sql<{ number: unknown }>`SELECT number FROM marketdata_job_query WHERE job = ${id} AND state <> 'asked'`,
      (rows) => new Set(rows.map(({ number }) => Number(number)))
    )
  )

interface QueryRow {
  readonly state: string
  readonly asks: unknown
  readonly credits: unknown
  readonly uncertain: unknown
}

/** Takes the lock of a job, which ends with the transaction, and says whether it is cancelled. */
const lock = (sql: SqlClient.SqlClient, id: string): Effect.Effect<{ readonly isCancelled: boolean }, SqlError> =>
  Effect.andThen(
    sql`UPDATE marketdata_job SET started = started WHERE id = ${id}`,
    Effect.map(
      sql<{ cancelled: unknown }>`SELECT cancelled FROM marketdata_job WHERE id = ${id}`,
      ([row]) => ({ isCancelled: row !== undefined && row.cancelled !== null })
    )
  )

const queryRow = (sql: SqlClient.SqlClient, { id, index }: Place) =>
  Effect.map(
    sql<
      QueryRow
    >`SELECT state, asks, credits, uncertain FROM marketdata_job_query WHERE job = ${id} AND number = ${index}`,
    ([row]) => row
  )

/** Whether an amount of credits fits into what is left of the budget of a job. */
const fits = (sql: SqlClient.SqlClient, id: string, more: number): Effect.Effect<boolean, SqlError> =>
  Effect.map(
    sql<{ left: unknown }>`SELECT budget - COALESCE((
        SELECT SUM(credits + uncertain + CASE WHEN state = 'asked' THEN bound ELSE 0 END)
        FROM marketdata_job_query WHERE job = ${id}), 0) AS left
      FROM marketdata_job WHERE id = ${id}`.pipe(Effect.map(([row]) => Number(row?.left ?? -Infinity))),
    (left) => more <= left
  )

/** A query of a job. */
export interface Place {
  readonly id: string
  readonly index: number
}

/** What is to be done about a query: it may be asked for the `asks`th time, or it is over, or all of the job is. */
export type Begun =
  | { readonly _tag: "Ask"; readonly asks: number }
  | { readonly _tag: "Over" }
  | { readonly _tag: "Cancelled" }

/** There is nothing to be done about a query. */
export const over: Begun = { _tag: "Over" }

/** Begins a query, if the budget has room for it. */
export const begin = (place: Place, bound: number): Effect.Effect<Begun, JobError, SqlClient.SqlClient> =>
  together((sql) =>
    Effect.gen(function*() {
      const { id, index } = place
      const { isCancelled } = yield* lock(sql, id)
      const row = yield* queryRow(sql, place)
      // What was begun is looked after also in a job that is cancelled: it may have been paid for.
      if (row !== undefined) return row.state === "asked" ? { _tag: "Ask", asks: Number(row.asks) } : over
      if (isCancelled) return { _tag: "Cancelled" }
      const state = (yield* fits(sql, id, bound)) ? "asked" : "notAsked"
      const outcome = state === "asked"
        ? null
        : yield* Schema.encodeEffect(Outcomes.Stored)({ _tag: "NotAsked", credits: 0, uncertain: 0, bound })
      yield* sql`INSERT INTO marketdata_job_query ${
        // Without a bound it was not asked, and takes nothing of the budget.
        sql.insert({
          job: id,
          number: index,
          state,
          asks: 1,
          bound: state === "asked" ? bound : 0,
          credits: 0,
          uncertain: 0,
          outcome
        })}`
      return state === "asked" ? { _tag: "Ask", asks: 1 } : over
    })
  )

/** What earlier requests of a query cost: certainly, and at most in addition. */
export interface Cost {
  readonly credits: number
  readonly uncertain: number
}

export const free: Cost = { credits: 0, uncertain: 0 }

/** Begins a query again whose `asks`th time was lost at a cost, if the budget has room for both; otherwise nothing changes. */
export const again = (
  place: Place,
  { asks, cost }: { readonly asks: number; readonly cost: Cost }
): Effect.Effect<Begun | undefined, JobError, SqlClient.SqlClient> =>
  together((sql) =>
    Effect.gen(function*() {
      const { id, index } = place
      const { isCancelled } = yield* lock(sql, id)
      const row = yield* queryRow(sql, place)
      if (row === undefined || row.state !== "asked") return over
      // Another machine was faster.
      if (Number(row.asks) !== asks) return { _tag: "Ask", asks: Number(row.asks) }
      // Its bound is in the sum already: that of the time to come.
      if (isCancelled || !(yield* fits(sql, id, cost.credits + cost.uncertain))) return undefined
      yield* sql`UPDATE marketdata_job_query
        SET asks = ${asks + 1}, credits = credits + ${cost.credits}, uncertain = uncertain + ${cost.uncertain}
        WHERE job = ${id} AND number = ${index}`
      return { _tag: "Ask", asks: asks + 1 }
    })
  )

const states = { Answered: "answered", Failed: "failed", Lost: "lost", NotAsked: "notAsked" } as const

/**
 * Writes down what became of a query, once. Only what was taken for lost can be answered after all, by a machine that was believed dead. The
 * outcome says what all its requests cost together.
 */
export const settle = (place: Place, outcome: Outcomes.Outcome): Effect.Effect<void, JobError, SqlClient.SqlClient> =>
  together((sql) =>
    Effect.gen(function*() {
      const { id, index } = place
      yield* sql`UPDATE marketdata_job_query SET asks = asks WHERE job = ${id} AND number = ${index}`
      const row = yield* queryRow(sql, place)
      if (row === undefined) return
      const isFound = row.state === "lost" && outcome._tag === "Answered"
      if (row.state !== "asked" && !isFound) return
      // What was lost was counted, and at most that is what the answer cost.
      const earlier = isFound ? free : outcome
      const credits = Number(row.credits) + earlier.credits
      const uncertain = Number(row.uncertain) + earlier.uncertain
      const written = yield* Schema.encodeEffect(Outcomes.Stored)({ ...outcome, credits, uncertain })
      yield* sql`UPDATE marketdata_job_query
        SET state = ${states[outcome._tag]}, credits = ${credits}, uncertain = ${uncertain}, outcome = ${written}
        WHERE job = ${id} AND number = ${index}`
    })
  )

/** Marks a job as cancelled, unless it is over. */
export const cancel = (id: string): Effect.Effect<void, JobError, SqlClient.SqlClient> =>
  together((sql) =>
    Effect.gen(function*() {
      yield* rowOf(sql, id)
      yield* sql`UPDATE marketdata_job SET cancelled = ${yield* now(sql)}
        WHERE id = ${id} AND cancelled IS NULL AND ended IS NULL`
    })
  )

export const isCancelled = (id: string): Effect.Effect<boolean, JobError, SqlClient.SqlClient> =>
  asking((sql) => Effect.map(rowOf(sql, id), ({ cancelled }) => cancelled !== null))

/** Says why a job stands still. */
export const stand = (id: string, problem: unknown): Effect.Effect<void, JobError, SqlClient.SqlClient> => {
  const words = problem instanceof Error ? problem.message : String(problem)
  return asking((sql) => Effect.asVoid(sql`UPDATE marketdata_job SET problem = ${words} WHERE id = ${id}`))
}

/** Says that a job goes on. */
export const goOn = (id: string): Effect.Effect<void, JobError, SqlClient.SqlClient> =>
  asking((sql) => Effect.asVoid(sql`UPDATE marketdata_job SET problem = NULL WHERE id = ${id}`))

export const end = (id: string): Effect.Effect<void, JobError, SqlClient.SqlClient> =>
  asking((sql) =>
    Effect.flatMap(
      now(sql),
      (time) => Effect.asVoid(sql`UPDATE marketdata_job SET ended = ${time} WHERE id = ${id} AND ended IS NULL`)
    )
  )

/** A time that may not have come. */
const optional = (time: unknown): number | undefined => time === null ? undefined : Number(time)

/** Counts what became of the queries of a job. */
export const progress = (id: string) =>
  asking((sql) =>
    Effect.gen(function*() {
      const row = yield* rowOf(sql, id)
      const counts = yield* sql<
        { state: string; queries: unknown; credits: unknown; uncertain: unknown; bound: unknown }
      >`SELECT state, COUNT(*) AS queries, SUM(credits) AS credits, SUM(uncertain) AS uncertain, SUM(bound) AS bound
        FROM marketdata_job_query WHERE job = ${id} GROUP BY state`
      const of = (state: string) => {
        const found = counts.find((count) => count.state === state)
        return { queries: Number(found?.queries ?? 0), bound: Number(found?.bound ?? 0) }
      }
      const sum = (field: "credits" | "uncertain") => counts.reduce((total, count) => total + Number(count[field]), 0)
      return {
        id,
        queries: Number(row.queries),
        answered: of("answered").queries,
        failed: of("failed").queries,
        lost: of("lost").queries,
        notAsked: of("notAsked").queries,
        asked: of("asked").queries,
        credits: sum("credits"),
        uncertain: sum("uncertain"),
        reserved: of("asked").bound,
        budget: Number(row.budget),
        started: Number(row.started),
        cancelled: optional(row.cancelled),
        ended: optional(row.ended),
        problem: row.problem ?? undefined
      }
    })
  )

/** How many rows are read at once. */
const page = 200

/** The rows of a job after each other, from statements that read those above a number. */
const pages = <Row extends { readonly number: unknown }>(
  read: (sql: SqlClient.SqlClient, above: number) => Effect.Effect<ReadonlyArray<Row>, SqlError>
): Stream.Stream<Row, JobError, SqlClient.SqlClient> =>
  Stream.paginate(-1, (above) =>
    Effect.map(asking((sql) => read(sql, above)), (rows) => [
      rows,
      rows.length < page ? Option.none() : Option.some(Number(rows.at(-1)!.number))
    ]))

/** What became of each query that is over, in the order of the queries. */
export const outcomes = (id: string) =>
  Stream.unwrap(
    Effect.map(
      asking((sql) => rowOf(sql, id)),
      () =>
        pages((sql, above) =>
          sql<{ number: unknown; outcome: string }>`SELECT number, outcome FROM marketdata_job_query
        WHERE job = ${id} AND state <> 'asked' AND number > ${above} ORDER BY number LIMIT ${page}`
        )
    )
  ).pipe(
    Stream.mapEffect(({ number, outcome }) =>
      Effect.map(
        asking(() => Schema.decodeEffect(Outcomes.Stored)(outcome)),
        (outcome) => ({ index: Number(number), outcome })
      )
    )
  )

/** Keeps the text of an answer, once. */
export const keep = ({ id, index }: Place, answer: string): Effect.Effect<void, JobError, SqlClient.SqlClient> =>
  asking((sql) =>
    Effect.asVoid(
      sql`INSERT INTO marketdata_job_answer ${sql.insert({ job: id, number: index, answer })}
        ON CONFLICT (job, number) DO NOTHING`
    )
  )

export const isKept = ({ id, index }: Place): Effect.Effect<boolean, JobError, SqlClient.SqlClient> =>
  asking((sql) =>
    Effect.map(
      sql`SELECT number FROM marketdata_job_answer WHERE job = ${id} AND number = ${index}`,
      (rows) => rows.length > 0
    )
  )

/** The texts of the answers of a job, in the order of its queries. */
export const kept = (id: string) =>
  pages((sql, above) =>
    sql<{ number: unknown; answer: string }>`SELECT number, answer FROM marketdata_job_answer
      WHERE job = ${id} AND number > ${above} ORDER BY number LIMIT ${page}`
  )
