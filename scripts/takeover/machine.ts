/**
 * A machine of an application: callers that ask one query after another, and a runner that sends for all machines while the account is with it;
 * or, as the control, a client of its own. It says how each call ended and after how many milliseconds, until its input ends.
 */
import * as MarketData from "@effect-marketdata/client/MarketData"
import * as RetryPolicy from "@effect-marketdata/client/RetryPolicy"
import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as Gateway from "@effect-marketdata/cluster/Gateway"
import * as Runner from "@effect-marketdata/cluster/Runner"
import * as SqlIpGuard from "@effect-marketdata/sql/SqlIpGuard"
import * as SqlLedger from "@effect-marketdata/sql/SqlLedger"
import * as NodeClusterSocket from "@effect/platform-node/NodeClusterSocket"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import * as Redacted from "effect/Redacted"
import * as References from "effect/References"
import { fileURLToPath } from "node:url"

/** What a machine is to do. Its clock is `ahead` by so many seconds. No other task has its `life`. */
export interface Task {
  readonly baseUrl: string
  readonly token: string
  readonly database: string
  readonly budget: SqlLedger.BudgetOptions
  readonly isGateway: boolean
  readonly address: string
  readonly port: number
  readonly ahead: number
  readonly callers: number
  readonly life: number
}

/** The file to run, with a task as JSON behind it. */
export const file = fileURLToPath(import.meta.url)

const client = ({ address, baseUrl, budget, database, isGateway, port, token }: Task) => {
  const sql = Layer.orDie(PgClient.layer({ url: Redacted.make(database), maxConnections: 5 }))
  const direct = MarketData.layer({ baseUrl, token: Redacted.make(token), maxInFlight: 50 }).pipe(
    Layer.provide(SqlLedger.layer(budget)),
    Layer.provide(NodeHttpClient.layerNodeHttpOptions({ localAddress: address, keepAlive: true }))
  )
  const place = { host: "127.0.0.1", port }
  const guard = SqlIpGuard.layer({ account: budget.account, address, lease: budget.lease })
  const gateway = Gateway.layer({ account: budget.account }).pipe(
    Layer.provideMerge(Layer.provide(Gateway.layerEntity(), Layer.provideMerge(direct, guard))),
    Layer.provide(Layer.provide(NodeClusterSocket.layer(Runner.options(place)), Runner.layerJoin(place)))
  )
  return Layer.provide(isGateway ? gateway : direct, sql)
}

/** The first day of the candles that are asked for: a query of each call, so that none looks like another's. */
const firstDay = CalendarDate.makeUnsafe(2010, 1, 4)

const query = (number: number) => {
  const from = CalendarDate.addDays(firstDay, number % 4000)
  return MarketData.stockCandles("D", "AAPL", { from, to: CalendarDate.addDays(from, 5 + Math.floor(number / 4000)) })
}

const ask = (number: number) =>
  query(number).pipe(
    Effect.provide(RetryPolicy.layerNone),
    Effect.exit,
    Effect.map(Exit.match({
      onSuccess: () => "answered",
      onFailure: (cause) => {
        const error = Cause.findErrorOption(cause)
        return Option.isSome(error) ? error.value.reason._tag : `Defect ${Cause.pretty(cause)}`
      }
    }))
  )

const program = (task: Task, ending: Deferred.Deferred<void>) =>
  Effect.gen(function*() {
    let calls = task.life * 20_000
    const caller = Effect.gen(function*() {
      yield* Effect.sleep(yield* Random.nextIntBetween(0, 500))
      const began = performance.now()
      const outcome = yield* ask(calls++)
      console.log(JSON.stringify({ outcome, milliseconds: performance.now() - began }))
    })
    console.log("ready")
    const callers = yield* Effect.forkChild(Effect.forEach(
      Array.from({ length: task.callers }),
      () => Effect.whileLoop({ while: () => !Deferred.isDoneUnsafe(ending), body: () => caller, step: () => {} }),
      { concurrency: "unbounded" }
    ))
    yield* Deferred.await(ending)
    yield* Fiber.join(callers)
  }).pipe(
    Effect.provide(client(task)),
    Effect.provideService(References.MinimumLogLevel, "Error")
  )

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
  await Effect.runPromise(program(task, ending))
  process.exit()
}
