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
import * as HttpRequest from "@effect-marketdata/core/HttpRequest"
import * as Problem from "@effect-marketdata/core/Problem"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Http from "node:http"
import type { Socket } from "node:net"
import type { Duplex } from "node:stream"
import * as Memo from "../market/memo.ts"
import { Sandbox } from "../service/Sandbox.ts"
import { ConnectionReset } from "../wire/ConnectionReset.ts"
import * as SandboxReply from "../wire/SandboxReply.ts"
import * as AdminApi from "./AdminApi.ts"
import * as Connections from "./connections.ts"
import * as WebServer from "./webServer.ts"

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
 * The server cannot listen on its port, `host` is reachable from other machines without `anyHost`, or an option is invalid.
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
 * Where to listen, and how.
 *
 * - `port`: 0, the default, picks a free one
 * - `host`: 127.0.0.1 by default
 * - `anyHost`: must be true for a host that other machines can reach
 * - `allowedHosts`: more host names that requests may use, such as that of its container: `["sandbox"]`. Loopback names and the address that it
 *   listens on are always allowed; any other name gets 421, so that no web page can reach the sandbox by a name that resolves to this machine
 *   (DNS rebinding)
 * - `requestLineLimit`: the longest request line in bytes; 4094 by default, as in the service
 * - `limits`: limits of slow clients, in milliseconds: `headMillis` (10,000) for the head of a request, `requestMillis` (30,000) for all of it,
 *   `readMillis` (30,000) that the server waits for a client to read a reply; and `connections` (4,096), beyond which the oldest idle one ends
 *
 * @category models
 * @since 0.1.0
 */
export interface Options {
  readonly port?: number | undefined
  readonly host?: string | undefined
  readonly anyHost?: boolean | undefined
  readonly allowedHosts?: ReadonlyArray<string> | undefined
  readonly requestLineLimit?: number | undefined
  readonly limits?: {
    readonly headMillis?: number
    readonly requestMillis?: number
    readonly readMillis?: number
    readonly connections?: number
  } | undefined
}

/**
 * How much of a request Node reads before it has an end. A line that is longer than the service takes is read whole, because the answer states
 * its size (clause 7.3-html-400); no line makes sense that is longer than this.
 */
const maxHeaderSize = 1_048_576

/** The most that header fields may take together, in bytes. */
const maxFieldBytes = 32_768

/** How many connections may wait to be accepted. A client that finds no place retries after one, three and seven seconds. */
const backlog = 4096

/** Tells what is wrong with a port: Node would throw. */
const portProblem = (port: unknown): string | undefined =>
  Number.isInteger(port) && Number(port) >= 0 && Number(port) < 65_536
    ? undefined
    : Problem.format(`port ${Problem.shown(port)}`, { rule: "must be an integer from 0 to 65535", example: "8080" })

/** Longer than the pauses of usual clients, so that they seldom write to a connection that is just being closed. */
const keepAliveTimeout = 75_000

