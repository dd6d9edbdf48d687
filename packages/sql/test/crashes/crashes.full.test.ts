import { assert, it } from "@effect/vitest"
import { Effect, Random } from "effect"
import { join } from "node:path"
import { folder } from "../support/databases.ts"
import * as Books from "./books.ts"
import * as Round from "./round.ts"
import * as Service from "./service.ts"

it.live("leave a ledger that holds all that was billed, and no more than the budget", () =>
  Effect.gen(function*() {
    const path = yield* folder
    const { books, outcomes } = yield* Round.play(
      {
        database: join(path, "credits.db"),
        name: "a small round",
        seed: "1",
        programs: 2,
        callers: 30,
        kills: 1,
        killWithin: 2500,
        allowance: 80,
        leaseSeconds: 2
      },
      yield* Service.start("30 millis")
    )
    assert.deepStrictEqual(Books.complaints(books), [])
    assert.isAbove(books.requests, 20, "nothing was asked")
    assert.isAbove(outcomes["CreditBudgetExceeded"] ?? 0, 0, "the budget was not contested")
  }).pipe(Effect.scoped, Random.withSeed(1)), 300_000)

it("are told where the books do not agree", () => {
  const ledger = { charged: 3, uncertain: 2, reserved: 0, overdrawn: 0, allowance: 5, sent: 3, lost: 1 }
  const books: Books.Books = { requests: 3, billed: 5, ...ledger }
  const told = (change: Partial<Books.Books>) => Books.complaints({ ...books, ...change })
  assert.deepStrictEqual(told({}), [])
  assert.deepStrictEqual(told({ requests: 4 }), ["4 requests reached the service, and 3 are in the ledger"])
  assert.deepStrictEqual(told({ reserved: 1 }), ["1 credits are still reserved"])
  assert.deepStrictEqual(told({ billed: 2 }), ["3 credits are recorded as charged, and 2 were billed"])
  assert.lengthOf(told({ billed: 6 }), 2)
  assert.lengthOf(told({ billed: 6, uncertain: 3 }), 2)
  assert.lengthOf(told({ billed: 6, uncertain: 3, overdrawn: 1 }), 0)
})
