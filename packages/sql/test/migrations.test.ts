import { SqlChainSizes, SqlIpGuard, SqlLedger, Tables } from "@effect-marketdata/sql"
import { Effect } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "../../core/test/support/it.ts"
import { kind, setTime, strict } from "./support/databases.ts"
import { elapse, historyOf, lasting, opened, spend } from "./support/ledgers.ts"
import { test } from "./support/onDatabase.ts"

/** Makes the database that the first release left. */
const firstRelease = Effect.flatMap(SqlClient.SqlClient, (sql) => {
  const bytes = sql.onDialectOrElse({ sqlite: () => "BLOB", orElse: () => "BYTEA" })
  const statements = readFileSync(join(import.meta.dirname, "fixtures", "schema-9.sql"), "utf8")
    .replace(/^(?:--.*\n)+/, "").replace(" BYTES ", ` ${bytes} `).trim().split(";\n")
  return Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
})

for (const { make, name } of strict) {
  it.effect(`is made by whoever opens it first, also where many do so at once, on ${name}`, function*() {
    const database = yield* make
    const atOnce = { concurrency: "unbounded" } as const
    const programs = yield* Effect.forEach(Array.from({ length: 8 }), () => opened(database), atOnce)
    yield* Effect.forEach(programs, ({ ledger }) => spend(ledger, 1, 1), atOnce)
    assert.deepInclude(yield* programs[0]!.ledger.balance, { charged: 8, available: 92 })
  })
}

test("a database of a newer version is refused by name, and left as it is", function*(database) {
  const { close, sql } = yield* opened(database)
  yield* sql`INSERT INTO marketdata_schema (version) VALUES (${1000})`
  yield* close
  const opening = Effect.scoped(SqlLedger.make({ account: "main", allowance: 1 }))
  const { message, reason } = yield* Effect.flip(Effect.provide(opening, database.open))
  assert.deepInclude(reason, { _tag: "NewerSchema", found: 1000 })
  assert.match(
    message,
    /^the database has schema version 1000, and this version of @effect-marketdata\/sql knows versions up to \d+\. Use a newer/
  )
})

test("a database of the first release is opened: budgets, history, claims, block, sizes, jobs", function*(database) {
  yield* Effect.provide(firstRelease, database.open)
  yield* setTime(database, 1795194002_000)
  const limits = { allowance: 1000, window: "day" } as const
  const { ledger, sql } = yield* opened(database, { ...limits, budget: "research" })
  const { ledger: other } = yield* opened(database, { ...limits, budget: "claimed" })
  const claimed = (key: string) =>
    Effect.provideService(SqlLedger.claimed({ account: "main", budget: "claimed", key }), SqlClient.SqlClient, sql)
  yield* lasting(sql)
  const before = { charged: 157, uncertain: 0, reserved: 60, overdrawn: 2, available: 783 }
  assert.deepInclude(yield* ledger.balance, before)
  assert.deepInclude((yield* ledger.balance).standing, { limit: 10_000, remaining: 9000, reset: 1795271400 })
  const done = { key: "done", run: "first run", since: 1795194000, requests: 1 }
  assert.deepStrictEqual(yield* claimed("done"), { ...done, state: "charged", credits: 150, uncertain: 0 })
  assert.deepInclude(yield* claimed("left behind"), { state: "sent", uncertain: 40 })
  assert.isUndefined(yield* claimed("another"))
  // The programs that wrote it are gone, and so are their leases.
  yield* elapse({ sql }, 120)
  assert.deepInclude(yield* ledger.balance, { charged: 157, uncertain: 40, reserved: 0, available: 803 })
  assert.deepInclude(yield* other.balance, { charged: 150, uncertain: 40, reserved: 0 })
  assert.deepInclude(yield* claimed("left behind"), { state: "uncertain", uncertain: 40 })
  yield* spend(ledger, 3, 3)
  const entries = yield* historyOf(sql)
  assert.strictEqual(
    entries.filter(({ budget }) => budget === "research")
      .map(({ askedBy, event }) => (askedBy === "notebook" ? "" : "own ") + event._tag).join(" "),
    "Reserved Sent Charged Reconciled Settled Reserved Sent Charged Overran Settled Refused Reserved Sent Lost Settled" +
      " own Reserved own Sent own Charged own Settled"
  )
  assert.deepInclude(entries.flatMap(({ event }) => "query" in event ? [event.query] : [])[0], { tickers: ["SPX"] })
  yield* Effect.gen(function*() {
    yield* SqlIpGuard.make({ account: "main", address: "192.0.2.1" })
    const [shared] = yield* sql<{ text: string }>`SELECT text FROM marketdata_shared`
    assert.deepInclude(JSON.parse(shared!.text), { blocks: [["192.0.2.1", 1795194300]] })
    const [size] = yield* (yield* SqlChainSizes.make()).find({ service: "https://sandbox.test", chain: "SPX" })
    assert.deepInclude(size, { _tag: "Chain", contracts: 22_718 })
    const states = sql`SELECT state FROM marketdata_job_query WHERE job = 'week 47' ORDER BY number`
    assert.deepStrictEqual(yield* states, [{ state: "answered" }, { state: "failed" }])
    assert.deepStrictEqual(yield* sql`SELECT taken FROM marketdata_job`, [{ taken: 1 }])
    // A program of before, which still runs, cannot begin a query beside that sum.
    assert.strictEqual((yield* Effect.exit(sql`SELECT bound FROM marketdata_job_query`))._tag, "Failure")
    assert.lengthOf(yield* sql`SELECT answer FROM marketdata_job_answer`, 1)
  }).pipe(Effect.scoped, Effect.provideService(SqlClient.SqlClient, sql))
})

