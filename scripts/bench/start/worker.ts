/** One process of the bench, which measures its own beginning: what it imports, and its first call. Prints milliseconds as JSON. */
import { performance } from "node:perf_hooks"
import { target } from "../beside/target.ts"

const [what = "", port = "0"] = process.argv.slice(2)
const origin = `http://127.0.0.1:${port}`

/** What a program of Effect that asks by HTTP has loaded without us. */
const effect = () =>
  Promise.all([
    import("effect/Effect"),
    import("effect/Layer"),
    import("effect/Redacted"),
    import("effect/Schema"),
    import("effect/http/FetchHttpClient"),
    import("effect/http/HttpClient")
  ])

/** A first call as people write it without us: no rows are checked. */
const bareCall = async (): Promise<void> => {
  const [Effect, , , , FetchHttpClient, HttpClient] = await effect()
  const body = HttpClient.get(origin + target(92)).pipe(
    Effect.flatMap((response) => response.json),
    Effect.provide(FetchHttpClient.layer)
  )
  await Effect.runPromise(body)
}

const ownCall = async (): Promise<void> => {
  const [Effect, Layer, Redacted, , FetchHttpClient] = await effect()
  const [CreditLedger, MarketData] = await Promise.all([
    import("@effect-marketdata/client/CreditLedger"),
    import("@effect-marketdata/client/MarketData")
  ])
  const layer = MarketData.layer({ baseUrl: origin, token: Redacted.make("bench") }).pipe(
    Layer.provide(CreditLedger.layerMemory({ allowance: 1000 })),
    Layer.provide(FetchHttpClient.layer)
  )
  const ask = MarketData.optionChain("SPX", { expiration: "all", strikeLimit: 92, assume: { contracts: 92 } })
  await Effect.runPromise(Effect.provide(ask, layer))
}

const works = new Map<string, () => Promise<unknown>>([
  ["effect", effect],
  ["client", () => Promise.all([effect(), import("@effect-marketdata/client")])],
  ["bare-call", bareCall],
  ["own-call", ownCall]
])

const work = works.get(what)
if (work === undefined) throw new Error(`nothing is called ${what}`)
const start = performance.now()
await work()
console.log(JSON.stringify(performance.now() - start))
process.exit(0)
