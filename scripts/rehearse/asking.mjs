/**
 * Asks the sandbox over a real socket with the platform's fetch, as an application would that installed the packages, under whatever Node runs this.
 * Called in the folder of the application as `node asking.mjs`; prints a line for each answer that is wrong, and ends with 1.
 */
import * as CacheFallback from "@effect-marketdata/client/CacheFallback"
import * as CreditLedger from "@effect-marketdata/client/CreditLedger"
import * as MarketData from "@effect-marketdata/client/MarketData"
import * as DataMode from "@effect-marketdata/core/DataMode"
import * as Sandbox from "@effect-marketdata/sandbox/Sandbox"
import * as SandboxServer from "@effect-marketdata/sandbox/SandboxServer"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { isDeepStrictEqual } from "node:util"

const paid = { token: Redacted.make("sandbox-paid") }

const wholeChain = Effect.map(
  MarketData.optionChain("SPX", { mode: DataMode.cached(), expiration: "all" }),
  ({ credits, data, provenance }) => [data.length > 20_000, provenance.status, credits.charged]
)
const liveAfterMiss = Effect.map(
  MarketData.stockQuote("F", { mode: DataMode.cachedOrLive() }),
  ({ credits, provenance, trace }) => [provenance.sentMode, credits.charged, trace.length]
)
const refused = Effect.map(Effect.flip(MarketData.stockQuote("MSFT")), ({ reason }) => reason._tag)

/** Each query with the options of its client, and what should come of it. */
const queries = {
  "a whole cached chain": [paid, wholeChain, [true, 203, 1]],
  "live data after a cached miss": [{ ...paid, tokenIn: "query" }, liveAfterMiss, ["live", 1, 2]],
  "a wrong token": [{ token: Redacted.make("nobody's-token") }, refused, "Unauthorized"]
}

const program = Effect.gen(function*() {
  const { baseUrl } = yield* SandboxServer.SandboxServer
  for (const [what, [options, ask, answer]] of Object.entries(queries)) {
    const client = MarketData.layer({ baseUrl, ...options }).pipe(
      Layer.provide(CreditLedger.layerMemory({ allowance: 10_000 })),
      Layer.provide(FetchHttpClient.layer),
      Layer.merge(CacheFallback.layerAlways)
    )
    const came = yield* Effect.exit(Effect.provide(ask, client))
    if (came._tag === "Success" && isDeepStrictEqual(came.value, answer)) continue
    const seen = came._tag === "Success" ? JSON.stringify(came.value) : String(came.cause)
    process.exitCode = 1
    console.log(`${what}: ${seen}, expected ${JSON.stringify(answer)}`)
  }
})

const server = Layer.provideMerge(SandboxServer.layer(), Sandbox.layer({ seed: 1, cold: ["F"] }))
await Effect.runPromise(Effect.provide(program, server))
