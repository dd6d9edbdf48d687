/**
 * Asks the sandbox over a real socket with the platform's fetch, as an application would that installed the packages, under whatever Node runs this.
 * Called in the folder of the application as `node asking.mjs`; prints a line for each answer that is wrong.
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

const reasonOf = (question) => Effect.map(Effect.flip(question), ({ reason }) => reason._tag)
const paid = { token: Redacted.make("sandbox-paid") }
const symbols = Array.from({ length: 1200 }, (_, index) => `T${index}`)

/** Each question with what should come of it, by a client of its own. */
const questions = [
  {
    what: "[4.1-path] [7.1-203] [4.1-cost-cached] a whole cached chain",
    options: paid,
    ask: Effect.map(
      MarketData.optionChain("SPX", { mode: DataMode.cached(), expiration: "all" }),
      ({ credits, data, provenance }) => [data.length > 20_000, provenance.status, credits.charged]
    ),
    answer: [true, 203, 1]
  },
  {
    what: "[7.1-204] [8.3-miss] a cached miss",
    options: paid,
    ask: reasonOf(MarketData.stockQuote("F", { mode: DataMode.cached() })),
    answer: "NoCachedData"
  },
  {
    what: "[8.3-fallback] live data after a cached miss",
    options: paid,
    ask: Effect.map(
      MarketData.stockQuote("F", { mode: DataMode.cachedOrLive() }),
      ({ credits, provenance, trace }) => [provenance.modeSent, credits.charged, trace.length]
    ),
    answer: ["live", 1, 2]
  },
  {
    what: "[8.1-batches] a list that takes several requests",
    options: paid,
    ask: Effect.map(Effect.exit(MarketData.stockPrices(symbols, { mode: DataMode.cached() })), ({ _tag }) => _tag),
    requests: 3
  },
  {
    what: "[7.1-404] a contract that does not exist",
    options: paid,
    ask: reasonOf(MarketData.optionQuote("AAPL261218C09990000")),
    answer: "NotFound"
  },
  {
    what: "[5.7-401] a wrong token",
    options: { token: Redacted.make("nobody's-token") },
    ask: reasonOf(MarketData.stockQuote("MSFT")),
    answer: "Unauthorized"
  },
  {
    what: "[5.5-demo] the demo ticker without a token",
    options: {},
    ask: Effect.map(MarketData.stockQuote("AAPL"), ({ data }) => data.length),
    answer: 1
  },
  {
    what: "[5.3-query] a token in the query",
    options: { ...paid, tokenIn: "query" },
    ask: Effect.map(MarketData.stockQuote("MSFT"), ({ data }) => data.length),
    answer: 1
  }
]

const program = Effect.gen(function*() {
  const { baseUrl } = yield* SandboxServer.SandboxServer
  const { requests } = yield* Sandbox.Sandbox
  for (const { answer, ask, options, requests: expected, what } of questions) {
    const client = Layer.mergeAll(
      MarketData.layer({ baseUrl, ...options }).pipe(
        Layer.provide(CreditLedger.layerMemory({ allowance: 10_000 })),
        Layer.provide(FetchHttpClient.layer)
      ),
      CacheFallback.layerAlways
    )
    const before = (yield* requests).length
    const came = yield* Effect.exit(Effect.provide(ask, client))
    const sent = (yield* requests).length - before
    if (expected !== undefined && sent !== expected) console.log(`${what}: ${sent} requests, expected ${expected}`)
    if (answer !== undefined && !(came._tag === "Success" && isDeepStrictEqual(came.value, answer))) {
      const seen = came._tag === "Success" ? JSON.stringify(came.value) : String(came.cause)
      console.log(`${what}: ${seen}, expected ${JSON.stringify(answer)}`)
    }
  }
})

await Effect.runPromise(
  Effect.provide(
    program,
    SandboxServer.layer().pipe(Layer.provideMerge(Sandbox.layer({ seed: 1, cold: ["F"] })))
  )
)
