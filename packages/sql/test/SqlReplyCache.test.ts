import { MarketData, ReplyCache } from "@effect-marketdata/client"
import type { Answer } from "@effect-marketdata/core/Answer"
import * as DataMode from "@effect-marketdata/core/DataMode"
import * as SqlReplyCache from "@effect-marketdata/sql/SqlReplyCache"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Context, Effect, Layer } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"
import { createHash } from "node:crypto"
import { clientOf } from "../../client/test/support/clients.ts"
import { patient, replyOf } from "../../client/test/support/keptReplies.ts"
import { chainBody, pricesBody, replying, type Script, symbolsOf } from "../../client/test/support/scripted.ts"
import { runs } from "../../core/test/support/depth.ts"
import { assert, it } from "../../core/test/support/it.ts"
import { type Database, folder, kind, setTime, soon } from "./support/databases.ts"
import { test } from "./support/onDatabase.ts"

/** When the scripted quotes were taken, and some seconds. */
const quoted = 1_795_208_000

const prices = () => replying((url): Script => ({ status: 203, body: pricesBody(symbolsOf(url)) }))

const ask = (...tickers: ReadonlyArray<string>) =>
  MarketData.stockPrices([...tickers], { mode: DataMode.cached({ maxAge: "5 minutes" }) })

/** A machine: a client with a connection of its own. */
const machine = (database: Database, http: ReturnType<typeof prices>, options: Partial<SqlReplyCache.Options> = {}) =>
  Effect.gen(function*() {
    const sql = Context.get(yield* Layer.build(database.open), SqlClient.SqlClient)
    const cache = SqlReplyCache.layer({ account: "main", ...options }).pipe(
      Layer.provide(Layer.succeed(SqlClient.SqlClient, sql))
    )
    const built = yield* Layer.build(Layer.provide(clientOf(http), Layer.orDie(cache)))
    const client = Context.get(built, MarketData.MarketData)
    return {
      sql,
      get: (...tickers: ReadonlyArray<string>) =>
        ask(...tickers).pipe(Effect.provideService(MarketData.MarketData, client))
    }
  })

const reply = (endpoint: string, bytes: number): ReplyCache.KeptReply => ({
  ...replyOf(quoted),
  endpoint,
  // What cannot be compressed, so that sizes are what they seem.
  bytes: new Uint8Array(createHash("shake256", { outputLength: bytes }).update(endpoint).digest())
})

const two = Effect.fnUntraced(function*(database: Database, http = prices()) {
  yield* setTime(database, quoted * 1000)
  return [yield* machine(database, http), yield* machine(database, http)] as const
})

/** Waits for rows of their own: replies are kept behind the answer. */
const written = (sql: SqlClient.SqlClient, rows: number): Effect.Effect<void> =>
  Effect.flatMap(
    Effect.orDie(sql`SELECT DISTINCT entry FROM marketdata_reply`),
    (found) => found.length >= rows ? soon : Effect.andThen(soon, written(sql, rows))
  )

/** Some seconds go by, and a query is asked. */
const step = fc.record({
  seconds: fc.constantFrom(0, 1, 59, 299, 300, 301, 3600, 86_400),
  tickers: fc.subarray(["A", "B", "C"], { minLength: 1 }),
  mode: fc.constantFrom("5 minutes", "1 hour", "live", "past")
})

type Step = typeof step extends fc.Arbitrary<infer Step> ? Step : never

/** What a client with a cache answers to a story. */
const told = (database: Database, story: ReadonlyArray<Step>, cache: Layer.Layer<ReplyCache.ReplyCache>) =>
  Effect.gen(function*() {
    const http = replying((url): Script => ({
      status: 203,
      body: url.pathname.includes("chain") ? chainBody(3) : pricesBody(symbolsOf(url))
    }))
    const client = yield* Layer.build(Layer.provide(clientOf(http), Layer.fresh(cache)))
    let now = quoted
    return yield* Effect.forEach(story, ({ mode, seconds, tickers }) =>
      Effect.gen(function*() {
        yield* setTime(database, (now += seconds) * 1000)
        const asked: Effect.Effect<Answer<unknown>, unknown, MarketData.MarketData> = mode === "past"
          ? MarketData.optionChain(tickers[0]!, { date: "2026-11-18", assume: { contracts: 9 } })
          : mode === "live"
          ? MarketData.stockPrices(tickers)
          : MarketData.stockPrices(tickers, { mode: DataMode.cached({ maxAge: mode }) })
        const { credits, data, findings, provenance } = yield* asked
        return JSON.stringify([provenance.source, provenance.age, credits, findings, data, http.requests.length])
      }).pipe(Effect.provideContext(client)))
  }).pipe(Effect.scoped)

