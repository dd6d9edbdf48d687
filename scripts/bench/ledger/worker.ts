/** The ledger in a database against bare transactions, and a call with ledger and guard in a database against one with both in memory. */
import { CreditLedger, IpGuard, MarketData } from "@effect-marketdata/client"
import { SqlIpGuard, Sqlite, SqlLedger } from "@effect-marketdata/sql"
import * as PgClient from "@effect/sql-pg/PgClient"
import { Effect, Layer, Redacted, Stream } from "effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as SqlClient from "effect/sql/SqlClient"
import { randomUUID } from "node:crypto"
import { join } from "node:path"
import { monitorEventLoopDelay } from "node:perf_hooks"
import * as Wire from "../../../packages/cluster/test/takeover/wire.ts"
import { temporaryFolder } from "../../shared/files.ts"
import * as Caller from "../caller.ts"
import { median, pair, paired } from "../statistics.ts"
import { answer } from "../worker.ts"

type Kept = CreditLedger.CreditLedger | IpGuard.IpGuard

const allowance = 1e12

/** How many ask at once. */
const callers = 50

const inMemory = Layer.merge(CreditLedger.layerMemory({ allowance }), IpGuard.layerMemory())

/** A database: SQLite in a folder, or the PostgreSQL server, with a round trip of the given milliseconds, if any. */
const open = (kind: string, folder: string, roundTrip?: string) => {
  if (kind === "sqlite") return Sqlite.layer({ filename: join(folder, "credits.db") })
  const url = new URL(process.env["MARKETDATA_TEST_POSTGRES"]!)
  if (roundTrip === undefined) return PgClient.layer({ url: Redacted.make(url.href) })
  return Layer.unwrap(Effect.map(Wire.lay(Number(url.port), Number.parseInt(roundTrip)), ({ port }) => {
    url.port = String(port)
    return PgClient.layer({ url: Redacted.make(url.href) })
  }))
}

/** An account of its own in the database, so that no run finds the events of another. */
const kept = (): Layer.Layer<Kept, unknown, SqlClient.SqlClient> => {
  const account = randomUUID()
  return Layer.merge(SqlLedger.layer({ account, allowance }), SqlIpGuard.layer({ account, address: "here" }))
}

/** A piece of work, for all callers at once, over what it needs; what is open for it ends with the scope. */
const working = <R>(work: Effect.Effect<unknown, unknown, R>, over: Layer.Layer<R, unknown>) => {
  const atOnce = Effect.replicateEffect(work, callers, { concurrency: "unbounded", discard: true })
  return Effect.map(Layer.build(over), (context) => () => Effect.runPromiseWith(context)(atOnce))
}

/** Measures one piece of work against another. */
const against = (milliseconds: string, baseline: ReturnType<typeof working>, subject: ReturnType<typeof working>) =>
  Effect.runPromise(Effect.scoped(Effect.gen(function*() {
    const [one, other] = [yield* baseline, yield* subject]
    return yield* Effect.promise(() => paired(one, other, Number(milliseconds)))
  })))

/** A query of one request, as the client asks it: its four steps in the ledger. */
const operation = Effect.gen(function*() {
  const reservation = yield* (yield* CreditLedger.CreditLedger).reserve(2, undefined, undefined, 1)
  yield* reservation.send(2, 0)
  yield* reservation.charge({ credits: 1 }, 0, undefined, true)
  yield* reservation.settle
})

/** The same number of steps, each in the smallest transaction that there is. */
const bare = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (let step = 0; step < 4; step++) yield* sql.withTransaction(sql`UPDATE bench SET steps = steps + 1 WHERE id = 1`)
})

const table = Layer.effectDiscard(Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE IF NOT EXISTS bench (id BIGINT PRIMARY KEY, steps BIGINT NOT NULL)`
  yield* sql`INSERT INTO bench (id, steps) VALUES (1, 0) ON CONFLICT DO NOTHING`
}))

/** A ledger with a million events, written by the database itself, and the names that its own events have. */
const filled = (account: string) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const ledger = yield* SqlLedger.make({ account, allowance, lease: "1 hour", askedBy: "bench" })
    for (let held = 0; held < reservations; held += 250) {
      yield* Effect.replicateEffect(ledger.reserve(1), 250, { concurrency: "unbounded" })
    }
    const first = reservations + 1
    const event = JSON.stringify({ _tag: "Lost", available: 1, reservation: 1, request: 0, credits: 1 })
    yield* sql`INSERT INTO marketdata_event (account, budget, number, time, asked_by, kind, asked, credits, uncertain, event)
      WITH RECURSIVE n (number) AS (SELECT ${first} UNION ALL SELECT number + 1 FROM n WHERE number < ${events})
      SELECT ${account}, '', number, number, 'program ' || number % 7, 'Lost', 'query ' || number % 100, 0, 1, ${event} FROM n`
    yield* sql`UPDATE marketdata_ledger SET events = ${events}`
    return ledger
  })

/** The longest that the event loop may be blocked, in milliseconds. */
const longestStall = 50

/** How many events and reservations a large ledger has. */
const [events, reservations] = [1_000_000, 10_000]

/** The longest that some work blocks the event loop, in milliseconds: the median of five times. */
const stallOf = Effect.fnUntraced(function*<A, E, R>(work: Effect.Effect<A, E, R>) {
  const delays = monitorEventLoopDelay({ resolution: 1 })
  const longest: Array<number> = []
  for (let time = 0; time < 5; time++) {
    yield* Effect.sleep(20)
    delays.enable()
    delays.reset()
    yield* work
    yield* Effect.sleep(20)
    longest.push(delays.max / 1e6)
    delays.disable()
  }
  return median(longest)
})

await answer({
  stall: async (_port, _milliseconds, work) => {
    using folder = temporaryFolder()
    const database = open("sqlite", folder.path)
    const measured = Effect.gen(function*() {
      const ledger = yield* filled("main")
      const step = (ledger: CreditLedger.CreditLedger["Service"]) =>
        Effect.flatMap(ledger.reserve(1), ({ settle }) => settle)
      const another = Effect.flatMap(SqlLedger.make({ account: "main", allowance, askedBy: "another" }), step)
      const works: Readonly<Record<string, Effect.Effect<unknown, unknown, SqlClient.SqlClient>>> = {
        step: step(ledger),
        opening: Effect.provide(Effect.scoped(another), Layer.fresh(database)),
        spending: SqlLedger.spending({ account: "main" }),
        history: Stream.runDrain(Stream.take(SqlLedger.history({ account: "main" }), 1000)),
        "history-of-nobody": Stream.runDrain(SqlLedger.history({ askedBy: "nobody" }))
      }
      return yield* stallOf(works[work]!)
    })
    return pair(longestStall, await Effect.runPromise(Effect.provide(Effect.scoped(measured), database)))
  },
  operations: async (_port, milliseconds, kind, roundTrip?: string) => {
    using folder = temporaryFolder()
    const database = open(kind, folder.path, roundTrip)
    const transactions = working(bare, Layer.provideMerge(table, Layer.fresh(database)))
    return await against(milliseconds, working(operation, Layer.provide(kept(), database)), transactions)
  },
  call: async (port, milliseconds, kind) => {
    using folder = temporaryFolder()
    const client = MarketData.layerNoDeps(Caller.config(port))
    const quotes = (kept: Layer.Layer<Kept, unknown>) =>
      working(Caller.quote, Layer.provide(client, [kept, FetchHttpClient.layer]))
    const database = Layer.provide(kept(), open(kind, folder.path))
    return await against(milliseconds, quotes(inMemory), quotes(database))
  }
})
