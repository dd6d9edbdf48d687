/**
 * V8 frees what was made lately in short collections, unless something older refers to it. A generator function that is made for one call is such a
 * thing: whatever it refers to is kept until the whole heap is collected, tables of megabytes among it.
 */
import * as MarketData from "@effect-marketdata/client/MarketData"
import * as Policies from "@effect-marketdata/client/Policies"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Layer from "effect/Layer"
import { inspect } from "node:util"
import * as v8 from "node:v8"
import { runInNewContext } from "node:vm"
import { chainBody, clientOf } from "./support/scripted.ts"

v8.setFlagsFromString("--expose-gc")
const collect = runInNewContext("gc") as (options?: { readonly type: "minor" }) => void

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

describe("run", () => {
  for (
    const [name, call] of [
      ["a call", chain],
      ["a call that others may join", Effect.provideService(chain, Policies.Coalesce, true)]
    ] as const
  ) {
    it(`leaves nothing of ${name} that waits for a collection of the whole heap`, async () => {
      const context = await Effect.runPromise(Effect.scoped(Layer.build(clientOf(service))))
      const run = Effect.runPromiseWith(context)
      for (let at = 0; at < 20; at++) await run(call)
      collect()
      const tables = new WeakMap<object, true>()
      for (let at = 0; at < 50; at++) tables.set((await run(call)).data, true)
      collect({ type: "minor" })
      collect({ type: "minor" })
      // The last ones may be held by what V8 has learned of the functions that took them.
      assert.isAtMost(sizeOf(tables), 5)
    })
  }
})
