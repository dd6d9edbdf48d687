/** What a ledger does when its database does not: nothing is sent that is not written down, and nothing that happened is forgotten. */
import { Claim, MarketData } from "@effect-marketdata/client"
import { Sqlite, SqlLedger } from "@effect-marketdata/sql"
import { type Duration, Effect, Fiber, Latch, Layer } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import * as TestClock from "effect/testing/TestClock"
import { chmodSync, copyFileSync, existsSync, linkSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { pricesBody, service } from "../../client/test/support/scripted.ts"
import { assert, it, vi } from "../../core/test/support/it.ts"
import { type Database, folder, kind, pass } from "./support/databases.ts"
import { clientOver, opened, spend } from "./support/ledgers.ts"
import { test } from "./support/onDatabase.ts"

const unavailable = <A, E extends { readonly _tag: string }>(step: Effect.Effect<A, E>) =>
  Effect.map(Effect.flip(step), (reason) => {
    assert(reason._tag === "LedgerUnavailable" && "detail" in reason)
    return String(reason.detail)
  })

/** A file, and for how long others may lock it: not for long, where they never let it go. */
const file = (lockTimeout: Duration.Input = "50 millis", scheme = "") =>
  Effect.map(folder, (path) => {
    const filename = join(path, "credits.db")
    const open = Layer.orDie(Layer.fresh(Sqlite.layer({ filename: `${scheme}${filename}`, lockTimeout })))
    return { filename, open, setServer: () => Effect.void } satisfies Database & { readonly filename: string }
  })

/** Ends after a while of the machine's own time, and counts what else the program did meanwhile. */
const aWhile = Effect.gen(function*() {
  let others = 0
  const busy = Effect.forever(Effect.andThen(Effect.sync(() => others++), Effect.yieldNow))
  yield* Effect.raceFirst(Effect.promise(() => new Promise((resume) => setTimeout(resume, 20))), busy)
  return others
})

/** Ways in which SQLite cannot be written, each made by one statement and undone by another. */
const breakages: ReadonlyArray<readonly [name: string, make: string, mend: string, words: string]> = [
  ["is read only", "PRAGMA query_only = ON", "PRAGMA query_only = OFF", "readonly database: it, its -wal, its -shm or"],
  ["is full", "PRAGMA max_page_count = 1", "PRAGMA max_page_count = 1000000", "credits.db: database or disk is full"]
]

/** Ways in which a file stops being the one that was opened. SQLite itself goes on in it, where no other program finds what is written. */
const losses: ReadonlyArray<readonly [name: string, lose: (filename: string) => void, scheme?: string, end?: string]> =
  [
    ["was removed", (filename) => rmSync(filename)],
    ["has a log that was removed", (filename) => rmSync(filename), "", "-wal"],
    ["has a log whose index was removed", (filename) => rmSync(filename), "", "-shm"],
    ["has a URI, and was removed", (filename) => rmSync(filename), "file:"],
    ["was replaced by a copy", (filename) => {
      copyFileSync(filename, `${filename}.copy`)
      renameSync(`${filename}.copy`, filename)
    }]
  ]

for (const [name, lose, scheme, end = ""] of losses) {
  it.effect(`a database that ${name} while it was open sends nothing more, until the file is back`, function*() {
    const database = yield* file("50 millis", scheme)
    const filename = `${database.filename}${end}`
    const { ledger } = yield* opened(database)
    const [first, second] = [yield* ledger.reserve(30), yield* ledger.reserve(20)]
    yield* first.send(30, 0)
    linkSync(filename, `${filename}.kept`)
    lose(filename)
    assert.include(yield* unavailable(ledger.reserve(1)), "was removed or replaced while it was open")
    assert.include(yield* unavailable(second.send(20, 0)), "was removed or replaced while it was open")
    renameSync(`${filename}.kept`, filename)
    yield* first.charge({ credits: 25 }, 0)
    yield* first.settle
    yield* second.settle
    assert.deepInclude(yield* ledger.balance, { charged: 25, uncertain: 0, reserved: 0, available: 75 })
  })
}

it.effect("a database that has lost the index of its log leaves the log to others when its program ends", function*() {
  const { filename, ...database } = yield* file()
  const { close, ledger } = yield* opened(database)
  yield* spend(ledger, 3, 3)
  rmSync(`${filename}-shm`)
  yield* close
  assert.isTrue(existsSync(`${filename}-wal`))
})

for (const [name, make, mend, words] of breakages) {
  it.effect(`a database that ${name} refuses queries by name, and writes later what happened meanwhile, once`, function*() {
    const { ledger, sql } = yield* opened(yield* file())
    const [first, second] = [yield* ledger.reserve(30), yield* ledger.reserve(20)]
    yield* first.send(30, 0)
    yield* sql.unsafe(make)
    // A page that is there already takes many events before the file has to grow.
    const filled = Effect.forever(Effect.flatMap(ledger.reserve(0), ({ settle }) => settle))
    assert.include(yield* unavailable(filled), words)
    assert.include(yield* unavailable(second.send(20, 0)), words)
    assert.strictEqual(yield* first.charge({ credits: 25 }, 0), 0)
    yield* first.settle
    yield* second.settle
    yield* sql.unsafe(mend)
    yield* TestClock.adjust("1 minute")
    assert.lengthOf(yield* sql`SELECT 1 FROM marketdata_event WHERE kind = 'Charged'`, 1)
    assert.deepInclude(yield* ledger.balance, { charged: 25, uncertain: 0, reserved: 0, available: 75 })
  })
}

it.effect("a database that could not be written for a while has what happened meanwhile when its program ends in order", function*() {
  const database = yield* file()
  const { close, ledger, sql } = yield* opened(database)
  const [answered, cut] = [yield* ledger.reserve(30), yield* ledger.reserve(20)]
  yield* answered.send(30, 0)
  yield* cut.send(20, 0)
  yield* sql.unsafe("PRAGMA query_only = ON")
  yield* answered.charge({ credits: 25 }, 0)
  yield* sql.unsafe("PRAGMA query_only = OFF")
  yield* close
  const after = yield* opened(database)
  assert.deepInclude(yield* after.ledger.balance, { charged: 25, uncertain: 20, reserved: 0, available: 55 })
})

it.effect("a database that was lost while it committed gives back what it had reserved for a query that was not sent", function*() {
  const { open, setServer } = yield* file()
  let isCut = false
  const cut = new SqlError({ reason: new ConnectionError({ message: "the connection was lost", cause: undefined }) })
  const lossy = Layer.effect(
    SqlClient.SqlClient,
    Effect.map(SqlClient.SqlClient, (sql) =>
      new Proxy(sql, {
        get: (of, key) =>
          key === "withTransaction" && isCut
            ? (effect: Effect.Effect<void>) => Effect.andThen(of.withTransaction(effect), Effect.fail(cut))
            : Reflect.get(of, key)
      }))
  )
  const { ledger, sql } = yield* opened({ open: Layer.provide(lossy, open), setServer })
  const asking = Effect.flatMap(ledger.reserve(30, undefined, undefined, 1), ({ send }) => send(30, 0))
  const batches = yield* ledger.reserve(40)
  isCut = true
  yield* unavailable(Effect.provideService(asking, Claim.Current, { key: "SPX", run: "first" }))
  yield* unavailable(batches.send(40, 0))
  isCut = false
  assert.deepInclude(yield* ledger.balance, { charged: 0, uncertain: 0, reserved: 40, available: 60 })
  yield* batches.settle
  assert.deepInclude(yield* ledger.balance, { charged: 0, uncertain: 0, reserved: 0, available: 100 })
  const claimed = Effect.provideService(SqlLedger.claimed({ account: "main", key: "SPX" }), SqlClient.SqlClient, sql)
  assert.deepInclude(yield* claimed, { state: "charged", credits: 0 })
})

it.effect("a database that is locked by another program for too long refuses queries by name", function*() {
  const database = yield* file()
  const [{ ledger }, other] = [yield* opened(database), yield* opened(database)]
  const words = yield* other.sql.withTransaction(unavailable(ledger.reserve(1)))
  assert.match(words, /^\/.*: database is locked by another program, perhaps a stopped one/)
  yield* spend(ledger, 1, 1)
})

it.effect("a database that is locked by another program for a while waits for it, and holds up nothing else in the program", function*() {
  const database = yield* file("1 minute")
  const [{ ledger }, other] = [yield* opened(database), yield* opened(database)]
  const held = other.sql.withTransaction(aWhile)
  const [others] = yield* Effect.all([held, spend(ledger, 1, 1)], { concurrency: 2 })
  assert.isAbove(others, 0)
  assert.deepInclude(yield* ledger.balance, { charged: 1 })
})

it.effect("a database that is new, and being made by another program, is opened after it, and holds up nothing else in the program", function*() {
  const database = yield* file("1 minute")
  const other = new DatabaseSync(database.filename)
  other.exec("BEGIN EXCLUSIVE; CREATE TABLE other (number BIGINT)")
  const made = Effect.map(aWhile, (others) => {
    other.exec("COMMIT")
    other.close()
    return others
  })
  const [others, { ledger }] = yield* Effect.all([made, opened(database)], { concurrency: 2 })
  assert.isAbove(others, 0)
  assert.deepInclude(yield* ledger.balance, { available: 100 })
})

it.effect("a database that has no name, or is waited for without a duration, cannot be opened: SQLite would forget what was spent", function*() {
  const cases: ReadonlyArray<readonly [options: unknown, words: string]> = [
    [{ filename: "" }, "filename \"\" must name a file, or be \":memory:\", which ends with the program, e.g."],
    [{ filename: "file:" }, "filename \"file:\" must name a file"],
    [{ filename: 7 }, "filename 7 must name a file"],
    [null, "filename undefined must name a file"],
    [{ filename: ":memory:", lockTimeout: "soon" }, "lockTimeout \"soon\" must be a duration, e.g. \"5 seconds\"."]
  ]
  for (const [options, words] of cases) {
    // As callers without types may write it.
    const opening = Effect.scoped(Layer.build(Sqlite.layer(options as Sqlite.Options)))
    assert.include((yield* Effect.flip(opening)).message, words)
    const ledger = { account: "main", allowance: 1, ...options as Sqlite.Options }
    assert.include((yield* Effect.flip(Effect.scoped(Layer.build(SqlLedger.layerSqlite(ledger))))).message, words)
  }
})

it.effect("a database that is not a database, not in a folder, or in one that is full or may not be written, cannot be opened, and says which file it is", function*() {
  const [path, { filename: made }] = [yield* folder, yield* file()]
  const full = vi.spyOn(DatabaseSync.prototype, "exec").mockImplementationOnce(() => {
    // A program that is killed now leaves no empty file under this name.
    throw Object.assign(new Error(existsSync(made) ? "made empty" : "database or disk is full"), { errcode: 13 })
  })
  const text = join(path, "notes.txt")
  writeFileSync(text, "no database ".repeat(100))
  chmodSync(path, 0o555)
  const cases: ReadonlyArray<readonly [filename: string, words: string]> = [
    [made, "database or disk is full"],
    [join(path, "none", "credits.db"), "unable to open database file"],
    // A folder is not a file.
    [path, "unable to open database file"],
    // Nobody can keep the superuser from writing into a folder of a disk; into the processes of the machine not even they write.
    [process.getuid?.() === 0 ? "/proc/credits.db" : join(path, "credits.db"), "unable to open database file"],
    [text, "file is not a database"]
  ]
  for (const [filename, words] of cases) {
    const opening = Effect.scoped(Layer.build(SqlLedger.layerSqlite({ filename, account: "main", allowance: 1 })))
    const { message, reason } = yield* Effect.flip(opening)
    assert.deepStrictEqual([reason._tag, message], ["Unusable", `the database cannot be used: ${filename}: ${words}`])
  }
  full.mockRestore()
  // An empty file would be refused when there is room.
  assert.isFalse(existsSync(made))
})

it.effect("a database that sends nothing for a client while it cannot be written", function*() {
  const http = service({ status: 200, body: pricesBody(["A"]) })
  const { ledger, sql } = yield* opened(yield* file())
  yield* sql.unsafe("PRAGMA query_only = ON")
  const { message } = yield* Effect.flip(Effect.provide(MarketData.stockPrices(["A"]), clientOver(ledger, http)))
  assert.match(message, /credits cannot be used: \/.*credits\.db: attempt to write a readonly database:/)
  assert.strictEqual(http.requests.length, 0)
})

it.effect("a database that is SQLite on a Node that has none is refused with what to use", function*() {
  const layer = SqlLedger.layerSqlite({ filename: ":memory:", account: "main", allowance: 1 })
  const spy = vi.spyOn(process, "getBuiltinModule").mockReturnValue(undefined)
  yield* Effect.addFinalizer(() => Effect.sync(() => spy.mockRestore()))
  const { message } = yield* Effect.flip(Effect.scoped(Layer.build(layer)))
  assert.match(message, /needs Node 22\.13 or newer, and this is Node \d+.*: use a newer Node, or a PostgreSQL/)
})

test("says so where what is stored of it cannot be read, or is gone", function*(database) {
  const { ledger, sql } = yield* opened(database)
  yield* spend(ledger, 5, 5)
  const [row] = yield* sql<{ head: string }>`SELECT head FROM marketdata_ledger`
  // Nobody was ever charged less than nothing.
  const negative = row!.head.replace("\"charged\":5", "\"charged\":-5")
  for (const head of ["{", "{}", `{"allowance":"much"}`, negative]) {
    yield* sql`UPDATE marketdata_ledger SET head = ${head}`
    assert.include(yield* unavailable(ledger.reserve(1)), "the ledger \"main\" cannot be read from the database: ")
  }
  yield* sql`DELETE FROM marketdata_ledger`
  assert.include(yield* unavailable(ledger.balance), "it is no longer there")
})

test("does not let a caller's transaction undo what was sent", function*(database) {
  const { ledger, sql } = yield* opened(database)
  const failure = yield* Effect.flip(sql.withTransaction(Effect.andThen(spend(ledger, 5, 5), Effect.fail("undone"))))
  if (kind.name === "SQLite") {
    assert(typeof failure !== "string" && failure._tag === "LedgerUnavailable")
    assert.include(failure.detail, "inside a transaction of the same SQLite client")
    assert.deepInclude(yield* ledger.balance, { charged: 0 })
  } else {
    assert.strictEqual(failure, "undone")
    assert.deepInclude(yield* ledger.balance, { charged: 5 })
  }
})

/** Takes away what happened in ledgers since, as a server that takes over does which had not heard of it yet. */
const forgetting = <A, E, R>({ sql }: { readonly sql: SqlClient.SqlClient }, happening: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const [before] = yield* sql<{ head: string }>`SELECT head FROM marketdata_ledger`
    const value = yield* happening
    for (const table of ["event", "lease"]) yield* sql.unsafe(`DELETE FROM marketdata_${table}`)
    yield* sql`UPDATE marketdata_ledger SET head = ${before!.head}, events = 0`
    return value
  })