test("answers on all machines what one of them has paid for, within the maximum age", function*(database) {
  const http = prices()
  const [one, other] = yield* two(database, http)
  const stranger = yield* machine(database, http, { account: "another" })
  const first = yield* one.get("A", "B")
  yield* written(one.sql, 1)
  yield* setTime(database, (quoted + 300) * 1000)
  const second = yield* other.get("A", "B")
  assert.strictEqual(http.requests.length, 1)
  assert.deepStrictEqual(second.data.toJSON(), first.data.toJSON())
  assert.deepInclude(second.provenance, { source: "local", age: 300 })
  assert.deepInclude(second.credits, { charged: 0, uncertain: 0 })
  assert.strictEqual((yield* stranger.get("A", "B")).provenance.source, "cache")
  yield* setTime(database, (quoted + 301) * 1000)
  assert.strictEqual((yield* other.get("A", "B")).provenance.source, "cache")
  assert.strictEqual(http.requests.length, 3)
})

test("takes a reply for as old as the database says, whatever clock its machine had", function*(database) {
  const [{ get, sql }, other] = yield* two(database)
  yield* get("A")
  yield* written(sql, 1)
  // Its machine was four minutes ahead.
  yield* sql`UPDATE marketdata_reply SET kept = kept - 240`
  assert.deepInclude((yield* other.get("A")).provenance, { source: "local", age: 240 })
  yield* sql`UPDATE marketdata_reply SET kept = kept - 61`
  assert.strictEqual((yield* other.get("A")).provenance.source, "cache")
})

test("asks the service where a row is damaged, or was copied from another query", function*(database) {
  const [{ get, sql }, other] = yield* two(database)
  yield* get("A")
  yield* get("B")
  yield* written(sql, 2)
  yield* sql`UPDATE marketdata_reply SET entry = (SELECT entry FROM marketdata_reply ORDER BY key LIMIT 1)`
  const answers = [yield* other.get("A"), yield* other.get("B")]
  assert.deepStrictEqual(answers.map(({ provenance }) => provenance.source).toSorted(), ["cache", "local"])
  assert.deepStrictEqual(answers.map(({ data }) => /"[AB]"/.exec(JSON.stringify(data))?.[0]), ["\"A\"", "\"B\""])
  yield* written(sql, 2)
  yield* sql`UPDATE marketdata_reply SET entry = ${new Uint8Array([1, 2, 3])}`
  const { findings, provenance } = yield* get("A")
  assert.strictEqual(provenance.source, "cache")
  assert.include(findings.map(({ code }) => code), "DamagedReply")
})

