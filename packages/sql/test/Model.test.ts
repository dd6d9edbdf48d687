import * as SqlLedger from "@effect-marketdata/sql/SqlLedger"
import * as Model from "@effect-marketdata/testing/Model"
import { assert } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import { runs } from "../../core/test/support/depth.ts"
import { test } from "./support/onDatabase.ts"

test("holds the model of the service, for a client in front of the sandbox", function*(database) {
  const sql = Context.get(yield* Layer.build(database.open), SqlClient.SqlClient)
  let accounts = 0
  const ledger = Effect.suspend(() => SqlLedger.makeUnlimited({ account: `account ${++accounts}` })).pipe(
    Effect.provideService(SqlClient.SqlClient, sql),
    Effect.orDie
  )
  yield* Model.check(Model.ofClient({ ledger }), { seed: 1, runs: runs(30, 10) })
  assert.isAbove(accounts, runs(30, 10))
})
