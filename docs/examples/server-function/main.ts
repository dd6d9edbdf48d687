/**
 * A function from a web request to a response, as frameworks for pages take it: the token stays on the server, and one client with one budget
 * answers all requests. `GET /chains/AAPL` gives strikes and bids.
 */
import { CreditLedger, MarketData, ReplyCache } from "@effect-marketdata/client"
import { Effect, Layer, ManagedRuntime } from "effect"
import { FetchHttpClient } from "effect/http"

const runtime = ManagedRuntime.make(MarketData.layerConfig.pipe(
  Layer.provide([
    CreditLedger.layerMemory({ allowance: 1_000, window: "day" }),
    ReplyCache.layerMemory({ maxBytes: 64_000_000, account: "site" }),
    FetchHttpClient.layer
  ])
))

/** What a reason means to our callers: only what they can change is their fault. */
const status = { InvalidQuery: 400, NotFound: 404, NoCachedData: 404, CreditBudgetExceeded: 503 } as const

export const handler = (request: Request): Promise<Response> => {
  const [, collection, underlying = ""] = new URL(request.url).pathname.split("/")
  if (request.method !== "GET" || collection !== "chains") return Promise.resolve(new Response(null, { status: 404 }))
  const chain = MarketData.optionChain(underlying, {
    mode: "cached",
    dte: 30,
    strikeLimit: 10,
    columns: ["strike", "bid"]
  })
  return runtime.runPromise(Effect.match(chain, {
    onSuccess: ({ data, provenance }) =>
      Response.json({
        source: provenance.source,
        rows: Array.from(data.strike, (strike, row) => ({ strike, bid: data.bid[row] })) // NaN is null as JSON
      }),
    onFailure: ({ message, reason }) =>
      Response.json({ message }, { status: status[reason._tag as keyof typeof status] ?? 502 })
  }))
}

// A framework calls it. Here we do.
for (const path of ["/chains/AAPL", "/chains/apple%20inc"]) {
  const response = await handler(new Request(`http://localhost${path}`))
  console.log(response.status, (await response.text()).slice(0, 60))
}
await runtime.dispose()
