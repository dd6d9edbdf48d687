import * as RetryBudget from "@effect-marketdata/client/RetryBudget"
import type * as Retry from "@effect-marketdata/core/Retry"
import * as SqlRetryBudget from "@effect-marketdata/sql/SqlRetryBudget"
import { Context, Effect, Layer } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"
import { forAllAsync, runs } from "../../core/test/support/depth.ts"
import { assert, it } from "../../core/test/support/it.ts"
import { type Database, sqlite } from "./support/databases.ts"
import { test } from "./support/onDatabase.ts"

/** A budget with a client of its own, as another program has it. */
const opened = Effect.fnUntraced(function*(database: Database, allowance: Partial<Retry.Allowance> = {}) {
  const sql = Context.get(yield* Layer.build(database.open), SqlClient.SqlClient)
  const own = Effect.provideService(SqlClient.SqlClient, sql)
  const budget = yield* SqlRetryBudget.make({ account: "main", ...allowance }).pipe(own, Effect.orDie)
  return { ...budget, sql }
})

const many = (count: number, take: Effect.Effect<boolean>) =>
  Effect.map(Effect.all(Array.from({ length: count }, () => take)), (taken) => taken.filter(Boolean).length)

test("is one for all programs, and outlives them", function*(database) {
  const allowance = { tokens: 5, perSecond: 0 }
  const [one, two] = [yield* opened(database, allowance), yield* opened(database, allowance)]
  assert.deepStrictEqual([yield* many(3, one.take), yield* many(5, two.take)], [3, 2])
  const three = yield* opened(database, { tokens: 100, perSecond: 0 })
  assert.isFalse(yield* three.take)
})

test("has no retry left while the database cannot be used, and fails nothing", function*(database) {
  const { sql, take } = yield* opened(database)
  yield* sql`UPDATE marketdata_shared SET text = ${"unreadable"}`
  assert.isFalse(yield* take)
  yield* sql`DROP TABLE marketdata_shared`
  assert.isFalse(yield* take)
})

test("needs the name of an account", function*(database) {
  const made = SqlRetryBudget.make({} as SqlRetryBudget.Options)
  const { message } = yield* Effect.flip(Effect.provide(made, database.open))
  assert.include(message, "account undefined must be a string of 1 to 100 characters")
})

it("gives what the budget in memory gives, whatever is taken when", () => {
  const amount = fc.constantFrom(0, 1, 2.5, 3, Infinity, NaN, -1)
  const allowance = fc.record({ tokens: amount, perSecond: amount })
  return forAllAsync(
    { numRuns: runs(50, 20), seed: 56_002 },
    allowance,
    fc.array(fc.constantFrom(0, 0, 0, 300, 1000, 60_000), { maxLength: 15 }),
    (allowance, waits) =>
      Effect.runPromise(
        Effect.gen(function*() {
          const memory = yield* RetryBudget.makeMemory(allowance)
          const kept = yield* opened(yield* sqlite.make, allowance)
          for (const wait of waits) {
            yield* TestClock.adjust(wait)
            assert.strictEqual(yield* kept.take, yield* memory.take)
          }
        }).pipe(Effect.scoped, Effect.provide(TestClock.layer()))
      )
  )
})
