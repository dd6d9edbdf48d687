/** A file of its own: a program may change its working folder, but the threads in which faults are planted may not. */
import { Sqlite } from "@effect-marketdata/sql"
import { Effect, Layer } from "effect"
import { it } from "../../core/test/support/it.ts"
import { folder } from "./support/databases.ts"
import { opened, spend } from "./support/ledgers.ts"

it.effect("SqlLedger on a database that is named from a folder that its program has left goes on", function*() {
  const home = process.cwd()
  yield* Effect.addFinalizer(() => Effect.sync(() => process.chdir(home)))
  process.chdir(yield* folder)
  const open = Layer.orDie(Sqlite.layer({ filename: "credits.db" }))
  const { ledger } = yield* opened({ open, setServer: () => Effect.void })
  process.chdir(home)
  yield* spend(ledger, 1, 1)
})
