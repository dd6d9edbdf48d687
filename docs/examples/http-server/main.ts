/**
 *     MARKETDATA_TOKEN=… PORT=3000 node main.ts
 *     curl 'http://127.0.0.1:3000/chains/AAPL?dte=30&strikes=5'
 */
import { NodeHttpServer, NodeRuntime } from "@effect/platform-node"
import { Layer } from "effect"
import { FetchHttpClient, HttpRouter } from "effect/http"
import { createServer } from "node:http"
import * as Server from "./server.ts"

HttpRouter.serve(Server.routes).pipe(
  Layer.provide(NodeHttpServer.layer(createServer, { port: Number(process.env["PORT"] ?? 3000) })),
  Layer.provide(Server.client(Number(process.env["ALLOWANCE"] ?? 1_000))),
  Layer.provide(FetchHttpClient.layer),
  Layer.launch,
  NodeRuntime.runMain
)
