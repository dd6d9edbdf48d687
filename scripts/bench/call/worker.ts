/** Whole calls of the client, with all that it does, against less: what asks the same server for the same bytes. */
import * as CreditLedger from "@effect-marketdata/client/CreditLedger"
import * as MarketData from "@effect-marketdata/client/MarketData"
import * as Policies from "@effect-marketdata/client/Policies"
import * as ReplyCache from "@effect-marketdata/client/ReplyCache"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Replies from "../replies.ts"
import { paired } from "../statistics.ts"
import * as Targets from "../targets.ts"
import { answer } from "../worker.ts"

/** Makes calls with a client as a program has it: a budget, and the policies and the tracer that are there by default. */
const caller = async (port = "0", cache: Layer.Layer<never> = Layer.empty) => {
  const client = MarketData.layer({ baseUrl: Targets.origin(port), token: Redacted.make(Targets.token) }).pipe(
    Layer.provide(cache),
    Layer.provide(CreditLedger.layerMemory({ allowance: 1e12 })),
    Layer.provideMerge(FetchHttpClient.layer)
  )
  const context = await Effect.runPromise(Effect.scoped(Layer.build(client)))
  return <A, E>(self: Effect.Effect<A, E, MarketData.MarketData | HttpClient.HttpClient>) => () =>
    Effect.runPromiseWith(context)(self)
}

const contracts = 22_718

const askChain = Effect.map(
  MarketData.optionChain("SPX", { expiration: "all", strikeLimit: contracts, assume: { contracts } }),
  ({ data }) => {
    if (data.length !== contracts) throw new Error(`the chain has ${data.length} contracts`)
  }
)

/** A chain that was kept, against one that is fetched and decoded. */
const hit = async (
  port: string | undefined,
  milliseconds: string | undefined,
  cache: Layer.Layer<ReplyCache.ReplyCache>
) => {
  const kept = Effect.provideService(askChain, Policies.AcceptAge, "1 day")
  return paired((await caller(port))(askChain), (await caller(port, cache))(kept), Number(milliseconds))
}

const maxBytes = 64 * 1024 * 1024

await answer({
  serve: (coding = "plain") => Replies.serve(coding),
  "22718": async (port = "0", milliseconds) => {
    const plain = async () => {
      const response = await fetch(Targets.origin(port) + Targets.chain(contracts), { headers: Targets.headers })
      return JSON.parse(await response.text())
    }
    return paired(plain, (await caller(port))(askChain), Number(milliseconds))
  },
  "22718-hit": (port, milliseconds) => hit(port, milliseconds, ReplyCache.layerMemory({ maxBytes })),
  "22718-hit-disk": async (port, milliseconds) => {
    const directory = mkdtempSync(join(tmpdir(), "bench-cache-"))
    const cache = ReplyCache.layerDisk({ directory, maxBytes, account: "bench" })
    try {
      return await hit(port, milliseconds, Layer.provide(cache, NodeServices.layer))
    } finally {
      rmSync(directory, { recursive: true })
    }
  },
  "one-quote": async (port = "0", milliseconds) => {
    const run = await caller(port)
    const bare = HttpClient.get(Targets.origin(port) + Targets.quote, { headers: Targets.headers }).pipe(
      Effect.flatMap((response) => response.json)
    )
    return paired(run(bare), run(MarketData.stockQuote("AAPL")), Number(milliseconds))
  }
})