/**
 * Serves the sandbox over HTTP until its scope closes, which ends every connection. It also serves the pages of `AdminApi` and a start page,
 * including those of the faults and the clock that are provided to this layer.
 *
 * @example
 * ```ts
 * import * as Sandbox from "@effect-marketdata/sandbox/Sandbox"
 * import * as SandboxServer from "@effect-marketdata/sandbox/SandboxServer"
 * import * as Layer from "effect/Layer"
 *
 * // On a free port of this machine; the address is in the service `SandboxServer`.
 * export const server = SandboxServer.layer({ port: 0 }).pipe(Layer.provide(Sandbox.layer({ seed: 1 })))
 * ```
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (options: Options = {}): Layer.Layer<SandboxServer, ListenError, Sandbox> =>
  Layer.effect(
    SandboxServer,
    Effect.gen(function*() {
      const { allowedHosts = [], host = "127.0.0.1", port = 0, requestLineLimit = HttpRequest.maxLineBytes } = options
      const limits = { ...Connections.defaults, ...options.limits }
      const detail = !WebServer.isLoopback(host) && options.anyHost !== true
        ? "others could reach it. Set anyHost: true, or --any-host, if they may"
        : WebServer.hostsProblem(allowedHosts) ?? Connections.problem(limits) ?? portProblem(port)
      if (detail !== undefined) return yield* new ListenError({ host, port, detail })
      const hosts = WebServer.hostRules(host, allowedHosts)
      const service = yield* serviceOf(requestLineLimit)
      const clock = yield* Clock.Clock
      const run = Effect.runForkWith(yield* Effect.context())
      const server = Http.createServer({
        keepAliveTimeout,
        maxHeaderSize,
        requireHostHeader: false,
        headersTimeout: limits.headMillis,
        requestTimeout: Math.max(limits.headMillis, limits.requestMillis),
        connectionsCheckingInterval: Math.min(1000, limits.headMillis)
      })
      const connections = Connections.watch(server, limits)
      yield* Effect.forkScoped(connections.sweeps)
      // 0 means no limit: Node would drop further fields silently. Their size is limited here.
      server.maxHeadersCount = 0
      // Many replies have their second in common.
      const dateOf = Memo.recent(1, (millis: number) => Math.floor(millis / 1000), SandboxReply.date)
      // Set among the others: Node merges what was set before them one by one.
      const stamp = (request: Http.IncomingMessage): Stamp => ({
        date: dateOf(clock.currentTimeMillisUnsafe()),
        ...hosts.shared(request)
      })
      const answer = (request: Http.IncomingMessage, response: Http.ServerResponse): void => {
        response.sendDate = false
        connections.inTurn(request, response, () => {
          const exchange = { request, response, strangeHost: hosts.stranger(request) }
          const fiber = run(respond(service, exchange, stamp))
          // A client that hangs up gets no answer: the work on it ends.
          response.once("close", () => fiber.interruptUnsafe())
        })
      }
      server.on("request", answer)
      // An expectation that is not known is ignored: Node would answer by itself.
      server.on("checkExpectation", answer)
      server.on("connect", (request, socket) => {
        const bytes = lineBytesOf(request)
        const tooLarge = bytes > requestLineLimit && SandboxReply.requestLineTooLarge(bytes, requestLineLimit)
        refuse(socket, tooLarge || WebServer.methodNotAllowed)
      })
      server.on("clientError", (error: WebServer.ParserError, socket: Socket) => {
        const { response: owed, ...came } = connections.last(socket)
        const last = () => refuse(socket, WebServer.refusal(error, requestLineLimit, came))
        if (owed === undefined || owed.writableFinished) return last()
        // Replies keep the order of requests: those before the malformed one are written first.
        if (owed.req.complete) return void owed.once("finish", last)
        // The head was read, the body cannot be.
        if (!owed.headersSent) run(Connections.write(owed.req, owed, WebServer.malformed))
      })
      const bound = yield* Effect.acquireRelease(listen(server, host, port), () => close(server))
      return { baseUrl: `http://${host.includes(":") ? `[${host}]` : host}:${bound}` }
    })
  )

/** Answers a request by its body, which is undefined where it is over the limit. */
type Service = (exchange: Exchange, body: string | undefined) => Effect.Effect<SandboxReply.SandboxReply>

/** Everything that answers, by target. */
const serviceOf = Effect.fnUntraced(function*(requestLineLimit: number): Effect.fn.Return<Service, never, Sandbox> {
  const sandbox = yield* Sandbox
  const admin = yield* AdminApi.make
  return (exchange, body) => {
    const refused = refusal(exchange, body, requestLineLimit)
    if (refused !== undefined) return Effect.succeed(refused)
    const request = requestOf(exchange.request, body)
    if (admin.has(request.target)) return admin.handle(request)
    if (WebServer.isPreflight(request)) return Effect.succeed(WebServer.preflight)
    if (request.target === "/" && request.method === "GET") {
      return Effect.succeed(WebServer.startPage(`http://${request.headers["host"] ?? "localhost"}`, sandbox.profile))
    }
    return sandbox.handle(request)
  }
})

/** What the web server says to a request that it does not let through. */
const refusal = ({ request, strangeHost }: Exchange, body: string | undefined, requestLineLimit: number) => {
  const lineBytes = lineBytesOf(request)
  if (lineBytes > requestLineLimit) return SandboxReply.requestLineTooLarge(lineBytes, requestLineLimit)
  if (fieldBytesOf(request) > maxFieldBytes) return WebServer.headersTooLarge
  if (isMalformed(request)) return WebServer.malformed
  if (strangeHost !== undefined) return WebServer.misdirected(strangeHost)
  return body === undefined ? WebServer.contentTooLarge : undefined
}

