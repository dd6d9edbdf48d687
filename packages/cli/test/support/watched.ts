/** A service on a port before another one: what is asked of it can be counted, held up, or answered otherwise. */
import { afterAll } from "@effect/vitest"
import * as Loopback from "../../../core/test/support/loopback.ts"
import type { Reply } from "./hostileServer.ts"

/** Starts it. */
export const start = async (service: string) => {
  const watched = {
    /** The paths of what was asked, in order. */
    asked: Array<string>(),
    /** Credits that were charged, by the service's own figures. */
    credits: 0,
    /** Looks at each request before the service does; a reply that it returns is sent instead of the service's. */
    before: (_path: string): Promise<Reply | undefined> | Reply | undefined => undefined
  }
  const { baseUrl, close } = await Loopback.serve((request, reply) => {
    const path = request.url ?? ""
    const answer = async (): Promise<void> => {
      watched.asked.push(path)
      const instead = await watched.before(path)
      if (instead !== undefined) {
        reply.writeHead(instead.status, { "content-type": "application/json", ...instead.headers }).end(instead.body)
        return
      }
      const response = await fetch(service + path, { headers: { authorization: request.headers.authorization ?? "" } })
      const body = Buffer.from(await response.arrayBuffer())
      const headers = [...response.headers].filter(([name]) => /^(?:x-|content-type)/.test(name))
      watched.credits += Number(response.headers.get("x-api-ratelimit-consumed") ?? 0)
      reply.writeHead(response.status, Object.fromEntries(headers)).end(body)
    }
    answer().catch(() => reply.destroy())
  })
  afterAll(close)
  return Object.assign(watched, { baseUrl })
}
