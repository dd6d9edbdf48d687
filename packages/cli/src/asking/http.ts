/**
 * How commands send: over `node:http`, as to load fetch takes a start longer than Node itself. What comes in a coding is undone while it is read. Connections
 * are Node's own: they are used again, go over a proxy where NODE_USE_ENV_PROXY is set, and hold no process open.
 */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as NodeStream from "@effect/platform-node/NodeStream"
import { Effect, Layer } from "effect"
import * as HttpClient from "effect/http/HttpClient"
import { DecodeError, HttpClientError } from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type { HttpClientResponse } from "effect/http/HttpClientResponse"
import type { Duplex } from "node:stream"
import { createBrotliDecompress, createGunzip } from "node:zlib"
import { http, https } from "../text/nodeHttp.ts"

const agents = Layer.succeed(NodeHttpClient.HttpAgent, {
  http: http.globalAgent,
  get https() {
    return https.globalAgent
  }
})

/** The codings that are asked for, and what undoes each. */
const codings: Readonly<Record<string, () => Duplex>> = {
  br: () => createBrotliDecompress(),
  gzip: () => createGunzip()
}

/** Undoes the coding of a response that has one. Its `stream` is all that anybody here reads. One that is cut off within fails. */
const decoded = (response: HttpClientResponse): HttpClientResponse => {
  const undo = codings[response.headers["content-encoding"]?.trim().toLowerCase() ?? ""]
  if (undo === undefined) return response
  const stream = NodeStream.pipeThroughDuplex(response.stream, {
    evaluate: undo,
    onError: (cause) => new HttpClientError({ reason: new DecodeError({ request: response.request, response, cause }) })
  })
  return Object.create(response, { stream: { value: stream } })
}

/** What comes from this machine is not worth a coding: only over TLS it comes from elsewhere. */
const askForCoding = (request: HttpClientRequest.HttpClientRequest) =>
  request.url.startsWith("https:")
    ? HttpClientRequest.setHeader(request, "accept-encoding", Object.keys(codings).join(", "))
    : request

export const layer = Layer.effect(
  HttpClient.HttpClient,
  Effect.map(HttpClient.HttpClient, (client) =>
    client.pipe(
      HttpClient.mapRequest(askForCoding),
      HttpClient.transformResponse(Effect.map(decoded))
    ))
).pipe(
  Layer.provide(NodeHttpClient.layerNodeHttpNoAgent),
  Layer.provide(agents)
)