it.effect(`a database that the first release wrote becomes what is made anew, on ${kind.name}`, function*() {
  const columns = Effect.flatMap(SqlClient.SqlClient, (sql) =>
    sql.onDialectOrElse({
      sqlite: () => sql`SELECT replace(replace(sql, ' ', ''), char(10), '') AS it FROM sqlite_master ORDER BY name`,
      orElse: () =>
        sql`SELECT table_name || column_name || data_type || is_nullable AS it FROM information_schema.columns
              WHERE table_schema = current_schema() AND table_name LIKE 'marketdata%' ORDER BY it`
    }))
  const of = (before: Effect.Effect<unknown, unknown, SqlClient.SqlClient>) =>
    Effect.flatMap(
      kind.make,
      ({ open }) => Effect.provide(Effect.andThen(before, Effect.andThen(Tables.migrate, columns)), open)
    )
  assert.deepStrictEqual(yield* of(firstRelease), yield* of(Effect.void))
})

test("a database that cannot be used says what is missing", function*({ open }) {
  const failing = Effect.flatMap(SqlClient.SqlClient, (sql) => Tables.transaction(sql`SELECT id FROM nowhere`))
  const { message, reason } = yield* Effect.flip(Effect.provide(failing, open))
  assert.strictEqual(reason._tag, "Unusable")
  assert.match(message, /^the database cannot be used: .*nowhere/)
})

it.effect(`a database in which a view or a trigger of others is in the place of a table, or that may not be read, is refused by name, and not read, on ${kind.name}`, function*() {
  // One that ends: of one that does not, a test of a program that reads it would never say so.
  const counting = `CREATE VIEW marketdata_schema AS WITH RECURSIVE counted(version) AS
        (SELECT 1 UNION ALL SELECT version + 1 FROM counted WHERE version < 1000) SELECT version FROM counted`
  const watching = kind.name === "SQLite"
    ? ["CREATE TRIGGER spy AFTER INSERT ON marketdata_event BEGIN UPDATE marketdata_ledger SET head = ''; END"]
    : [
      "CREATE FUNCTION spy() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
      "CREATE TRIGGER spy BEFORE INSERT ON marketdata_event FOR EACH ROW EXECUTE FUNCTION spy()"
    ]
  const granted = "DO $$BEGIN EXECUTE 'GRANT USAGE ON SCHEMA ' || current_schema() || ' TO pg_monitor'; END$$"
  const computed = "ALTER TABLE marketdata_reply ADD COLUMN more TEXT CHECK (length(more) < 9)"
  const cases: ReadonlyArray<readonly [isOpened: boolean, statements: ReadonlyArray<string>, detail: RegExp]> = [
    [false, [counting], /"marketdata_schema" is a view that this package has not made/],
    [true, watching, /is a (trigger|table with triggers) that this package has not made/],
    kind.name === "SQLite"
      ? [true, [computed], /"marketdata_reply" is a table of another kind/]
      : [true, [granted, "SET ROLE pg_monitor"], /permission denied for table marketdata_schema/]
  ]
  for (const [isOpened, statements, detail] of cases) {
    const database = yield* kind.make
    if (isOpened) yield* (yield* opened(database)).close
    yield* Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      for (const statement of statements) yield* sql.unsafe(statement)
      const { message } = yield* Effect.flip(Tables.migrate)
      assert.match(message, detail)
    }).pipe(Effect.provide(database.open))
  }
})
