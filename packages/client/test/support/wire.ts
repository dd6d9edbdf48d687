/** A server on a port of this machine that does to each connection what a test says, byte by byte. */
import { Effect } from "effect"
import * as Net from "node:net"

/** A request as it came in: its target, its headers in lower case, and the head as it was. */
interface Seen {
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly head: string
}

/** What becomes of a request: whatever the test does to its connection. `stall` says that nothing more will come. */
export type Answer = (socket: Net.Socket, stall: () => void, seen: Seen) => void

export type Wire = Effect.Success<ReturnType<typeof serve>>

/** Serves until the scope closes; nobody listens at all where `answer` is undefined. */
export const serve = (answer: Answer | undefined) =>
  Effect.gen(function*() {
    const sockets = new Set<Net.Socket>()
    const requests: Array<Seen> = []
    const watchers = new Set<() => void>()
    let stalls = 0
    let connections = 0
    const changed = () => watchers.forEach((watch) => watch())
    const until = (holds: () => boolean): Effect.Effect<void> =>
      Effect.callback<void>((resume) => {
        const watch = () => {
          if (!holds()) return
          watchers.delete(watch)
          resume(Effect.void)
        }
        watchers.add(watch)
        watch()
        return Effect.sync(() => void watchers.delete(watch))
      })
    const server = Net.createServer((socket) => {
      sockets.add(socket)
      connections++
      let received = ""
      socket.setEncoding("latin1")
      // A connection that a test breaks, or a client leaves, is not a failure of the server.
      socket.on("error", () => {})
      socket.on("close", () => {
        sockets.delete(socket)
        changed()
      })
      socket.on("data", (text) => {
        received += text
        for (let end = received.indexOf("\r\n\r\n"); end >= 0; end = received.indexOf("\r\n\r\n")) {
          const seen = read(received.slice(0, end))
          received = received.slice(end + 4)
          requests.push(seen)
          changed()
          answer?.(socket, () => void stalls++, seen)
        }
      })
    })
    const port = yield* Effect.acquireRelease(
      Effect.callback<number>((resume) => {
        server.listen(0, "127.0.0.1", () => {
          const address = server.address()
          resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0))
        })
      }),
      () => close(server, sockets)
    )
    if (answer === undefined) yield* close(server, sockets)
    return {
      baseUrl: `http://127.0.0.1:${port}`,
      requests,
      /** How many requests have been left without an end. */
      stalls: () => stalls,
      /** How many connections there were, and how many are open. */
      connections: () => connections,
      open: () => sockets.size,
      /** Waits until no connection is open. */
      quiet: until(() => sockets.size === 0),
      /** Waits until this number of requests has come in. */
      asked: (count: number) => until(() => requests.length >= count)
    }
  })

const close = (server: Net.Server, sockets: ReadonlySet<Net.Socket>): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    sockets.forEach((socket) => socket.destroy())
    server.close(() => resume(Effect.void))
  })

const read = (head: string): Seen => {
  const [line = "", ...fields] = head.split("\r\n")
  return {
    target: line.split(" ")[1] ?? "",
    headers: Object.fromEntries(fields.map((field) => {
      const at = field.indexOf(":")
      return [field.slice(0, at).toLowerCase(), field.slice(at + 1).trim()]
    })),
    head
  }
}

/** A whole reply that ends its connection. */
export const reply = (
  status: number,
  body: string | Uint8Array = "",
  headers: Readonly<Record<string, string | number>> = {}
): Buffer => {
  const bytes = Buffer.from(body)
  const fields = { "content-type": "application/json", "content-length": bytes.length, connection: "close", ...headers }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status} Status\r\n${lines.join("")}\r\n`), bytes])
}
