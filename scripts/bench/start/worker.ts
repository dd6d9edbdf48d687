/** One process of the bench, which measures its own beginning in milliseconds: what it imports, and its first call. */
import { profiledOnce } from "../profiled.ts"
import * as Statistics from "../statistics.ts"
import * as Targets from "../targets.ts"
import { answer } from "../worker.ts"

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
const bareCall = async (port: string): Promise<void> => {
  const [Effect, , , , FetchHttpClient, HttpClient] = await effect()
  const body = HttpClient.get(Targets.origin(port) + Targets.chain(92)).pipe(
    Effect.flatMap((response) => response.json),
    Effect.provide(FetchHttpClient.layer)
  )
  await Effect.runPromise(body)
}

const ownCall = async (port: string): Promise<void> => {
  const [Effect, Layer, Redacted, , FetchHttpClient] = await effect()
  const [CreditLedger, MarketData] = await Promise.all([
    import("@effect-marketdata/client/CreditLedger"),
    import("@effect-marketdata/client/MarketData")
  ])
  const layer = MarketData.layer({ baseUrl: Targets.origin(port), token: Redacted.make(Targets.token) }).pipe(
    Layer.provide(CreditLedger.layerMemory({ allowance: 1000 })),
    Layer.provide(FetchHttpClient.layer)
  )
  const ask = MarketData.optionChain("SPX", { expiration: "all", strikeLimit: 92, assume: { contracts: 92 } })
  await Effect.runPromise(Effect.provide(ask, layer))
}

type Work = (port: string) => Promise<unknown>

const timed = (work: Work) => (port: string) => Statistics.timed(() => work(port))

const profile = (work: Work) => (port: string) => profiledOnce(() => work(port))

await answer({
  effect: timed(effect),
  core: timed(() => Promise.all([effect(), import("@effect-marketdata/core")])),
  client: timed(() => Promise.all([effect(), import("@effect-marketdata/client")])),
  "bare-call": timed(bareCall),
  "own-call": timed(ownCall),
  "profile-bare-call": profile(bareCall),
  "profile-own-call": profile(ownCall)
})
