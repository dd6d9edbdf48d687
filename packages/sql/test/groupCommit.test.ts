/** Steps that wait go together, and a query of one request takes two of them: told by the spans of the transactions. */
import { IpGuard, MarketData } from "@effect-marketdata/client"
import { SqlLedger, Tables } from "@effect-marketdata/sql"
import { Effect, Layer, Tracer } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as TestClock from "effect/testing/TestClock"
import { pricesBody, service } from "../../client/test/support/scripted.ts"
import { assert, it } from "../../core/test/support/it.ts"
import { kind, sqlite } from "./support/databases.ts"
import { guarded } from "./support/guards.ts"
import { clientOver, historyOf, opened, type Service } from "./support/ledgers.ts"
import { test } from "./support/onDatabase.ts"

/** Counts the spans that begin in an effect, by name. */
const counting = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    const counts: Record<string, number> = {}
    const tracer = Tracer.make({
      span: (options) => {
        counts[options.name] = (counts[options.name] ?? 0) + 1
        return new Tracer.NativeSpan(options)
      }
    })
    return Effect.map(Effect.withTracer(effect, tracer), (value) => ({ counts, value }))
  })

const eventsOf = (sql: SqlClient.SqlClient) =>
  Effect.map(historyOf(sql), (entries) => entries.map(({ event }) => event))

const prices = () => service({ status: 200, body: pricesBody(["A"]) })

test("takes the steps of callers who wait in one transaction, each as if it were alone", function*(database) {
  const [{ ledger, sql }, other] = [yield* opened(database, { allowance: 510 }), yield* opened(database)]
  const all = Effect.replicateEffect(Effect.option(ledger.reserve(1)), 520, { concurrency: "unbounded" })
  const { counts, value } = yield* counting(all)
  // There are at most 250 in one.
  assert.strictEqual(counts["marketdata.ledger"], 3)
  assert.strictEqual(value.filter(({ _tag }) => _tag === "Some").length, 510)
  assert.deepInclude(yield* ledger.balance, { reserved: 510, available: 0 })
  // Another program reads them in two pages.
  assert.deepInclude(yield* other.ledger.balance, { reserved: 510 })
  const events = yield* eventsOf(sql)
  assert.deepStrictEqual(events.map(({ number }) => number), Array.from({ length: 520 }, (_, index) => index + 1))
})

test("takes steps that come in one turn after another in one transaction, in their order", function*(database) {
  const { ledger, sql } = yield* opened(database, { allowance: 30 })
  const inTurns = Effect.forEach(
    Array.from({ length: 120 }, (_, turn) => turn),
    (turn) => Effect.andThen(Effect.replicateEffect(Effect.yieldNow, turn), Effect.option(ledger.reserve(turn))),
    { concurrency: "unbounded", discard: true }
  )
  const { counts } = yield* counting(inTurns)
  // A step waits for 50 turns of others, and not for ever.
  assert.include([2, 3], counts["marketdata.ledger"])
  const bounds = (yield* eventsOf(sql)).map((event) => "bound" in event ? event.bound : undefined)
  // The first that fit into 30 credits are those that came first.
  assert.deepStrictEqual(bounds.filter((bound) => bound !== undefined), [0, 1, 2, 3, 4, 5, 6, 7])
})

test("takes two steps for a query of one request, and tells a span of each", function*(database) {
  const { ledger, sql } = yield* opened(database)
  const client = clientOver(ledger, prices())
  const ask = Effect.provide(MarketData.stockPrices(["A"]), client)
  const { counts } = yield* counting(ask)
  assert.strictEqual(counts["marketdata.ledger"], 2)
  assert.deepStrictEqual(Object.keys(counts).filter((name) => name.startsWith("sql.")), [])
  const traced = yield* counting(Effect.provideService(ask, Tables.TracedStatements, true))
  assert.strictEqual(traced.counts["marketdata.ledger"], 2)
  assert.isAbove(Object.keys(traced.counts).length, Object.keys(counts).length)
  const events = yield* eventsOf(sql)
  const one = ["Reserved", "Sent", "Charged", "Settled"]
  assert.deepStrictEqual(events.map(({ _tag }) => _tag), [...one, ...one])
})

test("[5.6-simultaneous] marks nothing as sent where the guard's lease is over by the database", function*(database) {
  const { guard, kill, sql } = yield* guarded(database)
  kill()
  const ledger = yield* SqlLedger.make({ account: "main", allowance: 100 }).pipe(
    Effect.provideService(SqlClient.SqlClient, sql)
  )
  const http = prices()
  const client = clientOver(ledger, http, Layer.succeed(IpGuard.IpGuard, guard))
  const ask = Effect.provide(MarketData.stockPrices(["A"]), client)
  yield* ask
  // What another program writes when it finds the lease over; this one has not looked again.
  const [row] = yield* sql<{ text: string }>`SELECT text FROM marketdata_shared WHERE kind = 'address'`
  const text = JSON.stringify({ ...JSON.parse(row!.text), senders: [] })
  yield* sql`UPDATE marketdata_shared SET text = ${text} WHERE kind = 'address'`
  const { reason } = yield* Effect.flip(ask)
  assert.deepInclude(reason, { _tag: "GuardUnavailable", cost: "none" })
  assert.strictEqual(http.requests.length, 1)
  assert.lengthOf(yield* eventsOf(sql), 4)
  yield* sql`UPDATE marketdata_shared SET text = '' WHERE kind = 'address'`
  assert.lengthOf((yield* Effect.flip(ask)).message.split("Nothing was sent"), 2)
})

test("[5.6-simultaneous] sends nothing whose writing down took longer than the guard's lease", function*(database) {
  const { guard, kill } = yield* guarded(database)
  kill()
  const { ledger, sql } = yield* opened(yield* kind.make)
  const http = prices()
  const paused: Service = {
    ...ledger,
    reserve: (...query) =>
      Effect.map(ledger.reserve(...query), (reservation) => ({
        ...reservation,
        send: (...request) => Effect.tap(reservation.send(...request), () => TestClock.adjust("8 seconds"))
      }))
  }
  const client = clientOver(paused, http, Layer.succeed(IpGuard.IpGuard, guard))
  const { reason } = yield* Effect.provide(Effect.flip(MarketData.stockPrices(["A"])), client)
  assert.deepStrictEqual([reason._tag, http.requests.length], ["GuardUnavailable", 0])
  assert.deepInclude(yield* ledger.balance, { charged: 0, uncertain: 0, reserved: 0 })
  assert.deepStrictEqual((yield* eventsOf(sql)).map(({ _tag }) => _tag), ["Reserved", "Sent", "Charged", "Settled"])
})

it.effect("SqlLedger on a client with one connection refuses a caller in a transaction of the same client, and not those who wait with it", function*() {
  const { ledger, sql } = yield* opened(yield* sqlite.make)
  const refused = Effect.flip(sql.withTransaction(ledger.reserve(1)))
  const both = [refused, Effect.exit(ledger.reserve(1))] as const
  const [within, other] = yield* Effect.all(both, { concurrency: "unbounded" })
  assert.deepStrictEqual([within._tag, other._tag], ["LedgerUnavailable", "Success"])
})
