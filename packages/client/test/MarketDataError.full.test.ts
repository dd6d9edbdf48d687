import * as Effect from "effect/Effect"
import { execFile } from "node:child_process"
import { dirname } from "node:path"
import { assert, it } from "../../core/test/support/it.ts"

const program = `
import { CreditLedger, MarketData, RetryPolicy } from "@effect-marketdata/client"
import { Effect, Layer } from "effect"
import { FetchHttpClient } from "effect/http"

const client = MarketData.layer({ baseUrl: "http://127.0.0.1:1" }).pipe(
  Layer.provide([FetchHttpClient.layer, CreditLedger.layerUnlimited])
)
await Effect.runPromise(MarketData.stockPrices(["AAPL"]).pipe(
  Effect.provideService(RetryPolicy.RetryPolicy, RetryPolicy.make({ attempts: 3, base: 0, cap: 0 })),
  Effect.provide(client)
))
`

/** Runs a program of its own in the Node that runs the tests, and gives what it wrote on standard error. */
const uncaught = Effect.callback<string>((resume) => {
  const flags = ["--conditions=@effect-marketdata/source", "--input-type=module", "-e", program]
  const options = { cwd: dirname(import.meta.dirname) }
  execFile(process.execPath, flags, options, (_, __, stderr) => resume(Effect.succeed(stderr)))
})

it.live("is printed once, in a few lines, where nobody caught it", function*() {
  const printed = yield* uncaught
  assert.strictEqual(printed.split("bad port").length - 1, 1, printed)
  assert.include(printed, "MarketDataError: stockPrices AAPL: the service could not be reached")
  assert.isAtMost(printed.split("\n").length, 25)
})
