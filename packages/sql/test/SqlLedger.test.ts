import { Claim, CreditLedger } from "@effect-marketdata/client"
import * as Query from "@effect-marketdata/core/Query"
import * as SqlLedger from "@effect-marketdata/sql/SqlLedger"
import { Effect, Fiber, Layer, Result, Stream } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as TestClock from "effect/testing/TestClock"
import { assert, it } from "../../core/test/support/it.ts"
import * as Leases from "../src/ledger/leases.ts"
import { type Database, inCamelCase, kind, pass, servers, setTime, soon } from "./support/databases.ts"
import { ahead, elapse, historyOf, mortal, opened, renewed, spend } from "./support/ledgers.ts"
import { test } from "./support/onDatabase.ts"

const query = Result.getOrThrow(Query.optionChain("SPX", { dte: 30, strikeLimit: 25 }))
const prices = Result.getOrThrow(Query.stockPrices(["AAPL", "MSFT"]))

test("is one budget for all programs, and another for each account and name", function*(database) {
  const [one, two] = [yield* opened(database), yield* opened(database)]
  yield* Effect.andThen(one.ledger.reserve(40), spend(one.ledger, 20, 20))
  const refused = yield* Effect.flip(two.ledger.reserve(41))
  assert.deepInclude(refused, { _tag: "CreditBudgetExceeded", available: 40 })
  const named = yield* opened(database, { budget: "research" })
  const other = yield* opened(database, { account: "other" })
  assert.deepInclude(yield* named.ledger.balance, { available: 100 })
  assert.deepInclude(yield* other.ledger.balance, { available: 100 })
})

test("goes by the allowance of each program, and by what all of them spent", function*(database) {
  const large = yield* opened(database, { allowance: 1000 })
  yield* spend(large.ledger, 40, 40)
  const small = yield* opened(database, { allowance: 50 })
  assert.deepInclude(yield* small.ledger.balance, { allowance: 50, available: 10 })
  assert.deepInclude(yield* large.ledger.balance, { allowance: 1000, available: 960 })
})

test("is renewed with its window, whoever notices first", function*(database) {
  yield* setTime(database, Date.UTC(2026, 10, 20, 17))
  // Leases that are not renewed for all those hours.
  const options = { window: "day", lease: "1 day" } as const
  const one = yield* opened(database, options)
  yield* spend(one.ledger, 100, 100)
  yield* pass(database, "22 hours")
  const two = yield* opened(database, options)
  assert.deepInclude(yield* two.ledger.balance, { charged: 0, available: 100 })
  yield* spend(two.ledger, 10, 10)
  assert.deepInclude(yield* one.ledger.balance, { charged: 10, available: 90 })
})

test("waits for no time that a wrong clock has shown, and counts what was spent then", function*(database) {
  const today = Date.UTC(2026, 10, 20, 17)
  yield* setTime(database, today + 400 * 86_400_000)
  const wrong = yield* opened(database, { window: "day" })
  yield* spend(wrong.ledger, 30, 30)
  yield* wrong.close
  yield* setTime(database, today)
  const { ledger } = yield* opened(database, { window: "day" })
  assert.deepInclude(yield* ledger.balance, { available: 70, ends: today / 1000 + 77_400 })
})

test("spends a budget once where the clock is set back, or was ahead for a while", function*(database) {
  // Hours from noon, what is spent then, and what the window has spent after it: what was spent ahead counts in both.
  const times = [[0, 60, 60], [-1, 0, 60], [-24, 0, 60], [24, 30, 30], [0, 10, 100], [24, 70, 100]] as const
  for (const [hours, credits, charged] of times) {
    yield* setTime(database, Date.UTC(2026, 10, 20, 17 + hours))
    const other = yield* opened(database, { window: "day", budget: "other" })
    yield* Effect.andThen(spend(other.ledger, 1, 1), other.close)
    const { close, ledger } = yield* opened(database, { window: "day" })
    yield* spend(ledger, credits, credits)
    assert.deepInclude(yield* ledger.balance, { charged, available: 100 - charged })
    assert.deepInclude(yield* Effect.flip(ledger.reserve(101 - charged)), { _tag: "CreditBudgetExceeded" })
    yield* close
  }
})

test("a lease of a program that dies is over in time, though the clock was set back since", function*(database) {
  yield* setTime(database, Date.UTC(2026, 10, 20, 19))
  const dead = yield* mortal(database)
  yield* dead.ledger.reserve(60)
  yield* setTime(database, Date.UTC(2026, 10, 20, 17))
  yield* dead.ledger.reserve(1)
  yield* pass(database, "61 seconds")
  assert.deepInclude(yield* (yield* opened(database)).ledger.balance, { reserved: 0, available: 100 })
})

