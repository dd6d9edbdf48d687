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
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { kinds, setTime } from "./support/databases.ts"
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
        yield* setTime(database, 1795194000_000)
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
        yield* setTime(database, 1795194002_000)
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
        yield* setTime(database, 1795194060_000)
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

    it.effect("that version 7 wrote is opened, with the reservations that were a part of its text", () =>
      Effect.gen(function*() {
        const database = yield* make
        yield* Effect.provide(restore(7), database.open)
        yield* setTime(database, 1795194002_000)
        const { ledger, sql } = yield* opened(database, { budget: "research", allowance: 1000, window: "day" })
        yield* lasting(sql)
        const [row] = yield* sql<{ head: string }>`SELECT head FROM marketdata_ledger WHERE budget = 'research'`
        assert.notProperty(JSON.parse(row!.head), "reservations")
        assert.deepInclude(yield* ledger.balance, { charged: 150, uncertain: 0, reserved: 60 })
        yield* elapse({ sql }, 120)
        assert.deepInclude(yield* ledger.balance, { charged: 150, uncertain: 40, reserved: 0 })
      }))

    it.effect("cannot be written by a program of an older version that had it open when it was brought up to date", () =>
      Effect.gen(function*() {
        const database = yield* make
        const { ledger, sql } = yield* opened(database)
        yield* spend(ledger, 10, 10)
        // What version 7 does in each step: it would lose the reservations that are rows now.
        yield* Effect.flip(sql`SELECT state, events FROM marketdata_ledger`)
        yield* Effect.flip(sql`UPDATE marketdata_ledger SET state = '{}', events = 9`)
        assert.deepInclude(yield* ledger.balance, { charged: 10, reserved: 0 })
      }))

    it.effect("in which a view or a trigger of others is in the place of a table is refused by name, and not read", () =>
      Effect.gen(function*() {
        // One that ends: of one that does not, a test of a program that reads it would never say so.
        const counting = `CREATE VIEW marketdata_schema AS WITH RECURSIVE counted(version) AS
          (SELECT 1 UNION ALL SELECT version + 1 FROM counted WHERE version < 1000) SELECT version FROM counted`
        const watching = name === "SQLite"
          ? ["CREATE TRIGGER spy AFTER INSERT ON marketdata_event BEGIN UPDATE marketdata_ledger SET head = ''; END"]
          : [
            "CREATE FUNCTION spy() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
            "CREATE TRIGGER spy BEFORE INSERT ON marketdata_event FOR EACH ROW EXECUTE FUNCTION spy()"
          ]
        const computed = "ALTER TABLE marketdata_reply ADD COLUMN more TEXT CHECK (length(more) < 9)"
        const cases: ReadonlyArray<readonly [isOpened: boolean, statements: ReadonlyArray<string>, detail: RegExp]> = [
          [false, [counting], /"marketdata_schema" is a view that this package has not made/],
          [true, watching, /is a (trigger|table with triggers) that this package has not made/],
          ...name === "SQLite" ? [[true, [computed], /"marketdata_reply" is a table of another kind/] as const] : []
        ]
        for (const [isOpened, statements, detail] of cases) {
          const database = yield* make
          if (isOpened) yield* (yield* opened(database)).close
          yield* Effect.gen(function*() {
            const sql = yield* SqlClient.SqlClient
            for (const statement of statements) yield* sql.unsafe(statement)
            const { message } = yield* Effect.flip(Tables.migrate)
            assert.match(message, detail)
          }).pipe(Effect.provide(database.open))
        }
      }))
  })
}
