/** Sizes of chains that outlive a program, and take nothing from a query when their database breaks. */
import { CacheFallback, ChainSizes, MarketData } from "@effect-marketdata/client"
import { ChainSize, DataMode, Query } from "@effect-marketdata/core"
import { SqlChainSizes, Sqlite } from "@effect-marketdata/sql"
import * as MarketDataTest from "@effect-marketdata/testing/MarketDataTest"
import { Context, Effect, Exit, Layer, Logger, References, Result, Scope } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as TestClock from "effect/testing/TestClock"
import { join } from "node:path"
import { assert, it } from "../../core/test/support/it.ts"
import { type Database, folder } from "./support/databases.ts"
import { test } from "./support/onDatabase.ts"

const { noon } = MarketDataTest

const spx: ChainSizes.Chain = { service: "https://sandbox.test", chain: "SPX" }

const chain = (options: Parameters<typeof Query.optionChain>[1]) => Result.getOrThrow(Query.optionChain("SPX", options))

const sizeOf = (
  contracts: number,
  seenAt = noon,
  options: Parameters<typeof Query.optionChain>[1] = { expiration: "all" }
): ChainSize.ChainSize => {
  const size = ChainSize.ofChain(chain(options), { contracts, seenAt })
  assert(size !== undefined)
  return size
}

/** Opens a store with a client of its own, as another process does. */
const opened = Effect.fnUntraced(function*(database: Pick<Database, "open">, options: SqlChainSizes.Options = {}) {
  const scope = yield* Effect.scope
  const sql = Context.get(yield* Layer.buildWithScope(database.open, scope), SqlClient.SqlClient)
  const store = yield* SqlChainSizes.make(options).pipe(Effect.provideService(SqlClient.SqlClient, sql))
  return { sql, ...store }
})

test("remembers sizes for other programs, and of each name the one that was seen last", function*(database) {
  const [one, other] = [yield* opened(database), yield* opened(database)]
  assert.deepStrictEqual(yield* one.find(spx), [])
  const strikes = ChainSize.ofStrikes(Result.getOrThrow(Query.optionStrikes("SPX")), {
    expirations: [{ expiration: { year: 2026, month: 12, day: 18 }, strikes: [6000, 6500] }],
    seenAt: noon - 60
  })!
  yield* one.keep(spx, sizeOf(22_718))
  yield* other.keep(spx, strikes)
  assert.deepStrictEqual(yield* other.find(spx), [sizeOf(22_718), strikes])
  yield* other.keep(spx, sizeOf(22_720, noon + 60))
  yield* one.keep(spx, sizeOf(22_000, noon - 60))
  assert.deepStrictEqual(yield* one.find(spx), [sizeOf(22_720, noon + 60), strikes])
  assert.deepStrictEqual(yield* one.find({ ...spx, service: "https://other.test" }), [])
  assert.deepStrictEqual(yield* one.find({ ...spx, chain: "SPX 2026-11-18" }), [])
})

test("keeps as many as it may, those that were seen last", function*(database) {
  const { find, keep, sql } = yield* opened(database, { maxSizes: 3 })
  for (const [at, name] of ["A", "B", "C", "D", "E"].entries()) {
    yield* keep({ ...spx, chain: name }, sizeOf(at, noon + at))
  }
  assert.strictEqual((yield* sql`SELECT name FROM marketdata_chain_size`).length, 3)
  assert.deepStrictEqual(yield* find({ ...spx, chain: "B" }), [])
  assert.deepStrictEqual(yield* find({ ...spx, chain: "C" }), [sizeOf(2, noon + 2)])
  // A list of filters of any length is a name; one that no index takes is not kept.
  yield* keep(spx, sizeOf(9, noon + 9, { strike: Array.from({ length: 900 }, (_, at) => at + 1) }))
  assert.deepStrictEqual(yield* find(spx), [])
})

