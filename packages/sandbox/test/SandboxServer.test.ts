import * as Sandbox from "@effect-marketdata/sandbox/Sandbox"
import * as SandboxServer from "@effect-marketdata/sandbox/SandboxServer"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Net from "node:net"

const server = (options?: SandboxServer.Options) =>
  Layer.provideMerge(SandboxServer.layer(options), Sandbox.layer({ seed: 1 }))

/** Sends bytes over a socket of its own, and returns everything that comes back. */
const raw = (baseUrl: string, request: string) =>
  Effect.callback<string>((resume) => {
    const url = new URL(baseUrl)
    const socket = Net.connect(Number(url.port), url.hostname, () => socket.write(request))
    let received = ""
    socket.setEncoding("utf8")
    socket.on("data", (text: string) => {
      received += text
    })
    socket.on("close", () => resume(Effect.succeed(received)))
  })

const get = (target: string, ...headers: ReadonlyArray<string>) =>
  ["GET " + target + " HTTP/1.1", "Host: sandbox", "Connection: close", ...headers, "", ""].join("\r\n")

describe("SandboxServer", () => {
  it.live("serves the sandbox on a free port of this machine", () =>
    Effect.gen(function*() {
      const { baseUrl } = yield* SandboxServer.SandboxServer
      assert.match(baseUrl, /^http:\/\/127\.0\.0\.1:\d+$/)
      const reply = yield* raw(
        baseUrl,
        get("/v1/options/chain/SPX/?columns=strike&mode=cached", "Authorization: Bearer sandbox-paid")
      )
      assert.match(reply, /^HTTP\/1\.1 203 /)
      assert.match(reply, /x-api-ratelimit-consumed: 1\r\n/i)
      assert.strictEqual(yield* (yield* Sandbox.Sandbox).billed, 1)
    }).pipe(Effect.provide(server())))

  it.live("[7.3-html-400] answers a request line over the limit of Node's own server as the service does", () =>
    Effect.gen(function*() {
      const { baseUrl } = yield* SandboxServer.SandboxServer
      const reply = yield* raw(baseUrl, get(`/v1/options/chain/SPX/?x=${"x".repeat(20_000)}`))
      assert.match(reply, /^HTTP\/1\.1 400 /)
      assert.include(reply, "Request Line is too large")
    }).pipe(Effect.provide(server())))

  it.live("takes targets as they are", () =>
    Effect.gen(function*() {
      const { baseUrl } = yield* SandboxServer.SandboxServer
      const reply = yield* raw(baseUrl, get("/v1/options/chain/%2e%2e/", "Authorization: Bearer sandbox-paid"))
      assert.match(reply, /^HTTP\/1\.1 400 /)
    }).pipe(Effect.provide(server())))

  it.live("refuses to listen on anything that others can reach, unless told to", () =>
    Effect.gen(function*() {
      const error = yield* Effect.flip(Effect.scoped(Layer.build(server({ host: "0.0.0.0" }))))
      assert.strictEqual(error._tag, "ListenError")
      assert.include(error.message, "anyHost")
    }))

  it.live("says when its port is taken", () =>
    Effect.gen(function*() {
      const { baseUrl } = yield* SandboxServer.SandboxServer
      const port = Number(new URL(baseUrl).port)
      const error = yield* Effect.flip(Effect.scoped(Layer.build(server({ port }))))
      assert.include(error.message, `127.0.0.1:${port}`)
    }).pipe(Effect.provide(server())))
})
