/** A service that answers every request with what it is told to. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

interface Reply {
  readonly status: number
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface HostileServer {
  readonly baseUrl: string
  /** What the next requests are answered with. */
  readonly answer: (reply: Reply) => void
  readonly close: () => Promise<void>
}

/** Starts one on a free port of this machine. */
export const start = async (): Promise<HostileServer> => {
  let reply: Reply = { status: 500, body: "" }
  const server = createServer((_, response) => {
    response.writeHead(reply.status, { "content-type": "application/json", ...reply.headers })
    response.end(reply.body)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    answer: (next) => {
      reply = next
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      })
  }
}
