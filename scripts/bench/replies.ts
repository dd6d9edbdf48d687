/** A server of prepared replies, so that its own work does not count. */
import { CalendarDate, ColumnTable, NewYork } from "@effect-marketdata/core"
import { Sandbox, SandboxClock, SandboxReply } from "@effect-marketdata/sandbox"
import { Effect, Layer } from "effect"
import * as Chains from "./decode/chains.ts"
import * as Targets from "./targets.ts"
import { serve as listen } from "./worker.ts"

/** Noon of a Friday, at which the sandbox of every bench stands still. */
export const noon = NewYork.at(CalendarDate.parseUnsafe("2026-11-20"), 12, 0)

/** A quote as the sandbox gives it. */
const quote = Effect.gen(function*() {
  const { handle } = yield* Sandbox.Sandbox
  const { authorization } = Targets.headers
  return yield* handle({ method: "GET", target: Targets.quote, address: "127.0.0.1", headers: { authorization } })
}).pipe(Effect.provide(Layer.provide(Sandbox.layer(), SandboxClock.layer({ pace: "frozen", at: noon }))))

/** Serves the quote and chains of all sizes, with the head of the quote. */
export const serve = async (): Promise<number> => {
  const reply = await Effect.runPromise(quote)
  const bodies = new Map<string | undefined, Buffer>([
    [Targets.quote, Buffer.from(SandboxReply.text(reply))],
    ...Targets.sizes.map((size) => [Targets.chain(size), Buffer.from(ColumnTable.encode(Chains.chain(size)))] as const)
  ])
  return listen((request, response) => {
    const body = bodies.get(request.url)
    if (body === undefined) return response.writeHead(500).end()
    return response.writeHead(reply.status, { ...reply.headers, "content-length": body.length }).end(body)
  })
}
