/**
 * A program of many callers that share one budget in a database with other programs, each of whom asks one query. It says when all were answered
 * or refused, unless it is killed before.
 */
import { type CreditLedger, MarketData } from "@effect-marketdata/client"
import type { MarketDataError } from "@effect-marketdata/client/MarketDataError"
import * as SqlLedger from "@effect-marketdata/sql/SqlLedger"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Effect, Layer, Random, Redacted, References } from "effect"
import { fileURLToPath } from "node:url"
import * as Database from "./database.ts"

/** What a program is to do. */
export interface Task {
  readonly baseUrl: string
  readonly token: string
  readonly database: string
  readonly budget: SqlLedger.BudgetOptions
  readonly callers: number
  readonly seed: string
}

/** The file to run, with a task as JSON behind it. */
export const file = fileURLToPath(import.meta.url)

const symbols = ["AAPL", "MSFT", "NVDA", "F", "AMZN", "TSLA"]

const ask = Effect.gen(function*() {
  const count = yield* Random.nextIntBetween(1, 5)
  const tickers = (yield* Random.shuffle(symbols)).slice(0, count)
  yield* Effect.sleep(yield* Random.nextIntBetween(0, 1500))
  return yield* MarketData.stockPrices(tickers)
}).pipe(
  Effect.as("answered"),
  Effect.catch(({ reason }: MarketDataError) =>
    Effect.succeed(reason._tag === "LedgerUnavailable" ? `${reason._tag}: ${reason.detail}` : reason._tag)
  )
)

const program = ({ baseUrl, budget, callers, database, seed, token }: Task) => {
  const own = SqlLedger.layer(budget)
  const ledger: Layer.Layer<CreditLedger.CreditLedger, unknown> = Layer.provide(own, Database.open(database))
  const client = MarketData.layer({ baseUrl, token: Redacted.make(token), maxSymbols: 2, maxInFlight: 50 })
  const asking = Effect.forEach(Array.from({ length: callers }), () => ask, { concurrency: "unbounded" })
  return Effect.andThen(Effect.sync(() => console.log("ready")), asking).pipe(
    Effect.map((tags) => {
      const counts: Record<string, number> = {}
      for (const tag of tags) counts[tag] = (counts[tag] ?? 0) + 1
      return counts
    }),
    Random.withSeed(seed),
    Effect.provide(client.pipe(Layer.provide(ledger), Layer.provide(NodeHttpClient.layerNodeHttp))),
    Effect.provideService(References.MinimumLogLevel, "Error")
  )
}

if (process.argv[1] === file) {
  const outcomes = await Effect.runPromise(program(JSON.parse(process.argv[2]!)))
  console.log(JSON.stringify(outcomes))
}
