/**
 * Connections: their limits, and how replies are written to them. A client that sends or reads slowly costs memory as long as the server waits for it: each
 * has its time, and the number of connections that keep the server waiting is bounded.
 */
import * as Problem from "@effect-marketdata/core/Problem"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type * as Http from "node:http"
import type * as Net from "node:net"
import type { Writable } from "node:stream"
import * as Zlib from "node:zlib"
import type { SandboxReply } from "../wire/SandboxReply.ts"
import type * as WebServer from "./webServer.ts"

/** How long a client may take, in milliseconds, and how many connections there may be. */
export interface Limits {
  /** For the head of a request, from the first byte or from the connection on. */
  readonly headMillis: number
  /** For a whole request. */
  readonly requestMillis: number
  /** For reading a reply; only the time counts in which the server waits for its reader. */
  readonly readMillis: number
  readonly connections: number
}

export const defaults: Limits = { headMillis: 10_000, requestMillis: 30_000, readMillis: 30_000, connections: 4096 }

/** Returns what is wrong with a limit, where something is. */
export const problem = (limits: Limits): string | undefined => {
  const wrong = Object.entries(limits).find(([, value]) => !Number.isSafeInteger(value) || value < 1)
  return wrong && Problem.format(`limits.${wrong[0]} ${Problem.shown(wrong[1])}`, {
    rule: "must be a positive integer",
    example: "10000"
  })
}

/** The most connections whose reply waits to be read: more than a client has requests in flight, which are 50. */
const mostUnread = 128

/** The most that all requests together may hold before they have a head, in bytes. */
const mostHeadBytes = 64 * 1_048_576

/** The most bytes of header fields that are read of one request, twice what the service takes: reading on would tell no more. */
const mostFieldBytes = 65_536

/** The error of Node for a head that exceeds its own limit. */
const headOverflow: WebServer.ParserError = { code: "HPE_HEADER_OVERFLOW" }

/** How long a connection that the server has ended may take to end as well. */
const lingerMillis = 2000

/** The most requests of a connection that wait for the one before them; the rest stays on the wire. */
const mostWaiting = 16

const lineFeed = 10

class Connection {
  readonly socket: Net.Socket
  /** The newest reply, and how many have not ended. */
  newest: Http.ServerResponse | undefined
  owed = 0
  /** The bytes that had been read when the newest request began to be answered. */
  readBefore = 0
  /** Whether the line of the request that is coming has ended, and how much has come behind it. */
  hasLine = false
  fieldBytes = 0
  unreadMillis = 0
  endedMillis = 0

  constructor(socket: Net.Socket) {
    this.socket = socket
  }

  /** The bytes that it has received since its newest request. */
  get bytes(): number {
    return this.socket.bytesRead - this.readBefore
  }
}

/** Watches over the connections of a server. */
export const watch = (server: Http.Server, limits: Limits) => {
  const open = new Map<Net.Socket, Connection>()

  const connectionOf = (socket: Net.Socket): Connection => {
    const known = open.get(socket)
    if (known !== undefined) return known
    const connection = new Connection(socket)
    open.set(socket, connection)
    socket.once("close", () => open.delete(socket))
    // Before the parser reads it: a request that it finds in these bytes begins another line.
    socket.prependListener("data", (bytes: Uint8Array) => {
      // What comes behind the head of a request is its body.
      if (connection.newest?.req.complete === false) return
      const fields = connection.hasLine ? 0 : bytes.indexOf(lineFeed) + 1
      connection.hasLine ||= fields > 0
      if (connection.hasLine) connection.fieldBytes += bytes.length - fields
    })
    // After the parser, which has not found the end of this head, and gets no more of it.
    socket.on("data", () => {
      if (connection.fieldBytes <= mostFieldBytes) return
      socket.removeAllListeners("data").pause()
      server.emit("clientError", headOverflow, socket)
    })
    return connection
  }

  server.on("connection", (socket: Net.Socket) => {
    connectionOf(socket)
    if (open.size <= limits.connections) return
    const evicted = oldestIdle() ?? socket
    open.delete(evicted)
    evicted.destroy()
  })

  /** The oldest connection that is not being answered. */
  const oldestIdle = (): Net.Socket | undefined => {
    for (const { owed, socket } of open.values()) if (owed === 0) return socket
    return undefined
  }

  const interval = Math.min(500, limits.readMillis)

  const sweep = (): void => {
    const unread: Array<Connection> = []
    const heads: Array<Connection> = []
    let headBytes = 0
    for (const connection of open.values()) {
      const { owed, socket } = connection
      if (socket.writableFinished) {
        connection.endedMillis += interval
        if (connection.endedMillis >= lingerMillis) socket.destroy()
      } else if (socket.writableLength > 0) {
        connection.unreadMillis += interval
        if (connection.unreadMillis >= limits.readMillis) socket.destroy()
        else unread.push(connection)
      } else if (owed === 0) {
        headBytes += connection.bytes
        heads.push(connection)
      }
    }
    if (unread.length > mostUnread) {
      unread.sort((a, b) => a.unreadMillis - b.unreadMillis)
      for (const { socket } of unread.slice(mostUnread)) socket.destroy()
    }
    if (headBytes > mostHeadBytes) {
      heads.sort((a, b) => b.bytes - a.bytes)
      for (const connection of heads) {
        if (headBytes <= mostHeadBytes) break
        headBytes -= connection.bytes
        connection.socket.destroy()
      }
    }
  }

  return {
    /** Calls back when it is the turn of a request: those before it on its connection have been answered. Never, where the client has gone. */
    inTurn: (request: Http.IncomingMessage, response: Http.ServerResponse, begin: () => void): void => {
      const { socket } = request
      const connection = connectionOf(socket)
      const before = connection.newest
      connection.newest = response
      connection.readBefore = socket.bytesRead
      connection.hasLine = false
      connection.fieldBytes = 0
      connection.owed++
      if (connection.owed > mostWaiting) socket.pause()
      const turn = (): void => {
        if (socket.destroyed || response.headersSent) return
        connection.unreadMillis = 0
        begin()
      }
      response.once("close", () => {
        connection.owed--
        if (connection.owed === mostWaiting) socket.resume()
      })
      if (before === undefined || connection.owed === 1) turn()
      else before.once("close", turn)
    },
    /** The newest reply of a connection, what has come since its request, and whether the line of the next one is among it. */
    last: (socket: Net.Socket) => {
      const { bytes, hasLine, newest } = connectionOf(socket)
      return { response: newest, bytesRead: bytes, hasLine }
    },
    /** Ends connections that keep the server waiting, again and again, by real time: the sandbox's clock may stand still. */
    sweeps: Effect.provideService(
      Effect.repeat(Effect.sync(sweep), Schedule.spaced(interval)),
      Clock.Clock,
      Clock.Clock.defaultValue()
    )
  }
}

