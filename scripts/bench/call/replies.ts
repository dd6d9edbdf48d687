/** Replies as the sandbox gives them, captured once, and a bare server that sends their bytes: what is measured is the client. */
import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as Eastern from "@effect-marketdata/core/Eastern"
import * as Sandbox from "@effect-marketdata/sandbox/Sandbox"
import * as SandboxClock from "@effect-marketdata/sandbox/SandboxClock"
import * as SandboxServer from "@effect-marketdata/sandbox/SandboxServer"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Http from "node:http"

/** The largest chain, and one quote, by the targets that the client asks for. */
export const targets = {
  chain: "/v1/options/chain/SPX/?expiration=all",
  quote: "/v1/stocks/quotes/AAPL/"
} as const

/** A token that the sandbox knows. */
export const token = "sandbox-paid"

interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

const noon = Eastern.at(CalendarDate.parseUnsafe("2026-11-20"), 12, 0)

/** Headers of the connection, which are the server's own. */
const hopByHop = new Set(["connection", "keep-alive", "transfer-encoding", "content-length"])

const replyOf = async (url: string): Promise<Reply> => {
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}`, "accept-encoding": "identity" } })
  const body = Buffer.from(await response.arrayBuffer())
  const headers = [...response.headers].filter(([name]) => !hopByHop.has(name))
  return {
    status: response.status,
    headers: { ...Object.fromEntries(headers), "content-length": String(body.length) },
    body
  }
}

const captured = Effect.flatMap(
  SandboxServer.SandboxServer,
  ({ baseUrl }) =>
    Effect.promise(async () => {
      const replies = Object.values(targets).map(async (target) => [target, await replyOf(baseUrl + target)] as const)
      return new Map<string | undefined, Reply>(await Promise.all(replies))
    })
).pipe(
  Effect.provide(
    SandboxServer.layer().pipe(
      Layer.provide(Sandbox.layer()),
      Layer.provide(SandboxClock.layer({ pace: "frozen", at: noon }))
    )
  )
)

/** Serves the replies for as long as the process lives; answers the port. */
export const serve = async (): Promise<number> => {
  const replies = await Effect.runPromise(captured)
  const server = Http.createServer((request, response) => {
    const reply = replies.get(request.url)
    if (reply === undefined) return void response.writeHead(500).end()
    response.sendDate = false
    response.writeHead(reply.status, reply.headers).end(reply.body)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("the server has no port")
  return address.port
}
