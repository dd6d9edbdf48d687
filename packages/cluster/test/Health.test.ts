import * as CreditLedger from "@effect-marketdata/client/CreditLedger"
import * as Health from "@effect-marketdata/cluster/Health"
import { SqlIpGuard, Sqlite } from "@effect-marketdata/sql"
import * as MarketDataTest from "@effect-marketdata/testing/MarketDataTest"
import { Context, Effect, Layer } from "effect"
import * as Sharding from "effect/cluster/Sharding"
import * as HttpRouter from "effect/http/HttpRouter"
import * as SqlClient from "effect/sql/SqlClient"
import { assert, it } from "../../core/test/support/it.ts"
import { through } from "./support/embedded.ts"

/** Asks the pages of a runner as a browser does. */
const pages = (services: Layer.Layer<CreditLedger.CreditLedger | Sharding.Sharding | SqlClient.SqlClient>) =>
  Effect.gen(function*() {
    const { dispose, handler } = HttpRouter.toWebHandler(Layer.provide(Health.layer({ account: "main" }), services), {
      disableLogger: true
    })
    yield* Effect.addFinalizer(() => Effect.promise(dispose))
    return (path: string) =>
      Effect.promise(async () => {
        const response = await handler(new Request(`http://runner.test${path}`))
        return { status: response.status, type: response.headers.get("content-type"), body: await response.text() }
      })
  })

/** A runner in this process, in real time, and its database. */
const sqlite = Layer.orDie(Sqlite.layer({ filename: ":memory:" }))
const runner = Layer.mergeAll(through(MarketDataTest.layer()), CreditLedger.layerUnlimited, sqlite)

it.live("names who sends, since when, and until when an address is blocked", function*() {
  const context = yield* Layer.build(runner)
  const guard = yield* Effect.provide(SqlIpGuard.make({ account: "main", address: "office" }), context)
  const admission = yield* guard.admit
  if (admission._tag === "Send") yield* admission.leave("blocked")
  const get = yield* pages(Layer.succeedContext(context))
  const { body, status, type } = yield* get("/health")
  assert.strictEqual(status, 200, body)
  assert.include(type ?? "", "application/json")
  const report: Health.Report = JSON.parse(body)
  assert.deepStrictEqual([report.status, report.problems], ["ok", []])
  assert.deepStrictEqual([report.gateway?.runner, report.address?.address], ["localhost:34431", "office"])
  assert.deepStrictEqual(report.address?.blocks.map(({ address }) => address), ["office"])
  assert.strictEqual((yield* get("/health/live")).status, 200)
  assert.match((yield* get("/metrics")).body, /effect_cluster_/)
})

it.live("is 503 where the database cannot be read, and says so", function*() {
  const context = yield* Layer.build(runner)
  const closed = yield* Effect.scoped(Layer.build(Layer.fresh(Sqlite.layer({ filename: ":memory:" }))))
  const get = yield* pages(Layer.succeedContext(context).pipe(Layer.merge(Layer.succeedContext(closed))))
  const { body, status } = yield* get("/health")
  assert.strictEqual(status, 503, body)
  const report: Health.Report = JSON.parse(body)
  assert.strictEqual(report.status, "unavailable")
  assert.match(report.problems.join(), /^the guard: /)
  assert.isNull(report.address)
  assert.isNotNull(report.gateway)
})

it.live("is 503 where the account is none, and says so", function*() {
  const context = yield* Layer.build(runner)
  for (const options of [null, { account: undefined }]) {
    const { problems, status } = yield* Effect.provide(Health.report(options as never), context)
    assert.strictEqual(status, "unavailable")
    assert.match(problems[0] ?? "", /^the gateway: account undefined must be a string of 1 to 100 printable characters/)
  }
})

it.live("is 503 where the ledger waits for a database that says nothing, and does not wait for it", function*() {
  const context = yield* Layer.build(runner)
  const ledger = Context.get(context, CreditLedger.CreditLedger)
  const balance = Effect.uninterruptible(Effect.never)
  const silent = Context.add(context, CreditLedger.CreditLedger, { ...ledger, balance })
  const { body, status } = yield* (yield* pages(Layer.succeedContext(silent)))("/health")
  assert.strictEqual(status, 503, body)
  assert.deepStrictEqual(JSON.parse(body).problems, ["the ledger did not answer within 2 seconds"])
})
