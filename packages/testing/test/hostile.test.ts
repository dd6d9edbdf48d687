/** The client before a hostile server, over each HTTP client: every query ends in an answer or a typed error, in time, and leaves nothing. */
import { CreditLedger, MarketData, RetryPolicy } from "@effect-marketdata/client"
import * as Query from "@effect-marketdata/core/Query"
import { HostileReplies, HostileServer } from "@effect-marketdata/testing"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as NodeSocketServer from "@effect/platform-node/NodeSocketServer"
import { assert, it } from "@effect/vitest"
import { Cause, Effect, Exit, Layer, Metric, References, Result } from "effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as fc from "fast-check"
import { runs } from "../../core/test/support/depth.ts"

const clients = {
  fetch: FetchHttpClient.layer,
  "node:http": NodeHttpClient.layerNodeHttp,
  undici: NodeHttpClient.layerUndici
}

const queries = [
  Result.getOrThrow(Query.optionChain("SPX")),
  Result.getOrThrow(Query.optionLookup("AAPL 12/18/2026 150 Call")),
  Result.getOrThrow(Query.stockPrices(["AAPL", "MSFT"])),
  Query.requestHeaders
] as ReadonlyArray<Query.Query<unknown, undefined>>

/** Small and fast ones, none of which hangs: `npm run hostile` sends the others. The fetch of Node 24 does not bear a connection that is closed. */
const replies = fc.sample(HostileReplies.reply({ fields: ["optionSymbol", "symbol", "mid"], maxBytes: 50_000 }), {
  seed: 20_261_122,
  numRuns: runs(400, 60)
}).filter(({ end, framing, pace }) =>
  pace.pause === 0 && end === "keeps" && /^(length|chunked|lengthTooSmall)$/.test(framing)
)

/** Turns of the event loop until something holds. */
const until = Effect.fnUntraced(function*(holds: () => boolean) {
  while (!holds()) yield* Effect.callback<void>((resume) => void setImmediate(() => resume(Effect.void)))
})

for (const [name, client] of Object.entries(clients)) {
  it.live(`over ${name}: an answer or a typed error, and nothing left`, () => {
    let alive = 0
    const fibers: Metric.FiberRuntimeMetricsService = {
      recordFiberStart: () => void alive++,
      recordFiberEnd: () => void alive--
    }
    return Effect.gen(function*() {
      let next = 0
      const { baseUrl, open } = yield* HostileServer.serve(() => replies[next++ % replies.length]!)
      const ask = (at: number) =>
        Effect.map(Effect.exit(MarketData.run(queries[at % queries.length]!)), (exit) => {
          const typed = Exit.isSuccess(exit) || Cause.findErrorOption(exit.cause)._tag === "Some"
          assert.isTrue(typed, Exit.isFailure(exit) ? Cause.pretty(exit.cause) : "")
        })
      yield* Effect.forEach(Array.from({ length: replies.length }, (_, at) => at), ask, {
        concurrency: 8,
        discard: true
      }).pipe(
        Effect.provideService(RetryPolicy.RetryPolicy, RetryPolicy.make({ attempts: 1, deadline: 20_000 })),
        Effect.provideService(Metric.FiberRuntimeMetrics, fibers),
        Effect.provideService(References.MinimumLogLevel, "None"),
        Effect.provide(MarketData.layer({ baseUrl }).pipe(Layer.provide([client, CreditLedger.layerUnlimited])))
      )
      // The same query twice at once is one request.
      assert.isAbove(next, replies.length / 2)
      yield* until(() => alive === 0)
      // The connections of fetch are kept for whoever asks next.
      yield* until(() => name === "fetch" || open() === 0)
    }).pipe(Effect.scoped, Effect.provide(NodeSocketServer.layer({ port: 0, host: "127.0.0.1" })))
  })
}
