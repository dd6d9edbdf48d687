/** A file of its own: a program may change its working folder, but the threads in which faults are planted may not. */
import { Sqlite } from "@effect-marketdata/sql"
import { Effect, Layer } from "effect"
import { dirname, join, relative } from "node:path"
import { it } from "../../core/test/support/it.ts"
import { folder } from "./support/databases.ts"
import { opened, spend } from "./support/ledgers.ts"

it.effect("SqlLedger on a database that is named from a folder that its program has left goes on", function*() {
  const home = process.cwd()
  yield* Effect.addFinalizer(() => Effect.sync(() => process.chdir(home)))
  const filename = relative(home, join(yield* folder, "credits.db"))
  const { ledger } = yield* opened({ open: Layer.orDie(Sqlite.layer({ filename })), setServer: () => Effect.void })
  process.chdir(dirname(home))
  yield* spend(ledger, 1, 1)
})
