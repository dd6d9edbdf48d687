/** Programs on many machines send for one account and are never blocked, whatever ends, dies or is cut off from the database. */
import { CreditLedger, IpGuard, MarketData } from "@effect-marketdata/client"
import * as IpRule from "@effect-marketdata/core/IpRule"
import { SqlIpGuard, Tables } from "@effect-marketdata/sql"
import { Clock, Deferred, Effect, Exit, Fiber, Layer } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"
import { pricesBody, service } from "../../client/test/support/scripted.ts"
import { runs } from "../../core/test/support/depth.ts"
import { assert, describe, it } from "../../core/test/support/it.ts"
import { kind, pass, servers, setTime, soon, sqlite } from "./support/databases.ts"
import { answerOf, type Guarded, guarded, sendOnce, sent } from "./support/guards.ts"
import { ahead } from "./support/ledgers.ts"
import { test } from "./support/onDatabase.ts"

const status = ({ sql }: Guarded) =>
  Effect.orDie(Effect.provideService(SqlIpGuard.status({ account: "main" }), SqlClient.SqlClient, sql))

test(
  "[5.6-simultaneous] lets programs with one address send together, and another when all are gone",
  function*(database) {
    const [one, two] = [yield* guarded(database), yield* guarded(database)]
    const other = yield* guarded(database, { address: "B" })
    yield* sent(one)
    yield* sendOnce(two)
    assert.isUndefined(yield* answerOf(other))
    yield* one.close
    yield* two.close
    yield* TestClock.adjust("1 second")
    yield* sendOnce(other)
    const back = yield* guarded(database)
    yield* other.close
    const { address, returns } = yield* status(back)
    assert.deepInclude(returns[0], { address: "A" })
    assert.strictEqual(address, "B")
    assert.strictEqual(yield* answerOf(back), returns[0]?.until)
  }
)

test("[5.6-simultaneous] sends from no other address while its own request is in flight", function*(database) {
  let address = "A"
  const program = yield* guarded(database, { address: Effect.sync(() => address) })
  const { leave } = yield* sent(program)
  address = "B"
  assert.isUndefined(yield* answerOf(program))
  yield* leave("answered")
  yield* sendOnce(program)
})

test("[5.6-simultaneous] ends its permission by the clock that says so first", function*(database) {
  const { fence } = yield* sent(yield* guarded(database))
  assert(fence !== undefined)
  const clock = yield* Clock.Clock
  const may = (wall: number, gone: number) =>
    Effect.provideService(Effect.isSuccess(fence.check), Clock.Clock, {
      ...clock,
      currentTimeMillisUnsafe: () => clock.currentTimeMillisUnsafe() + wall,
      monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe() + BigInt(gone) * 1_000_000n
    })
  const all = yield* Effect.all([may(7400, 7400), may(7500, 0), may(0, 7500), may(-1, 0)])
  assert.deepStrictEqual(all, [true, false, false, false])
})

test("[5.6-single-ip] tells later of a block that could not be written, once", function*(database) {
  yield* setTime(database, 0)
  const program = yield* guarded(database)
  const { leave } = yield* sent(program)
  yield* program.sql`ALTER TABLE marketdata_shared RENAME TO away`
  yield* leave("blocked")
  yield* program.sql`ALTER TABLE away RENAME TO marketdata_shared`
  const until = yield* answerOf(program)
  yield* pass(database, "2 seconds")
  assert.deepStrictEqual([typeof until, yield* answerOf(program)], ["number", until])
})

test("lets a call be interrupted while it waits for an address that never comes", function*(database) {
  const { guard } = yield* guarded(database, { address: Effect.never })
  const waiting = yield* Effect.forkChild(Effect.uninterruptible(guard.admit), { startImmediately: true })
  yield* Fiber.interrupt(waiting)
})

