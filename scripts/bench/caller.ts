/** What the workers ask, and the client that they ask with, at a server of this machine. */
import * as CreditLedger from "@effect-marketdata/client/CreditLedger"
import * as MarketData from "@effect-marketdata/client/MarketData"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Targets from "./targets.ts"

/** The settings that lead to a server, by its port. */
export const config = (port: string) => ({ baseUrl: Targets.origin(port), token: Redacted.make(Targets.token) })

/** A client as a program has it: a budget, and the policies and the tracer that are there by default. */
export const client = (port: string, cache: Layer.Layer<never> = Layer.empty) =>
  MarketData.layer(config(port)).pipe(
    Layer.provide(cache),
    Layer.provide(CreditLedger.layerMemory({ allowance: 1e12 })),
    Layer.provideMerge(FetchHttpClient.layer)
  )

const contracts = 22_718

/** The largest chain. */
export const largest = Effect.map(
  MarketData.optionChain("SPX", { expiration: "all", strikeLimit: contracts, assume: { contracts } }),
  ({ data }) => {
    if (data.length !== contracts) throw new Error(`the chain has ${data.length} contracts`)
  }
)

/** One quote. */
export const quote = MarketData.stockQuote("AAPL")
