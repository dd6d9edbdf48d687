import * as ChainSize from "@effect-marketdata/core/ChainSize"
import * as Query from "@effect-marketdata/core/Query"
import * as SqlChainSizes from "@effect-marketdata/sql/SqlChainSizes"
import * as SqlIpGuard from "@effect-marketdata/sql/SqlIpGuard"
import * as SqlLedger from "@effect-marketdata/sql/SqlLedger"
import * as Tables from "@effect-marketdata/sql/Tables"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as SqlClient from "effect/sql/SqlClient"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { kinds } from "./support/databases.ts"
import { elapse, lasting, opened, spend } from "./support/ledgers.ts"

/** The statements of a database as a released version left it. */
const fixture = (version: number): ReadonlyArray<string> =>
  readFileSync(join(import.meta.dirname, "fixtures", `schema-${version}.sql`), "utf8")
    .split("\n").filter((line) => !line.startsWith("--")).join("\n")
    .split(";\n").map((statement) => statement.trim()).filter((statement) => statement !== "")

const restore = (version: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => Effect.forEach(fixture(version), (statement) => sql.unsafe(statement), { discard: true })
  )

for (const { make, name } of kinds) {
  describe(`A database of ${name}`, () => {
    it.effect("is made by whoever opens it first, also where many do so at once", () =>
      Effect.gen(function*() {
        const database = yield* make
        const programs = yield* Effect.forEach(
          Array.from({ length: 8 }),
          () => opened(database),
          { concurrency: "unbounded" }
        )
        yield* Effect.forEach(programs, ({ ledger }) => spend(ledger, 1, 1), {
          concurrency: "unbounded",
          discard: true
        })
        assert.deepInclude(yield* programs[0]!.ledger.balance, { charged: 8, available: 92 })
      }), 60_000)

    it.effect("of a newer version is refused by name, and left as it is", () =>
      Effect.gen(function*() {
        const database = yield* make
        const { close, sql } = yield* opened(database)
        yield* sql`INSERT INTO marketdata_schema (version) VALUES (${1000})`
        yield* close
        const { message, reason } = yield* SqlLedger.make({ account: "main", allowance: 1 }).pipe(
          Effect.scoped,
          Effect.provide(database.open),
          Effect.flip
        )
        assert.deepInclude(reason, { _tag: "NewerSchema", found: 1000 })
        assert.match(
          message,
          /^the database has schema version 1000, and this version of @effect-marketdata\/sql knows versions up to \d+\. Use a newer/
        )
      }))

    it.effect("that version 1 wrote is opened, with what was spent, what was in flight, and its history", () =>
      Effect.gen(function*() {
        const database = yield* make
        yield* Effect.provide(restore(1), database.open)
        yield* TestClock.setTime(1795194000_000)
        const budget = { budget: "research", allowance: 1000, window: "day" } as const
        const { ledger, sql } = yield* opened(database, budget)
        yield* lasting(sql)
        const before = { charged: 157, uncertain: 0, reserved: 60, overdrawn: 2, available: 783 }
        assert.deepInclude(yield* ledger.balance, before)
        assert.deepInclude((yield* ledger.balance).standing, { limit: 10_000, remaining: 9000, reset: 1795271400 })
        // The program that wrote it is gone, and so is its lease.
        yield* elapse({ sql }, 120)
        assert.deepInclude(yield* ledger.balance, { charged: 157, uncertain: 40, reserved: 0, available: 803 })
        yield* spend(ledger, 3, 3)
        const entries = yield* Stream.runCollect(SqlLedger.history()).pipe(
          Effect.provideService(SqlClient.SqlClient, sql)
        )
        assert.deepStrictEqual(
          entries.filter(({ budget }) => budget === "research").map(({ askedBy, event }): [boolean, string] => [
            askedBy === "notebook",
            event._tag
          ]),
          [
            "Reserved Sent Charged Reconciled Settled Reserved Sent Charged Overran Settled Refused Reserved Sent Lost Settled",
            "Reserved Sent Charged Settled"
          ].flatMap((tags, by) => tags.split(" ").map((tag): [boolean, string] => [by === 0, tag]))
        )
        const [asked] = entries.flatMap(({ event }) => "query" in event ? [event.query] : [])
        assert.deepInclude(asked, { tickers: ["SPX"] })
      }))

    it.effect("that version 2 wrote is opened, with its claims", () =>
      Effect.gen(function*() {
        const database = yield* make
        yield* Effect.provide(restore(2), database.open)
        yield* TestClock.setTime(1795194002_000)
        const budget = { account: "main", budget: "research" }
        const { ledger, sql } = yield* opened(database, { ...budget, allowance: 1000, window: "day" })
        yield* lasting(sql)
        const claimed = (key: string) =>
          Effect.provideService(SqlLedger.claimed({ ...budget, key }), SqlClient.SqlClient, sql)
        const done = { key: "done", run: "first run", since: 1795194000, requests: 1 }
        assert.deepStrictEqual(yield* claimed("done"), { ...done, state: "charged", credits: 150, uncertain: 0 })
        assert.deepInclude(yield* claimed("left behind"), { state: "sent", uncertain: 40 })
        yield* elapse({ sql }, 120)
        assert.deepInclude(yield* ledger.balance, { charged: 150, uncertain: 40, reserved: 0 })
        assert.deepInclude(yield* claimed("left behind"), { state: "uncertain", uncertain: 40 })
        assert.isUndefined(yield* claimed("another"))
      }))

    it.effect("that version 3 wrote is opened, with the address that is blocked, and keeps sizes then", () =>
      Effect.gen(function*() {
        const database = yield* make
        yield* Effect.provide(restore(3), database.open)
        yield* TestClock.setTime(1795194060_000)
        const chain = { service: "https://sandbox.test", chain: "SPX" }
        const query = Result.getOrThrow(Query.optionChain("SPX", { expiration: "all" }))
        const size = ChainSize.ofChain(query, { contracts: 22_718, seenAt: 1795194000 })!
        yield* Effect.gen(function*() {
          yield* SqlIpGuard.make({ account: "main", address: "192.0.2.1" })
          const [shared] = yield* (yield* SqlClient.SqlClient)<{ text: string }>`SELECT text FROM marketdata_shared`
          assert.deepInclude(JSON.parse(shared!.text), { blocks: [["192.0.2.1", 1795194300]] })
          const sizes = yield* SqlChainSizes.make()
          yield* sizes.keep(chain, size)
          assert.deepStrictEqual(yield* sizes.find(chain), [size])
        }).pipe(Effect.provide(database.open), Effect.scoped)
      }))

    it.effect("that version 4 wrote is opened, with the sizes that it remembers, and has room for jobs then", () =>
      Effect.gen(function*() {
        const database = yield* make
        yield* Effect.provide(restore(4), database.open)
        yield* Effect.gen(function*() {
          yield* Tables.migrate
          const [size] = yield* (yield* SqlChainSizes.make()).find({ service: "https://sandbox.test", chain: "SPX" })
          assert.deepInclude(size, { _tag: "Chain", contracts: 22_718 })
          const sql = yield* SqlClient.SqlClient
          assert.deepStrictEqual(yield* Tables.transaction(sql`SELECT id FROM marketdata_job`), [])
          const { message, reason } = yield* Effect.flip(Tables.transaction(sql`SELECT id FROM nowhere`))
          assert.strictEqual(reason._tag, "Unusable")
          assert.match(message, /^the database cannot be used: .*nowhere/)
        }).pipe(Effect.provide(database.open))
      }))

    it.effect("that version 5 wrote is opened, with its jobs, and has room for runners then", () =>
      Effect.gen(function*() {
        const database = yield* make
        yield* Effect.provide(restore(5), database.open)
        yield* Effect.gen(function*() {
          yield* Tables.migrate
          const sql = yield* SqlClient.SqlClient
          const states = sql`SELECT state FROM marketdata_job_query WHERE job = 'week 47' ORDER BY number`
          assert.deepStrictEqual(yield* states, [{ state: "answered" }, { state: "failed" }])
          assert.lengthOf(yield* sql`SELECT answer FROM marketdata_job_answer`, 1)
          assert.deepStrictEqual(yield* sql`SELECT runner FROM marketdata_runner`, [])
        }).pipe(Effect.provide(database.open))
      }))

    it.effect("may still be used by a program of version 1 that had it open when it was brought up to date", () =>
      Effect.gen(function*() {
        const database = yield* make
        yield* TestClock.setTime(1795194000_000)
        const { ledger, sql } = yield* opened(database)
        yield* (yield* ledger.reserve(10)).settle
        // What version 1 writes when it reserves and sends, and dies.
        const state = (yield* sql<{ state: string }>`SELECT state FROM marketdata_ledger`)[0]!.state
        yield* sql`UPDATE marketdata_ledger SET events = 4, state = ${
          state.replace(/"nextId":\d+/, "\"nextId\":9").replace(
            "\"reservations\":[]",
            "\"reservations\":[[8,40,\"Infinity\",0,0,0,[[0,40,0]]]]"
          )
        }`
        yield* sql`INSERT INTO marketdata_lease ${
          sql.insert({
            account: "main",
            budget: "",
            reservation: 8,
            owner: "another",
            asked_by: "notebook",
            query: null,
            expires: 1795194060
          })
        }`
        yield* lasting(sql)
        const row = { account: "main", budget: "", time: 1795194000, asked_by: "notebook", asked: null, query: null }
        const event = (number: number, tag: string) => ({
          ...row,
          number,
          kind: tag,
          credits: 0,
          uncertain: 0,
          event: JSON.stringify({ _tag: tag, available: 60, reservation: 8, request: 0, bound: 40 })
        })
        yield* sql`INSERT INTO marketdata_event ${sql.insert([event(3, "Reserved"), event(4, "Sent")])}`
        assert.deepInclude(yield* ledger.balance, { reserved: 40, available: 60 })
        yield* elapse({ sql }, 120)
        assert.deepInclude(yield* ledger.balance, { reserved: 0, uncertain: 40 })
        const entries = yield* Stream.runCollect(SqlLedger.history()).pipe(
          Effect.provideService(SqlClient.SqlClient, sql)
        )
        assert.deepStrictEqual(
          entries.map(({ askedBy, event }) => [askedBy === "notebook", event._tag]),
          [
            [false, "Reserved"],
            [false, "Settled"],
            ...["Reserved", "Sent", "Lost", "Settled"].map((tag) => [true, tag])
          ]
        )
      }))
  })
}
