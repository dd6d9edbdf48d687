/**
 * Polls a chain, keeps what it spent in a file, and sends spans, metrics and logs to a collector.
 *
 *     MARKETDATA_TOKEN=… ROUNDS=390 node main.ts
 */
import { CreditLedger, MarketData } from "@effect-marketdata/client"
import { SqlLedger } from "@effect-marketdata/sql"
import { Console, Effect, Layer, Schedule } from "effect"
import { FetchHttpClient } from "effect/http"
import { Otlp } from "effect/observability"

const rounds = Number(process.env["ROUNDS"] ?? 2)

const poll = MarketData.optionChain("SPX", {
  mode: "cached",
  dte: 30,
  strikeLimit: 5,
  columns: ["strike", "bid", "ask"]
}).pipe(
  Effect.tap(({ credits, data, provenance }) =>
    Console.log(`${data.length} contracts, ${provenance.source}, ${credits.charged} credits`)
  ),
  // Nothing is cached now: the next round asks again, and a miss is free.
  Effect.catchReason("MarketDataError", "NoCachedData", () => Console.log("nothing is cached"))
)

const program = Effect.gen(function*() {
  yield* Effect.repeat(
    poll,
    Schedule.spaced(rounds > 2 ? "1 minute" : "100 millis").pipe(Schedule.upTo({ times: rounds - 1 }))
  )
  const { available, charged } = yield* (yield* CreditLedger.CreditLedger).balance
  yield* Console.log(`${charged} credits today, ${available} left`)
})

const budget = SqlLedger.layerSqlite({
  filename: process.env["LEDGER"] ?? "credits.db",
  account: "main",
  allowance: 500,
  window: "day"
})
const telemetry = Otlp.layerJson({
  baseUrl: process.env["OTEL_EXPORTER_OTLP_ENDPOINT"] ?? "http://127.0.0.1:4318",
  resource: { serviceName: "poller" }
})
const client = MarketData.layerConfig.pipe(Layer.provideMerge(budget))

await Effect.runPromise(
  program.pipe(Effect.provide(Layer.mergeAll(client, telemetry).pipe(Layer.provide(FetchHttpClient.layer))))
)
