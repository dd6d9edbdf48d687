/**
 * Jobs in the database: their queries, and the outcome of each. The budget of a job is enforced here, in a transaction, for all machines: queries under way
 * count with their bounds, finished ones with what they were charged, or may have been.
 */
import * as MarketDataError from "@effect-marketdata/client/MarketDataError"
import * as Schemas from "@effect-marketdata/core/Schemas"
import type { DatabaseError } from "@effect-marketdata/sql/DatabaseError"
import * as Tables from "@effect-marketdata/sql/Tables"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Stream from "effect/Stream"
import * as Input from "./input.ts"
import { JobError, JobsUnavailable, NameInUse, NotOver, OtherVersion, UnknownJob } from "./JobError.ts"

/** What a query was charged in all, and at most in addition, in credits. */
const cost = { credits: Schemas.Amount, uncertain: Schemas.Amount }

/** The schema of outcomes, see `Job.Outcome`. */
const Outcome = Schema.Union([
  Schema.TaggedStruct("Answered", { ...cost, missing: Schema.Array(Schema.String) }),
  Schema.TaggedStruct("Failed", { ...cost, error: MarketDataError.FromJson }),
  Schema.TaggedStruct("Lost", { ...cost, detail: Schema.String }),
  Schema.TaggedStruct("NotAsked", { ...cost, bound: Schemas.Amount })
])

export type Outcome = typeof Outcome.Type

/** The outcomes of one kind. */
export type OutcomeOf<Tag extends Outcome["_tag"]> = Readonly<Extract<Outcome, { readonly _tag: Tag }>>

const Stored = Schema.fromJsonString(Outcome)

/**
 * JSON, or another text, with escapes for all characters but those of printed ASCII. A database may be of any encoding, and none holds a NUL: what it cannot
 * hold would be refused after it was paid for.
 */
const inAscii = (text: string): string =>
  text.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)

const unavailable = ({ message }: { readonly message: string }) =>
  new JobError({ reason: new JobsUnavailable({ detail: message }) })

type Statements<A> = Effect.fn.Return<A, JobError | SqlError | Schema.SchemaError | DatabaseError, SqlClient.SqlClient>

/** What statements give; they fail with `JobError` alone. */
type InDatabase<A> = Effect.Effect<A, JobError, SqlClient.SqlClient>

/** Runs statements; their errors, and a database that does not answer within a minute, become `JobError`s. */
export const withDatabase = <A>(statements: (sql: SqlClient.SqlClient) => Statements<A>): InDatabase<A> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => Tables.inTime(Effect.gen(() => statements(sql)))).pipe(
    Effect.mapError((error) => error instanceof JobError ? error : unavailable(error))
  )

/** The same in one transaction. */
const inTransaction = <A>(statements: (sql: SqlClient.SqlClient) => Statements<A>) =>
  withDatabase(function*(sql) {
    return yield* Tables.transaction(Effect.gen(() => statements(sql)))
  })

/** Makes the tables. */
export const migrate: InDatabase<void> = Effect.mapError(Tables.migrate, unavailable)

/** Columns of numbers, which each database returns in its own way. */
type Numbers<Column extends string> = Readonly<Record<Column, unknown>>

interface JobRow extends Numbers<"version" | "queries" | "budget" | "started" | "cancelled" | "ended"> {
  readonly input: string
  readonly problem: string | null
}

const rowOf = (sql: SqlClient.SqlClient, id: string): Effect.Effect<JobRow, JobError | SqlError> =>
  Effect.flatMap(
    sql<JobRow>`SELECT version, input, queries, budget, started, cancelled, ended, problem
      FROM marketdata_job WHERE id = ${id}`,
    ([row]) => {
      if (row === undefined) return Effect.fail(new JobError({ reason: new UnknownJob({ id }) }))
      const found = Number(row.version)
      return found === Input.version
        ? Effect.succeed(row)
        : Effect.fail(new JobError({ reason: new OtherVersion({ id, found, known: Input.version }) }))
    }
  )

/** Writes a job down, or sees that it is the one that is there. A transaction would not wait for a long list to become a text. */
export const insert = (id: string, input: Input.Input): InDatabase<void> =>
  Effect.flatMap(
    Effect.mapError(Schema.encodeEffect(Input.Stored)(input), unavailable),
    (written) =>
      inTransaction(function*(sql) {
        const row = { id, version: Input.version, input: written, queries: input.queries.length, budget: input.budget }
        // The time of the database, because a job may begin on one machine and end on another.
        const started = yield* Tables.now
        yield* sql`INSERT INTO marketdata_job ${sql.insert({ ...row, started })} ON CONFLICT (id) DO NOTHING`
        const present = yield* rowOf(sql, id)
        if (present.input !== written) return yield* new JobError({ reason: new NameInUse({ id }) })
      })
  )

