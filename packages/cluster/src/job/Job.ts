/**
 * A job: a list of queries that outlives its process. It is priced before anything is sent, and refused above its budget. Each query is paid
 * for once, whichever process dies: it has a claim in the ledger of the account, so that a second run of it sends nothing. Any machine can
 * continue a job, and any program with the database can follow or cancel it.
 *
 * A job is a workflow of `effect/workflow`, on the engine of `effect/cluster`, and is kept in the database of the cluster: SQLite for one
 * process, PostgreSQL for many. Answers go to a `JobSink`.
 *
 * @example
 * ```ts
 * import * as Job from "@effect-marketdata/cluster/Job"
 * import * as JobSink from "@effect-marketdata/cluster/JobSink"
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as SqlLedger from "@effect-marketdata/sql/SqlLedger"
 * import * as Sqlite from "@effect-marketdata/sql/Sqlite"
 * import * as MarketDataTest from "@effect-marketdata/testing/MarketDataTest"
 * import { ClusterWorkflowEngine, TestRunner } from "effect/cluster"
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 * import * as Result from "effect/Result"
 * import * as Stream from "effect/Stream"
 *
 * // One process with all of it: the runner, the database, and a simulated service.
 * const layer = Job.layer({ account: "main" }).pipe(
 *   Layer.provideMerge(ClusterWorkflowEngine.layer),
 *   Layer.provide(TestRunner.layer),
 *   Layer.provide(MarketDataTest.layer()),
 *   Layer.provide(JobSink.layerSql),
 *   Layer.provideMerge(Sqlite.layer({ filename: ":memory:" }))
 * )
 * const symbols = ["AAPL", "MSFT", "SPY"]
 * const queries = symbols.map((symbol) => Result.getOrThrow(Query.stockPrices([symbol])))
 *
 * const program = Effect.gen(function*() {
 *   yield* Job.start({ id: "prices", queries, budget: 10 })
 *   yield* Stream.runDrain(Job.follow("prices", { every: "10 millis" }))
 *   const { answered, credits, state } = yield* Job.progress("prices")
 *   return { answered, credits, state }
 * })
 * await Effect.runPromise(Effect.provide(program, layer)) // => { answered: 3, credits: 3, state: "ended" }
 * ```
 *
 * @see {@link JobSink} for the answers
 * @see `Claim` of the client for what keeps a query from being paid twice
 * @since 0.1.0
 */
import type { MarketData } from "@effect-marketdata/client/MarketData"
import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as NewYork from "@effect-marketdata/core/NewYork"
import { InvalidQuery } from "@effect-marketdata/core/Reason"
import * as TradingCalendar from "@effect-marketdata/core/TradingCalendar"
import type * as Workload from "@effect-marketdata/core/Workload"
import * as ClusterCron from "effect/cluster/ClusterCron"
import type { MessageStorage } from "effect/cluster/MessageStorage"
import type { Sharding } from "effect/cluster/Sharding"
import * as Cron from "effect/Cron"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type * as SqlClient from "effect/sql/SqlClient"
import * as Stream from "effect/Stream"
import type { WorkflowEngine } from "effect/workflow/WorkflowEngine"
import { time } from "../gateway/options.ts"
import * as Input from "./input.ts"
import { JobError } from "./JobError.ts"
import type { JobSink } from "./JobSink.ts"
import * as Running from "./running.ts"
import * as Store from "./store.ts"

/**
 * A job to start.
 *
 * - `id`: its name, of 1 to 100 printable characters. Starting it again, also from another program, continues it
 * - `queries`: what is asked, in the order in which it begins
 * - `budget`: the most that all of it may cost, in credits
 * - `consent`: what each query in the mode `cachedOrLive` may pay for live data if nothing is cached, in credits; nothing by default
 * - `whenOver`: what happens if the price is above the budget. `"refuse"`, the default, does not start the job. `"hold"` starts it, and asks
 *   each query only while its bound fits into what is left of the budget
 * - `whenLost`: what happens to a query that was sent, if its answer was lost with its process. `"report"`, the default, reports what it may
 *   have cost. `"askAgain"` asks again, and may pay again, while its bound fits into the budget
 *
 * @category models
 * @since 0.1.0
 */
export interface Options extends Input.Options {}

const fail = (reason: JobError["reason"]) => new JobError({ reason })

/**
 * Returns what a job costs, in credits, or why it is refused: an invalid part of it, or a price above its budget. Nothing is sent.
 *
 * @example
 * ```ts
 * import * as Job from "@effect-marketdata/cluster/Job"
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Result from "effect/Result"
 *
 * const query = Result.getOrThrow(Query.optionChain("AAPL", { date: "2026-11-19", assume: { contracts: 5000 } }))
 * Result.map(Job.price({ id: "AAPL", queries: [query], budget: 20 }), ({ max }) => max) // => Result.succeed(5)
 * ```
 *
 * @category pricing
 * @since 0.1.0
 */
export const price = (options: Options): Result.Result<Workload.Cost, JobError> =>
  Result.flatMap(Input.of(options), ({ id, input }) => Input.priced(id, input))

