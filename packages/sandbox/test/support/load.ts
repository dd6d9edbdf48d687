/** Small requests over connections that stay open, one after the other on each: as little work as there can be on this side. */
import { once } from "node:events"
import * as Net from "node:net"

/** For a small reply: one row, a few columns. */
const request =
  `GET /v1/stocks/quotes/AAPL/?mode=cached HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer sandbox-paid\r\n\r\n`

const connect = async (port: number): Promise<Net.Socket> => {
  const socket = Net.connect({ port, host: "127.0.0.1", noDelay: true })
  socket.setEncoding("latin1")
  await once(socket, "connect")
  return socket
}

/** The size of the first reply in some text with its head; undefined while it is not whole. */
const sizeOf = (text: string): number | undefined => {
  const head = text.indexOf("\r\n\r\n")
  const length = head < 0 ? undefined : /\r\ncontent-length: (\d+)/i.exec(text.slice(0, head))?.[1]
  const size = length === undefined ? Infinity : head + 4 + Number(length)
  return text.length >= size ? size : undefined
}

/** Asks one request after the other until told to stop; answers with the last reply. */
const ask = (socket: Net.Socket, goesOn: () => boolean): Promise<string> =>
  new Promise((resolve, reject) => {
    let received = ""
    const take = (text: string) => {
      received += text
      const size = sizeOf(received)
      if (size === undefined) return
      const reply = received.slice(0, size)
      if (!/^HTTP\/1\.1 20\d /.test(reply)) return reject(new Error(reply))
      received = received.slice(size)
      if (goesOn()) return void socket.write(request, "latin1")
      socket.off("data", take)
      resolve(reply)
    }
    socket.on("data", take)
    socket.once("error", reject)
    socket.write(request, "latin1")
  })

const connections = 32

/** Sends requests over many connections as long as they go on. */
const send = async (port: number, goesOn: () => boolean): Promise<void> => {
  const sockets = await Promise.all(Array.from({ length: connections }, () => connect(port)))
  // Keeps this process from sleeping: to wake it would cost a server that is slower than the load more than the reply, and a faster one nothing.
  let awake = setImmediate(function again() {
    awake = setImmediate(again)
  })
  try {
    await Promise.all(sockets.map((socket) => ask(socket, goesOn)))
  } finally {
    clearImmediate(awake)
    for (const socket of sockets) socket.destroy()
  }
}

/** Sends so many requests, give or take those that are under way at the end. */
export const count = (port: number, requests: number): Promise<void> => {
  let left = requests - connections
  return send(port, () => left-- > 0)
}

/** The requests that a server answers in a second, measured for so many milliseconds. */
export const rate = async (port: number, milliseconds: number): Promise<number> => {
  let replies = 0
  const start = performance.now()
  await send(port, () => {
    replies++
    return performance.now() - start < milliseconds
  })
  return replies / ((performance.now() - start) / 1000)
}

/** One whole reply. */
export const replyTo = async (port: number): Promise<string> => {
  const socket = await connect(port)
  const reply = await ask(socket, () => false)
  socket.destroy()
  return reply
}
