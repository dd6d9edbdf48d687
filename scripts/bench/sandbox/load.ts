/** Requests over connections that stay open, one after the other on each: as little work as there can be on this side. */
import * as Net from "node:net"

/** A GET request for a target, with the token of the sandbox's paid account. */
export const requestOf = (target: string): string =>
  `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer sandbox-paid\r\n\r\n`

const connect = async (port: number): Promise<Net.Socket> => {
  const socket = Net.connect({ port, host: "127.0.0.1", noDelay: true })
  await new Promise<void>((resolve, reject) => {
    socket.once("connect", resolve)
    socket.once("error", reject)
  })
  return socket
}

/** The size of the first reply in some text with its head; undefined while it is not whole. */
const sizeOf = (text: string): number | undefined => {
  const head = text.indexOf("\r\n\r\n")
  const length = head < 0 ? undefined : /\r\ncontent-length: (\d+)/i.exec(text.slice(0, head))?.[1]
  const size = length === undefined ? Infinity : head + 4 + Number(length)
  return text.length >= size ? size : undefined
}

/** Asks one request after the other until told to stop; each reply is counted. */
const ask = (socket: Net.Socket, request: string, goesOn: () => boolean): Promise<void> =>
  new Promise((resolve, reject) => {
    let received = ""
    const take = (text: string) => {
      received += text
      const size = sizeOf(received)
      if (size === undefined) return
      if (!/^HTTP\/1\.1 20\d /.test(received)) return reject(new Error(received.slice(0, size)))
      received = received.slice(size)
      if (goesOn()) return void socket.write(request, "latin1")
      socket.off("data", take)
      resolve()
    }
    socket.setEncoding("latin1")
    socket.on("data", take)
    socket.once("error", reject)
    socket.write(request, "latin1")
  })

const connections = 32

/**
 * Keeps this process from sleeping until it is told to end: to wake it would cost a server that is slower than the load more than the reply,
 * and one that is faster nothing.
 */
const stayAwake = (): { readonly end: () => void } => {
  let next = setImmediate(function again() {
    next = setImmediate(again)
  })
  return { end: () => clearImmediate(next) }
}

/** Sends requests over many connections as long as they go on. */
const send = async (port: number, request: string, goesOn: () => boolean): Promise<void> => {
  const sockets = await Promise.all(Array.from({ length: connections }, () => connect(port)))
  const staysAwake = stayAwake()
  try {
    await Promise.all(sockets.map((socket) => ask(socket, request, goesOn)))
  } finally {
    staysAwake.end()
    for (const socket of sockets) socket.destroy()
  }
}

/** Sends so many requests, give or take those that are under way at the end. */
export const count = (port: number, request: string, requests: number): Promise<void> => {
  let left = requests - connections
  return send(port, request, () => left-- > 0)
}

/** The requests that a server answers in a second, measured for so many milliseconds. */
export const rate = async (port: number, request: string, milliseconds: number): Promise<number> => {
  let replies = 0
  const start = performance.now()
  await send(port, request, () => {
    replies++
    return performance.now() - start < milliseconds
  })
  return replies / ((performance.now() - start) / 1000)
}

/** One whole reply. */
export const replyTo = async (port: number, request: string): Promise<string> => {
  const socket = await connect(port)
  let received = ""
  socket.setEncoding("latin1")
  socket.write(request, "latin1")
  for await (const text of socket) {
    received += String(text)
    if (sizeOf(received) !== undefined) break
  }
  return received
}
