import * as MarketData from "@effect-marketdata/client/MarketData"
import * as RetryPolicy from "@effect-marketdata/client/RetryPolicy"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { execFile } from "node:child_process"
import { dirname } from "node:path"
import { inspect } from "node:util"
import { clientOf, service } from "./support/scripted.ts"

/** How often a text holds another. */
const occurrences = (text: string, part: string): number => text.split(part).length - 1

const program = `
import { MarketData, RetryPolicy } from "@effect-marketdata/client"
import { Effect, Layer } from "effect"
import { FetchHttpClient } from "effect/http"

const client = MarketData.layer({ baseUrl: "http://127.0.0.1:1" }).pipe(Layer.provide(FetchHttpClient.layer))
await Effect.runPromise(MarketData.stockPrices(["AAPL"]).pipe(
  Effect.provideService(RetryPolicy.RetryPolicy, RetryPolicy.make({ attempts: 3, base: 0, cap: 0 })),
  Effect.provide(client)
))
`

/** Runs a program of its own in the Node that runs the tests, and gives what it wrote on standard error. */
const uncaught = Effect.callback<string>((resume) => {
  const flags = ["--conditions=@effect-marketdata/source", "--input-type=module", "-e", program]
  execFile(
    process.execPath,
    flags,
    { cwd: dirname(import.meta.dirname) },
    (_, __, stderr) => resume(Effect.succeed(stderr))
  )
})

describe("MarketDataError", () => {
  const failing = Effect.flip(MarketData.stockPrices(["AAPL"])).pipe(
    Effect.provideService(RetryPolicy.RetryPolicy, RetryPolicy.make({ attempts: 3, base: 0, cap: 0 }))
  )

  it.live("is printed once, in a few lines, where nobody caught it", () =>
    Effect.gen(function*() {
      const printed = yield* uncaught
      assert.strictEqual(occurrences(printed, "bad port"), 1, printed)
      assert.include(printed, "MarketDataError: stockPrices AAPL: the service could not be reached")
      assert.isAtMost(printed.split("\n").length, 25)
    }))

  it.effect("is printed with its words once, its reason, and a line for each request", () =>
    Effect.gen(function*() {
      const printed = inspect(yield* failing)
      assert.strictEqual(occurrences(printed, "the service failed with status 503"), 1)
      assert.include(printed, "reason: ServerFault")
      const sent = "GET /v1/stocks/prices/?symbols=AAPL HTTP/1.1 → status 503, 0 credits, ServerFault"
      assert.strictEqual(occurrences(printed, sent), 3)
    }).pipe(Effect.provide(clientOf(service({ status: 503 })))))

  it.effect("says so where nothing was sent", () =>
    Effect.gen(function*() {
      assert.include(inspect(yield* failing), "sent: nothing")
    }).pipe(Effect.provide(clientOf(service({ status: 200 }), { allowance: 0 }))))

  it.effect("is written to JSON with all of it", () =>
    Effect.gen(function*() {
      const written = JSON.parse(JSON.stringify(yield* failing))
      assert.strictEqual(written.query, "stockPrices AAPL")
      assert.strictEqual(written.reason._tag, "ServerFault")
      assert.strictEqual(written.trace.length, 3)
    }).pipe(Effect.provide(clientOf(service({ status: 503 })))))
})
