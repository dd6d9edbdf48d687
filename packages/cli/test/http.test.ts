/** What commands send with, where it differs from Effect's client over `node:http`: the codings, and TLS, which is loaded when it is used. */
import { assert, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Https from "node:https"
import type { AddressInfo } from "node:net"
import { brotliCompressSync, gzipSync } from "node:zlib"
import * as Http from "../src/call/http.ts"

/** A key that both ends know, in place of a certificate. */
const psk = Buffer.alloc(16, 1)
const ciphers = "PSK-AES128-GCM-SHA256"
const tls = { ciphers, maxVersion: "TLSv1.2", minVersion: "TLSv1.2" } as const

/** Serves one text over TLS, in the first coding of a list, until the scope closes. */
const serve = (text: string, compress: (text: string) => Buffer, coding: string, asked: Array<string | undefined>) =>
  Effect.acquireRelease(
    Effect.callback<Https.Server>((resume) => {
      const server = Https.createServer({ ...tls, pskCallback: () => psk }, ({ headers }, response) => {
        asked.push(headers["accept-encoding"])
        response.writeHead(200, { "content-encoding": coding }).end(compress(text))
      })
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) => Effect.sync(() => (server.closeAllConnections(), server.close()))
  )

/** Node's own agent, which knows the key as long as the scope. */
const trusting = Effect.acquireRelease(
  Effect.sync(() => {
    const { options } = Https.globalAgent
    const before = { ...options }
    Object.assign(options, tls, {
      pskCallback: () => ({ psk, identity: "test" }),
      checkServerIdentity: () => undefined
    })
    return before
  }),
  (before) =>
    Effect.sync(() => {
      const { options } = Https.globalAgent
      for (const name of Object.keys(options)) if (!(name in before)) Reflect.deleteProperty(options, name)
      Object.assign(options, before)
    })
)

for (const [coding, compress] of [["gzip", gzipSync], ["br", brotliCompressSync]] as const) {
  it.live(`asks a service that is elsewhere for codings, and undoes ${coding}`, () =>
    Effect.gen(function*() {
      const asked: Array<string | undefined> = []
      const server = yield* serve("bid 1.25 ".repeat(10_000), compress, coding, asked)
      yield* trusting
      const { port } = server.address() as AddressInfo
      const response = yield* HttpClient.get(`https://127.0.0.1:${port}/`)
      const text = yield* Stream.mkString(Stream.decodeText(response.stream))
      assert.strictEqual(text, "bid 1.25 ".repeat(10_000))
      assert.deepStrictEqual(asked, ["br, gzip"])
    }).pipe(Effect.scoped, Effect.provide(Http.layer)))
}