test("[5.6-single-ip] tells all programs of a block, after which one request goes first", function*(database) {
  yield* TestClock.setTime(1_000_000_000)
  const [one, two] = [yield* guarded(database, { askedBy: "one" }), yield* guarded(database)]
  yield* sendOnce(one, "blocked")
  const { blocks, now, senders } = yield* status(two)
  assert.deepStrictEqual(senders.map(({ askedBy }) => askedBy), ["one"])
  const [{ address, until } = assert.fail("no block")] = blocks
  assert.strictEqual(address, "A")
  assert.isAtMost(until, now + 300)
  assert.strictEqual(yield* answerOf(one), until)
  assert.strictEqual(yield* answerOf(two), until)
  // As if the five minutes were over.
  yield* one.sql`UPDATE marketdata_shared SET text = REPLACE(text, ${String(until)}, '1000')`
  const later = yield* guarded(database)
  const trial = yield* sent(later)
  const third = yield* guarded(database)
  for (const waiting of [third, later]) assert.isUndefined(yield* answerOf(waiting))
  yield* trial.leave("answered")
  const fourth = yield* guarded(database)
  yield* sendOnce(fourth)
})

test("asks the database once for many requests, and is found in it until it ends", function*(database) {
  const program = yield* guarded(database, { askedBy: "desk" })
  assert.deepInclude(yield* status(program), { address: undefined, since: undefined, senders: [], blocks: [] })
  yield* sendOnce(program)
  // What is in the database is not read again.
  yield* program.sql`UPDATE marketdata_shared SET text = ${"unreadable"}`
  for (let count = 0; count < 100; count++) yield* sendOnce(program)
  const other = yield* Effect.flip((yield* guarded(database)).guard.admit)
  assert.strictEqual(other._tag, "GuardUnavailable")
})

test("that cannot be asked sends nothing for a client: the query fails by name", function*(database) {
  const http = service({ status: 200, body: pricesBody(["A"]) })
  const { guard, sql } = yield* guarded(database)
  yield* sql`DELETE FROM marketdata_shared`
  const own = Layer.succeed(IpGuard.IpGuard, guard)
  const client = MarketData.layerNoDeps().pipe(Layer.provide([CreditLedger.layerUnlimited, own, http.layer]))
  const { message, reason } = yield* Effect.flip(Effect.provide(MarketData.stockPrices(["A"]), client))
  assert.deepInclude(reason, { _tag: "GuardUnavailable", cost: "none", isRetryable: false })
  assert.include(
    message,
    "the guard of the single-IP rule cannot be used: the row of address of the account \"main\" is no longer there"
  )
  assert.strictEqual(http.requests.length, 0)
})

test("takes the place of the client's own guard where its layer is provided", function*(database) {
  const http = service({ status: 200, body: pricesBody(["A"]) })
  const layer = SqlIpGuard.layer({ account: "main", address: "office", askedBy: "desk" })
  const client = MarketData.layer().pipe(Layer.provide([layer, http.layer, CreditLedger.layerUnlimited]))
  const standing = SqlIpGuard.status({ account: "main" })
  const who = Effect.map(standing, ({ address, senders }) => [address, senders[0]?.askedBy])
  const asked = Effect.andThen(MarketData.stockPrices(["A"]), who)
  assert.deepStrictEqual(yield* Effect.provide(asked, Layer.provideMerge(client, database.open)), ["office", "desk"])
})

test("is everybody's at once, also where it is made in a transaction of its caller", function*(database) {
  const admit = Effect.flatMap(SqlIpGuard.make({ account: "main", address: "A" }), ({ admit }) => admit)
  const words = yield* Effect.flatMap(SqlClient.SqlClient, (sql) => sql.withTransaction(admit)).pipe(
    Effect.match({ onFailure: ({ message }) => message, onSuccess: ({ _tag }) => _tag }),
    Effect.scoped,
    Effect.provide(database.open)
  )
  // A file has one connection, whose transaction could still be undone.
  assert.include(words, kind === sqlite ? "inside a transaction of the same SQLite client" : "Send")
})

