/** A process that says how many of 50 answers are left after short collections, of calls of each kind. It needs `--expose-gc`. */
import { MarketData, Policies } from "@effect-marketdata/client"
import { Effect, Layer } from "effect"
import { HttpClient, HttpClientResponse } from "effect/http"
import { inspect } from "node:util"
import { clientOf } from "./clients.ts"
import { chainBody } from "./scripted.ts"

/** A service that remembers nothing of its requests. */
const service = {
  requests: [],
  layer: Layer.succeed(
    HttpClient.HttpClient,
    HttpClient.make((request) => Effect.sync(() => HttpClientResponse.fromWeb(request, new Response(chainBody(2)))))
  )
}

const chain = MarketData.optionChain("AAPL", { assume: { contracts: 2 } })

/** How many keys a weak map has: only the inspector tells, without collecting the whole heap. */
const sizeOf = (map: WeakMap<object, true>): number =>
  inspect(map, { showHidden: true, maxArrayLength: Infinity, depth: 0 }).split("=> true").length - 1

const left: Record<string, number> = {}
const cases = [
  ["a call", chain],
  ["a call that others may join", Effect.provideService(chain, Policies.Coalesce, true)]
] as const
for (const [name, call] of cases) {
  const context = await Effect.runPromise(Effect.scoped(Layer.build(clientOf(service))))
  const run = Effect.runPromiseWith(context)
  for (let at = 0; at < 20; at++) await run(call)
  globalThis.gc?.()
  const tables = new WeakMap<object, true>()
  for (let at = 0; at < 50; at++) tables.set((await run(call)).data, true)
  globalThis.gc?.({ type: "minor" })
  globalThis.gc?.({ type: "minor" })
  left[name] = sizeOf(tables)
}

process.stdout.write(JSON.stringify(left))