/** A client may write the whole address into its request line, as to a proxy. */
const targetOf = (url: string): string => url.startsWith("/") ? url : url.replace(/^https?:\/\/[^/?#]*(?=\/)/i, "")

const headersOf = (headers: Http.IncomingHttpHeaders): Readonly<Record<string, string | undefined>> => {
  const read: Record<string, string | undefined> = Object.create(null)
  for (const name in headers) {
    const value = headers[name]
    read[name] = typeof value === "object" ? value.join(", ") : value
  }
  return read
}

/** The length of the line of a request, without its end: Node takes no other letters than those of one byte. */
const lineBytesOf = ({ method = "GET", url = "/" }: Http.IncomingMessage): number =>
  method.length + url.length + "  HTTP/1.1".length

/** Whether a request has two hosts (Node would take the first), none although it is HTTP/1.1, or is not HTTP/1. */
const isMalformed = ({ httpVersion, httpVersionMajor, rawHeaders }: Http.IncomingMessage): boolean => {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === "host") hosts++
  }
  return httpVersionMajor !== 1 || hosts > 1 || (hosts === 0 && httpVersion !== "1.0")
}

/** How much the header fields take, each with its colon, a blank and its end. */
const fieldBytesOf = ({ rawHeaders }: Http.IncomingMessage): number => {
  let bytes = 0
  for (const text of rawHeaders) bytes += text.length + 2
  return bytes
}

/** The fields that every reply has, whatever it is. */
type Stamp = SandboxReply.SandboxReply["headers"]

/** A request of Node, and where its reply goes. */
interface Exchange {
  readonly request: Http.IncomingMessage
  readonly response: Http.ServerResponse
  /** What the request calls the server by, where the server does not answer to that. */
  readonly strangeHost: string | undefined
}

/** Answers one request. A defect is logged, and answered with 500 unless the reply has begun. */
const respond = (
  service: Service,
  exchange: Exchange,
  stamp: (request: Http.IncomingMessage) => Stamp
): Effect.Effect<void> => {
  const { request, response } = exchange
  const reply = Effect.suspend(() =>
    hasBody(request)
      ? Effect.flatMap(readBody(request), (body) => service(exchange, body))
      : service(exchange, "")
  )
  const write = (reply: SandboxReply.SandboxReply) =>
    Connections.write(request, response, { ...reply, headers: { ...stamp(request), ...reply.headers } })
  return Effect.flatMap(reply, write).pipe(
    Effect.catchDefect((defect) =>
      defect instanceof ConnectionReset
        ? Connections.abort(response)
        : Effect.andThen(
          Effect.logError("the sandbox has a defect", Cause.die(defect)),
          response.headersSent ? Connections.abort(response) : write(WebServer.internalError)
        )
    )
  )
}

/** A request as the service sees it. */
const requestOf = ({ headers, method = "GET", socket, url = "/" }: Http.IncomingMessage, body = "") => ({
  method,
  target: targetOf(url),
  headers: headersOf(headers),
  address: WebServer.addressOf(socket.remoteAddress),
  body
})

/** Answers on a connection that has no further use. */
const refuse = (socket: Duplex, reply: SandboxReply.SandboxReply): void => {
  if (socket.writable) socket.end(WebServer.toBytes(reply, Http.STATUS_CODES[reply.status] ?? ""))
  else socket.destroy()
}

const inUse = "another program listens there. Choose another port, or 0 for any free one"

const listen = (server: Http.Server, host: string, port: number): Effect.Effect<number, ListenError> =>
  Effect.callback((resume) => {
    const fail = (detail: string) => resume(Effect.fail(new ListenError({ host, port, detail })))
    server.once("error", ({ code, message }: NodeJS.ErrnoException) => fail(code === "EADDRINUSE" ? inUse : message))
    server.listen({ port, host, backlog }, () => {
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

/** The most that a request may have below its head: a script of faults, at best. */
const maxBodyBytes = 65_536

/** Returns whether a request has a body at all. */
const hasBody = ({ headers }: Http.IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0"

/** Reads the body of a request; undefined where it is over the limit, which is told as soon as it is known. */
const readBody = (request: Http.IncomingMessage): Effect.Effect<string | undefined> =>
  Effect.callback((resume) => {
    if (Number(request.headers["content-length"] ?? 0) > maxBodyBytes) return resume(Effect.succeed(undefined))
    const chunks: Array<Buffer> = []
    let bytes = 0
    const take = (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= maxBodyBytes) return void chunks.push(chunk)
      request.off("data", take)
      resume(Effect.succeed(undefined))
    }
    request.on("data", take)
    request.once("end", () => resume(Effect.sync(() => Buffer.concat(chunks).toString("utf8"))))
  })
