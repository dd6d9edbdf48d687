/** The schema of the tables in a database, version by version, the way to the newest, and what others may not have put in its place. */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { DatabaseError, fromSql, NewerSchema, unusable } from "./DatabaseError.ts"
import * as Transaction from "./transaction.ts"

/**
 * The schema, one step a version. A step that was released is never changed: databases remember only the last that they have seen. Versions
 * before 9 were never released. All amounts and times are numbers as programs have them, and what has a shape of its own is JSON.
 */
const versions: ReadonlyMap<number, ReadonlyArray<string>> = new Map([
  [9, [
    `CREATE TABLE marketdata_ledger (
      account TEXT NOT NULL,
      budget TEXT NOT NULL,
      head TEXT NOT NULL,
      events BIGINT NOT NULL,
      PRIMARY KEY (account, budget)
    )`,
    // A reservation, how long its program may hold it, and under which key and in which run it was made.
    `CREATE TABLE marketdata_lease (
      account TEXT NOT NULL,
      budget TEXT NOT NULL,
      reservation BIGINT NOT NULL,
      owner TEXT NOT NULL,
      asked_by TEXT NOT NULL,
      query TEXT,
      expires DOUBLE PRECISION NOT NULL,
      claim TEXT,
      run TEXT,
      state TEXT,
      PRIMARY KEY (account, budget, reservation)
    )`,
    `CREATE INDEX marketdata_lease_expires ON marketdata_lease (account, budget, expires)`,
    `CREATE INDEX marketdata_lease_owner ON marketdata_lease (account, budget, owner, expires)`,
    `CREATE TABLE marketdata_event (
      account TEXT NOT NULL,
      budget TEXT NOT NULL,
      number BIGINT NOT NULL,
      time DOUBLE PRECISION NOT NULL,
      asked_by TEXT NOT NULL,
      kind TEXT NOT NULL,
      asked TEXT,
      credits DOUBLE PRECISION NOT NULL,
      uncertain DOUBLE PRECISION NOT NULL,
      query TEXT,
      event TEXT NOT NULL,
      claim TEXT,
      run TEXT,
      PRIMARY KEY (account, budget, number)
    )`,
    `CREATE INDEX marketdata_event_claim ON marketdata_event (account, budget, claim, number) WHERE claim IS NOT NULL`,
    `CREATE INDEX marketdata_event_order ON marketdata_event (time, account, budget, number)`,
    `CREATE INDEX marketdata_event_account ON marketdata_event (account, time, budget, number)`,
    // Clocks of the programs that have a ledger in a SQLite file open.
    `CREATE TABLE marketdata_clock (
      account TEXT NOT NULL,
      budget TEXT NOT NULL,
      owner TEXT NOT NULL,
      asked_by TEXT NOT NULL,
      time DOUBLE PRECISION NOT NULL,
      machine BIGINT NOT NULL,
      ended BIGINT NOT NULL,
      PRIMARY KEY (account, budget, owner)
    )`,
    // What programs share of an account besides its ledgers: which address may send, and how many retries are left.
    `CREATE TABLE marketdata_shared (
      account TEXT NOT NULL,
      kind TEXT NOT NULL,
      text TEXT NOT NULL,
      PRIMARY KEY (account, kind)
    )`,
    `CREATE TABLE marketdata_chain_size (
      service TEXT NOT NULL,
      chain TEXT NOT NULL,
      name TEXT NOT NULL,
      seen DOUBLE PRECISION NOT NULL,
      size TEXT NOT NULL,
      PRIMARY KEY (service, chain, name)
    )`,
    `CREATE INDEX marketdata_chain_size_seen ON marketdata_chain_size (seen)`,
    // Jobs of the package cluster: what was asked, what became of each query, and the answers of those who keep them here.
    `CREATE TABLE marketdata_job (
      id TEXT NOT NULL PRIMARY KEY,
      version BIGINT NOT NULL,
      input TEXT NOT NULL,
      queries BIGINT NOT NULL,
      budget DOUBLE PRECISION NOT NULL,
      started DOUBLE PRECISION NOT NULL,
      cancelled DOUBLE PRECISION,
      ended DOUBLE PRECISION,
      problem TEXT
    )`,
    `CREATE TABLE marketdata_job_query (
      job TEXT NOT NULL,
      number BIGINT NOT NULL,
      state TEXT NOT NULL,
      asks BIGINT NOT NULL,
      bound DOUBLE PRECISION NOT NULL,
      credits DOUBLE PRECISION NOT NULL,
      uncertain DOUBLE PRECISION NOT NULL,
      outcome TEXT,
      PRIMARY KEY (job, number)
    )`,
    `CREATE TABLE marketdata_job_answer (
      job TEXT NOT NULL,
      number BIGINT NOT NULL,
      answer TEXT NOT NULL,
      PRIMARY KEY (job, number)
    )`,
    // Runners of the package cluster, and from which address the requests of each come.
    `CREATE TABLE marketdata_runner (
      account TEXT NOT NULL,
      runner TEXT NOT NULL,
      address TEXT NOT NULL,
      PRIMARY KEY (account, runner)
    )`,
    // Replies that all programs of an account share.
    `CREATE TABLE marketdata_reply (
      key TEXT NOT NULL PRIMARY KEY,
      size BIGINT NOT NULL,
      kept DOUBLE PRECISION NOT NULL,
      used DOUBLE PRECISION NOT NULL,
      entry BYTES NOT NULL
    )`,
    `CREATE INDEX marketdata_reply_used ON marketdata_reply (used, size)`
  ]],
  // How much of the budget of a job is taken, which was a row of its own among those of its queries, or was nowhere. A program that still runs
  // with such rows would spend beside that sum, so it finds no column of its name: its jobs wait, and go on elsewhere.
  [10, [
    `ALTER TABLE marketdata_job ADD COLUMN taken DOUBLE PRECISION NOT NULL DEFAULT 0`,
    `DELETE FROM marketdata_job_query WHERE number < 0`,
    `UPDATE marketdata_job SET taken = (SELECT COALESCE(SUM(credits + uncertain + CASE WHEN state = 'asked' THEN bound ELSE 0 END), 0)
      FROM marketdata_job_query WHERE job = marketdata_job.id)`,
    `ALTER TABLE marketdata_job_query RENAME COLUMN bound TO most`
  ]]
])