for (
  const [names, of] of [["", (database: Database) => database], [", with names in camel case", inCamelCase]] as const
) {
  test(
    `a lease holds what a dead program had in flight, and then counts it as uncertain and frees the rest${names}`,
    function*(given) {
      const database = of(given)
      const dead = yield* mortal(database, { askedBy: "dead" })
      const reservation = yield* dead.ledger.reserve(60, query)
      yield* reservation.send(40, 0)
      const heir = yield* opened(database, { askedBy: "heir" })
      assert.deepInclude(yield* heir.ledger.balance, { reserved: 60, uncertain: 0, available: 40 })
      yield* elapse(heir, 40)
      assert.deepInclude(yield* heir.ledger.balance, { reserved: 60, uncertain: 0, available: 40 })
      yield* elapse(heir, 20)
      assert.deepInclude(yield* heir.ledger.balance, { reserved: 0, uncertain: 40, available: 60 })
      const entries = yield* historyOf(heir.sql)
      assert.deepStrictEqual(
        entries.map(({ askedBy, event }) => [askedBy, event._tag, "query" in event && event.query !== undefined]),
        ["Reserved", "Sent", "Lost", "Settled"].map((tag) => ["dead", tag, true])
      )
    }
  )
}

for (const { make, name } of servers) {
  it.effect(`a lease is renewed the next time where a step has its row, so that neither waits for the other, on ${name}`, function*() {
    const database = yield* make
    const [{ ledger, sql }, step] = [yield* mortal(database), yield* opened(database)]
    yield* Effect.andThen(ledger.reserve(1), ledger.reserve(1))
    const [lease] = yield* sql<{ owner: string }>`SELECT owner FROM marketdata_lease`
    const renewing = Leases.renew(sql, { account: "main", budget: "", askedBy: "", ...lease! }, 600, (page) => page)
    const having = step.sql`SELECT state FROM marketdata_lease WHERE reservation = 1 FOR UPDATE`
    yield* step.sql.withTransaction(Effect.andThen(having, renewing))
    const rows = yield* sql<{ reservation: unknown }>`SELECT reservation FROM marketdata_lease ORDER BY expires`
    assert.deepStrictEqual(rows.map(({ reservation }) => Number(reservation)), [1, 2])
  })
}

test("a lease is renewed for as long as a program lives", function*(database) {
  const living = yield* opened(database)
  const reservation = yield* living.ledger.reserve(60)
  yield* reservation.send(60, 0)
  const other = yield* opened(database)
  for (let minute = 0; minute < 5; minute++) {
    for (let beat = 0; beat < 3; beat++) yield* Effect.andThen(elapse(other, 20), renewed(other, 45))
    assert.deepInclude(yield* other.ledger.balance, { reserved: 60, uncertain: 0 })
  }
  yield* reservation.charge({ credits: 10 }, 0)
  yield* reservation.settle
  assert.deepInclude(yield* other.ledger.balance, { reserved: 0, charged: 10, available: 90 })
})

test("a lease is one of its ledger: another budget has its own under the same number", function*(database) {
  const [main, dead] = [yield* opened(database), yield* mortal(database, { budget: "b" })]
  for (const { ledger } of [main, dead]) yield* Effect.flatMap(ledger.reserve(20), ({ send }) => send(20, 0))
  yield* Effect.andThen(elapse(main, 60), renewed(main, 45))
  assert.deepInclude(yield* (yield* opened(database, { budget: "b" })).ledger.balance, { reserved: 0, uncertain: 20 })
  assert.deepInclude(yield* (yield* opened(database)).ledger.balance, { reserved: 20, uncertain: 0 })
})

test("a lease that is over lets its owner send nothing more, and records nothing twice", function*(database) {
  const asleep = yield* mortal(database)
  const reservation = yield* asleep.ledger.reserve(60)
  yield* reservation.send(40, 0)
  const other = yield* opened(database)
  yield* elapse(other, 120)
  yield* other.ledger.balance
  // It wakes up, and its reply is there.
  yield* reservation.charge({ credits: 30 }, 0)
  const reason = yield* Effect.flip(reservation.send(20, 1))
  assert.deepInclude(reason, { _tag: "LedgerUnavailable", detail: "the query's reservation is closed" })
  yield* reservation.settle
  assert.deepInclude(yield* other.ledger.balance, { charged: 0, uncertain: 40, reserved: 0, available: 60 })
})

