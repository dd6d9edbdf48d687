/**
 * A database that says nothing: the host is gone and a new one has its name, or something between drops what is sent. No error comes then, and what waits
 * would wait for minutes.
 */
import * as Effect from "effect/Effect"
import * as Net from "node:net"
import * as SqlClient from "effect/sql/SqlClient"

/** A connection that ends when nothing was said on it for a number of milliseconds: what waits for an answer fails, and one that is unused is closed. */
export const connect = (url: URL, milliseconds: number): Net.Socket => {
  const { hostname, port } = url
  const host = hostname.replace(/^\[|\]$/g, "")
  const socket = Net.connect({ host, port: Number(port || 5432), noDelay: true })
  return socket.setTimeout(
    milliseconds,
    () => socket.destroy(new Error(`the database said nothing for ${milliseconds} ms`))
  )
}

/** How often the database is asked whether it is there, and how soon it answers if it is, in milliseconds. */
const every = 1000
const soon = 3000

/**
 * Asks the database again and again, and ends once it has been silent for a number of times that it could have answered. An error is an answer, since
 * nothing waits then; but one that comes late is what a connection says when it is given up. A program that was stopped for a while has not been waiting.
 */
export const silent = (times: number): Effect.Effect<void, never, SqlClient.SqlClient> =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    let missed = 0
    let waited = 0
    const ask = Effect.suspend(() => {
      waited = 0
      return Effect.exit(sql`SELECT 1 AS one`)
    })
    const asking = Effect.map(ask, () => {
      if (waited * every < soon) missed = 0
    }).pipe(Effect.delay(every), Effect.forever, Effect.forkScoped)
    yield* asking
    while (missed < times) {
      yield* Effect.sleep(every)
      waited++
      missed++
    }
  }).pipe(Effect.scoped)
