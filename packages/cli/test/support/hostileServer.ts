/** A service that answers every request with what it is told to, as long as the tests of a file run. */
import { afterAll } from "@effect/vitest"
import * as Loopback from "../../../core/test/support/loopback.ts"

export interface Reply {
  readonly status: number
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

export const start = async () => {
  let replies: ReadonlyArray<Reply> = [{ status: 500, body: "" }]
  const server = await Loopback.serve((_, response) => {
    const [reply, ...others] = replies as readonly [Reply, ...ReadonlyArray<Reply>]
    if (others.length > 0) replies = others
    response.writeHead(reply.status, { "content-type": "application/json", ...reply.headers })
    response.end(reply.body)
  })
  afterAll(server.close)
  /** What the next requests are answered with, one after the other; the last is for all that follow. */
  const answer = (...next: ReadonlyArray<Reply>): void => void (replies = next)
  return { ...server, answer }
}