test("a lease is no longer than its program where that ends in order", function*(database) {
  const [leaving, { ledger }] = [yield* opened(database), yield* opened(database)]
  yield* Effect.flatMap(leaving.ledger.reserve(60), ({ send }) => send(40, 0))
  yield* ledger.reserve(15)
  yield* leaving.close
  assert.deepInclude(yield* ledger.balance, { reserved: 15, uncertain: 40, available: 45 })
})

test("history tells each program what the others do, from the latest events on", function*(database) {
  const one = yield* opened(database, { budget: "desk", history: 2 })
  const two = yield* opened(database, { budget: "desk" })
  yield* spend((yield* opened(database)).ledger, 9, 9)
  yield* spend(two.ledger, 5, 5, query)
  const seen: Array<string> = []
  const reader = yield* Effect.forkChild(
    Stream.runForEach(one.ledger.history, ({ _tag, number }) => Effect.sync(() => seen.push(`${number} ${_tag}`)))
  )
  const left: Array<number> = []
  const changes = yield* Effect.forkChild(
    Stream.runForEach(one.ledger.changes, ({ available }) => Effect.sync(() => left.push(available)))
  )
  while (seen.length < 2 || left.length < 1) yield* soon
  yield* spend(two.ledger, 5, 3, query)
  while (seen.length < 6 || left.at(-1) !== 92) yield* Effect.andThen(TestClock.adjust("1 second"), soon)
  yield* Fiber.interrupt(reader)
  yield* Fiber.interrupt(changes)
  assert.deepStrictEqual(seen, ["3 Charged", "4 Settled", "5 Reserved", "6 Sent", "7 Charged", "8 Settled"])
  assert.strictEqual(left[0], 95)
})

test("history says what was spent, by whom, on what and when", function*(database) {
  yield* setTime(database, 1_000_000)
  const notebook = yield* opened(database, { askedBy: "notebook", allowance: 1000 })
  const desk = yield* opened(database, { askedBy: "desk", account: "second", budget: "live", allowance: 1000 })
  yield* spend(notebook.ledger, 200, 150, query)
  yield* pass(database, "10 seconds")
  yield* spend(notebook.ledger, 200, 50, query)
  const lost = yield* desk.ledger.reserve(7, prices)
  yield* lost.send(7, 0)
  yield* lost.markLost(0)
  yield* lost.settle
  yield* spend(desk.ledger, 2, 1)
  const ask = <A, E>(question: Effect.Effect<A, E, SqlClient.SqlClient>) =>
    Effect.provideService(question, SqlClient.SqlClient, notebook.sql)
  const ofNotebook = { account: "main", budget: undefined, askedBy: "notebook", asked: "optionChain SPX" }
  const ofDesk = { account: "second", budget: "live", askedBy: "desk", requests: 1, first: 1010, last: 1010 }
  assert.deepStrictEqual(yield* ask(SqlLedger.spending()), [
    { ...ofNotebook, requests: 2, credits: 200, uncertain: 0, first: 1000, last: 1010 },
    { ...ofDesk, asked: "stockPrices AAPL,MSFT", credits: 0, uncertain: 7 },
    { ...ofDesk, asked: undefined, credits: 1, uncertain: 0 }
  ])
  const tags = (filter: SqlLedger.Filter) =>
    ask(Effect.map(
      Stream.runCollect(SqlLedger.history(filter)),
      (entries) => entries.map(({ askedBy, event }) => `${askedBy} ${event._tag} ${event.time}`)
    ))
  assert.lengthOf(yield* tags({}), 16)
  assert.lengthOf(yield* tags({ account: "main" }), 8)
  assert.lengthOf(yield* tags({ budget: "live" }), 8)
  const expected = ["Reserved", "Sent", "Charged", "Settled"].map((tag) => `notebook ${tag} 1010`)
  assert.deepStrictEqual(yield* tags({ askedBy: "notebook", since: 1010, until: 1011 }), expected)
  assert.deepStrictEqual(yield* tags({ until: 1000 }), [])
  const nobody = yield* ask(SqlLedger.spending({ account: "nobody'; DROP TABLE marketdata_event; --" }))
  assert.deepStrictEqual(nobody, [])
})

