/** Programs with one ledger and different clocks: whose is wrong nobody is asked, and none of them gets past the allowance by it. */
import { Clock, Effect, Random } from "effect"
import * as TestClock from "effect/testing/TestClock"
import { runs } from "../../core/test/support/depth.ts"
import { assert, it } from "../../core/test/support/it.ts"
import { kind, pass, setTime, sqlite } from "./support/databases.ts"
import { ahead, elapse, mortal, opened, renewed, spend } from "./support/ledgers.ts"
import { test } from "./support/onDatabase.ts"

/** 2026-11-20, 12:00 in New York, in epoch milliseconds: the day's window began at 9:30. */
const noon = Date.UTC(2026, 10, 20, 17)

test("programs with one ledger spend one allowance where one is 25 hours ahead, which is named", function*(database) {
  yield* setTime(database, noon)
  const right = yield* opened(database, { window: "day" })
  const wrong = yield* opened(database, { window: "day" }).pipe(ahead(25))
  let charged = 0
  const failures = new Set<string>()
  for (let turn = 0; turn < 12; turn++) {
    yield* pass(database, "1 second")
    for (const spent of [spend(right.ledger, 50, 50), spend(wrong.ledger, 50, 50).pipe(ahead(25))]) {
      yield* Effect.match(spent, {
        onFailure: (error) => void failures.add(error._tag === "LedgerUnavailable" ? error.message : error._tag),
        onSuccess: () => void (charged += 50)
      })
    }
  }
  assert.strictEqual(charged, 100)
  if (kind === sqlite) {
    const messages = [...failures].join()
    assert.match(messages, /this program is 25\.0 hours ahead of that of .*2026-11-21T18.*set the wrong one right/)
  }
})

test("programs with one ledger, each a day ahead or back, have at most the allowance of two days", function*(database) {
  yield* setTime(database, noon)
  let charged = 0
  for (let turn = 0; turn < 12; turn++) {
    yield* Effect.gen(function*() {
      const { close, ledger } = yield* opened(database, { window: "day" })
      yield* Effect.ignore(Effect.andThen(spend(ledger, 50, 50), Effect.sync(() => void (charged += 50))))
      yield* close
    }).pipe(ahead(turn % 2 === 0 ? 0 : 25))
    yield* pass(database, "1 second")
  }
  assert.isAtLeast(charged, 100)
  assert.isAtMost(charged, kind === sqlite ? 200 : 100)
})

test("programs with one ledger are not starved by one that was half an hour ahead and has ended", function*(database) {
  yield* setTime(database, noon)
  const wrong = yield* opened(database, { window: "minute" }).pipe(ahead(0.5))
  yield* spend(wrong.ledger, 100, 100).pipe(ahead(0.5))
  yield* wrong.close
  const { ledger } = yield* opened(database, { window: "minute" })
  assert.strictEqual((yield* Effect.flip(spend(ledger, 1, 1)))._tag, "CreditBudgetExceeded")
  yield* pass(database, "61 seconds")
  yield* spend(ledger, 100, 100)
})

test("programs with one ledger keep claims and history from one that is 91 days ahead", function*(database) {
  yield* setTime(database, noon)
  const right = yield* opened(database, { lease: "1 day" })
  for (let day = 0; day < 3; day++) {
    yield* spend(right.ledger, 1, 1)
    yield* pass(database, "1 day")
  }
  const counted = Effect.orDie(right.sql<{ count: number }>`SELECT COUNT(*) AS count FROM marketdata_event`)
  const count = Effect.map(counted, ([row]) => Number(row?.count))
  // Four events each, none of them older than the ledger keeps them.
  assert.strictEqual(yield* count, 12)
  const wrong = yield* opened(database).pipe(ahead(91 * 24))
  yield* Effect.ignore(spend(wrong.ledger, 1, 1).pipe(ahead(91 * 24)))
  for (let turn = 0; turn < 5; turn++) yield* pass(database, "1 hour")
  assert.isAtLeast(yield* count, 12)
})

