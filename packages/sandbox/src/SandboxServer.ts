/**
 * The sandbox as a real server, on a port of this machine.
 *
 * @example
 * ```ts
 * import * as Sandbox from "@effect-marketdata/sandbox/Sandbox"
 * import * as SandboxServer from "@effect-marketdata/sandbox/SandboxServer"
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 *
 * const where = Effect.map(SandboxServer.SandboxServer, ({ baseUrl }) => new URL(baseUrl).hostname).pipe(
 *   Effect.provide(Layer.provide(SandboxServer.layer(), Sandbox.layer({ seed: 1 })))
 * )
 *
 * await Effect.runPromise(where) // => "127.0.0.1"
 * ```
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Http from "node:http"
import { Sandbox } from "./Sandbox.ts"
import * as SandboxReply from "./SandboxReply.ts"

/**
 * A running server.
 *
 * @category services
 * @since 0.1.0
 */
export class SandboxServer extends Context.Service<SandboxServer, {
  /** Where it listens, without a trailing slash. */
  readonly baseUrl: string
}>()("@effect-marketdata/sandbox/SandboxServer") {}

/**
 * The server cannot listen on its port, or was asked to listen to more than this machine without `anyHost`.
 *
 * @category errors
 * @since 0.1.0
 */
export class ListenError extends Data.TaggedError("ListenError")<{
  readonly host: string
  readonly port: number
  readonly detail: string
}> {
  override get message(): string {
    return `the sandbox cannot listen on ${this.host}:${this.port}: ${this.detail}`
  }
}

/**
 * Where to listen.
 *
 * - `port`: 0, the default, picks a free one
 * - `host`: 127.0.0.1 by default
 * - `anyHost`: must be true for a host that others can reach
 *
 * @category models
 * @since 0.1.0
 */
export interface Options {
  readonly port?: number | undefined
  readonly host?: string | undefined
  readonly anyHost?: boolean | undefined
}

/** Above the service's own limit, so that the answer to a long request line is the service's and not Node's. */
const maxHeaderSize = 65_536

const isLoopback = (host: string): boolean => host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host)

/**
 * Serves the sandbox over HTTP until its scope closes.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (options: Options = {}): Layer.Layer<SandboxServer, ListenError, Sandbox> =>
  Layer.effect(
    SandboxServer,
    Effect.gen(function*() {
      const { host = "127.0.0.1", port = 0 } = options
      if (!isLoopback(host) && options.anyHost !== true) {
        return yield* new ListenError({ host, port, detail: "others could reach it; say anyHost: true if you mean it" })
      }
      const sandbox = yield* Sandbox
      const run = Effect.runForkWith(yield* Effect.context())
      const server = Http.createServer({ maxHeaderSize }, (request, response) => {
        const headers = Object.fromEntries(
          Object.entries(request.headers).map((
            [name, value]
          ) => [name, Array.isArray(value) ? value.join(", ") : value])
        )
        run(Effect.map(
          sandbox.handle({
            method: request.method ?? "GET",
            target: request.url ?? "/",
            headers,
            address: request.socket.remoteAddress ?? "127.0.0.1"
          }),
          (reply) => {
            const { headers, status } = reply
            const body = SandboxReply.text(reply)
            response.writeHead(status, {
              ...headers,
              ...(status === 204 ? {} : { "content-length": Buffer.byteLength(body) })
            })
            response.end(status === 204 ? undefined : body)
          }
        ))
      })
      const bound = yield* Effect.acquireRelease(listen(server, host, port), () => close(server))
      return { baseUrl: `http://${host.includes(":") ? `[${host}]` : host}:${bound}` }
    })
  )

const listen = (server: Http.Server, host: string, port: number): Effect.Effect<number, ListenError> =>
  Effect.callback((resume) => {
    const fail = (detail: string) => resume(Effect.fail(new ListenError({ host, port, detail })))
    server.once("error", (error) => fail(error.message))
    server.listen(port, host, () => {
      const address = server.address()
      if (typeof address === "object" && address !== null) resume(Effect.succeed(address.port))
      else fail("it has no port")
    })
  })

const close = (server: Http.Server): Effect.Effect<void> =>
  Effect.callback((resume) => {
    server.close(() => resume(Effect.void))
    server.closeAllConnections()
  })