test("knows nothing of rows that cannot be read, and keeps what many programs write at once", function*(database) {
  const { find, keep, sql } = yield* opened(database)
  for (const [at, size] of ["{", "{}", "null", `{"_tag":"Chain"}`].entries()) {
    yield* sql`INSERT INTO marketdata_chain_size
            ${sql.insert({ service: spx.service, chain: "SPX", name: String(at), seen: noon, size })}`
  }
  yield* keep(spx, sizeOf(3))
  assert.deepStrictEqual(yield* find(spx), [sizeOf(3)])
  const programs = yield* Effect.forEach(Array.from({ length: 4 }), () => opened(database))
  const rounds = programs.flatMap((program, at) => [0, 1, 2, 3].map((more) => ({ program, at: 4 * at + more })))
  const together = { concurrency: "unbounded", discard: true } as const
  yield* Effect.forEach(rounds, ({ at, program }) => program.keep(spx, sizeOf(at, noon + at)), together)
  assert.deepStrictEqual(yield* find(spx), [sizeOf(15, noon + 15)])
})

/** Puts what is logged into a list. */
const collecting = (messages: Array<string>) =>
  Logger.layer([Logger.make(({ message }) => void messages.push(String(message)))])

/** All contracts on F, of which the sandbox lists 648. */
const ford = MarketData.optionChain("F", { expiration: "all", mode: DataMode.cachedOrLive({ maxAge: "5 minutes" }) })

/** A program of its own, with a client over the sandbox. */
const program = (sizes: Layer.Layer<ChainSizes.ChainSizes>, at: number) =>
  MarketDataTest.layer({ at, sandbox: { cold: ["F"] } }).pipe(
    Layer.provide(sizes),
    Layer.merge(CacheFallback.layerUpTo(1000))
  )

it.effect("[8.3-fallback] a client falls back to live by what a program before it saw", function*() {
  const filename = join(yield* folder, "credits.db")
  const sizes = Layer.orDie(Layer.fresh(SqlChainSizes.layerSqlite({ filename })))
  yield* MarketData.optionChain("F", { expiration: "all", mode: "live" }).pipe(Effect.provide(program(sizes, noon)))
  const { credits, provenance } = yield* Effect.provide(ford, program(sizes, noon + 3600))
  assert.deepStrictEqual([provenance.sentMode, credits.charged], ["live", 648])
  assert.strictEqual(ChainSize.assumedBy(credits.estimate), "648 contracts, seen 1 hour ago")
})

const cases = [
  ["cannot be written", "PRAGMA query_only = ON"],
  ["has lost its table", "DROP TABLE marketdata_chain_size"]
] as const
for (const [what, statement] of cases) {
  it.effect(`a client that ${what} answers as one without, and says so in the log`, function*() {
    const filename = join(yield* folder, "credits.db")
    const database = { open: Layer.orDie(Layer.fresh(Sqlite.layer({ filename }))) }
    const { sql, ...store } = yield* opened(database)
    yield* sql.unsafe(statement)
    const sizes = Layer.succeed(ChainSizes.ChainSizes, store)
    const messages: Array<string> = []
    const live = MarketData.optionChain("F", { expiration: "all", mode: "live" })
    yield* Effect.gen(function*() {
      assert.strictEqual((yield* live).credits.charged, 648)
      yield* TestClock.adjust("1 hour")
      assert.include((yield* Effect.flip(ford)).message, "the price of live data is unknown")
    }).pipe(
      Effect.provide(Layer.merge(program(sizes, noon), collecting(messages))),
      Effect.provideService(References.MinimumLogLevel, "Debug")
    )
    assert.isTrue(messages.some((message) => message.includes("sizes of chains cannot be read or written")))
  })
}

it.effect("a client that is closed meanwhile answers as one without", function*() {
  const filename = join(yield* folder, "credits.db")
  const scope = yield* Scope.make()
  const sizes = yield* Layer.buildWithScope(SqlChainSizes.layerSqlite({ filename }), scope)
  yield* Scope.close(scope, Exit.void)
  const { credits } = yield* MarketData.optionChain("F", { expiration: "all", mode: "live" }).pipe(
    Effect.provide(program(Layer.succeedContext(sizes), noon))
  )
  assert.strictEqual(credits.charged, 648)
})

it.effect("a client that cannot be opened says which file it is", function*() {
  const filename = join(yield* folder, "none", "credits.db")
  const { reason } = yield* Effect.flip(Effect.scoped(Layer.build(SqlChainSizes.layerSqlite({ filename }))))
  assert.strictEqual(reason._tag, "Unusable")
  assert.include(reason.message, filename)
})
