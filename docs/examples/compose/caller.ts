/** A machine that asks: it has neither token nor budget, and the rest of its code is as it would be without a gateway. */
import { MarketData } from "@effect-marketdata/client"
import { Gateway, Runner } from "@effect-marketdata/cluster"
import { NodeRuntime } from "@effect/platform-node"
import { PgClient } from "@effect/sql-pg"
import { Config, Console, Effect, Layer } from "effect"

const client = Layer.unwrap(Effect.gen(function*() {
  const credential = yield* Config.Redacted("GATEWAY_CREDENTIAL")
  return Gateway.layer({ account: "main" }).pipe(
    Layer.provide(Runner.layerCaller({ credential })),
    Layer.provide(PgClient.layer(Runner.postgres({ url: yield* Config.Redacted("DATABASE_URL") })))
  )
}))

const program = MarketData.optionChain("SPX", { mode: "cached", dte: 30, strikeLimit: 5 }).pipe(
  Effect.flatMap(({ credits, data }) => Console.log(`${data.length} contracts, credits: ${credits.charged}`))
)

NodeRuntime.runMain(Effect.provide(program, client))