test("refuses options that cannot be used by name", function*(database) {
  const refused = (options: object) =>
    SqlIpGuard.make(options as SqlIpGuard.Options).pipe(
      Effect.scoped,
      Effect.provide(database.open),
      Effect.flip,
      Effect.map(({ message }) => message)
    )
  const rule = "must be a string of 1 to 100 characters"
  assert.include(yield* refused({ address: "A" }), `account undefined ${rule}`)
  assert.include(yield* refused({ account: "main" }), `address undefined ${rule}`)
  assert.include(yield* refused(undefined as never), `account undefined ${rule}`)
  const lease = yield* refused({ account: "main", address: "A", lease: "0 seconds" })
  assert.include(lease, "lease \"0 seconds\" must be from 1 second to 1 day")
})

for (const { make, name } of servers) {
  describe(`SqlIpGuard on ${name}`, () => {
    it.effect("[5.6-simultaneous] goes by the server's clock: machines may be ten minutes apart", function*() {
      const database = yield* make
      const apart = (minutes: number, options: Partial<SqlIpGuard.Options>) =>
        ahead(minutes / 60)(guarded(database, options))
      const late = yield* apart(-10, { address: "A" })
      yield* sendOnce(late)
      yield* late.close
      const early = yield* apart(10, { address: "B" })
      yield* sendOnce(early)
      yield* early.close
      const back = yield* apart(10, { address: "A" })
      const { now, returns } = yield* status(back)
      const until = returns[0]?.until ?? NaN
      assert.strictEqual(yield* answerOf(back), until)
      assert.isAbove(until, now + 290)
      assert.isAtMost(until, now + 300)
    })

    it.live("waits for a program that fell silent within a transaction, and does not fail", function*() {
      const database = yield* make
      const one = yield* guarded(database)
      const other = yield* guarded(database)
      const isSilent = yield* Deferred.make<void>()
      const silent = Effect.gen(function*() {
        yield* one.sql`SELECT text FROM marketdata_shared FOR UPDATE`
        yield* Deferred.succeed(isSilent, undefined)
        return yield* Effect.never
      })
      yield* Effect.forkScoped(Effect.provideService(Tables.transaction(silent), SqlClient.SqlClient, one.sql))
      yield* Deferred.await(isSilent)
      yield* sendOnce(other)
    })
  })
}

// SQLite goes by the clock of the test, a server by its own.
it.effect("[5.6-simultaneous] lets a program send as soon as others have made its return safe, also where it was told a later time", function*() {
  const database = yield* sqlite.make
  const waiting = yield* guarded(database)
  yield* sendOnce(waiting)
  const switchTo = (address: string) =>
    Effect.flatMap(guarded(database, { address }), (other) => Effect.andThen(sendOnce(other), other.close))
  // It gives its place up, as one that is idle does.
  yield* TestClock.adjust("20 seconds")
  yield* switchTo("B")
  yield* TestClock.adjust("250 seconds")
  yield* switchTo("C")
  yield* TestClock.adjust("10 seconds")
  const told = yield* answerOf(waiting)
  assert.isAbove(Number(told), (yield* Clock.currentTimeMillis) / 1000 + 280)
  // Its address was left more than five minutes before this switch.
  yield* TestClock.adjust("60 seconds")
  yield* switchTo("D")
  yield* TestClock.adjust("1 second")
  assert.strictEqual(yield* answerOf(waiting), "Send")
})