test("history is read in pages without losing or repeating an event", function*(database) {
  const { ledger, sql } = yield* opened(database, { allowance: 10_000 })
  const other = yield* opened(database, { allowance: 10_000 })
  const reservation = yield* other.ledger.reserve(1)
  yield* Effect.forEach(Array.from({ length: 260 }), () => spend(ledger, 1, 1), { discard: true })
  // It reads the ledger anew after so many events of others, and has lost nothing.
  yield* reservation.send(1, 0)
  const entries = yield* historyOf(sql)
  const numbers = entries.map(({ event }) => event.number)
  assert.deepStrictEqual(numbers, Array.from({ length: 1042 }, (_, index) => index + 1))
  // Another program removes old ones after the end of the first page was found.
  const remove = sql`DELETE FROM marketdata_event WHERE number <= 100`
  const raced = new Proxy(sql, {
    apply: (of, self, args: Parameters<typeof sql>) => {
      const statement = Reflect.apply(of, self, args) as unknown as Effect.Effect<unknown>
      return args.join().includes("LIMIT 1 OFFSET") ? Effect.tap(statement, remove) : statement
    }
  })
  assert.lengthOf(yield* historyOf(raced), 942)
})

const count = (sql: SqlClient.SqlClient) => Effect.map(historyOf(sql), (entries) => entries.length)

test("keep removes events that are older, claims with them, and nothing of what was spent", function*(database) {
  yield* setTime(database, Date.UTC(2026, 0, 1))
  const before = yield* opened(database, { allowance: 10_000 })
  const claim = { key: "old", run: "1" }
  yield* spend(before.ledger, 1, 1).pipe(Effect.provideService(Claim.Current, claim))
  // More than are removed at once.
  yield* Effect.forEach(Array.from({ length: 150 }), () => spend(before.ledger, 1, 1), { discard: true })
  yield* before.close
  yield* pass(database, "90 days")
  for (const passing of ["1 second", "1 day"] as const) {
    yield* pass(database, passing)
    const { close, ledger, sql } = yield* opened(database, { allowance: 10_000 })
    yield* spend(ledger, 1, 1)
    // The latest day of events says nothing of the time.
    if (passing === "1 second") assert.strictEqual(yield* count(sql), 608)
    yield* close
  }
  const after = yield* opened(database, { allowance: 10_000 })
  while ((yield* count(after.sql)) > 8) yield* Effect.andThen(TestClock.adjust(1), soon)
  assert.deepInclude(yield* after.ledger.balance, { charged: 153, uncertain: 0, reserved: 0 })
  const found = SqlLedger.claimed({ account: "main", key: "old" })
  assert.isUndefined(yield* Effect.provideService(found, SqlClient.SqlClient, after.sql))
  yield* spend(after.ledger, 1, 1).pipe(Effect.provideService(Claim.Current, { ...claim, run: "2" }))
  assert.strictEqual(yield* count(after.sql), 12)
})

test("keep removes nothing of what is open, and nothing at all where it is Infinity", function*(database) {
  yield* setTime(database, 0)
  const lasting = yield* opened(database, { keep: Infinity, lease: "1 day" })
  // Its events have the numbers of those that are removed.
  yield* spend((yield* mortal(database, { budget: "other" })).ledger, 1, 1)
  const reservation = yield* lasting.ledger.reserve(10)
  yield* reservation.send(10, 0)
  yield* spend(lasting.ledger, 1, 1)
  const leases = lasting.sql<{ expires: number }>`SELECT expires FROM marketdata_lease`
  const end = Effect.map(leases, ([lease]) => lease?.expires ?? 0)
  for (let third = 1; third <= 12; third++) {
    const before = yield* end
    yield* pass(database, "8 hours")
    // A program that was not yet asleep when the time went by is woken by more of it.
    while ((yield* end) <= before) yield* Effect.andThen(TestClock.adjust("1 minute"), soon)
    if (third % 6 === 0) yield* spend(lasting.ledger, 1, 1)
  }
  assert.strictEqual(yield* count(lasting.sql), 18)
  const forgetful = yield* opened(database, { keep: "1 day" })
  while ((yield* count(forgetful.sql)) > 14) yield* Effect.andThen(TestClock.adjust(1), soon)
  assert.deepInclude(yield* forgetful.ledger.balance, { charged: 3, reserved: 10 })
  for (let times = 0; times < 3; times++) yield* Effect.andThen(TestClock.adjust(1), soon)
  assert.strictEqual(yield* count(forgetful.sql), 14)
})

