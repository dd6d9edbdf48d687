/** A server that does not answer is given up after 8 seconds of the machine's clock, whatever it was asked; timers are moved, and nobody sleeps. */
import { SqlIpGuard, Tables } from "@effect-marketdata/sql"
import * as PgClient from "@effect/sql-pg/PgClient"
import { Cause, Effect, Exit, Fiber, Stream } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as SqlClient from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import { isSqlError } from "effect/sql/SqlError"
import { assert, it, vi } from "../../core/test/support/it.ts"
import * as Transaction from "../src/database/transaction.ts"

/** A server that answers nothing from the first statement on in which a text stands: which statements it got, and which were interrupted. */
const silentFrom = (text: string) => {
  const [asked, interrupted]: ReadonlyArray<Array<string>> = [[], []]
  let isSilent = false
  const answer = (statement: string) =>
    Effect.suspend(() => {
      asked!.push(statement)
      isSilent ||= statement.includes(text)
      return isSilent
        ? Effect.onInterrupt(Effect.never, () => Effect.sync(() => void interrupted!.push(statement)))
        : Effect.succeed([])
    })
  const prepared = { execute: answer, executeRaw: answer, executeValues: answer }
  const unprepared = { executeUnprepared: answer, executeValuesUnprepared: answer }
  const connection: Connection = { ...prepared, ...unprepared, executeStream: () => Stream.empty }
  const client = SqlClient.make({
    acquirer: Effect.succeed(connection),
    compiler: PgClient.makeCompiler(),
    driver: "pg",
    spanAttributes: []
  }).pipe(Effect.provide(Reactivity.layer))
  return { asked: asked!, client, interrupted: interrupted! }
}

/** After how many seconds a transaction on such a server ends, and how. */
const endOf = (
  server: ReturnType<typeof silentFrom>,
  asking: (sql: SqlClient.SqlClient) => Effect.Effect<unknown, unknown>
) =>
  Effect.gen(function*() {
    const faked = Effect.sync(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }))
    yield* Effect.acquireRelease(faked, () => Effect.sync(() => vi.useRealTimers()))
    const sql = yield* server.client
    // Detached, since nothing ends one that is not given up.
    const fiber = yield* Effect.forkDetach(Effect.exit(asking(sql)), { startImmediately: true })
    for (let seconds = 0; seconds <= 60; seconds++) {
      yield* Effect.promise(() => new Promise((resume) => setImmediate(resume)))
      const exit = fiber.pollUnsafe()
      if (exit !== undefined) return { seconds, exit: yield* Fiber.join(fiber), timers: vi.getTimerCount() }
      yield* Effect.promise(() => vi.advanceTimersByTimeAsync(1000))
    }
    return yield* Effect.die("it was not given up within a minute")
  }).pipe(Effect.scoped)

const isLate = (exit: Exit.Exit<unknown, unknown>): boolean => {
  const error = Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
  return isSqlError(error) && error.reason._tag === "StatementTimeoutError" &&
    error.reason.message === "the database has not answered within 8 seconds"
}

for (const text of ["BEGIN", "SELECT 1", "COMMIT"]) {
  it.effect(`a server that is silent from ${text} on is given up after 8 seconds, and its connection with the statement`, function*() {
    const server = silentFrom(text)
    const { exit, seconds } = yield* endOf(server, (sql) => Transaction.run(sql, sql`SELECT 1`))
    assert.isTrue(isLate(exit))
    // What was begun is undone, which is given up as well.
    assert.deepStrictEqual([seconds, server.asked.at(-1)], [16, "ROLLBACK"])
    assert.include(server.interrupted[0], text)
    assert.strictEqual(server.interrupted.at(-1), "ROLLBACK")
  })
}

it.effect("a silent server is given up after 8 seconds where it is only read", function*() {
  const server = silentFrom("SELECT 1")
  const { exit, seconds } = yield* endOf(server, (sql) => Transaction.inTime(sql, sql`SELECT 1`))
  assert.isTrue(isLate(exit))
  assert.strictEqual(seconds, 8)
  assert.deepStrictEqual(server.interrupted, server.asked)
})

it.effect("a silent server is waited for once by all calls that a guard lets wait", function*() {
  const { exit, seconds } = yield* endOf(
    silentFrom("FOR UPDATE"),
    (sql) =>
      SqlIpGuard.make({ account: "main", address: "A" }).pipe(
        Effect.flatMap(({ admit }) =>
          Effect.all(Array.from({ length: 10 }, () => Effect.flip(admit)), { concurrency: "unbounded" })
        ),
        Effect.scoped,
        Effect.provideService(SqlClient.SqlClient, sql)
      )
  )
  assert.isTrue(Exit.isSuccess(exit))
  assert.isBelow(seconds, 20)
})

it.effect("a silent server is not what a distant one is taken for: the tables are made in a few round trips", function*() {
  const { asked, client } = silentFrom("nothing")
  yield* Effect.provideService(Tables.migrate, SqlClient.SqlClient, yield* client)
  assert.isBelow(asked.length - asked.findLastIndex((text) => text.startsWith("BEGIN")), 8)
})

it.effect("a silent server costs nothing where it answers", function*() {
  const end = yield* endOf(silentFrom("nothing"), (sql) => Transaction.run(sql, sql`SELECT 1`))
  assert.isTrue(Exit.isSuccess(end.exit))
  assert.deepInclude(end, { seconds: 0, timers: 0 })
})