it.effect("[5.6-simultaneous] of a program that died keeps others waiting until its lease is over, and the rule counts from there, also where the clock is set back", function*() {
  for (const ahead of [0, 3_600_000]) {
    const database = yield* sqlite.make
    yield* TestClock.setTime(1_000_000_000 + ahead)
    const home = yield* guarded(database, { address: "A" })
    yield* sendOnce(home)
    yield* home.close
    const dead = yield* guarded(database, { address: "B" })
    yield* sent(dead)
    dead.kill()
    yield* TestClock.setTime(1_000_000_000)
    const heir = yield* guarded(database, { address: "A" })
    assert.isUndefined(yield* answerOf(heir))
    yield* TestClock.adjust("9 seconds")
    assert.isUndefined(yield* answerOf(heir))
    // The service may have seen the switch to B as late as that.
    yield* TestClock.adjust("1 second")
    assert.strictEqual(yield* answerOf(heir), 1_000_010 + 300)
    yield* TestClock.adjust("300 seconds")
    assert.strictEqual(yield* answerOf(heir), 1_000_010 + 300)
    yield* TestClock.adjust("1 second")
    yield* sendOnce(heir)
  }
})

it.effect("[5.6-simultaneous] lets a program that is cut off from the database send nothing before another may", function*() {
  const database = yield* sqlite.make
  const [cut, other] = [yield* guarded(database), yield* guarded(database, { address: "B" })]
  yield* sent(cut)
  yield* TestClock.adjust("30 seconds")
  yield* cut.sql.unsafe("PRAGMA query_only = ON")
  let [last, first] = [-Infinity, Infinity]
  for (let tenth = 0; tenth < 300; tenth++) {
    yield* TestClock.adjust(100)
    const now = yield* Clock.currentTimeMillis
    const may = yield* Effect.exit(cut.guard.admit)
    if (Exit.isSuccess(may) && may.value._tag === "Send") last = now
    if ((yield* answerOf(other)) === "Send") first = Math.min(first, now)
  }
  assert.isAbove(last, 30_000)
  // ¾ and a whole lease of 10 seconds, from a renewal that was at most a third of it before.
  assert.isAtMost(last, 37_500)
  assert.isAtLeast(first - last, 2500)
  assert.isBelow(first, 42_000)
  assert.strictEqual((yield* Effect.flip(cut.guard.admit))._tag, "GuardUnavailable")
  // What it renews afterwards is not its lease any more.
  yield* cut.sql.unsafe("PRAGMA query_only = OFF")
  yield* TestClock.adjust("5 seconds")
  assert.isUndefined(yield* answerOf(cut))
})

it.effect("[5.6-simultaneous] counts a switch from the first answer, and not from a request that was lost", function*() {
  const database = yield* sqlite.make
  const [home, away] = [yield* guarded(database), yield* guarded(database, { address: "B" })]
  yield* sendOnce(home)
  yield* home.close
  yield* sendOnce(away, "lost")
  const { leave } = yield* sent(away)
  yield* TestClock.adjust("100 seconds")
  yield* leave("answered")
  yield* away.close
  assert.isAtLeast(Number(yield* answerOf(yield* guarded(database))), 400)
})

it.effect("[5.6-simultaneous] sends nothing while it gives up its lease", function*() {
  const database = yield* sqlite.make
  const [idle, other] = [yield* guarded(database), yield* guarded(database)]
  yield* sendOnce(idle)
  yield* TestClock.adjust("5 seconds")
  yield* other.sql.withTransaction(Effect.gen(function*() {
    yield* TestClock.adjust("5 seconds")
    const asked = yield* Effect.tap(Effect.forkChild(idle.guard.admit), soon)
    assert.isUndefined(asked.pollUnsafe())
  }))
})

it.effect("renews its lease while a request is in flight, and gives it up soon when it is idle", function*() {
  const database = yield* sqlite.make
  const [busy, other] = [yield* guarded(database), yield* guarded(database, { address: "B" })]
  const { leave } = yield* sent(busy)
  for (let minute = 0; minute < 3; minute++) {
    yield* TestClock.adjust("1 minute")
    assert.isUndefined(yield* answerOf(other))
  }
  yield* leave("answered")
  yield* TestClock.adjust("8 seconds")
  yield* sendOnce(other)
})