/** The tables of all versions. */
const tables = [
  "marketdata_schema",
  ...[...versions.values()].flat().flatMap((step) => [/^CREATE TABLE (\w+)/.exec(step)?.[1] ?? []].flat())
]

/** What stands in the place of a table. */
interface Intruder {
  readonly name: string
  readonly what: string
}

/** A table of this package has columns and a key, and nothing that is computed. */
const intrudersInFile = (sql: SqlClient.SqlClient): Effect.Effect<ReadonlyArray<Intruder>, SqlError> =>
  Effect.map(
    sql<Intruder & { readonly text: string | null }>`SELECT name, type AS what, sql AS text FROM sqlite_schema
      WHERE type <> 'index' AND (name LIKE 'marketdata!_%' ESCAPE '!' OR tbl_name LIKE 'marketdata!_%' ESCAPE '!')`,
    (rows) =>
      rows.flatMap(({ name, text, what }) => {
        if (what !== "table") return [{ name, what }]
        return /^CREATE TABLE\b/i.test(text ?? "") && !/\b(CHECK|GENERATED|AS)\b/i.test(text ?? "")
          ? []
          : [{ name, what: "table of another kind" }]
      })
  )

const intrudersOnServer = (sql: SqlClient.SqlClient): Effect.Effect<ReadonlyArray<Intruder>, SqlError> =>
  sql<Intruder>`SELECT c.relname AS name,
    CASE WHEN c.relkind NOT IN ('r', 'p') THEN 'view' WHEN c.relhasrules THEN 'table with rules' ELSE 'table with triggers' END AS what
    FROM pg_class c WHERE c.oid IN (${sql.csv(tables.map((table) => sql`to_regclass(${table})::oid`))})
    AND (c.relkind NOT IN ('r', 'p') OR c.relhasrules OR EXISTS (
      SELECT 1 FROM pg_trigger t WHERE t.tgrelid = c.oid AND NOT t.tgisinternal))`

