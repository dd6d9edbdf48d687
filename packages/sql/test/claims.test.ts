/** A call that runs again after its process died is not paid twice, and what became of it can be asked. */
import { Claim, MarketData } from "@effect-marketdata/client"
import * as SqlLedger from "@effect-marketdata/sql/SqlLedger"
import { Effect } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import { pricesBody, service } from "../../client/test/support/scripted.ts"
import { assert } from "../../core/test/support/it.ts"
import { setTime } from "./support/databases.ts"
import { clientOver, elapse, historyOf, mortal, opened, type Service, spend } from "./support/ledgers.ts"
import { test } from "./support/onDatabase.ts"

const key = "SPX 2026-11-20"

const under = (run: string) => Effect.provideService(Claim.Current, { key, run })

/** Marks one request as sent. */
const send = (ledger: Service, bound: number) =>
  Effect.flatMap(ledger.reserve(bound), (reservation) => Effect.as(reservation.send(bound, 0), reservation))

const told = { onFailure: ({ _tag }: { readonly _tag: string }) => _tag, onSuccess: () => "sent" }

const asked = (sql: SqlClient.SqlClient, claim: SqlLedger.NamedClaim = { account: "main", key }) =>
  Effect.provideService(SqlLedger.claimed(claim), SqlClient.SqlClient, sql)

test("a claim of a dead program lets no other run send, and tells what the first may have cost", function*(database) {
  yield* setTime(database, 1_000_000)
  const [dead, heir] = [yield* mortal(database), yield* opened(database)]
  yield* heir.ledger.reserve(1).pipe(under("second"))
  yield* send(dead.ledger, 40).pipe(under("first"))
  const refused = yield* Effect.flip(send(heir.ledger, 40).pipe(under("second")))
  assert.deepInclude(refused, { _tag: "AlreadySent", key, time: 1000, cost: "possible" })
  const claimed = { key, run: "first", since: 1000, requests: 1, credits: 0, uncertain: 40 }
  assert.deepStrictEqual(yield* asked(heir.sql), { ...claimed, state: "sent" })
  yield* elapse(heir, 60)
  // Nobody has taken a step since the lease was over.
  assert.deepStrictEqual(yield* asked(heir.sql), { ...claimed, state: "uncertain" })
  yield* heir.ledger.balance
  assert.deepStrictEqual(yield* asked(heir.sql), { ...claimed, state: "uncertain" })
  assert.strictEqual((yield* Effect.flip(send(heir.ledger, 40).pipe(under("third"))))._tag, "AlreadySent")
  const lost = yield* historyOf(heir.sql)
  assert.deepInclude(lost.find(({ event }) => event._tag === "Lost")?.event, { claim: { key, run: "first" } })
})

test("a claim is shared by all requests of a run, and tells what they were charged", function*(database) {
  const { ledger, sql } = yield* opened(database)
  assert.isUndefined(yield* asked(sql))
  const cached = yield* send(ledger, 10).pipe(under("only"))
  yield* cached.markLost(0)
  yield* cached.send(10, 0)
  yield* cached.send(5, 1)
  yield* spend(ledger, 4, 4).pipe(under("only"))
  yield* cached.charge({ credits: 5 }, 1)
  assert.deepInclude(yield* asked(sql), { state: "sent", requests: 4, credits: 9, uncertain: 20 })
  yield* cached.charge({ credits: 3 }, 0)
  assert.deepInclude(yield* asked(sql), { state: "uncertain", requests: 4, credits: 12, uncertain: 10 })
})

test("a claim whose requests were all answered is charged, and still lets no other run send", function*(database) {
  const { ledger, sql } = yield* opened(database)
  yield* spend(ledger, 40, 25).pipe(under("first"))
  assert.strictEqual((yield* Effect.flip(spend(ledger, 40, 25).pipe(under("second"))))._tag, "AlreadySent")
  assert.deepInclude(yield* asked(sql), { run: "first", state: "charged", requests: 1, credits: 25, uncertain: 0 })
  // One without a price that is lost is not known to be free.
  yield* Effect.flatMap(send(ledger, 0).pipe(under("first")), ({ markLost }) => markLost(0))
  assert.deepInclude(yield* asked(sql), { state: "uncertain", requests: 2, credits: 25, uncertain: 0 })
})

test("a claim is one of its ledger: another account or budget has its own", function*(database) {
  const main = yield* opened(database)
  const research = yield* opened(database, { budget: "research" })
  // Events of one name have other numbers in each.
  yield* spend(main.ledger, 4, 4)
  yield* spend(main.ledger, 1, 1).pipe(under("first"))
  const partly = yield* send(research.ledger, 5).pipe(under("second"))
  yield* partly.charge({ credits: 2, uncertain: 3 }, 0)
  assert.deepInclude(yield* asked(main.sql), { run: "first", credits: 1 })
  assert.strictEqual((yield* Effect.flip(send(main.ledger, 1).pipe(under("second"))))._tag, "AlreadySent")
  const other = yield* asked(main.sql, { account: "main", budget: "research", key })
  assert.deepInclude(other, { run: "second", state: "uncertain", credits: 2, uncertain: 3 })
  assert.isUndefined(yield* asked(main.sql, { account: "main", key: "another" }))
})

test("a claim that was taken since a reservation was made lets it send nothing", function*(database) {
  const { ledger } = yield* opened(database)
  const reservation = yield* ledger.reserve(10).pipe(under("second"))
  yield* send(ledger, 10).pipe(under("first"))
  assert.strictEqual((yield* Effect.flip(reservation.send(10, 0)))._tag, "AlreadySent")
  yield* reservation.settle
  assert.deepInclude(yield* ledger.balance, { reserved: 10 })
})

test("a claim is taken by one of many that ask for it at once, also within a program", function*(database) {
  const programs = yield* Effect.forEach([1, 2, 3, 4], () => opened(database))
  const ended = yield* Effect.forEach(
    [...programs, ...programs],
    ({ ledger }, index) => Effect.match(send(ledger, 10).pipe(under(`run ${index}`)), told),
    { concurrency: "unbounded" }
  )
  assert.deepStrictEqual(ended.filter((end) => end !== "AlreadySent"), ["sent"])
})

test("a claim keeps a client from sending what an earlier run has sent", function*(database) {
  const http = service({ status: 200, body: pricesBody(["A"]) }, { status: 200, body: pricesBody(["A"]) })
  const run = (ledger: Service, run: string) =>
    MarketData.stockPrices(["A"]).pipe(Effect.provide(clientOver(ledger, http)), under(run))
  const first = yield* opened(database)
  yield* run(first.ledger, "first")
  yield* first.close
  const second = yield* opened(database)
  const { message, reason } = yield* Effect.flip(run(second.ledger, "second"))
  assert.strictEqual(reason._tag, "AlreadySent")
  assert.include(message, "It was not retried; an earlier request may have been charged.")
  assert.strictEqual(http.requests.length, 1)
  assert.deepInclude(yield* second.ledger.balance, { charged: 1, reserved: 0 })
})

test("a claim is asked for by names that are refused where they cannot be used", function*(database) {
  const { sql } = yield* opened(database)
  const wrong = (claim: object) => Effect.flip(asked(sql, claim as SqlLedger.NamedClaim))
  assert.include((yield* wrong({ account: "main" })).message, "key undefined must be a string of 1 to 200 characters")
  assert.include((yield* wrong({ key })).message, "account undefined must be a string of 1 to 100 characters")
})