/** Reads what a job asks. */
export const input = (id: string): InDatabase<Input.Input> =>
  withDatabase(function*(sql) {
    return yield* rowOf(sql, id)
  }).pipe(Effect.flatMap(({ input }) => Effect.mapError(Input.read(input), unavailable)))

/** The queries that are over. */
export const settled = (id: string): InDatabase<ReadonlySet<number>> =>
  withDatabase(function*(sql) {
    const rows = yield* sql<{ number: unknown }>`SELECT number FROM marketdata_job_query
      WHERE job = ${id} AND state <> 'asked'`
    return new Set(rows.map(({ number }) => Number(number)))
  })

/** Locks a job until the end of the transaction, and reads when it was cancelled, and how much is left of its budget. */
const lock = (sql: SqlClient.SqlClient, id: string) =>
  sql<Numbers<"cancelled" | "left">>`UPDATE marketdata_job SET started = started
    WHERE id = ${id} RETURNING cancelled, budget - taken AS left`

interface QueryRow extends Numbers<"asks" | "most" | "credits" | "uncertain"> {
  readonly state: string
}

/** Locks the job of a query, and reads both. */
const locked = Effect.fnUntraced(function*(sql: SqlClient.SqlClient, { id, index }: Place) {
  const [job] = yield* lock(sql, id)
  const [row] = yield* sql<QueryRow>`SELECT state, asks, most, credits, uncertain
    FROM marketdata_job_query WHERE job = ${id} AND number = ${index}`
  return { isCancelled: (job?.cancelled ?? null) !== null, left: Number(job?.left ?? -Infinity), row }
})

/** Takes an amount of the budget of a job, or gives it back. */
const take = (sql: SqlClient.SqlClient, id: string, more: number): Effect.Effect<unknown, SqlError> =>
  more === 0 ? Effect.void : sql`UPDATE marketdata_job SET taken = taken + ${more} WHERE id = ${id}`

/** A query of a job. */
export interface Place {
  readonly id: string
  readonly index: number
}

/** What to do about a query: ask it for the `asks`th time, nothing because it is over, or nothing because the job is cancelled. */
export type Begun = { readonly _tag: "Ask"; readonly asks: number } | { readonly _tag: "Over" | "Cancelled" }

/** The query is over. */
export const over: Begun = { _tag: "Over" }

/** Begins a query, if the budget has room for it. */
export const begin = (place: Place, bound: number): InDatabase<Begun> =>
  inTransaction(function*(sql) {
    const { id, index } = place
    const { isCancelled, left, row: begun } = yield* locked(sql, place)
    // A query that was begun is finished even if the job is cancelled: it may have been paid for.
    if (begun !== undefined) return begun.state === "asked" ? { _tag: "Ask", asks: Number(begun.asks) } : over
    if (isCancelled) return { _tag: "Cancelled" }
    const row = { job: id, number: index, asks: 1, credits: 0, uncertain: 0 }
    if (bound <= left) {
      yield* take(sql, id, bound)
      yield* sql`INSERT INTO marketdata_job_query ${sql.insert({ ...row, state: "asked", most: bound, outcome: null })}`
      return { _tag: "Ask", asks: 1 }
    }
    const outcome = yield* Schema.encodeEffect(Stored)({ _tag: "NotAsked", credits: 0, uncertain: 0, bound })
    yield* sql`INSERT INTO marketdata_job_query ${sql.insert({ ...row, state: "notAsked", most: 0, outcome })}`
    return over
  })

/** What earlier requests of a query cost: certainly, and at most in addition. */
export type Cost = Readonly<typeof free>

export const free = { credits: 0, uncertain: 0 }

/** Begins a query again after its `asks`th time was lost at a cost, if the budget has room for both; otherwise nothing changes. */
export const again = (place: Place, asks: number, cost: Cost): InDatabase<Begun | undefined> =>
  inTransaction(function*(sql) {
    const { id, index } = place
    const { isCancelled, left, row } = yield* locked(sql, place)
    if (row === undefined || row.state !== "asked") return over
    // Another machine was faster.
    if (Number(row.asks) !== asks) return { _tag: "Ask", asks: Number(row.asks) }
    // The bound of the next time is in the sum already.
    const more = cost.credits + cost.uncertain
    if (isCancelled || more > left) return undefined
    yield* take(sql, id, more)
    yield* sql`UPDATE marketdata_job_query
        SET asks = ${asks + 1}, credits = credits + ${cost.credits}, uncertain = uncertain + ${cost.uncertain}
        WHERE job = ${id} AND number = ${index}`
    return { _tag: "Ask", asks: asks + 1 }
  })