/**
 * Fails if others have put a view, a trigger or a foreign table in the place of one of our tables: a view could block a program that reads it, and a trigger
 * could change what is written. They are found without being read.
 */
export const refuseIntruders = Effect.fnUntraced(function*(sql: SqlClient.SqlClient) {
  const intruders = sql.onDialectOrElse({ sqlite: () => intrudersInFile(sql), orElse: () => intrudersOnServer(sql) })
  const [found] = yield* intruders
  if (found === undefined) return
  const problem =
    `"${found.name}" is a ${found.what} that this package has not made. Remove it, or use another database`
  return yield* Effect.fail(unusable(problem))
})

/** The version of the schema that this package writes. */
const current = Math.max(...versions.keys())

/** A number for PostgreSQL's lock of an idea, as long as a transaction: two processes must not make the same table. */
const lock = 0x6d64_6462

/** The version of the schema that a database has; 0 if it has none. */
const versionOf = (sql: SqlClient.SqlClient): Effect.Effect<number, DatabaseError | SqlError> =>
  Effect.flatMap(sql<{ version: unknown }>`SELECT MAX(version) AS version FROM marketdata_schema`, ([row]) => {
    const found = Number(row?.version ?? 0)
    return found > current
      ? Effect.fail(new DatabaseError({ reason: new NewerSchema({ found, known: current }) }))
      : Effect.succeed(found)
  })

/**
 * Brings the database to the present schema, and gives the client of the program, whose rows have the names of columns as they are written here: a
 * program may have given it names in camel case. Several processes may do so at once: the steps are one transaction, which only one of them can
 * be in. A database whose schema is newer is left as it is, and one that is up to date is only read: its user may not be allowed more.
 */
export const migrated: Effect.Effect<SqlClient.SqlClient, DatabaseError, SqlClient.SqlClient> = Effect.gen(function*() {
  const sql = (yield* SqlClient.SqlClient).withoutTransforms()
  yield* Transaction.inTime(sql, refuseIntruders(sql))
  // On a server what fails would undo the transaction of a caller who is in one.
  const version = sql.onDialectOrElse({
    sqlite: () => versionOf(sql),
    orElse: () => Transaction.run(sql, versionOf(sql))
  })
  // On a server as one statement: with a round trip for each, a distant one would be given up before the last.
  const together = (statements: ReadonlyArray<string>) =>
    sql.onDialectOrElse({
      sqlite: () => Effect.forEach(statements, (text) => sql.unsafe(text.replace("BYTES", "BLOB")), { discard: true }),
      orElse: () => {
        const text = statements.join(";").replace("BYTES", "BYTEA")
        return sql.unsafe(`DO $$BEGIN PERFORM pg_advisory_xact_lock(${lock});${text}; END$$`)
      }
    })
  // Without the table there is no version, and whatever else is wrong the first step says; but not that this user may not read the table.
  const isOther = (error: DatabaseError | SqlError) =>
    error._tag === "SqlError" && error.reason._tag !== "AuthorizationError"
  if (current === (yield* Effect.catchIf(version, isOther, () => Effect.succeed(0)))) return sql
  yield* Transaction.run(
    sql,
    Effect.gen(function*() {
      yield* together(["CREATE TABLE IF NOT EXISTS marketdata_schema (version BIGINT NOT NULL PRIMARY KEY)"])
      const found = yield* versionOf(sql)
      for (const [number, statements] of versions) {
        if (number <= found) continue
        yield* together([...statements, `INSERT INTO marketdata_schema (version) VALUES (${number})`])
      }
    })
  )
  return sql
}).pipe(Effect.catchTag("SqlError", (error) => Effect.fail(fromSql(error))))
