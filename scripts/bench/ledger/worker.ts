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
import { randomUUID } from "node:crypto"
import { mkdtempDisposableSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Caller from "../caller.ts"
import { paired } from "../statistics.ts"
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

/** Does some work over both, and ends what they have open. */
const both = async <R>(
  kind: string | undefined,
  milliseconds: string | undefined,
  work: Effect.Effect<unknown, unknown, R>,
  over: (kept: Layer.Layer<Kept, unknown>) => Layer.Layer<R, unknown>
) => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "bench-ledger-"))
  const working = (kept: Layer.Layer<Kept, unknown>) =>
    Effect.map(Layer.build(over(kept)), (context) => () => Effect.runPromise(Effect.provideContext(work, context)))
  return await Effect.runPromise(Effect.scoped(Effect.gen(function*() {
    const baseline = yield* working(inMemory)
    const subject = yield* working(inDatabase(kind, folder.path))
    return yield* Effect.promise(() => paired(baseline, subject, Number(milliseconds)))
  })))
}

const operation = Effect.gen(function*() {
  const reservation = yield* (yield* CreditLedger.CreditLedger).reserve(2)
  yield* reservation.send(2, 0)
  yield* reservation.charge({ credits: 1 }, 0)
  yield* reservation.settle
})

await answer({
  operations: (_port, milliseconds, kind) => both(kind, milliseconds, operation, (kept) => kept),
  call: (port = "0", milliseconds, kind) =>
    both(
      kind,
      milliseconds,
      Caller.quote,
      (kept) => Layer.provide(MarketData.layerNoDeps(Caller.config(port)), [kept, FetchHttpClient.layer])
    )
})