it("[5.6-simultaneous] never has the service block an address, whatever ends, dies, is cut off, or is late", () => {
  const often = <A>(...choices: ReadonlyArray<readonly [weight: number, A]>) =>
    fc.oneof(...choices.map(([weight, value]) => ({ weight, arbitrary: fc.constant(value) })))
  const event = fc.record({
    step: often([9, "send"], [7, "answer"], [1, "lose"], [1, "close"], [2, "kill"], [1, "cut"], [1, "mend"]),
    who: fc.nat({ max: 2 }),
    which: fc.nat({ max: 3 }),
    travel: fc.nat({ max: 2 }),
    later: often([4, 0], [4, 1], [2, 3], [3, 10], [1, 299], [2, 301])
  })
  type Flight = { readonly who: number; readonly address: string; readonly arrives: number; isOver: boolean } & {
    readonly leave: (ending: IpGuard.Ending) => Effect.Effect<void>
  }
  const addresses = ["A", "B", "A"]
  return fc.assert(
    fc.asyncProperty(fc.array(event, { minLength: 20, maxLength: 60 }), (events) =>
      Effect.runPromise(
        Effect.gen(function*() {
          yield* TestClock.setTime(1_000_000_000)
          const database = yield* sqlite.make
          const open = (who: number) => guarded(database, { address: addresses[who]! })
          const programs = yield* Effect.forEach(addresses, (_, who) => open(who))
          let rule = IpRule.empty
          let flights: ReadonlyArray<Flight> = []
          const pass = Effect.fnUntraced(function*(milliseconds: number) {
            const until = (yield* Clock.currentTimeMillis) + milliseconds
            while (true) {
              const now = yield* Clock.currentTimeMillis
              for (const { address, arrives } of flights.filter(({ arrives }) => arrives <= now)) {
                const judged = IpRule.judge(rule, address, Math.floor(arrives / 1000))
                assert.strictEqual(judged.verdict._tag, "Allowed")
                rule = judged.rule
              }
              flights = flights.map((flight) => flight.arrives <= now ? { ...flight, arrives: Infinity } : flight)
              if (now >= until) return
              const next = Math.min(until, ...flights.map(({ arrives }) => arrives), now + 5000)
              yield* TestClock.adjust(next - now)
            }
          })
          for (const { later, step, travel, which, who } of events) {
            yield* pass(later * 1000)
            const program = programs[who]!
            const underWay = flights.filter((flight) => !flight.isOver)
            const flight = underWay[which % Math.max(1, underWay.length)]
            switch (step) {
              case "send": {
                const admitted = yield* Effect.exit(program.guard.admit)
                if (Exit.isSuccess(admitted) && admitted.value._tag === "Send") {
                  const { leave } = admitted.value
                  const arrives = (yield* Clock.currentTimeMillis) + travel * 1000
                  flights = [...flights, { who, address: addresses[who]!, arrives, isOver: false, leave }]
                  yield* pass(0)
                }
                break
              }
              case "answer":
              case "lose":
                // What has not arrived cannot be answered.
                if (flight !== undefined && (step === "lose" || flight.arrives === Infinity)) {
                  flight.isOver = true
                  yield* flight.leave(step === "answer" ? "answered" : "lost")
                }
                break
              case "close":
              case "kill":
                const isUnderWay = flights.some((flight) => flight.who === who && flight.arrives < Infinity)
                if (isUnderWay && step === "close") break
                if (step === "close") yield* program.close
                else program.kill()
                for (const flight of flights) if (flight.who === who) flight.isOver = true
                programs[who] = yield* open(who)
                break
              default:
                yield* program.sql.unsafe(`PRAGMA query_only = ${step === "cut" ? "ON" : "OFF"}`)
            }
          }
          yield* pass(10_000)
        }).pipe(Effect.scoped, Effect.provide(TestClock.layer()), Effect.orDie)
      )),
    { numRuns: runs(20, 4), seed: 56_001 }
  )
})
