/** Requests byte by byte, from an address that a test chooses. */
import * as Effect from "effect/Effect"
import * as Net from "node:net"

/** Where a request comes from: any address of this machine, 127.0.0.1 by default. */
export interface Options {
  readonly localAddress?: string
}

/** Connects, and returns what came back when the socket is closed. What has come is handed to `hear`, if there is one, which says what is kept of it. */
const conversation = (
  baseUrl: string,
  options: Partial<Net.TcpNetConnectOpts>,
  begin: (socket: Net.Socket) => void,
  hear?: (socket: Net.Socket, received: string) => string
): Effect.Effect<string> =>
  Effect.callback<string>((resume) => {
    const { hostname, port } = new URL(baseUrl)
    let received = ""
    const socket = Net.connect({ port: Number(port), host: hostname, ...options }, () => begin(socket))
    socket.setEncoding("latin1")
    if (hear !== undefined) socket.on("data", (text: string) => void (received = hear(socket, received + text)))
    // A server that refuses a body may close before all of it is sent.
    socket.on("error", () => {})
    socket.on("close", () => resume(Effect.succeed(received)))
    return Effect.sync(() => socket.destroy())
  })

/**
 * Sends bytes over a socket of its own, and returns what came back when the other side has ended the connection, or has sent so many
 * replies.
 */
export const exchange = (
  baseUrl: string,
  request: string,
  replies = Infinity,
  { localAddress = "127.0.0.1" }: Options = {}
): Effect.Effect<string> =>
  conversation(baseUrl, { localAddress }, (socket) => socket.write(request, "latin1"), (socket, received) => {
    if (statuses(received).length >= replies && isWhole(received)) socket.destroy()
    return received
  })

/**
 * Sends bytes over a socket that its client never ends, and returns what came back when the server has closed it. One that `isDeaf` reads nothing.
 */
export const untilEnded = (baseUrl: string, request: string, { isDeaf = false }: { readonly isDeaf?: boolean } = {}) =>
  conversation(baseUrl, { allowHalfOpen: true }, (socket) => {
    socket.write(request, "latin1")
    // Its own half stays open, so that only a server that closes for good ends it: what is written then is an error.
    socket.once("end", () => {
      const again = setInterval(() => socket.write("\r\n"), 20)
      socket.once("close", () => clearInterval(again))
    })
  }, isDeaf ? undefined : (_, received) => received)

/**
 * Sends bytes in pieces of a size, each as a packet of its own, where there is one behind a first request whose reply is waited for, and returns
 * what came back for them.
 */
export const inPieces = (baseUrl: string, request: string, size: number, first?: string): Effect.Effect<string> => {
  let at = 0
  const send = (socket: Net.Socket): void => {
    if (socket.destroyed || at >= request.length) return
    socket.write(request.slice(at, at += size), "latin1", () => setImmediate(send, socket))
  }
  const begin = (socket: Net.Socket) => first === undefined ? send(socket) : void socket.write(first, "latin1")
  return conversation(baseUrl, { noDelay: true }, begin, (socket, received) => {
    if (first === undefined || at > 0 || !isWhole(received)) return received
    send(socket)
    return ""
  })
}

/** The statuses of replies, in order. */
export const statuses = (received: string): ReadonlyArray<number> =>
  [...received.matchAll(/(?:^|[\]}>\n])HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))

/** Returns whether the last reply has come to its end, by its length. */
const isWhole = (received: string): boolean => {
  const last = received.slice(received.lastIndexOf("HTTP/1.1 "))
  const head = last.indexOf("\r\n\r\n")
  if (head < 0) return false
  const length = /\r\ncontent-length: (\d+)/i.exec(last.slice(0, head))?.[1]
  return length !== undefined ? last.length >= head + 4 + Number(length) : last.endsWith("0\r\n\r\n")
}

/** A GET request that asks for the connection to be closed behind its reply. */
export const get = (target: string, ...headers: ReadonlyArray<string>): string =>
  [`GET ${target} HTTP/1.1`, "Host: 127.0.0.1", "Connection: close", ...headers, "", ""].join("\r\n")