const failure = Effect.fnUntraced(function*(options: object) {
  const database = yield* kind.make
  // As callers without types may write it.
  const made = SqlLedger.make(options as SqlLedger.BudgetOptions)
  const { message, reason } = yield* Effect.flip(Effect.provide(made, database.open))
  return [reason._tag, message]
})

it.effect(`options are refused by name where they cannot be used, on ${kind.name}`, function*() {
  const rule = "must be a string of 1 to 100 characters, e.g. \"main\"."
  const cases: ReadonlyArray<readonly [object, string]> = [
    [{ allowance: 1 }, `account undefined ${rule}`],
    [{ account: "", allowance: 1 }, `account "" ${rule}`],
    [{ account: "a\0b" }, "account \"a"],
    [{ account: "main", budget: 7 }, `budget 7 ${rule}`],
    [{ account: "main", askedBy: "x".repeat(101) }, "askedBy \"xxx"],
    [{ account: "main", lease: "0 seconds" }, "lease \"0 seconds\" must be from 1 second to 1 day"],
    [{ account: "main", keep: "1 hour" }, "keep \"1 hour\" must be at least 1 day, or Infinity, e.g. \"90 days\""],
    [{ account: "main", lease: "soon" }, "lease \"soon\" must be from 1 second to 1 day"],
    [{ account: "main", window: "week" }, "window \"week\" must be \"day\", \"minute\" or \"none\", e.g. \"day\"."]
  ]
  for (const [options, words] of cases) {
    const [tag, message] = yield* failure(options)
    assert.strictEqual(tag, "InvalidOption", words)
    assert.include(message, words)
  }
})

test("options without an allowance give a ledger of 0 credits, and not one without a limit", function*(database) {
  const { ledger } = yield* opened(database, { allowance: undefined as unknown as number })
  assert.deepInclude(yield* Effect.flip(ledger.reserve(1)), { cause: "NoAllowance", available: 0 })
})

test("options of another window, or of one that follows, do not open a ledger that has neither", function*(database) {
  yield* opened(database, { window: "day" })
  const fails = (made: ReturnType<typeof SqlLedger.make>) =>
    Effect.map(Effect.flip(Effect.provide(made, database.open)), ({ message }) => message)
  assert.strictEqual(
    yield* fails(SqlLedger.make({ account: "main", allowance: 1, window: "minute" })),
    "the ledger \"main\" is a ledger whose allowance is renewed each day in the database, and was opened as a ledger whose " +
      "allowance is renewed each minute. Open it as it is, or give the new one another name, e.g. budget: \"daily\""
  )
  assert.include(yield* fails(SqlLedger.makeFollowing({ account: "main" })), "follows the service")
})

test("options of a filter are refused by name where they cannot be used", function*(database) {
  const { message } = yield* Effect.flip(Effect.provide(SqlLedger.spending({ since: NaN }), database.open))
  assert.strictEqual(message, "since NaN must be a time in epoch seconds, e.g. 1795185000.")
  // A name in place of a filter counted the credits of all accounts.
  const named = Stream.runDrain(SqlLedger.history("main" as never))
  assert.match((yield* Effect.flip(Effect.provide(named, database.open))).message, /^filter "main" must be an object/)
})

test("only counts where no limit is asked for", function*(database) {
  const counted = Effect.gen(function*() {
    const ledger = yield* CreditLedger.CreditLedger
    yield* spend(ledger, Infinity, 22_718)
    return yield* ledger.balance
  }).pipe(Effect.provide(Layer.provide(SqlLedger.layerUnlimited({ account: "main" }), database.open), { local: true }))
  assert.deepInclude(yield* counted, { charged: 22_718, available: Infinity })
  assert.deepInclude(yield* counted, { charged: 45_436, available: Infinity })
})

for (const { make, name } of servers) {
  it.effect(`on ${name} goes by the server's clock: machines may be ten minutes apart`, function*() {
    const database = yield* make
    const [late, early] = [ahead(-1 / 6), ahead(1 / 6)]
    const { ledger: ours } = yield* opened(database).pipe(late)
    const reservation = yield* ours.reserve(60).pipe(late)
    yield* reservation.send(40, 0).pipe(late)
    const { ledger: theirs } = yield* opened(database).pipe(early)
    assert.deepInclude(yield* theirs.balance.pipe(early), { reserved: 60, uncertain: 0 })
    yield* reservation.charge({ credits: 10 }, 0).pipe(late)
    yield* reservation.settle.pipe(late)
    assert.deepInclude(yield* theirs.balance.pipe(early), { reserved: 0, charged: 10 })
  })
}
