/**
 * A machine of an application: callers that ask one query after another, and a runner that sends for all machines while the account is with it;
 * or, as the control, a client of its own. It says how each call ended and after how many milliseconds, until its input ends.
 */
import { MarketData, RetryPolicy } from "@effect-marketdata/client"
import { Gateway, Job, JobSink, Runner } from "@effect-marketdata/cluster"
import { CalendarDate, Query } from "@effect-marketdata/core"
import { SqlIpGuard, SqlLedger } from "@effect-marketdata/sql"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as PgClient from "@effect/sql-pg/PgClient"
import { Cause, Deferred, Effect, Exit, Fiber, Layer, Option, Random, Redacted, References, Result } from "effect"
import * as ClusterWorkflowEngine from "effect/cluster/ClusterWorkflowEngine"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { fileURLToPath } from "node:url"

/**
 * What a machine is to do. Its clock is `ahead` by so many seconds. All machines work on one job of so many `queries`, if any, whose name is the budget's.
 * No other task has its `life`.
 */
export interface Task {
  readonly baseUrl: string
  readonly token: string
  readonly database: string
  readonly budget: SqlLedger.BudgetOptions & { readonly budget: string }
  readonly isGateway: boolean
  readonly address: string
  readonly port: number
  readonly ahead: number
  readonly callers: number
  readonly queries: number
  readonly life: number
}

/** The file to run, with a task as JSON behind it. */
export const file = fileURLToPath(import.meta.url)

/** The first day of the candles that are asked for: a query of each call, so that none looks like another's. */
const firstDay = CalendarDate.makeUnsafe(2010, 1, 4)

const query = (symbol: string, number: number) => {
  const from = CalendarDate.addDays(firstDay, number % 4000)
  return Query.stockCandles("D", symbol, { from, to: CalendarDate.addDays(from, 5 + Math.floor(number / 4000)) })
}

/** How long a call waits, whatever happens. */
export const deadline = 60_000

const client = ({ address, baseUrl, budget, database, isGateway, port, queries, token }: Task) => {
  const sql = Layer.orDie(PgClient.layer({ ...Runner.postgres({ url: Redacted.make(database) }), maxConnections: 5 }))
  const direct = MarketData.layer({ baseUrl, token: Redacted.make(token), maxInFlight: 50 }).pipe(
    Layer.provide(SqlLedger.layer(budget)),
    Layer.provide(NodeHttpClient.layerNodeHttpOptions({ localAddress: address, keepAlive: true }))
  )
  const guard = SqlIpGuard.layer({ account: budget.account, address, lease: budget.lease })
  const gateway = Gateway.layer({ account: budget.account, patience: deadline }).pipe(
    Layer.provideMerge(Layer.provide(Gateway.layerEntity(), Layer.provideMerge(direct, guard)))
  )
  const started = Layer.effectDiscard(Effect.forkScoped(Job.start({
    id: budget.budget,
    queries: Array.from({ length: queries }, (_, number) => Result.getOrThrow(query("MSFT", number))),
    budget: 2 * queries
  })))
  const job = Layer.merge(started, Job.layer({ account: budget.account, budget: budget.budget, concurrency: 1 })).pipe(
    Layer.provide([ClusterWorkflowEngine.layer, JobSink.layerSql])
  )
  const machine = (queries > 0 ? Layer.provideMerge(Layer.orDie(job), gateway) : gateway).pipe(
    Layer.provide(Runner.layer({ host: "127.0.0.1", port })),
    Layer.provide(Runner.layerStorage({ account: budget.account, address }))
  )
  return Layer.provide(isGateway ? machine : direct, sql)
}

const ask = (number: number) =>
  Effect.fromResult(query("AAPL", number)).pipe(
    Effect.orDie,
    Effect.flatMap(MarketData.run),
    Effect.provide(RetryPolicy.layerNone),
    Effect.exit,
    Effect.map(Exit.match({
      onSuccess: () => "answered",
      onFailure: (cause) => {
        const error = Cause.findErrorOption(cause)
        if (Option.isNone(error)) return `Defect ${Cause.pretty(cause)}`
        const { reason } = error.value
        return "detail" in reason ? `${reason._tag}: ${reason.detail}` : reason._tag
      }
    }))
  )

const program = (task: Task, ending: Deferred.Deferred<void>) =>
  Effect.gen(function*() {
    let calls = task.life * 20_000
    const turns = monitorEventLoopDelay()
    turns.enable()
    const caller = Effect.gen(function*() {
      yield* Effect.sleep(yield* Random.nextIntBetween(0, 500))
      const began = performance.now()
      const outcome = yield* ask(calls++)
      const { rss } = process.memoryUsage()
      console.log(JSON.stringify({ outcome, milliseconds: performance.now() - began, rss, turn: turns.max / 1e6 }))
      turns.reset()
    })
    console.log("ready")
    const asking = Effect.whileLoop({ while: () => !Deferred.isDoneUnsafe(ending), body: () => caller, step: () => {} })
    const all = Effect.replicateEffect(asking, task.callers, { concurrency: "unbounded", discard: true })
    const callers = yield* Effect.forkChild(all)
    yield* Deferred.await(ending)
    yield* Fiber.join(callers)
  }).pipe(Effect.provide(client(task)), Effect.provideService(References.MinimumLogLevel, "Error"))

if (process.argv[1] === file) {
  const task: Task = JSON.parse(process.argv[2]!)
  const now = Date.now
  Date.now = () => now() + task.ahead * 1000
  const ending = Deferred.makeUnsafe<void>()
  process.stdin.on("end", () => {
    Deferred.doneUnsafe(ending, Effect.void)
    // Who waits for it may be gone, and the database too.
    setTimeout(() => process.exit(1), 60_000).unref()
  }).resume()
  NodeRuntime.runMain(program(task, ending))
}
