/** Machines that run jobs, over one database and one simulated service, under virtual time. Each can be killed. */
import { IpGuard, MarketData } from "@effect-marketdata/client"
import { Gateway, Job, JobSink } from "@effect-marketdata/cluster"
import type { JobError } from "@effect-marketdata/cluster/JobError"
import type * as Query from "@effect-marketdata/core/Query"
import * as Sandbox from "@effect-marketdata/sandbox/Sandbox"
import * as SqlLedger from "@effect-marketdata/sql/SqlLedger"
import * as MarketDataTest from "@effect-marketdata/testing/MarketDataTest"
import { type Duration, Effect, Exit, Layer, Redacted, Scope } from "effect"
import { ClusterWorkflowEngine, SingleRunner } from "effect/cluster"
import type { MessageStorage } from "effect/cluster/MessageStorage"
import * as Digest from "effect/crypto/Digest"
import * as HttpClient from "effect/http/HttpClient"
import * as SqlClient from "effect/sql/SqlClient"
import * as TestClock from "effect/testing/TestClock"
import type { WorkflowEngine } from "effect/workflow/WorkflowEngine"
import type { Database } from "../../../sql/test/support/databases.ts"
import { pass } from "./time.ts"

/** The ledger of the account. Its leases are short, because nothing is learned from waiting. */
export const ledger = { account: "main", lease: "5 seconds" } as const

/** A simulated service that takes some time for each answer. */
export const service = (options: Sandbox.Options = {}) =>
  Sandbox.layerHttpClient.pipe(
    Layer.provideMerge(Sandbox.layer(options)),
    Layer.provideMerge(Layer.effectDiscard(TestClock.setTime(MarketDataTest.noon * 1000)))
  )

export type Machine = Effect.Success<ReturnType<typeof machine>>

/** How a client asks. */
export type Run = MarketData.MarketData["Service"]["run"]

export interface MachineOptions {
  readonly sink?: Layer.Layer<JobSink.JobSink, JobError, SqlClient.SqlClient> | undefined
  readonly runner?: Partial<Job.RunnerOptions> | undefined
  readonly schedule?: Job.ScheduleOptions | undefined
  /** Whether its jobs ask through a gateway, which is on this machine too. */
  readonly gateway?: boolean | undefined
  /** How often it looks for messages that another machine left. One that has lost its shards without knowing it must not take those of their next owner. */
  readonly polls?: Duration.Input | undefined
  /** What this machine asks with in place of its own client. */
  readonly client?: ((run: Run) => (query: Query.Query) => ReturnType<Run>) | undefined
}

/** Starts a machine on a database. */
export const machine = (
  database: Database,
  { client = (run) => run, gateway = false, polls = "1 second", runner, schedule, sink = JobSink.layerSql }:
    MachineOptions = {}
) =>
  Effect.gen(function*() {
    const outer = yield* Effect.scope
    const connection = yield* Scope.make()
    const scope = yield* Scope.make()
    const sql = yield* Layer.buildWithScope(database.open, connection)
    const asks = MarketData.layerNoDeps({ baseUrl: "https://sandbox.test", token: Redacted.make("sandbox-paid") })
      .pipe(
        Layer.provide(Layer.orDie(SqlLedger.layerUnlimited(ledger))),
        Layer.provide(IpGuard.layerMemory()),
        Layer.provide(Layer.succeed(HttpClient.HttpClient, yield* HttpClient.HttpClient))
      )
    const cluster = SingleRunner.layer({
      runnerStorage: "memory",
      shardingConfig: { entityMessagePollInterval: polls }
    }).pipe(Layer.orDie, Layer.provide(Digest.layerWebCrypto))
    const asking = gateway
      ? Gateway.layer({ account: ledger.account }).pipe(Layer.provide(Gateway.layerEntity()), Layer.provide(asks))
      : asks
    const context = yield* Layer.buildWithScope(
      Layer.mergeAll(
        Job.layer({ account: ledger.account, ...runner }),
        schedule === undefined ? Layer.empty : Job.layerSchedule(schedule)
      ).pipe(
        Layer.provide(Layer.effect(
          MarketData.MarketData,
          Effect.map(MarketData.MarketData, ({ run }) => ({ run: client(run) as Run }))
        )),
        Layer.provide(asking),
        Layer.provideMerge(ClusterWorkflowEngine.layer),
        Layer.provideMerge(cluster),
        Layer.provide(sink),
        Layer.provideMerge(Layer.succeedContext(sql))
      ),
      scope
    )
    const stop = Scope.close(scope, Exit.void)
    const cut = Scope.close(connection, Exit.void)
    yield* Effect.addFinalizer(() => Effect.andThen(Effect.forkIn(stop, outer), cut))
    return {
      /** Runs something on this machine. */
      use: <A, E>(effect: Effect.Effect<A, E, MessageStorage | SqlClient.SqlClient | WorkflowEngine>) =>
        Effect.provideContext(effect, context),
      /** Cuts it off from the database at once, as a kill does: what it had begun is not written down by it. */
      kill: Effect.andThen(cut, Effect.forkDetach(Effect.exit(stop))),
      /** Stops it in order. */
      stop: Effect.asVoid(Effect.andThen(Effect.forkDetach(Effect.exit(stop)), pass(30)))
    }
  })

/**
 * Lets time go by until a job stands as it should, `most` seconds at most, and says how it stands then. A server that is busy answers late, while
 * virtual time goes on: so there are many.
 */
export const until = ({ use }: Machine, id: string, isThere: (progress: Job.Progress) => boolean, most = 12_000) =>
  Effect.gen(function*() {
    for (let second = 0;; second++) {
      const progress = yield* use(Job.progress(id))
      if (isThere(progress) || second === most) return progress
      yield* pass(1)
    }
  })

/** Lets time go by until a job is over. */
export const untilOver = (machine: Machine, id: string): Effect.Effect<Job.Progress, JobError> =>
  until(machine, id, ({ ended }) => ended !== undefined)