/** Smaller replies fit into one packet, and are not compressed. */
const leastCompressed = 1024

const codings = /(?:^|,)\s*(gzip|\*)\s*(?:;\s*q=([\d.]+)\s*)?(?=,|$)/gi

/** Whether a list of codings takes gzip: by its own weight, or else by that of any coding. A weight of 0 refuses it. */
const acceptsGzip = (accepted = ""): boolean => {
  const weights = new Map(
    Array.from(accepted.matchAll(codings), ([, coding, weight = "1"]) => [coding!.toLowerCase(), Number(weight)])
  )
  return (weights.get("gzip") ?? weights.get("*") ?? 0) > 0
}

/** The headers of a reply with the length of a text, unless they tell a length themselves. */
const sized = (headers: SandboxReply["headers"], body: SandboxReply["body"]) =>
  headers["content-length"] !== undefined || typeof body !== "string"
    ? headers
    : { ...headers, "content-length": Buffer.byteLength(body) }

/**
 * Writes a reply: a text at once and with its length, unless it tells a length itself; parts as they are made and as fast as they are
 * read. Compressed where the client accepts that and it pays.
 */
export const write = (
  request: Http.IncomingMessage,
  response: Http.ServerResponse,
  { body, headers, status }: SandboxReply
): Effect.Effect<void> =>
  Effect.suspend(() => {
    const isText = typeof body === "string"
    if (status === 204 || request.method === "HEAD") {
      response.writeHead(status, status === 204 ? headers : sized(headers, body))
      response.end()
      return Effect.void
    }
    if (headers["content-length"] === undefined && acceptsGzip(request.headers["accept-encoding"])) {
      if (!isText || body.length >= leastCompressed) {
        response.writeHead(status, { ...headers, "content-encoding": "gzip", vary: "accept-encoding" })
        return compressed(response, isText ? [body] : body)
      }
    }
    response.writeHead(status, sized(headers, body))
    if (!isText) return pump(response, body)
    response.end(body)
    return Effect.void
  })

/** Speed before size: the bytes go no further than this machine. */
const compressed = (response: Http.ServerResponse, body: Iterable<string>): Effect.Effect<void> =>
  Effect.acquireUseRelease(
    Effect.sync(() => Zlib.createGzip({ level: 1, chunkSize: 65_536 })),
    (gzip) => {
      gzip.pipe(response)
      // Where a body breaks off, the client gets what was written of it.
      const flushed = Effect.callback<void>((resume) => gzip.flush(() => resume(Effect.void)))
      return Effect.catchDefect(pump(gzip, body), (defect) => Effect.andThen(flushed, Effect.die(defect)))
    },
    (gzip) => Effect.sync(() => void (gzip.writableEnded || gzip.destroy()))
  )

/** The next slices of long replies, the oldest first. */
const slices: Array<() => void> = []

/** Writes one slice per turn of the event loop, so that short replies do not wait for long ones. */
const inSlices = (slice: () => void): void => {
  if (slices.push(slice) === 1) setImmediate(writeSlice)
}

const writeSlice = (): void => {
  slices.shift()?.()
  if (slices.length > 0) setImmediate(writeSlice)
}

/** Writes parts one after another, and waits wherever the reader does. Interrupting this stops the parts from being made. */
const pump = (to: Writable, parts: Iterable<string>): Effect.Effect<void> =>
  Effect.callback((resume) => {
    const iterator = parts[Symbol.iterator]()
    let isOver = false
    const next = () => inSlices(slice)
    const slice = () => {
      if (isOver) return
      try {
        const { done, value } = iterator.next()
        if (done === true) {
          to.end()
          return resume(Effect.void)
        }
        if (value === "" || to.write(value)) next()
        else to.once("drain", next)
      } catch (defect) {
        resume(Effect.die(defect))
      }
    }
    slice()
    return Effect.sync(() => {
      isOver = true
      to.off("drain", next)
      iterator.return?.()
    })
  })

/** Breaks a connection: at once if nothing of the reply was written, else after what was, so that the client receives it. */
export const abort = (response: Http.ServerResponse): Effect.Effect<void> =>
  Effect.sync(() => {
    const { socket } = response
    if (socket === null) return void response.destroy()
    if (!response.headersSent) return void socket.resetAndDestroy()
    response.flushHeaders()
    socket.end(() => socket.destroy())
  })