const states = { Answered: "answered", Failed: "failed", Lost: "lost", NotAsked: "notAsked" } as const

/**
 * Records the outcome of a query, once. Only a lost query can be answered later, by a machine that was believed dead. The recorded outcome has the cost of
 * all its requests together.
 */
export const settle = (place: Place, outcome: Outcome): InDatabase<void> =>
  inTransaction(function*(sql) {
    const { id, index } = place
    const { row } = yield* locked(sql, place)
    if (row === undefined) return
    const isAnsweredLate = row.state === "lost" && outcome._tag === "Answered"
    if (row.state !== "asked" && !isAnsweredLate) return
    // The cost of a lost query was counted already, and the answer did not cost more.
    const earlier = isAnsweredLate ? free : outcome
    const credits = Number(row.credits) + earlier.credits
    const uncertain = Number(row.uncertain) + earlier.uncertain
    const written = inAscii(yield* Schema.encodeEffect(Stored)({ ...outcome, credits, uncertain }))
    const before = Number(row.credits) + Number(row.uncertain) + (row.state === "asked" ? Number(row.most) : 0)
    // If it cost more than its bound, that is spent, too.
    yield* take(sql, id, credits + uncertain - before)
    yield* sql`UPDATE marketdata_job_query
        SET state = ${states[outcome._tag]}, credits = ${credits}, uncertain = ${uncertain}, outcome = ${written}
        WHERE job = ${id} AND number = ${index}`
  })

/** Marks a job as cancelled, unless it is over. */
export const cancel = (id: string): InDatabase<void> =>
  inTransaction(function*(sql) {
    yield* rowOf(sql, id)
    yield* sql`UPDATE marketdata_job SET cancelled = ${yield* Tables.now}
        WHERE id = ${id} AND cancelled IS NULL AND ended IS NULL`
  })

export const isCancelled = (id: string): InDatabase<boolean> =>
  withDatabase(function*(sql) {
    return (yield* rowOf(sql, id)).cancelled !== null
  })

/** Records why a job is suspended, or with `null` that it runs again. A problem that the database refuses may have characters that it cannot hold. */
export const suspend = (id: string, problem: string | null): InDatabase<void> => {
  const write = (problem: string | null) =>
    withDatabase(function*(sql) {
      yield* sql`UPDATE marketdata_job SET problem = ${problem} WHERE id = ${id}`
    })
  return problem === null ? write(null) : Effect.catch(write(problem), () => write(inAscii(problem)))
}

export const end = (id: string): InDatabase<void> =>
  withDatabase(function*(sql) {
    yield* sql`UPDATE marketdata_job SET ended = ${yield* Tables.now} WHERE id = ${id} AND ended IS NULL`
  })

/** A time, or undefined. */
const optional = (time: unknown): number | undefined => time === null ? undefined : Number(time)

const stateOf = (cancelled: number | undefined, ended: number | undefined, problem: string | undefined) => {
  if (ended !== undefined) return cancelled === undefined ? "ended" : "cancelled"
  if (problem !== undefined) return "suspended"
  return cancelled === undefined ? "running" : "cancelling"
}

interface CountRow extends Numbers<"queries" | "credits" | "uncertain" | "most"> {
  readonly state: string
}

/** Counts what became of the queries of a job. */
export const progress = (id: string) =>
  withDatabase(function*(sql) {
    const row = yield* rowOf(sql, id)
    const [cancelled, ended, problem] = [optional(row.cancelled), optional(row.ended), row.problem ?? undefined]
    const counts = yield* sql<CountRow>`SELECT state, COUNT(*) AS queries,
        SUM(credits) AS credits, SUM(uncertain) AS uncertain, SUM(most) AS most
        FROM marketdata_job_query WHERE job = ${id} GROUP BY state`
    const of = (state: string, column: "queries" | "most" = "queries") =>
      Number(counts.find((count) => count.state === state)?.[column] ?? 0)
    const sum = (column: "credits" | "uncertain") => counts.reduce((total, count) => total + Number(count[column]), 0)
    return {
      id,
      queries: Number(row.queries),
      answered: of("answered"),
      failed: of("failed"),
      lost: of("lost"),
      notAsked: of("notAsked"),
      asked: of("asked"),
      credits: sum("credits"),
      uncertain: sum("uncertain"),
      reserved: of("asked", "most"),
      budget: Number(row.budget),
      started: Number(row.started),
      cancelled,
      ended,
      problem,
      state: stateOf(cancelled, ended, problem)
    } as const
  })

