import { Job, Runner } from "@effect-marketdata/cluster"
import * as Sqlite from "@effect-marketdata/sql/Sqlite"
import * as PgClient from "@effect/sql-pg/PgClient"
import { Context, Effect, Fiber, Layer, Redacted } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as SqlClient from "effect/sql/SqlClient"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import * as TestClock from "effect/testing/TestClock"
import { once } from "node:events"
import * as Net from "node:net"
import { assert, it, vi } from "../../core/test/support/it.ts"

const answer = Effect.succeed([])
const refused = Effect.fail(
  new SqlError({ reason: new ConnectionError({ message: "refused", operation: "connect", cause: undefined }) })
)

/** Whether a runner ends within a number of seconds whose database answers each statement of its own in this way. */
const endsWithin = (seconds: number, says: () => Effect.Effect<ReadonlyArray<never>, SqlError>) =>
  Effect.gen(function*() {
    let ended = false
    const whenSilent = Effect.sync(() => void (ended = true))
    const database = yield* Layer.build(Layer.fresh(Sqlite.layer({ filename: ":memory:" })))
    const sql = Context.get(database, SqlClient.SqlClient)
    const asked = new Proxy(sql, {
      apply: (target, self, args) =>
        String(args[0]).includes("SELECT 1 AS one") ? Effect.suspend(says) : Reflect.apply(target, self, args)
    })
    yield* Layer.build(Layer.fresh(Runner.layerStorage({ account: "main", address: "one", whenSilent }))).pipe(
      Effect.provideService(SqlClient.SqlClient, asked)
    )
    for (let second = 0; second < seconds; second++) yield* TestClock.adjust("1 second")
    return ended
  }).pipe(Effect.scoped)

it.effect("ends after three leases, and not before", function*() {
  assert.isFalse(yield* endsWithin(14, () => Effect.never))
  assert.isTrue(yield* endsWithin(16, () => Effect.never))
})

it.effect("ends where its connections are given up again and again", function*() {
  assert.isTrue(yield* endsWithin(20, () => Effect.delay(refused, "6 seconds")))
})

it.effect("goes on where the database answers, or refuses, however often it was silent for less", function*() {
  assert.isFalse(yield* endsWithin(60, () => answer))
  assert.isFalse(yield* endsWithin(60, () => refused))
  let asked = 0
  assert.isFalse(yield* endsWithin(60, () => Effect.delay(answer, asked++ % 2 === 0 ? "10 seconds" : 0)))
})

it.live("fails a statement that nobody answers, and drops its connection", function*() {
  const closed: Array<Promise<unknown>> = []
  const server = Net.createServer((socket) => {
    closed.push(once(socket.resume(), "close"))
  }).listen(0, "127.0.0.1")
  yield* Effect.promise(() => once(server, "listening"))
  yield* Effect.addFinalizer(() => Effect.sync(() => server.close()))
  const { port } = server.address() as Net.AddressInfo
  const url = Redacted.make(`postgresql://nobody@192.0.2.1:1/none?host=127.0.0.1&port=${port}`)
  const sql = yield* PgClient.make({ ...Runner.postgres({ url, silence: "50 millis" }), connectTimeout: "1 hour" })
  const error = yield* Effect.flip(sql`SELECT 1`)
  assert.match(String(error.reason.cause), /the database said nothing for 50 ms/)
  yield* Effect.promise(() => closed[0]!)
}, Reactivity.layer)

it.effect("a job of which a server says nothing is asked for a minute, and not for ever", function*() {
  const made = { acquirer: Effect.never, compiler: PgClient.makeCompiler(), driver: "pg", spanAttributes: [] }
  const sql = yield* SqlClient.make(made)
  yield* Effect.addFinalizer(() => Effect.sync(() => vi.useRealTimers()))
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
  const asking = Effect.provideService(Effect.flip(Job.progress("SPX")), SqlClient.SqlClient, sql)
  const asked = yield* Effect.forkChild(asking, { startImmediately: true })
  yield* Effect.promise(() => vi.advanceTimersByTimeAsync(60_000))
  assert.include((yield* Fiber.join(asked)).message, "the database has not answered within 60 seconds")
}, Reactivity.layer)
