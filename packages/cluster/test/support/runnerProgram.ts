/** A runner in a process of its own, as the guide has it. It prints nothing, and hands over when it is told to end. */
import * as MarketData from "@effect-marketdata/client/MarketData"
import * as Gateway from "@effect-marketdata/cluster/Gateway"
import * as Health from "@effect-marketdata/cluster/Health"
import * as Runner from "@effect-marketdata/cluster/Runner"
import * as SqlIpGuard from "@effect-marketdata/sql/SqlIpGuard"
import * as SqlLedger from "@effect-marketdata/sql/SqlLedger"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpRouter from "effect/http/HttpRouter"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as References from "effect/References"
import { createServer } from "node:http"
import { database, type Setting } from "./processes.ts"

const setting: Setting = JSON.parse(process.argv[2] ?? "{}")
const account = "main"
const place = { host: "127.0.0.1", port: setting.port }

const client = MarketData.layer({ baseUrl: setting.baseUrl, token: Redacted.make("sandbox-paid") }).pipe(
  Layer.provide(FetchHttpClient.layer)
)

const health = HttpRouter.serve(Health.layer({ account }), { disableLogger: true, disableListenLog: true }).pipe(
  Layer.provide(NodeHttpServer.layer(createServer, { port: setting.health, host: "127.0.0.1" }))
)

const runner = Layer.mergeAll(Gateway.layerEntity({ account, maxInFlight: setting.maxInFlight }), health).pipe(
  Layer.provide(client),
  Layer.provide([
    SqlLedger.layer({ account, allowance: 10_000, askedBy: `runner ${setting.port}`, lease: "5 seconds" }),
    SqlIpGuard.layer({ account, address: setting.address, askedBy: `runner ${setting.port}`, lease: "5 seconds" })
  ]),
  Layer.provide(Runner.layer(place)),
  Layer.provide(Runner.layerStorage({ account, address: setting.address })),
  Layer.provide(database(setting)),
  Layer.provide(Layer.succeed(References.MinimumLogLevel, "None"))
)

NodeRuntime.runMain(Layer.launch(runner))
