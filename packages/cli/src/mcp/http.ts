/** The server over HTTP, for programs of this machine: it listens on loopback, and refuses other host names and requests of web pages. */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { ByteSize, Effect, Layer } from "effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as McpServer from "effect/ai/McpServer"
import { createServer } from "node:http"
import { Output } from "../output/output.ts"
import type { optionsOf } from "./serve.ts"

/** Whether the Host header names this machine. A web page whose own name resolves to it (DNS rebinding) sends another one. */
const isHere = (host: string | undefined): boolean =>
  /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i.test(host ?? "")

const refused = HttpServerResponse.text("Only programs of this machine are answered.\n", { status: 403 })

/** Larger than any message: a longer body is not read. */
const mostBytes = ByteSize.mebibytes(4)

const onlyHere = HttpRouter.middleware(
  (handled) =>
    HttpServerRequest.HttpServerRequest.use(({ headers: { host, origin } }) =>
      isHere(host) && origin === undefined
        ? Effect.provideService(handled, HttpServerRequest.MaxBodySize, mostBytes)
        : Effect.succeed(refused)
    ),
  { global: true }
)

const announced = HttpServer.addressFormattedWith((address) =>
  Output.use(({ note }) => note([`listening on ${address}/mcp; Ctrl-C stops it`]))
)

/** Serves on a port, until the scope ends. */
export const layer = (options: ReturnType<typeof optionsOf>, port: number) =>
  HttpRouter.serve(
    Layer.merge(McpServer.layerHttp({ ...options, path: "/mcp", allowSessionTermination: true }), onlyHere),
    { disableLogger: true, disableListenLog: true }
  ).pipe(
    Layer.merge(Layer.effectDiscard(announced)),
    Layer.provide(NodeHttpServer.layer(createServer, { host: "127.0.0.1", port }))
  )