test("takes no reservation for known that a server which took over has lost", function*(database) {
  const [one, other] = [yield* opened(database), yield* opened(database)]
  yield* forgetting(one, one.ledger.reserve(10))
  yield* pass(database, "1 second")
  for (const bound of [60, 20]) yield* other.ledger.reserve(bound)
  assert.deepInclude(yield* one.ledger.balance, { reserved: 80, available: 20 })
})

test("takes no reservation of another for one that was lost, nor gives its own lost number again", function*(database) {
  const [one, other] = [yield* opened(database), yield* opened(database)]
  const lost = yield* forgetting(one, Effect.tap(one.ledger.reserve(10), (reserved) => reserved.send(10, 0)))
  yield* pass(database, "1 second")
  const theirs = yield* other.ledger.reserve(60)
  yield* theirs.send(60, 0)
  yield* lost.charge({ credits: 3 }, 0, undefined, true)
  assert.deepInclude(yield* other.ledger.balance, { charged: 0, reserved: 60 })
  assert.deepInclude(yield* Effect.flip(lost.send(1, 1)), { _tag: "LedgerUnavailable" })
  yield* theirs.charge({ credits: 60 }, 0)
  assert.deepInclude(yield* one.ledger.balance, { charged: 60, available: 40 })
  const again = yield* forgetting(other, other.ledger.reserve(5))
  const next = yield* other.ledger.reserve(7)
  yield* again.settle
  yield* next.send(7, 0)
  assert.deepInclude(yield* other.ledger.balance, { reserved: 7 })
})

test("keeps a charge that failed within a caller's transaction for which another step waits", function*(database) {
  const { ledger, sql } = yield* opened(database)
  const reservation = yield* ledger.reserve(30)
  yield* reservation.send(30, 0)
  const begun = Latch.makeUnsafe()
  const waiting = yield* Effect.forkChild(Effect.andThen(begun.await, ledger.reserve(1)))
  yield* sql.withTransaction(Effect.andThen(begun.open, Effect.andThen(aWhile, reservation.charge({ credits: 25 }, 0))))
  yield* Fiber.join(waiting)
  assert.deepInclude(yield* ledger.balance, { charged: 25, uncertain: 0, reserved: 6 })
})

test("leaves alone what another reserved under the number of what could not be written", function*(database) {
  const [one, other] = [yield* opened(database), yield* opened(database)]
  yield* other.sql`ALTER TABLE marketdata_event RENAME TO away`
  yield* unavailable(one.ledger.reserve(10))
  yield* other.sql`ALTER TABLE away RENAME TO marketdata_event`
  yield* other.ledger.reserve(60)
  assert.deepInclude(yield* one.ledger.balance, { reserved: 60, available: 40 })
})
