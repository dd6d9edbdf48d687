/**
 * The HTTP client of commands: over `node:http`, because loading fetch takes longer than Node's own start. Compressed replies are decompressed while they are
 * read. Connections are kept alive, and hold no process open. Those of https go through a proxy if NODE_USE_ENV_PROXY is set. Those of http never do: they carry
 * a token only to this machine, and the proxy would read it.
 */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as NodeStream from "@effect/platform-node/NodeStream"
import { Effect, Layer } from "effect"
import * as HttpClient from "effect/http/HttpClient"
import { DecodeError, HttpClientError } from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type { HttpClientResponse } from "effect/http/HttpClientResponse"
import * as http from "node:http"
import * as https from "node:https"
import type { Duplex } from "node:stream"
import { createBrotliDecompress, createGunzip } from "node:zlib"

const agents = Layer.succeed(NodeHttpClient.HttpAgent, {
  http: new http.Agent({ keepAlive: true, scheduling: "lifo", timeout: 5000 }),
  get https() {
    return https.globalAgent
  }
})

/** The content codings that are asked for, and their decompressors. */
const codings: Readonly<Record<string, () => Duplex>> = { br: createBrotliDecompress, gzip: createGunzip }

/** Decompresses a response. Only its `stream` is replaced, because the client reads nothing else. A truncated body fails. */
const decoded = (response: HttpClientResponse): HttpClientResponse => {
  const undo = codings[response.headers["content-encoding"]?.trim().toLowerCase() ?? ""]
  if (undo === undefined) return response
  const stream = NodeStream.pipeThroughDuplex(response.stream, {
    evaluate: undo,
    onError: (cause) => new HttpClientError({ reason: new DecodeError({ request: response.request, response, cause }) })
  })
  return Object.create(response, { stream: { value: stream } })
}

/** Asks for compression over TLS only: plain http is for services on this machine, where it is not worth the time. */
const askForCoding = (request: HttpClientRequest.HttpClientRequest) =>
  request.url.startsWith("https:")
    ? HttpClientRequest.setHeader(request, "accept-encoding", Object.keys(codings).join(", "))
    : request

const compressing = (client: HttpClient.HttpClient) =>
  HttpClient.transformResponse(HttpClient.mapRequest(client, askForCoding), Effect.map(decoded))

export const layer = Layer.effect(HttpClient.HttpClient, Effect.map(HttpClient.HttpClient, compressing)).pipe(
  Layer.provide(Layer.provide(NodeHttpClient.layerNodeHttpNoAgent, agents))
)
