/** The ledger and the guard in a database, against both in memory. */
import * as CreditLedger from "@effect-marketdata/client/CreditLedger"
import * as IpGuard from "@effect-marketdata/client/IpGuard"
import * as MarketData from "@effect-marketdata/client/MarketData"
import * as SqlIpGuard from "@effect-marketdata/sql/SqlIpGuard"
import * as SqlLedger from "@effect-marketdata/sql/SqlLedger"
import * as Sqlite from "@effect-marketdata/sql/Sqlite"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import { randomUUID } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { paired } from "../statistics.ts"
import * as Targets from "../targets.ts"
import { answer } from "../worker.ts"

type Kept = CreditLedger.CreditLedger | IpGuard.IpGuard

const allowance = 1e12

const inMemory = Layer.merge(CreditLedger.layerMemory({ allowance }), IpGuard.layerMemory())

/** An account of its own in the database, so that no run finds the events of another. */
const inDatabase = (kind: string | undefined, folder: string): Layer.Layer<Kept, unknown> => {
  const account = randomUUID()
  const kept = Layer.merge(SqlLedger.layer({ account, allowance }), SqlIpGuard.layer({ account, address: "here" }))
  return kind === "sqlite"
    ? Layer.provide(kept, Sqlite.layer({ filename: join(folder, "credits.db") }))
    : Layer.provide(kept, PgClient.layer({ url: Redacted.make(process.env["MARKETDATA_TEST_POSTGRES"]!) }))
}

/** Uses both, and ends what they have open. */
const both = async (
  kind: string | undefined,
  milliseconds: string | undefined,
  work: (kept: Layer.Layer<Kept, unknown>) => Effect.Effect<() => Promise<unknown>, unknown, Scope.Scope>
) => {
  const folder = mkdtempSync(join(tmpdir(), "bench-ledger-"))
  try {
    return await Effect.runPromise(Effect.scoped(Effect.gen(function*() {
      const baseline = yield* work(inMemory)
      const subject = yield* work(inDatabase(kind, folder))
      return yield* Effect.promise(() => paired(baseline, subject, Number(milliseconds)))
    })))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const operation = Effect.gen(function*() {
  const reservation = yield* (yield* CreditLedger.CreditLedger).reserve(2)
  yield* reservation.send(2, 0)
  yield* reservation.charge({ credits: 1 }, 0)
  yield* reservation.settle
})

await answer({
  operations: (kind, milliseconds) =>
    both(
      kind,
      milliseconds,
      (kept) =>
        Effect.map(Layer.build(kept), (context) => () => Effect.runPromise(Effect.provideContext(operation, context)))
    ),
  call: (kind, port = "0", milliseconds) =>
    both(kind, milliseconds, (kept) => {
      const config = { baseUrl: Targets.origin(port), token: Redacted.make(Targets.token) }
      const client = MarketData.layerNoDeps(config).pipe(Layer.provide([kept, FetchHttpClient.layer]))
      return Effect.map(
        Layer.build(client),
        (context) => () => Effect.runPromise(Effect.provideContext(MarketData.stockQuote("AAPL"), context))
      )
    })
})
