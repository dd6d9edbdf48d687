/** One process of the bench: a server to send requests to, or a measurement of its own, whose figures it prints as JSON. */
import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
import * as Eastern from "@effect-marketdata/core/Eastern"
import * as Market from "@effect-marketdata/sandbox/market/Market"
import * as Sandbox from "@effect-marketdata/sandbox/Sandbox"
import * as SandboxClock from "@effect-marketdata/sandbox/SandboxClock"
import * as SandboxServer from "@effect-marketdata/sandbox/SandboxServer"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Http from "node:http"
import { setTimeout } from "node:timers/promises"
import { paired } from "../decode/paired.ts"
import * as Load from "./load.ts"

const noon = Eastern.at(CalendarDate.parseUnsafe("2026-11-20"), 12, 0)
const [what = "", figure = "0", reply = ""] = process.argv.slice(2)

const print = (value: unknown): void => console.log(JSON.stringify(value))

/** Runs a sandbox as long as somebody uses its port. */
const withSandbox = (use: (port: number) => Promise<void>): Promise<void> =>
  Effect.gen(function*() {
    const { baseUrl } = yield* SandboxServer.SandboxServer
    yield* Effect.promise(() => use(Number(new URL(baseUrl).port)))
  }).pipe(
    Effect.provide(
      SandboxServer.layer().pipe(
        Layer.provide(Sandbox.layer()),
        Layer.provide(SandboxClock.layer({ pace: "frozen", at: noon }))
      )
    ),
    Effect.runPromise
  )

/** A bare server that sends the bytes of a reply, and knows nothing. */
const bare = (): void => {
  const head = reply.slice(0, reply.indexOf("\r\n\r\n")).split("\r\n")
  const status = Number(head[0]?.split(" ")[1])
  const headers = Object.fromEntries(
    head.slice(1).map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)])
      .filter(([name]) => !["connection", "keep-alive"].includes(name!.toLowerCase()))
  )
  const body = reply.slice(reply.indexOf("\r\n\r\n") + 4)
  const server = Http.createServer((_, response) => {
    response.sendDate = false
    response.writeHead(status, headers)
    response.end(body)
  })
  server.listen(0, "127.0.0.1", () => {
    const address = server.address()
    print(typeof address === "object" ? address?.port : undefined)
  })
}

/** The largest chain as the sandbox writes it, against `JSON.stringify` of columns that are ready. */
const encode = (): void => {
  const chain = Market.make({ seed: 1 }).chain("SPX", noon)
  if (chain?.length !== 22_718) throw new Error(`the chain has ${chain?.length} contracts`)
  const columns: unknown = JSON.parse(ColumnTable.encode(chain))
  print(paired(() => JSON.stringify(columns), () => ColumnTable.encode(chain), Number(figure)))
}

const heap = async (): Promise<number> => {
  for (let at = 0; at < 4; at++) {
    globalThis.gc?.()
    await setTimeout(10)
  }
  return process.memoryUsage().heapUsed
}

/** What the heap holds after so many requests, and how much more than after as many before them, which leave compiled code behind. */
const memory = (): Promise<void> =>
  withSandbox(async (port) => {
    const request = Load.requestOf(reply)
    await Load.count(port, request, Number(figure))
    const before = await heap()
    await Load.count(port, request, Number(figure))
    const after = await heap()
    print({ held: after, grown: after - before })
  })

switch (what) {
  case "serve":
    await withSandbox((port) => {
      print(port)
      return new Promise(() => {})
    })
    break
  case "bare":
    bare()
    break
  case "encode":
    encode()
    break
  case "memory":
    await memory()
    break
  default:
    throw new Error(`nothing is called ${what}`)
}
