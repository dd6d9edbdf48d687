/** A machine that may send: it has the token and the budget. Of several runners one has the account at a time. */
import { MarketData } from "@effect-marketdata/client"
import { Gateway, Health, Runner } from "@effect-marketdata/cluster"
import { SqlIpGuard, SqlLedger } from "@effect-marketdata/sql"
import { NodeHttpServer, NodeRuntime } from "@effect/platform-node"
import { PgClient } from "@effect/sql-pg"
import { Config, Effect, Layer } from "effect"
import { FetchHttpClient, HttpRouter } from "effect/http"
import { createServer } from "node:http"

const account = "main"

const runner = Layer.unwrap(Effect.gen(function*() {
  const host = yield* Config.NonEmptyString("HOST")
  const address = yield* Config.NonEmptyString("ADDRESS")
  const secret = yield* Config.Redacted("GATEWAY_SECRET")
  const url = yield* Config.Redacted("DATABASE_URL")
  return Layer.mergeAll(
    Gateway.layerEntity({ account }),
    HttpRouter.serve(Health.layer({ account })).pipe(
      Layer.provide(NodeHttpServer.layer(createServer, { port: 9464, host }))
    )
  ).pipe(
    Layer.provide(MarketData.layerConfig),
    Layer.provide([
      SqlLedger.layer({ account, allowance: 10_000, window: "day" }),
      SqlIpGuard.layer({ account, address, lease: "5 seconds" }),
      FetchHttpClient.layer
    ]),
    Layer.provide(Runner.layer({ host, secret, listen: host })),
    Layer.provide(Runner.layerStorage({ account, address })),
    Layer.provide(PgClient.layer(Runner.postgres({ url })))
  )
}))

NodeRuntime.runMain(Layer.launch(runner))
