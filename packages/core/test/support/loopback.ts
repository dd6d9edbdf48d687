/** Serves HTTP on a free port of this machine, for tests that need what happens on a connection. */
import * as Effect from "effect/Effect"
import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"

export const serve = async (answer: RequestListener) => {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Ends every connection, also one that waits for its reply. */
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}

/** Serves until the scope ends. */
export const scoped = (answer: RequestListener) =>
  Effect.acquireRelease(Effect.promise(() => serve(answer)), ({ close }) => Effect.promise(close))
