/** A service that answers every request with what it is told to. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

export interface Reply {
  readonly status: number
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface HostileServer {
  readonly baseUrl: string
  /** What the next requests are answered with, one after the other; the last is for all that follow. */
  readonly answer: (...replies: ReadonlyArray<Reply>) => void
  readonly close: () => Promise<void>
}

/** Starts one on a free port of this machine. */
export const start = async (): Promise<HostileServer> => {
  let replies: ReadonlyArray<Reply> = [{ status: 500, body: "" }]
  const server = createServer((_, response) => {
    const [reply, ...others] = replies as readonly [Reply, ...ReadonlyArray<Reply>]
    if (others.length > 0) replies = others
    response.writeHead(reply.status, { "content-type": "application/json", ...reply.headers })
    response.end(reply.body)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    answer: (...next) => {
      replies = next
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      })
  }
}
