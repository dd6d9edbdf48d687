/** One process of the bench: a server to send requests to, or a measurement of its own. */
import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
import { Market, Sandbox, SandboxClock, SandboxServer } from "@effect-marketdata/sandbox"
import { Context, Effect, Layer, Scope } from "effect"
import * as Load from "../../../packages/sandbox/test/support/load.ts"
import { settle } from "../memory.ts"
import { noon } from "../replies.ts"
import { paired } from "../statistics.ts"
import { answer, serve } from "../worker.ts"

const sandbox = SandboxServer.layer().pipe(
  Layer.provide(Sandbox.layer()),
  Layer.provide(SandboxClock.layer({ pace: "frozen", at: noon }))
)

/** Starts a sandbox that lives as long as the process, and answers its port. */
const start = async (): Promise<number> => {
  const context = await Effect.runPromise(Layer.buildWithScope(sandbox, Scope.makeUnsafe()))
  return Number(new URL(Context.get(context, SandboxServer.SandboxServer).baseUrl).port)
}

await answer({
  serve: start,
  /** A bare server that sends the bytes of one reply. */
  bare: (reply) => {
    const [head = "", body] = reply.split("\r\n\r\n")
    const [status, ...fields] = head.split("\r\n")
    const headers = fields.map((line) => /^([^:]+): (.*)$/.exec(line)?.slice(1) ?? [])
      .filter(([name = ""]) => !/^(?:connection|keep-alive|date)$/i.test(name))
    return serve((_, response) => response.writeHead(Number(status?.split(" ")[1]), headers.flat()).end(body))
  },
  /** The largest chain as the sandbox writes it, against `JSON.stringify` of columns that are ready. */
  encode: (milliseconds) => {
    const chain = Market.make({ seed: 1 }).chain("SPX", noon)
    if (chain?.length !== 22_718) throw new Error(`the chain has ${chain?.length} contracts`)
    const columns: unknown = JSON.parse(ColumnTable.encode(chain))
    return paired(() => JSON.stringify(columns), () => ColumnTable.encode(chain), Number(milliseconds))
  },
  /** The heap after some requests, and how much it has grown since as many before them, which allocated compiled code. */
  memory: async (requests) => {
    const port = await start()
    const heapAfterwards = async (): Promise<number> => {
      await Load.count(port, Number(requests))
      return (await settle()).heapUsed
    }
    const before = await heapAfterwards()
    const held = await heapAfterwards()
    console.log(JSON.stringify({ held, grown: held - before }))
    process.exit(0)
  }
})