/**
 * Starts a job, or continues the one that was started with the same options, and returns its progress. It is priced first, see `price`;
 * a refused job is not stored. The job runs on a machine that has `layer`.
 *
 * @category running
 * @since 0.1.0
 */
export const start = Effect.fnUntraced(
  function*(options: Options): Effect.fn.Return<Progress, JobError, SqlClient.SqlClient | WorkflowEngine> {
    const { id, input } = yield* Effect.fromResult(Input.of(options))
    yield* Effect.fromResult(Input.priced(id, input))
    yield* Store.migrate
    yield* Store.insert(id, input)
    const present = yield* progress(id)
    if (present.ended !== undefined) return present
    yield* Running.begin(id)
    return yield* Effect.andThen(Running.resume(present), progress(id))
  }
)

/**
 * Continues a suspended job, after the `problem` in its progress is solved: after an upgrade, or when the database is available again.
 *
 * @category running
 * @since 0.1.0
 */
export const resume = (id: string): Effect.Effect<void, JobError, SqlClient.SqlClient | WorkflowEngine> =>
  Effect.flatMap(Effect.flatMap(Input.idOf(id), Store.progress), Running.resume)

/**
 * Cancels a job, from any program that has the database. No other query starts. Those in progress are finished, because they are paid
 * for. A suspended job ends once it is resumed. A job that is over does not change.
 *
 * @example
 * ```ts
 * import * as Job from "@effect-marketdata/cluster/Job"
 *
 * export const stopped = Job.cancel("AAPL week 47")
 * ```
 *
 * @category running
 * @since 0.1.0
 */
export const cancel = (id: string): Effect.Effect<void, JobError, SqlClient.SqlClient> =>
  Effect.flatMap(Input.idOf(id), Store.cancel)

/**
 * Removes a job that is over: its queries, their outcomes, and its answers if `JobSink.layerSql` kept them. The charges
 * stay in the ledger, with the claims under its name: give the next job another name, or its queries count as lost.
 *
 * @category running
 * @since 0.1.0
 */
export const remove = (id: string): Effect.Effect<void, JobError, SqlClient.SqlClient | MessageStorage> =>
  Effect.flatMap(Input.idOf(id), Running.remove)

/**
 * The progress of a job.
 *
 * - `state`: `"running"`; `"suspended"` while it cannot continue, and `problem` says why; `"cancelling"` until the queries in progress are finished;
 *   `"cancelled"`, or `"ended"` when each query has an outcome
 * - `queries`: how many there are; of these `answered`, `failed`, `lost` and `notAsked` have an outcome, and `asked` are under way
 * - `credits`: what the job was charged so far; `uncertain` is what it may have been charged in addition, at most; `reserved` is what the
 *   queries under way may cost. Together they stay within the `budget`, see `Options`
 * - `started`, `cancelled`, `ended`: when, in epoch seconds
 *
 * @category models
 * @since 0.1.0
 */
export interface Progress extends Store.Progress {}

/**
 * Returns the progress of a job, in any program that has the database.
 *
 * @example
 * ```ts
 * import * as Job from "@effect-marketdata/cluster/Job"
 * import * as Effect from "effect/Effect"
 *
 * export const state = Effect.map(Job.progress("AAPL week 47"), ({ state }) => state)
 * ```
 *
 * @category queries
 * @since 0.1.0
 */
export const progress = (id: string): Effect.Effect<Progress, JobError, SqlClient.SqlClient> =>
  Effect.flatMap(Input.idOf(id), Store.progress)

/**
 * The progress of a job now, and after each change, until it is over. It polls the database once a second by default, see `every`.
 *
 * @category queries
 * @since 0.1.0
 */
export const follow = (
  id: string,
  options?: { readonly every?: Duration.Input | undefined }
): Stream.Stream<Progress, JobError, SqlClient.SqlClient> => {
  const { every = "1 second" } = options ?? {}
  const interval = time("every", every, "\"1 second\"")
  if (Result.isFailure(interval)) return Stream.fail(fail(interval.failure))
  return Stream.paginate(undefined as Progress | undefined, (last) =>
    Effect.gen(function*() {
      if (last !== undefined) yield* Effect.sleep(interval.success)
      const next = yield* progress(id)
      const isNew = JSON.stringify(next) !== JSON.stringify(last)
      return [isNew ? [next] : [], next.ended === undefined ? Option.some(next) : Option.none()] as const
    }))
}

/**
 * The outcome of a query. `credits` is what it was charged, and `uncertain` what it may have been charged in addition, at most.
 *
 * - `Answered`: its answer is in the sink; `missing` names the tickers that were refused, which it does not have
 * - `Failed`: the client failed with `error`
 * - `Lost`: it was sent, and its answer is lost: the process died, or the sink refused it. `detail` says which
 * - `NotAsked`: it may have cost `bound` credits, more than was left of the budget
 *
 * @category models
 * @since 0.1.0
 */
export type Outcome = Answered | Failed | Lost | NotAsked

/**
 * A query whose answer is in the sink.
 *
 * @category models
 * @since 0.1.0
 */