test("keeps no more bytes, queries and days than it may: the longest unused makes room", function*(database) {
  yield* setTime(database, quoted * 1000)
  const sql = Context.get(yield* Layer.build(database.open), SqlClient.SqlClient)
  const store = yield* SqlReplyCache.makeStore({ maxBytes: 20_000, maxEntries: 3, maxAge: "1 hour" }).pipe(
    Effect.provideService(SqlClient.SqlClient, sql)
  )
  const at = (seconds: number) => setTime(database, (quoted + seconds) * 1000)
  const found = (keys: string) =>
    Effect.map(
      Effect.forEach([...keys], (key) => Effect.map(store.find(key, 1e9), ({ _tag }) => _tag === "Kept" ? key : "")),
      (kept) => kept.join("")
    )
  // What is kept again is as new, and as large, as it is then.
  yield* Effect.andThen(at(-3500), store.keep("a", [reply("z", 18_500)]))
  for (const [index, key] of [..."abc"].entries()) {
    yield* at(50 + index * 100)
    yield* store.keep(key, [reply(key, 1000), reply(key, 10)])
  }
  yield* at(300)
  assert.strictEqual(yield* found("a"), "a")
  yield* at(301)
  yield* store.keep("d", [reply("d", 1000)])
  assert.strictEqual(yield* found("abcd"), "acd")
  const kept = yield* store.find("a", 1e9)
  assert(kept._tag === "Kept")
  const plain = kept.replies.map((reply) => ({ ...reply, bytes: new Uint8Array(reply.bytes) }))
  assert.deepStrictEqual(plain, [reply("a", 1000), reply("a", 10)])
  yield* sql`UPDATE marketdata_reply SET entry = (SELECT entry FROM marketdata_reply ORDER BY key LIMIT 1)`
  assert.lengthOf(yield* found("acd"), 1)
  yield* at(302)
  yield* store.remove("c")
  yield* store.keep("e", [reply("e", 19_500)])
  assert.strictEqual(yield* found("acde"), "e")
  yield* store.keep("f", [reply("f", 30_000)])
  assert.strictEqual(yield* found("ef"), "e")
  yield* at(302 + 3600)
  assert.strictEqual(yield* found("e"), "")
  yield* store.keep("g", [reply("g", 10)])
  assert.lengthOf(yield* sql`SELECT key FROM marketdata_reply`, 1)
  yield* store.remove("g")
  assert.lengthOf(yield* sql`SELECT key FROM marketdata_reply`, 0)
})

test("takes nothing from a query where the database cannot be used, and refuses options by name", function*(database) {
  const http = prices()
  yield* setTime(database, quoted * 1000)
  const { get, sql } = yield* machine(database, http)
  yield* get("A")
  yield* written(sql, 1)
  yield* sql`ALTER TABLE marketdata_reply RENAME TO kept`
  // It can be read, and that a reply was used cannot be written.
  yield* sql`CREATE VIEW marketdata_reply AS SELECT DISTINCT * FROM kept`
  yield* setTime(database, (quoted + 60) * 1000)
  assert.deepInclude((yield* get("A")).provenance, { source: "local", age: 60 })
  yield* sql`DROP VIEW marketdata_reply`
  assert.strictEqual((yield* get("A")).provenance.source, "cache")
  assert.strictEqual((yield* get("B")).provenance.source, "cache")
  const refused = (options: object) =>
    Layer.build(SqlReplyCache.layer(options as SqlReplyCache.Options)).pipe(
      Effect.provideService(SqlClient.SqlClient, sql),
      Effect.flip,
      Effect.map(({ message }) => message)
    )
  assert.include(yield* refused({}), "account undefined must be a string of 1 to 100 characters")
  assert.include(yield* refused({ account: "main", maxBytes: 0 }), "maxBytes 0 must be a positive integer")
  assert.include(yield* refused({ account: "main", maxEntries: 1.5 }), "maxEntries 1.5 must be a positive integer")
  assert.include(yield* refused({ account: "main", maxAge: "soon" }), "maxAge \"soon\" must be at least 1 second")
})

it.effect(`answers whatever is asked as the caches in memory and on disk do, and charges the same, on ${kind.name}`, () =>
  Effect.promise(() =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), (story) =>
        Effect.runPromise(
          Effect.gen(function*() {
            const database = yield* kind.make
            const path = yield* folder
            const disk = ReplyCache.layerDisk({ directory: path, maxBytes: 1_000_000, account: "main" })
            const caches = [
              ReplyCache.layerMemory({ maxBytes: 1_000_000, account: "main" }),
              Layer.provide(disk, [NodeServices.layer, patient]),
              Layer.orDie(Layer.provide(SqlReplyCache.layer({ account: "main" }), database.open))
            ]
            const tellings = yield* Effect.forEach(caches, (cache) => told(database, story, cache))
            for (const telling of tellings) assert.deepStrictEqual(telling, tellings[0])
          }).pipe(Effect.scoped, Effect.provide(TestClock.layer()))
        )),
      { numRuns: kind.name === "SQLite" ? runs(60, 4) : 12, seed: 17_761 }
    )
  ))