/** What is known of a job, see `Job.Progress`. */
export type Progress = Effect.Success<ReturnType<typeof progress>>

/** How much is read at once: at most a number of rows, and at most a number of bytes. */
const page = { rows: 200, bytes: 8 * 1024 * 1024 }

/** Where texts of a job are: the table, its column, and which of its rows have one. */
type Texts = Readonly<Record<"table" | "column" | "where", string>>

/** Streams a text of each row of a job: for each page, first the lengths are read, and then as many texts as fit. */
const pages = (id: string, texts: Texts) =>
  Stream.paginate(-1, (above) =>
    withDatabase(function*(sql) {
      const [table, column, where] = [texts.table, texts.column, texts.where].map((part) => sql.literal(part))
      const rows = yield* sql<{ number: unknown; bytes: unknown }>`SELECT number, OCTET_LENGTH(${column}) AS bytes
        FROM ${table} WHERE ${where} AND job = ${id} AND number > ${above} ORDER BY number LIMIT ${page.rows}`
      let sum = 0
      const first = rows.filter(({ bytes }, at) => (sum += Number(bytes)) <= page.bytes || at === 0)
      const last = first.at(-1)
      if (last === undefined) return [[], Option.none<number>()] as const
      const upTo = Number(last.number)
      const read = yield* sql<{ number: unknown; text: string }>`SELECT number, ${column} AS text
        FROM ${table} WHERE ${where} AND job = ${id} AND number > ${above} AND number <= ${upTo} ORDER BY number`
      const isAll = first.length === rows.length && rows.length < page.rows
      return [
        read.map(({ number, text }) => ({ number: Number(number), text })),
        isAll ? Option.none<number>() : Option.some(upTo)
      ] as const
    }))

/** What became of each query that is over, in the order of the queries. */
export const outcomes = (id: string) =>
  Stream.unwrap(withDatabase(function*(sql) {
    yield* rowOf(sql, id)
    return pages(id, { table: "marketdata_job_query", column: "outcome", where: "state <> 'asked'" })
  })).pipe(Stream.mapEffect(({ number, text }) =>
    withDatabase(function*() {
      return { index: number, outcome: yield* Schema.decodeEffect(Stored)(text) }
    })
  ))

/** Keeps the text of an answer, once. */
export const keep = ({ id, index }: Place, answer: string): InDatabase<void> =>
  withDatabase(function*(sql) {
    yield* sql`INSERT INTO marketdata_job_answer ${sql.insert({ job: id, number: index, answer: inAscii(answer) })}
      ON CONFLICT (job, number) DO NOTHING`
  })

export const isKept = ({ id, index }: Place): InDatabase<boolean> =>
  withDatabase(function*(sql) {
    return (yield* sql`SELECT number FROM marketdata_job_answer WHERE job = ${id} AND number = ${index}`).length > 0
  })

/** The texts of the answers of a job, in the order of its queries. */
export const kept = (id: string) =>
  pages(id, { table: "marketdata_job_answer", column: "answer", where: "answer IS NOT NULL" })

/** Removes a job that is over, with all that is kept of it; or fails. */
export const remove = (id: string): InDatabase<void> =>
  inTransaction(function*(sql) {
    yield* lock(sql, id)
    if ((yield* rowOf(sql, id)).ended === null) return yield* new JobError({ reason: new NotOver({ id }) })
    for (const table of ["marketdata_job_answer", "marketdata_job_query"]) {
      yield* sql`DELETE FROM ${sql.literal(table)} WHERE job = ${id}`
    }
    yield* sql`DELETE FROM marketdata_job WHERE id = ${id}`
  })

/** The jobs that ended a number of seconds ago. */
export const endedFor = (seconds: number): InDatabase<ReadonlyArray<string>> =>
  withDatabase(function*(sql) {
    const last = (yield* Tables.now) - seconds
    const rows = yield* sql<{ id: string }>`SELECT id FROM marketdata_job WHERE ended <= ${last} ORDER BY ended`
    return rows.map(({ id }) => id)
  })