test("programs with one ledger close what others left behind, and nothing else", function*(database) {
  yield* setTime(database, noon)
  const options = { lease: "5 seconds" } as const
  const [dead, slow, alive] = [
    yield* mortal(database, options),
    yield* mortal(database, options),
    yield* opened(database, options)
  ]
  yield* Effect.flatMap(dead.ledger.reserve(10), ({ send }) => send(10, 0))
  const held = yield* alive.ledger.reserve(20)
  yield* held.send(20, 0)
  const pass = (seconds: number) => Effect.andThen(elapse(alive, seconds), renewed(alive, 4))
  yield* pass(3)
  const late = yield* slow.ledger.reserve(30)
  yield* late.send(30, 0)
  // The lease of the first is over, and only its.
  yield* pass(3)
  assert.deepInclude(yield* alive.ledger.balance, { uncertain: 10, reserved: 50 })
  // Who asks is alive, however late it renews, and also where it closes what another left behind.
  yield* Effect.flatMap(dead.ledger.reserve(5), ({ send }) => send(5, 0))
  yield* pass(6)
  yield* late.charge({ credits: 3 }, 0)
  assert.deepInclude(yield* slow.ledger.balance, { charged: 3, uncertain: 15 })
  yield* held.charge({ credits: 2 }, 0)
  assert.deepInclude(yield* alive.ledger.balance, { charged: 5, uncertain: 15 })
})

it.effect("programs whose clocks are two minutes apart share the minutes of the one that is ahead: one allowance more than there are minutes, and not one in each", function*() {
  const database = yield* sqlite.make
  yield* setTime(database, noon)
  const right = yield* opened(database, { window: "minute" })
  const fast = yield* opened(database, { window: "minute" }).pipe(ahead(1 / 30))
  let charged = 0
  for (let turn = 0; turn < 60; turn++) {
    for (const spent of [spend(right.ledger, 100, 100), spend(fast.ledger, 100, 100).pipe(ahead(1 / 30))]) {
      yield* Effect.ignore(Effect.andThen(spent, Effect.sync(() => void (charged += 100))))
    }
    yield* pass(database, "10 seconds")
  }
  assert.strictEqual(charged, 100 * (10 + 1))
})

const story = (seed: number) =>
  Effect.gen(function*() {
    const database = yield* sqlite.make
    yield* setTime(database, noon)
    const oneOf = <A>(values: ReadonlyArray<A>) =>
      Effect.map(Random.nextIntBetween(0, values.length - 1), (at) => values[at]!)
    const count = yield* Random.nextIntBetween(2, 5)
    const programs = yield* Effect.forEach(Array.from({ length: count }, (_, at) => at), (at) =>
      Effect.gen(function*() {
        // The first one is right and spends first: of clocks that are all wrong alike nobody can tell.
        const hours = at === 0 ? 0 : yield* oneOf([0, 0.05, -0.05, 0.5, -0.5, 25, -25, 91 * 24])
        return { hours, ...yield* opened(database, { window: "day", lease: "1 day" }).pipe(ahead(hours)) }
      }))
    const spent: Array<readonly [time: number, credits: number]> = []
    for (let step = 0; step < 25; step++) {
      const { hours, ledger } = step === 0 ? programs[0]! : yield* oneOf(programs)
      const credits = yield* oneOf([10, 40, 100])
      const time = yield* Clock.currentTimeMillis
      yield* spend(ledger, credits, credits).pipe(
        ahead(hours),
        Effect.andThen(Effect.sync(() => void spent.push([time, credits]))),
        Effect.ignore
      )
      yield* TestClock.adjust(yield* oneOf(["1 second", "10 minutes", "2 hours"] as const))
    }
    // In a window by true time; which one it is may be told some minutes early or late.
    const windows = new Map<number, number>()
    for (const [time, credits] of spent) {
      const since = (time - Date.UTC(2026, 10, 20, 14, 30)) / 86_400_000
      if (Math.abs(since - Math.round(since)) < 600 / 86_400) continue
      windows.set(Math.floor(since), (windows.get(Math.floor(since)) ?? 0) + credits)
    }
    for (const [window, credits] of windows) assert.isAtMost(credits, 100, `seed ${seed}, window ${window}`)
    return spent.length
  }).pipe(Effect.scoped, Random.withSeed(seed))

for (const part of [0, 1, 2, 3]) {
  it.effect(`programs whose clocks are drawn never spend more than the allowance in a window of true time, and always something (${part + 1} of 4)`, function*() {
    for (let seed = 1; seed <= runs(3, 1); seed++) assert.isAbove(yield* story(1000 * part + seed), 0)
  })
}