export interface Answered extends Store.OutcomeOf<"Answered"> {}

/**
 * A query that was refused.
 *
 * @category models
 * @since 0.1.0
 */
export interface Failed extends Store.OutcomeOf<"Failed"> {}

/**
 * A query that was sent, and whose answer was lost.
 *
 * @category models
 * @since 0.1.0
 */
export interface Lost extends Store.OutcomeOf<"Lost"> {}

/**
 * A query that did not fit into the budget.
 *
 * @category models
 * @since 0.1.0
 */
export interface NotAsked extends Store.OutcomeOf<"NotAsked"> {}

/**
 * Reads the outcomes of the finished queries of a job, in their order, each with its `index` in the list, from 0.
 *
 * @example
 * ```ts
 * import * as Job from "@effect-marketdata/cluster/Job"
 * import * as Stream from "effect/Stream"
 *
 * export const lost = Job.outcomes("AAPL week 47").pipe(Stream.filter(({ outcome }) => outcome._tag === "Lost"), Stream.runCollect)
 * ```
 *
 * @category queries
 * @since 0.1.0
 */
export const outcomes = (
  id: string
): Stream.Stream<{ readonly index: number; readonly outcome: Outcome }, JobError, SqlClient.SqlClient> =>
  Stream.unwrap(Effect.map(Input.idOf(id), Store.outcomes))

/**
 * How a machine runs jobs.
 *
 * - `account`, `budget`: the names with which the ledger of the account was opened (`SqlLedger`), in the database of the jobs. It says what a
 *   query was charged whose answer was lost
 * - `concurrency`: how many queries of a job are under way at once, 4 by default
 * - `patience`: how long a query waits while the gateway, the ledger, the guard of the address or the sink cannot be used, or an earlier run of
 *   it may still be answered; 15 minutes by default. For the database of the job it waits as long as it takes
 * - `keep`: how long a job is kept after its end, with its answers in `JobSink.layerSql`; for ever by default
 *
 * @category models
 * @since 0.1.0
 */
export interface RunnerOptions extends Input.RunnerOptions {}

/**
 * Runs jobs on this machine, with the client that is provided: one that asks the service itself, or a gateway's.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (
  options: RunnerOptions
): Layer.Layer<never, JobError, MarketData | JobSink | MessageStorage | SqlClient.SqlClient | WorkflowEngine> =>
  Running.layer(options)

/**
 * A schedule of jobs.
 *
 * - `name`: 1 to 80 printable characters. The job of a day has this name and the date as its id: `SPX close 2026-11-20`
 * - `at`: the time in New York, such as `"15:45"`, also on a day that closes early
 * - `calendar`: whose trading days count; those of `TradingCalendar.NYSE` by default
 * - `job`: what is asked on a day, with its budget
 *
 * @category models
 * @since 0.1.0
 */
export interface ScheduleOptions {
  readonly name: string
  readonly at: string
  readonly calendar?: TradingCalendar.TradingCalendar | undefined
  readonly job: (date: CalendarDate.CalendarDate) => Omit<Options, "id">
}

/**
 * Starts a job on each trading day, once for all machines that have this layer. A day is skipped if no machine runs until a day later. If a job is
 * refused, for example because its price is above its budget, the error is logged.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerSchedule = (
  options: ScheduleOptions
): Layer.Layer<never, JobError, Sharding | SqlClient.SqlClient | WorkflowEngine> =>
  Layer.unwrap(Effect.gen(function*() {
    const { at, calendar = TradingCalendar.NYSE, job, name } = options ?? {}
    const refuse = (option: string, value: unknown, rule: string, example: string) =>
      fail(InvalidQuery.of(option, value, { rule, example }))
    // The name of a job has its day behind it.
    if (typeof name !== "string" || !/^[^\p{C}]{1,80}$/u.test(name)) {
      return yield* refuse("name", name, "must be a string of 1 to 80 printable characters", "\"SPX close\"")
    }
    const time = typeof at === "string" ? /^([01]\d|2[0-3]):([0-5]\d)$/.exec(at) : null
    if (time === null) return yield* refuse("at", at, "must be a time of New York as hours and minutes", "\"15:45\"")
    if (typeof job !== "function") {
      return yield* refuse("job", job, "must be a function of the day", "(date) => ({ queries, budget: 100 })")
    }
    return ClusterCron.make({
      name: `marketdata ${name}`,
      cron: Cron.parseUnsafe(`${Number(time[2])} ${Number(time[1])} * * 1-5`, "America/New_York"),
      execute: Effect.gen(function*() {
        const date = NewYork.dateOf((yield* ClusterCron.CurrentScheduledTime).epochMilliseconds / 1000)
        if (!TradingCalendar.isTradingDay(calendar, date)) return
        const started = start({ ...job(date), id: `${name} ${CalendarDate.format(date)}` })
        // The cluster tries what fails again for a day: a database comes back, but a job that is refused stays refused.
        yield* Effect.catchIf(started, (error) => !Input.isUnavailable(error), Effect.logError)
      })
    })
  }))
